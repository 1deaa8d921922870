/** The statement by which a workflow's step puts an email into the outbox, in the transaction of that step. */
import { sql } from 'kysely'
import { firstIdAt } from '../../kernel/ids.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'
import { isSuppressedSql } from '../contacts/suppression-queries.ts'
import { spendSteps } from '../projects/usage-queries.ts'
import type { ContentType } from './queries.ts'

export interface WorkflowEmail {
  id: string
  executionId: string
  /** Null where it goes to an address that is no contact. */
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

/**
 * A template's text is stored once a day and version, not once an email: a million contacts on their way through a
 * workflow don't store a million bodies. It is nobody's own text, so erasing a contact leaves it. Returns the project's
 * limit for the month if that has no room for it: then nothing was written.
 */
export async function insertWorkflowEmail(
  db: Database | Tx,
  projectId: string,
  email: WorkflowEmail,
  now: Date,
): Promise<number | null> {
  const { template } = email
  const day = firstIdAt(new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000))
  const version = `${template.id} ${template.updatedAt.toISOString()}`
  const job = addJobSql(
    'deliver-email',
    sql`json_build_object('projectId', ${projectId}::text, 'emailId', outbox.id)`,
    { priority: PRIORITY.workflow },
  )
  const { rows } = await sql<{ max: number | null }>`/* insert-workflow-email */
    with ${spendSteps('workflows', sql`select ${projectId}::uuid, 1, 1, ${now}::timestamptz`)},
    content as (
      select id_beside(${day}::uuid, ${version}) as id where not exists (select from over_limit)
    ),
    stored as (
      insert into email_contents (project_id, id, subject, body, type, created_at)
      select ${projectId}, content.id, ${template.subject}, ${template.body}, ${template.type}, ${now}::timestamptz from content
      on conflict do nothing
    ),
    outbox as (
      insert into emails (project_id, id, contact_id, content_id, to_email, subject, from_email, from_name, reply_to,
        variables, contact_data, source_type, template_id, workflow_execution_id, created_at, updated_at)
      select ${projectId}, ${email.id}::uuid, ${email.contactId}::uuid, content.id, ${email.to}, ${email.subject}::text,
        ${template.from}, ${template.fromName}::text, ${template.replyTo}::text, ${JSON.stringify(email.variables)}::jsonb,
        ${JSON.stringify(email.contactData)}::jsonb, 'WORKFLOW', ${template.id}::uuid, ${email.executionId}::uuid,
        ${now}::timestamptz, ${now}::timestamptz
      from content
      returning id
    )
    select (select max from over_limit) as max, (select ${job} from outbox) as job`.execute(db)
  return rows[0]!.max
}

export async function isSuppressed(db: Database | Tx, projectId: string, email: string): Promise<boolean> {
  const { rows } = await sql<{ suppressed: boolean }>`/* is-suppressed */
    select ${isSuppressedSql(projectId, sql`${email}::text`)} as suppressed`.execute(db)
  return rows[0]!.suppressed
}
