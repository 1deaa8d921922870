/**
 * The owner of each table: only the owner's SQL writes to it. Others call a function of the owner or build a statement
 * from the parts it exports. `server/test/database/table-owners.test.ts` parses every statement. Each entry also
 * declares how its rows are deleted when a project is reset or deleted.
 */
import type { Removals } from './platform/database/project-rows.ts'

/** The keys are folders: of `features`, of `platform`, or the gate. */
export const TABLE_OWNERS = {
  journal: {
    events: 'in batches',
    event_days: 'with other rows',
    event_names: 'with other rows',
    event_contacts: 'with other rows',
    event_day_changes: 'with other rows',
    event_contact_changes: 'with other rows',
    email_days: 'with other rows',
    email_day_changes: 'with other rows',
  },
  gate: { rate_windows: 'with the project', idempotency_keys: { inBatchesBy: 'created_at' } },
  audit: { audit_log: 'never' }, // records who deleted the project
  requests: { api_requests: { inBatchesBy: 'second' } },
  members: { members: 'on closing', invitations: 'on closing', account_acts: 'never' },
  keys: {
    project_keys: 'on closing',
    key_uses: 'with other rows',
    api_keys: 'on closing',
    api_key_secrets: 'with other rows',
    api_key_uses: 'with other rows',
  },
  projects: { projects: 'never' }, // deleted last, on its own
  usage: {
    billing_limits: 'with the project',
    usage_counts: 'with the project',
    usage_changes: 'with the project',
    delivery_counts: 'with the project',
    delivery_count_changes: 'with the project',
  },
  accounts: {
    users: 'never',
    sessions: 'never',
    login_failures: 'never',
    recovery_codes: 'never',
    account_tokens: 'never',
  },
  oauth: { identities: 'never' },
  domains: { domains: 'on closing', domain_warm_ups: 'with other rows' },
  suppressions: { suppressions: 'in batches', topic_suppressions: 'in batches' },
  consents: { consents: { inBatchesBy: 'at' }, objections: { inBatchesBy: 'objected_at' } },
  contacts: {
    contacts: 'in batches',
    contact_fields: 'at once',
    contact_counts: 'with other rows',
    contact_count_changes: 'with other rows',
    contact_topics: 'with other rows',
  },
  topics: { topics: 'at once' },
  forms: {
    forms: 'at once',
    form_days: 'with other rows',
    form_spam: 'with other rows',
    form_signups: 'with other rows',
  },
  imports: { contact_jobs: 'at once', contact_job_inputs: 'with other rows', import_confirmations: 'with other rows' },
  documents: { content_versions: 'with other rows' },
  templates: { templates: 'at once' },
  segments: { segments: 'at once', segment_members: 'with other rows', segment_sizes: 'with other rows' },
  outbox: { emails: 'in batches', email_contents: 'in batches', test_emails: 'in batches', email_tags: 'in batches' },
  delivery: {
    email_notes: 'in batches',
    transport_pauses: 'never',
    send_paces: 'never',
    send_lines: 'at once',
    send_places: 'at once',
  },
  tracking: { link_clicks: { inBatchesBy: 'first_at' }, conversions: 'in batches' },
  received: { received_messages: { inBatchesBy: 'received_at' } },
  reports: { sns_messages: 'never' },
  campaigns: {
    campaigns: 'at once',
    campaign_recipients: 'with other rows',
    campaign_wave_recipients: 'with other rows',
    campaign_waves: 'with other rows',
    campaign_experiments: 'with other rows',
    campaign_recurrences: 'with other rows',
    campaign_occurrences: 'with other rows',
    campaign_feeds: 'with other rows',
    campaign_counts: 'with other rows',
    campaign_count_changes: 'at once',
  },
  layouts: { layouts: 'at once', saved_blocks: 'at once' },
  steps: { webhook_secrets: 'with the project' },
  workflows: {
    workflows: 'at once',
    workflow_steps: 'with other rows',
    workflow_transitions: 'with other rows',
    workflow_drafts: 'with other rows',
    workflow_versions: 'with other rows',
    workflow_removed_steps: 'with other rows',
  },
  executions: { workflow_executions: 'in batches', workflow_step_runs: 'with other rows' },
  uploads: { uploads: 'at once', upload_removals: 'never' },
  activity: { activity_watchers: 'with the project' },
  webhooks: {
    webhook_endpoints: 'on closing',
    webhook_deliveries: 'in batches',
    webhook_log: 'in batches',
    webhook_hosts: 'never',
  },
  billing: {
    billing_customers: 'never', // deleted when the subscription has ended
    stripe_events: 'never',
  },
  database: { dropped_counts: 'at once' },
  retention: { retired_tables: 'never', restored_months: 'never' },
  /** Deleted by a separate step, because it belongs to emails instead of a project. */
  transports: { captured_messages: 'never' },
} as const satisfies Record<string, Removals>

export const removals: Removals = Object.assign({}, ...Object.values(TABLE_OWNERS))
