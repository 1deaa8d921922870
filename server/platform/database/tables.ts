/** Generated from the migrations by `npm run generate`. */
import type { ColumnType, Generated } from 'kysely'

export type Json = ColumnType<Record<string, unknown>, string, string>

export interface AccountActs {
  id: string
  user_id: string
  kind: string
  recipient: Buffer | null
  created_at: Date
}

export interface AccountTokens {
  hash: Buffer
  user_id: string
  purpose: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface ActivityWatchers {
  project_id: string
  until: Date
}

export interface ApiKeySecrets {
  hash: Buffer
  project_id: string
  key_id: string
  expires_at: Date | null
}

export interface ApiKeyUses {
  project_id: string
  key_id: string
  last_used_at: Date
  last_used_ip: string | null
}

export interface ApiKeys {
  project_id: string
  id: string
  name: string
  prefix: string
  scopes: string[]
  allowed_ips: Generated<string[]>
  expires_at: Date | null
  created_by_type: string
  created_by_id: string | null
  created_by_name: string
  created_at: Date
  updated_at: Date
  test: Generated<boolean>
}

export interface ApiRequests {
  project_id: string
  second: Date
  first_id: string
  method: string
  status: number
  code: string | null
  key_type: string
  key_id: string | null
  key_name: string
  ip: string | null
  error: Json | null
  ignored_fields: string[] | null
  ids: string[]
  paths: string[]
  durations_ms: number[]
}

export interface AuditLog {
  project_id: string
  id: string
  act: string
  actor_kind: string
  actor_user_id: string | null
  actor_email: string | null
  details: Json
  ip: string | null
  created_at: Date
  actor_key_id: string | null
  actor_key_name: string | null
}

export interface BillingCustomers {
  project_id: string
  customer_id: string
  subscription_id: string | null
  subscription_status: string | null
  period_ends_at: Date | null
  cancels_at_period_end: Generated<boolean>
  created_at: Date
  updated_at: Date
}

export interface BillingLimits {
  project_id: string
  source: string
  max: number
  month: Date
  used: number
  used_before: Generated<number>
}

export interface CampaignCountChanges {
  project_id: string
  campaign_id: string
  ended: Generated<number>
  sent: Generated<number>
  delivered: Generated<number>
  opened: Generated<number>
  clicked: Generated<number>
  bounced: Generated<number>
  complained: Generated<number>
  failed: Generated<number>
  refused: Generated<number>
  skipped: Generated<number>
}

export interface CampaignCounts {
  project_id: string
  campaign_id: string
  ended: Generated<number>
  sent: Generated<number>
  delivered: Generated<number>
  opened: Generated<number>
  clicked: Generated<number>
  bounced: Generated<number>
  complained: Generated<number>
  failed: Generated<number>
  refused: Generated<number>
  skipped: Generated<number>
}

export interface CampaignExperiments {
  project_id: string
  campaign_id: string
  variants: Json
  share: number
  metric: string
  conversion_event: string | null
  wait_minutes: number
  selection: string
  decide_at: Date | null
  winner: string | null
  conclusive: boolean | null
  decided_at: Date | null
  decided_by: Json | null
  created_at: Date
  updated_at: Date
}

export interface CampaignFeeds {
  project_id: string
  campaign_id: string
  data: Json
  fetched_at: Date
}

export interface CampaignOccurrences {
  project_id: string
  id: string
  campaign_id: string
  at: Date
  sent_campaign_id: string | null
  reason: string | null
}

export interface CampaignRecipients {
  project_id: string
  campaign_id: string
  contact_id: string
}

export interface CampaignRecurrences {
  project_id: string
  campaign_id: string
  rule: Json
  uses_template: Generated<boolean>
  status: string
  next_at: Date | null
  sent: Generated<number>
  seen_items: Generated<string[]>
  created_at: Date
  updated_at: Date
}

export interface CampaignWaveRecipients {
  project_id: string
  campaign_id: string
  wave: number
  contact_id: string
}

export interface CampaignWaves {
  project_id: string
  campaign_id: string
  number: number
  send_at: Date | null
  variant: string | null
  content_id: string | null
  subject: string | null
  from_email: string | null
  from_name: string | null
  recipients: number
  queued: Generated<number>
  last_contact_id: string | null
  sent: number | null
}

export interface Campaigns {
  project_id: string
  id: string
  name: string
  description: string | null
  subject: string
  body: string
  from_email: string
  from_domain: string
  from_name: string | null
  reply_to: string | null
  type: string
  status: Generated<string>
  audience_type: string
  segment_id: string | null
  audience_condition: Json | null
  fields: Generated<string[]>
  event_names: Generated<string[]>
  segment_ids: Generated<string[]>
  template_id: string | null
  scheduled_for: Date | null
  scheduled_at: Date | null
  held_reason: string | null
  sent_at: Date | null
  paused_at: Date | null
  finished_at: Date | null
  content_id: string | null
  frozen_at: Date | null
  last_contact_id: string | null
  moved_at: Date | null
  drained_at: Date | null
  total_recipients: Generated<number>
  created_at: Date
  updated_at: Date
  document: Json | null
  mjml: string | null
  preheader: string | null
  version: Generated<number>
  tags: Generated<string[]>
  plain: string | null
  topic_id: string | null
  send_options: Json | null
  has_waves: Generated<boolean>
  guarded_at: Date | null
  guard_passed: Generated<boolean>
  is_public: Generated<boolean>
  utm: Json | null
  feed: Json | null
  recurrence_of: string | null
}

export interface CapturedMessages {
  id: string
  sender: string
  recipients: string[]
  raw: Buffer
  created_at: Date
  email_id: string | null
  encrypted: Generated<boolean>
  system: Generated<boolean>
}

export interface Consents {
  project_id: string
  contact_id: string
  id: string
  kind: string
  topic: string | null
  source: string
  ip: string | null
  user_agent: string | null
  text: string | null
  actor_type: string | null
  actor_id: string | null
  actor_name: string | null
  at: Date
}

export interface ContactCountChanges {
  project_id: string
  tally: string
  path: Generated<string[]>
  change: number
}

export interface ContactCounts {
  project_id: string
  tally: string
  path: Generated<string[]>
  count: number
}

export interface ContactFields {
  project_id: string
  path: string[]
  type: string
}

export interface ContactJobInputs {
  project_id: string
  job_id: string
  file: Buffer | null
  layout: Json | null
  contact_ids: string[] | null
  keep_suppressions: Generated<boolean>
  condition: Json | null
  target: Json | null
}

export interface ContactJobs {
  project_id: string
  id: string
  type: string
  status: Generated<string>
  progress: Generated<number>
  bytes_done: Generated<number>
  rows_done: Generated<number>
  result: Json | null
  error: string | null
  created_at: Date
  updated_at: Date
  last_contact_id: string | null
  cause: Json | null
  confirmations_per_hour: number | null
  confirmations_total: Generated<number>
  confirmations_sent: Generated<number>
  confirmations_skipped: Generated<number>
  confirm_next_at: Date | null
}

export interface ContactTopics {
  project_id: string
  contact_id: string
  topic: number
  subscribed: boolean
  subscribed_before: boolean
  source: string
  updated_at: Date
}

export interface Contacts {
  project_id: string
  id: string
  email: string
  subscribed: boolean
  subscribed_before: boolean
  opted_out: Generated<boolean>
  data: Generated<Json>
  created_at: Date
  updated_at: Date
  topics: Generated<number[]>
  paused_until: Date | null
  opted_out_by_api: Generated<boolean>
  pending: Generated<boolean>
  confirmation_requested_at: Date | null
  confirmations_sent: Generated<number>
  confirmed_at: Date | null
  sunset_reset_at: Date | null
  created_by_import: string | null
  updated_by_import: string | null
}

export interface ContentVersions {
  project_id: string
  template_id: string | null
  campaign_id: string | null
  number: number
  name: string | null
  subject: string
  preheader: string | null
  body: string
  document: Json | null
  mjml: string | null
  actor_kind: string
  actor_user_id: string | null
  created_at: Date
  plain: string | null
}

export interface Conversions {
  project_id: string
  id: string
  email_id: string
  campaign_id: string | null
  millionths: number | null
  currency: string | null
  at: Date
}

export interface DeliveryCountChanges {
  project_id: string
  day: Date
  sent: Generated<number>
  bounces: Generated<number>
  complaints: Generated<number>
}

export interface DeliveryCounts {
  project_id: string
  day: Date
  sent: Generated<number>
  bounces: Generated<number>
  complaints: Generated<number>
}

export interface DomainWarmUps {
  project_id: string
  domain: string
  names: string[]
  started_on: Date | null
  per_day: number | null
  growth: number | null
  counted_on: Date | null
  counted: Generated<number>
}

export interface Domains {
  project_id: string
  id: string
  domain: string
  status: Generated<string>
  ownership_token: string
  dkim_selector: string
  dkim_public_key: string
  dkim_private_key: Buffer
  last_checked_at: Date | null
  created_at: Date
  updated_at: Date
  next_check_at: Generated<Date>
  failed_checks: Generated<number>
  pending_since: Date | null
  records_found: Generated<string[]>
  provider_dkim_tokens: string[] | null
  ed25519_selector: string | null
  ed25519_public_key: string | null
  ed25519_private_key: Buffer | null
}

export interface DroppedCounts {
  project_id: string
  kept: string
  key: Json
  counts: number[]
}

export interface EmailContents {
  project_id: string
  id: string
  subject: string
  body: string
  type: Generated<string>
  attachments: Generated<Json>
  created_at: Date
  emails_left: number | null
  literal: Generated<boolean>
  plain: string | null
  encrypted: Buffer | null
  topic: number | null
  data: Json | null
}

export interface EmailDayChanges {
  project_id: string
  day: Date
  sent: number
  delivered: number
  opened: number
  clicked: number
  bounced: number
  complained: number
  refused: Generated<number>
}

export interface EmailDays {
  project_id: string
  day: Date
  sent: number
  delivered: number
  opened: number
  clicked: number
  bounced: number
  complained: number
  refused: Generated<number>
}

export interface EmailNotes {
  project_id: string
  id: string
  email_id: string
  kind: string
  words: string
  at: Date
}

export interface EmailTags {
  project_id: string
  name: string
  value: string
  id: string
}

export interface Emails {
  project_id: string
  id: string
  contact_id: string | null
  content_id: string
  to_email: string
  to_name: string | null
  subject: string | null
  from_email: string
  from_name: string | null
  reply_to: string | null
  headers: Generated<Json>
  variables: Generated<Json>
  contact_data: Generated<Json>
  message_id: string | null
  source_type: string
  template_id: string | null
  campaign_id: string | null
  workflow_execution_id: string | null
  status: Generated<string>
  error: string | null
  attempts: Generated<number>
  lease_until: Date | null
  sent_at: Date | null
  delivered_at: Date | null
  opened_at: Date | null
  clicked_at: Date | null
  bounced_at: Date | null
  complained_at: Date | null
  opens: Generated<number>
  clicks: Generated<number>
  created_at: Date
  updated_at: Date
  lease_holder: number | null
  transient_bounced_at: Date | null
  bot_opens: Generated<number>
  bot_clicks: Generated<number>
  tracking: string | null
  language: string | null
  encrypted_variables: Buffer | null
  tags: Json | null
  reply_to_name: string | null
  cc: Json | null
  bcc: Json | null
  skipped: Json | null
  recipients_done: string[] | null
  scheduled_for: Date | null
  queued_at: Date | null
  test: boolean | null
  wave: number | null
  warm_up_day: Date | null
  warm_up_at: Date | null
  via: string | null
  key_id: string | null
}

export interface EventContactChanges {
  project_id: string
  name: string
  contact_id: string
  change: number
}

export interface EventContacts {
  project_id: string
  name: string
  contact_id: string
  count: number
}

export interface EventDayChanges {
  project_id: string
  day: Date
  name: string
  change: number
}

export interface EventDays {
  project_id: string
  day: Date
  name: string
  count: number
}

export interface EventNames {
  project_id: string
  name: string
  count: Generated<number>
  contacts: Generated<number>
}

export interface Events {
  project_id: string
  id: string
  name: string
  contact_id: string | null
  email_id: string | null
  data: Generated<Json>
  created_at: Date
}

export interface FormDays {
  project_id: string
  form_id: string
  day: Date
  shown: number
  submitted: number
  confirmed: number
  spam: number
}

export interface FormSignups {
  project_id: string
  contact_id: string
  form_id: string
  requested_at: Date
  topics: Generated<number[]>
}

export interface FormSpam {
  project_id: string
  form_id: string
  id: string
  reason: string
  email: string | null
  ip: string | null
  user_agent: string | null
  created_at: Date
}

export interface Forms {
  project_id: string
  id: string
  name: string
  fields: Json
  topics: string[]
  choose_topics: boolean
  double_opt_in: boolean | null
  title: string | null
  description: string | null
  button_text: string | null
  consent_text: string | null
  success_message: string | null
  redirect_url: string | null
  event_name: string | null
  captcha: Json | null
  captcha_secret: Buffer | null
  enabled: boolean
  created_at: Date
  updated_at: Date
}

export interface IdempotencyKeys {
  project_id: string
  key: string
  request: string
  status_code: number | null
  response: Json | null
  created_at: Date
  claim_id: string | null
  claimed_by: number | null
  fingerprint: Buffer | null
}

export interface Identities {
  provider: string
  subject: string
  user_id: string
  created_at: Date
  issuer: string | null
}

export interface ImportConfirmations {
  project_id: string
  job_id: string
  contact_id: string
  queued_at: Date
}

export interface Invitations {
  project_id: string
  id: string
  email: string
  role: string
  token_hash: Buffer
  invited_by: string | null
  created_at: Date
  expires_at: Date
  link_shown: Generated<boolean>
}

export interface KeyUses {
  project_id: string
  kind: string
  last_used_at: Date
}

export interface Layouts {
  project_id: string
  id: string
  name: string
  header: Json
  footer: Json
  created_at: Date
  updated_at: Date
}

export interface LinkClicks {
  project_id: string
  email_id: string
  link_hash: string
  link: string
  contact_id: string
  campaign_id: string | null
  clicks: number
  first_at: Date
  last_at: Date
}

export interface LoginFailures {
  id: string
  email: string
  failed_at: Date
  kind: Generated<string>
  network: Generated<string>
}

export interface Members {
  project_id: string
  user_id: string
  role: string
  created_at: Date
  editing: string | null
  editing_at: Date | null
}

export interface Objections {
  project_id: string
  email_hash: Buffer
  objected_at: Date
}

export interface ProjectKeys {
  hash: Buffer
  project_id: string
  kind: string
}

export interface Projects {
  id: string
  name: string
  public_key: string
  secret_key_hint: string
  disabled_at: Date | null
  disabled_reason: string | null
  tracking: Generated<string>
  language: Generated<string>
  created_at: Date
  updated_at: Date
  sent_before_reset: Generated<number>
  branding: Generated<Json>
  reset_before_id: string | null
  public_key_updates: Generated<string>
  double_opt_in: Generated<Json>
  send_to_bounced: Generated<boolean>
  sending: Generated<Json>
  archive_slug: string | null
  preference_page: Generated<Json>
}

export interface RateWindows {
  project_id: string
  budget: string
  started_at: Date
  count: number
}

export interface ReceivedMessages {
  project_id: string
  recipient: string
  fingerprint: Buffer
  received_at: Date
}

export interface RecoveryCodes {
  user_id: string
  hash: Buffer
  used_at: Date | null
}

export interface RestoredMonths {
  parent: string
  month: Date
  first_id: string
  end_id: string
  keep_until: Date
}

export interface RetiredTables {
  name: string
  parent: string
  retired_at: Date
  counted: Generated<boolean>
  archive: string | null
  rows: number | null
  dropped_at: Date | null
  error: string | null
}

export interface SavedBlocks {
  project_id: string
  id: string
  name: string
  blocks: Json
  created_at: Date
  updated_at: Date
}

export interface SegmentMembers {
  project_id: string
  segment_id: string
  contact_id: string
  created_at: Date
}

export interface SegmentSizes {
  project_id: string
  segment_id: string
  day: Date
  contacts: number
  all_contacts: number
}

export interface Segments {
  project_id: string
  id: string
  name: string
  description: string | null
  type: string
  condition: Json | null
  fields: Generated<string[]>
  event_names: Generated<string[]>
  segment_ids: Generated<string[]>
  filter_count: Generated<number>
  track_membership: Generated<boolean>
  member_count: Generated<number>
  computed_at: Date
  changed_at: Date | null
  created_at: Date
  updated_at: Date
  tags: Generated<string[]>
}

export interface SendLines {
  scope: string
  priority: number
  project_id: string
  until: Date
  asked_at: Date
  served_at: Date
}

export interface SendPaces {
  scope: string
  taken_until: Date
  lines: Generated<Json>
  version: Generated<number>
}

export interface SendPlaces {
  scope: string
  priority: number
  project_id: string
  email_id: string
  retry_at: Date
}

export interface Sessions {
  id: string
  user_id: string
  created_at: Date
  expires_at: Date
  seen_at: Date | null
  ip: string | null
  user_agent: string | null
}

export interface SnsMessages {
  id: string
  topic_arn: string
  body: string | null
  received_at: Date
  encrypted: Buffer | null
}

export interface StripeEvents {
  id: string
  type: string
  received_at: Date
}

export interface Suppressions {
  project_id: string
  email: string
  id: string
  reason: string
  created_at: Date
}

export interface Templates {
  project_id: string
  id: string
  name: string
  description: string | null
  subject: string
  body: string
  from_email: string
  from_name: string | null
  reply_to: string | null
  type: string
  created_at: Date
  updated_at: Date
  document: Json | null
  mjml: string | null
  preheader: string | null
  version: Generated<number>
  tags: Generated<string[]>
  last_used_at: Date | null
  plain: string | null
  topic_id: string | null
}

export interface TestEmails {
  project_id: string
  id: string
  contact_id: string | null
}

export interface TopicSuppressions {
  project_id: string
  email: string
  topic: number
  id: string
  reason: string
  created_at: Date
}

export interface Topics {
  project_id: string
  id: string
  number: number
  key: string
  name: string
  description: string | null
  default_subscribed: boolean
  is_public: boolean
  position: number
  created_at: Date
  updated_at: Date
}

export interface TransportPauses {
  transport: string
  reason: string
  since: Date
  paused_until: Date
  pauses: number
  probed_until: Date | null
  probed_by: number | null
  credentials_refused: Generated<boolean>
}

export interface UploadRemovals {
  storage_key: string
}

export interface Uploads {
  project_id: string
  id: string
  storage_key: string
  content_type: string
  size: number
  width: number
  height: number
  created_at: Date
  name: string | null
  folder: string | null
  alt: string | null
}

export interface UsageChanges {
  project_id: string
  month: Date
  source: string
  change: number
}

export interface UsageCounts {
  project_id: string
  month: Date
  source: string
  count: number
}

export interface Users {
  id: string
  email: string
  password_hash: string | null
  email_verified_at: Date | null
  created_at: Date
  updated_at: Date
  two_factor_secret: Buffer | null
  two_factor_enabled_at: Date | null
  two_factor_last_step: number | null
  operator: Generated<boolean>
  language: string | null
}

export interface WebhookDeliveries {
  project_id: string
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  event_at: Date
  contact_id: string | null
  email_id: string | null
  facts: Json | null
  is_replay: Generated<boolean>
  created_at: Date
  next_attempt_at: Date
  attempts: Generated<Json>
}

export interface WebhookEndpoints {
  project_id: string
  id: string
  url: string
  host: string
  description: string | null
  event_types: string[]
  enabled: boolean
  disabled_reason: string | null
  failing_since: Date | null
  last_delivery_at: Date | null
  secrets: Json
  created_at: Date
  updated_at: Date
}

export interface WebhookHosts {
  host: string
  sender: number
}

export interface WebhookLog {
  project_id: string
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  event_at: Date
  contact_id: string | null
  facts: Json | null
  is_replay: boolean
  is_test: boolean
  succeeded: boolean
  created_at: Date
  attempts: Json
}

export interface WebhookSecrets {
  project_id: string
  sealed: Buffer
  sealed_before: Buffer | null
  before_until: Date | null
  created_at: Date
}

export interface WorkflowDrafts {
  project_id: string
  workflow_id: string
  version: number
  graph: Json
  updated_at: Date
}

export interface WorkflowExecutions {
  project_id: string
  id: string
  workflow_id: string
  contact_id: string | null
  status: string
  current_step_id: string | null
  exit_reason: string | null
  error: string | null
  context: Generated<Json>
  event: Json | null
  only_once: boolean
  depth: Generated<number>
  version: Generated<number>
  seen_up_to: string
  awaited_event: string | null
  resume_at: Date | null
  alarm_set: Generated<boolean>
  started_at: Date
  completed_at: Date | null
  created_at: Date
  updated_at: Date
  goal_reached: Generated<boolean>
}

export interface WorkflowRemovedSteps {
  project_id: string
  workflow_id: string
  step_id: string
  executions: string
  next_step_id: string | null
}

export interface WorkflowStepRuns {
  project_id: string
  id: string
  execution_id: string
  step_id: string
  type: string
  status: string
  output: Json | null
  error: string | null
  started_at: Date
  completed_at: Date | null
  resume_at: Date | null
}

export interface WorkflowSteps {
  project_id: string
  id: string
  workflow_id: string
  type: string
  name: string | null
  config: Json
  template_id: string | null
  event_name: string | null
  position: Json | null
  created_at: Date
  updated_at: Date
  used_fields: Generated<string[]>
  key: string | null
}

export interface WorkflowTransitions {
  project_id: string
  id: string
  workflow_id: string
  from_step_id: string
  to_step_id: string
  branch: string | null
  created_at: Date
}

export interface WorkflowVersions {
  project_id: string
  workflow_id: string
  number: number
  graph: Json
  published_at: Date
}

export interface Workflows {
  project_id: string
  id: string
  name: string
  description: string | null
  trigger_type: Generated<string>
  event_name: string | null
  enabled: Generated<boolean>
  allow_reentry: Generated<boolean>
  revision: Generated<number>
  created_at: Date
  updated_at: Date
  tags: Generated<string[]>
  goal_event: string | null
  reentry_days: number | null
}

export interface Tables {
  account_acts: AccountActs
  account_tokens: AccountTokens
  activity_watchers: ActivityWatchers
  api_key_secrets: ApiKeySecrets
  api_key_uses: ApiKeyUses
  api_keys: ApiKeys
  api_requests: ApiRequests
  audit_log: AuditLog
  billing_customers: BillingCustomers
  billing_limits: BillingLimits
  campaign_count_changes: CampaignCountChanges
  campaign_counts: CampaignCounts
  campaign_experiments: CampaignExperiments
  campaign_feeds: CampaignFeeds
  campaign_occurrences: CampaignOccurrences
  campaign_recipients: CampaignRecipients
  campaign_recurrences: CampaignRecurrences
  campaign_wave_recipients: CampaignWaveRecipients
  campaign_waves: CampaignWaves
  campaigns: Campaigns
  captured_messages: CapturedMessages
  consents: Consents
  contact_count_changes: ContactCountChanges
  contact_counts: ContactCounts
  contact_fields: ContactFields
  contact_job_inputs: ContactJobInputs
  contact_jobs: ContactJobs
  contact_topics: ContactTopics
  contacts: Contacts
  content_versions: ContentVersions
  conversions: Conversions
  delivery_count_changes: DeliveryCountChanges
  delivery_counts: DeliveryCounts
  domain_warm_ups: DomainWarmUps
  domains: Domains
  dropped_counts: DroppedCounts
  email_contents: EmailContents
  email_day_changes: EmailDayChanges
  email_days: EmailDays
  email_notes: EmailNotes
  email_tags: EmailTags
  emails: Emails
  event_contact_changes: EventContactChanges
  event_contacts: EventContacts
  event_day_changes: EventDayChanges
  event_days: EventDays
  event_names: EventNames
  events: Events
  form_days: FormDays
  form_signups: FormSignups
  form_spam: FormSpam
  forms: Forms
  idempotency_keys: IdempotencyKeys
  identities: Identities
  import_confirmations: ImportConfirmations
  invitations: Invitations
  key_uses: KeyUses
  layouts: Layouts
  link_clicks: LinkClicks
  login_failures: LoginFailures
  members: Members
  objections: Objections
  project_keys: ProjectKeys
  projects: Projects
  rate_windows: RateWindows
  received_messages: ReceivedMessages
  recovery_codes: RecoveryCodes
  restored_months: RestoredMonths
  retired_tables: RetiredTables
  saved_blocks: SavedBlocks
  segment_members: SegmentMembers
  segment_sizes: SegmentSizes
  segments: Segments
  send_lines: SendLines
  send_paces: SendPaces
  send_places: SendPlaces
  sessions: Sessions
  sns_messages: SnsMessages
  stripe_events: StripeEvents
  suppressions: Suppressions
  templates: Templates
  test_emails: TestEmails
  topic_suppressions: TopicSuppressions
  topics: Topics
  transport_pauses: TransportPauses
  upload_removals: UploadRemovals
  uploads: Uploads
  usage_changes: UsageChanges
  usage_counts: UsageCounts
  users: Users
  webhook_deliveries: WebhookDeliveries
  webhook_endpoints: WebhookEndpoints
  webhook_hosts: WebhookHosts
  webhook_log: WebhookLog
  webhook_secrets: WebhookSecrets
  workflow_drafts: WorkflowDrafts
  workflow_executions: WorkflowExecutions
  workflow_removed_steps: WorkflowRemovedSteps
  workflow_step_runs: WorkflowStepRuns
  workflow_steps: WorkflowSteps
  workflow_transitions: WorkflowTransitions
  workflow_versions: WorkflowVersions
  workflows: Workflows
}
