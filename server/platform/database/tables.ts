/** Generated from the migrations by `npm run generate`. */
import type { ColumnType, Generated } from 'kysely'

export type Json = ColumnType<Record<string, unknown>, string, string>

export interface CapturedMessages {
  id: string
  sender: string
  recipients: string[]
  raw: Buffer
  created_at: Date
  email_id: string | null
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

export interface IdempotencyKeys {
  project_id: string
  key: string
  request: string
  status_code: number | null
  response: Json | null
  created_at: Date
}

export interface LoginFailures {
  id: string
  email: string
  failed_at: Date
}

export interface Members {
  project_id: string
  user_id: string
  role: string
  created_at: Date
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
}

export interface RateWindows {
  project_id: string
  budget: string
  started_at: Date
  count: number
}

export interface Sessions {
  id: string
  user_id: string
  created_at: Date
  expires_at: Date
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
}

export interface Users {
  id: string
  email: string
  password_hash: string
  email_verified_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface Tables {
  captured_messages: CapturedMessages
  contact_count_changes: ContactCountChanges
  contact_counts: ContactCounts
  contact_fields: ContactFields
  contact_job_inputs: ContactJobInputs
  contact_jobs: ContactJobs
  contacts: Contacts
  domains: Domains
  email_contents: EmailContents
  emails: Emails
  events: Events
  idempotency_keys: IdempotencyKeys
  login_failures: LoginFailures
  members: Members
  project_keys: ProjectKeys
  projects: Projects
  rate_windows: RateWindows
  sessions: Sessions
  suppressions: Suppressions
  templates: Templates
  users: Users
}
