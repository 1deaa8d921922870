/** SQL that single step types need, in the transaction of the step; and the secrets that sign webhooks. */
import type { Selectable } from 'kysely'
import type { ContentType } from '../../../kernel/content/mail-content.ts'
import { deriveId, firstIdAt } from '../../../kernel/ids.ts'
import type { ContentEncryption } from '../../../platform/content-encryption.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { WebhookSecrets } from '../../../platform/database/tables.ts'
import { PRIORITY } from '../../../platform/queue/catalogue.ts'
import { messageRow, outboxSteps, storedMessage } from '../../mail/outbox/queries.ts'

export interface WorkflowEmail {
  id: string
  executionId: string
  /** Null if it is sent to an address that is not a contact. */
  contactId: string | null
  to: string
  variables: Record<string, unknown>
  contactData: Record<string, unknown>
  template: {
    id: string
    subject: string
    body: string
    text: string | null
    type: ContentType
    from: string
    fromName: string | null
    replyTo: string | null
    /** The number of its topic. */
    topic: number | null
  }
  /** The subject, if it contains no template code. */
  subject: string | null
}

const DAY_MS = 24 * 3_600_000

/**
 * A template's text is stored once a day, and again when it has changed, not once for each email: a million executions
 * don't store a million bodies. The text itself identifies it, because a new brand changes the body without a new version.
 * It contains no personal data, so it is kept when a contact is erased.
 */
function contentIdOf({ id, type, subject, body, text, topic }: WorkflowEmail['template'], now: Date): string {
  const day = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)
  const more = topic === null ? (text === null ? [] : [text]) : [text, topic]
  return deriveId(firstIdAt(day), JSON.stringify([id, type, subject, body, ...more]))
}

/** Returns the project's limit for the month if the email would exceed it: then nothing was written. */
export async function insertWorkflowEmail(
  db: Database | Tx,
  secrets: ContentEncryption,
  projectId: string,
  { template, ...email }: WorkflowEmail,
  now: Date,
): Promise<number | null> {
  const { subject, body, text: plain, type, topic } = template
  const message = storedMessage(secrets, {
    projectId,
    now,
    content: { id: contentIdOf(template, now), subject, body, plain, type, topic },
    envelope: {
      fromEmail: template.from,
      fromName: template.fromName,
      replyTo: template.replyTo,
      variables: email.variables,
      subject: email.subject,
      templateId: template.id,
      workflowExecutionId: email.executionId,
    },
  })
  const { rows } = await sql<{ max: number | null }>`/* insert-workflow-email */
    with ${outboxSteps({
      source: 'WORKFLOW',
      limit: { source: 'workflows', cost: sql`select ${projectId}::uuid, 1, 1, ${now}::timestamptz` },
      rows: sql`
    message as (select * from ${messageRow(message)} where not exists (select from over_limit)),
    recipient as (
      select 1 as request, ${email.id}::uuid as email_id, ${email.contactId}::uuid as contact_id, ${email.to}::text as to_email,
        null::text as to_name, ${JSON.stringify(email.contactData)}::jsonb as contact_data
    )`,
      content: 'shared',
      job: { each: 'deliver-email', priority: PRIORITY.workflow },
    })}
    select (select max from over_limit) as max`.execute(db)
  return rows[0]!.max
}

/** Keeps the template from being deleted until the step that uses it is committed. */
export async function lockTemplate(tx: Tx, projectId: string, templateId: string): Promise<boolean> {
  const { rows } = await sql`
    select from templates where project_id = ${projectId} and id = ${templateId} for key share`.execute(tx)
  return rows.length > 0
}

/** The contact's first event with this name between two ids. */
export async function findAwaitedEvent(
  db: Database | Tx,
  projectId: string,
  search: { contactId: string; name: string; after: string; before: string | null },
): Promise<{ id: string; data: Record<string, unknown>; created_at: Date } | undefined> {
  const { rows } = await sql<{ id: string; data: Record<string, unknown>; created_at: Date }>`/* find-awaited-event */
    select id, data, created_at from events
    where project_id = ${projectId} and contact_id = ${search.contactId} and name = ${search.name}
      and id > ${search.after}::uuid and id < coalesce(${search.before}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by id limit 1`.execute(db)
  return rows[0]
}

export type WebhookSecretRow = Omit<Selectable<WebhookSecrets>, 'project_id'>

export async function findWebhookSecret(db: Database | Tx, projectId: string): Promise<WebhookSecretRow | undefined> {
  const { rows } = await sql<WebhookSecretRow>`/* find-webhook-secret */
    select sealed, sealed_before, before_until, created_at from webhook_secrets where project_id = ${projectId}`.execute(
    db,
  )
  return rows[0]
}

/** If two processes create one at the same time, both get the first. */
export async function insertWebhookSecret(
  db: Database | Tx,
  projectId: string,
  sealed: Buffer,
  now: Date,
): Promise<WebhookSecretRow> {
  const { rows } = await sql<WebhookSecretRow>`
    insert into webhook_secrets (project_id, sealed, created_at) values (${projectId}, ${sealed}, ${now}::timestamptz)
    on conflict (project_id) do update set sealed = webhook_secrets.sealed
    returning sealed, sealed_before, before_until, created_at`.execute(db)
  return rows[0]!
}

export async function replaceWebhookSecret(
  db: Database | Tx,
  projectId: string,
  sealed: Buffer,
  now: Date,
  beforeUntil: Date,
): Promise<WebhookSecretRow> {
  const { rows } = await sql<WebhookSecretRow>`
    update webhook_secrets set sealed_before = sealed, before_until = ${beforeUntil}::timestamptz, sealed = ${sealed},
      created_at = ${now}::timestamptz
    where project_id = ${projectId}
    returning sealed, sealed_before, before_until, created_at`.execute(db)
  return rows[0]!
}
