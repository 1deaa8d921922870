/** SQL of the further recipients of a message. */

import type { Database } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import { enqueue } from '../../../../platform/queue/job-table.ts'
import { markRecipientsDoneStep } from '../../outbox/change-queries.ts'
import { type ClaimedEmail, contentOf, utmStep } from '../claim-queries.ts'
import type { EmailRef } from '../queries.ts'

/** These addresses need no further attempt. */
export async function markRecipientsDone(db: Database, ref: EmailRef, done: string[], now: Date): Promise<void> {
  const where = sql`e.project_id = ${ref.projectId} and e.id = ${ref.emailId} and e.to_email <> ''`
  await sql`/* mark-recipients-done */ ${markRecipientsDoneStep(done, now, { where })}`.execute(db)
}

/** One job for each attempt, in case two of them overlap. */
export const enqueueCopies = (db: Database, payload: EmailRef & { attempt: number }, runAt: Date): Promise<void> =>
  enqueue(db, 'deliver-copies', payload, { runAt, jobKey: `copies:${payload.emailId}:${payload.attempt}` })

/** As it was sent; undefined if its content or contact was deleted since, or if it will be sent again. */
export async function findSentEmail(db: Database, { projectId, emailId }: EmailRef): Promise<ClaimedEmail | undefined> {
  const { rows } = await sql<ClaimedEmail>`/* find-sent-email */
    select e.*, coalesce(e.queued_at, e.created_at) as created_at, p.name as project_name, p.branding, c.subject as content_subject,
      c.body as content_body, c.type as content_type, c.literal as content_literal, c.plain as content_plain, c.topic as content_topic,
      c.encrypted as content_encrypted, c.attachments, links.utm, links.campaign_name
    from emails e join projects p on p.id = e.project_id cross join lateral ${contentOf('e')} as c
      cross join lateral ${utmStep('e', sql`p.sending -> 'utm'`)} as links
    where e.project_id = ${projectId} and e.id = ${emailId} and e.to_email <> '' and e.tracking is not null
      and e.status || '' not in ('SCHEDULED', 'PENDING', 'SENDING', 'CANCELLED', 'SKIPPED')`.execute(db)
  return rows[0]
}
