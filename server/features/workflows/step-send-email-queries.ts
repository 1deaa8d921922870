/** SQL of the SEND_EMAIL step, in the transaction of that step: the email, and whether its address is suppressed. */
import { sql } from 'kysely'
import { firstIdAt, idBeside } from '../../kernel/ids.ts'
import type { ContentType } from '../../kernel/mail-content.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { messageRow, outboxSteps } from '../outbox/queries.ts'
import { isSuppressedSql } from '../suppressions/queries.ts'

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
    type: ContentType
    from: string
    fromName: string | null
    replyTo: string | null
    updatedAt: Date
  }
  /** Known already when the subject holds no template. */
  subject: string | null
}

const DAY_MS = 24 * 3_600_000

/**
 * A template's text is stored once for each day and version, not once for each email: a million executions don't store
 * a million bodies. It holds no personal data, so erasing a contact keeps it.
 */
function contentIdOf({ id, updatedAt }: WorkflowEmail['template'], now: Date): string {
  const day = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)
  return idBeside(firstIdAt(day), `${id} ${updatedAt.toISOString()}`)
}

/** Returns the project's limit for the month if the email would exceed it: then nothing was written. */
export async function insertWorkflowEmail(
  db: Database | Tx,
  projectId: string,
  { template, ...email }: WorkflowEmail,
  now: Date,
): Promise<number | null> {
  const { subject, body, type } = template
  const message = {
    projectId,
    now,
    content: { id: contentIdOf(template, now), subject, body, type },
    envelope: {
      fromEmail: template.from,
      fromName: template.fromName,
      replyTo: template.replyTo,
      variables: email.variables,
      subject: email.subject,
      templateId: template.id,
      workflowExecutionId: email.executionId,
    },
  }
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

export async function isSuppressed(db: Database | Tx, projectId: string, email: string): Promise<boolean> {
  const { rows } = await sql<{ suppressed: boolean }>`/* is-suppressed */
    select ${isSuppressedSql(projectId, sql`${email}::text`)} as suppressed`.execute(db)
  return rows[0]!.suppressed
}
