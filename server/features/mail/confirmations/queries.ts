/** SQL of confirmation emails and their pages. */

import type { ConfirmationSubject } from '../../../kernel/consent/confirmation-token.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import type { ContentEncryption } from '../../../platform/content-encryption.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import {
  type EmailContent,
  type EmailEnvelope,
  type Message,
  messageRows,
  outboxSteps,
  storedMessage,
} from '../outbox/queries.ts'

export interface ConfirmationMessage {
  content: Omit<EmailContent, 'id' | 'type'>
  envelope: EmailEnvelope
}

export interface ConfirmationRow {
  project_name: string
  project_language: string
  branding: Branding
  disabled: boolean
  template_id: string | null
  redirect_url: string | null
  /** The project's oldest verified domain. */
  domain: string | null
  /** Empty if the contact was deleted. */
  email: string | null
  locale: unknown
  /** The request of the link is the last one. */
  is_latest: boolean
}

export async function findConfirmation(
  db: Database,
  subject: ConfirmationSubject,
): Promise<ConfirmationRow | undefined> {
  return (await findConfirmations(db, [subject]))[0]
}

/** In the order of the subjects. */
export async function findConfirmations(
  db: Database,
  subjects: ConfirmationSubject[],
): Promise<Array<ConfirmationRow | undefined>> {
  const { rows } = await sql<ConfirmationRow & { position: number }>`/* find-confirmations */
    select s.position::int, p.name as project_name, p.language as project_language, p.branding, p.disabled_at is not null as disabled,
      p.double_opt_in ->> 'templateId' as template_id, p.double_opt_in ->> 'redirectUrl' as redirect_url,
      (select d.domain from domains d where d.project_id = p.id and d.status = 'VERIFIED' order by d.id limit 1) as domain,
      c.email, c.data -> 'locale' as locale, coalesce(c.confirmation_requested_at = s.requested_at, false) as is_latest
    from ${subjectRows(subjects)} join projects p on p.id = s.project_id
    left join lateral (select * from contacts where contacts.project_id = p.id and contacts.id = s.contact_id limit 1) as c on true`.execute(
    db,
  )
  const byPosition = new Map(rows.map(({ position, ...row }) => [position, row]))
  return subjects.map((_, i) => byPosition.get(i + 1))
}

const subjectRows = (subjects: ConfirmationSubject[]) => sql`
      unnest(${subjects.map((s) => s.projectId)}::uuid[], ${subjects.map((s) => s.contactId)}::uuid[],
        ${subjects.map((s) => s.requestedAt)}::timestamptz[]) with ordinality as s(project_id, contact_id, requested_at, position)`

export interface ConfirmationEmail {
  message: Message
  subject: ConfirmationSubject
}

/** Inserts the emails and their jobs, unless an earlier attempt did: the same request always has the same email. */
export async function insertConfirmations(
  db: Database,
  secrets: ContentEncryption,
  emails: ConfirmationEmail[],
): Promise<void> {
  const messages = emails.map(({ message }) => storedMessage(secrets, message))
  await sql`/* insert-confirmations */
    with unsent as (
      select s.position::int as request, c.project_id, c.id, c.email, c.data, s.email_id
      from (select *, derive_id(first_id_at(requested_at), contact_id::text) as email_id
        from ${subjectRows(emails.map(({ subject }) => subject))}) as s
      cross join lateral (select * from contacts where contacts.project_id = s.project_id and contacts.id = s.contact_id limit 1) as c
      where not exists (select from emails e where e.project_id = s.project_id and e.id = s.email_id)
    ), requested as (select *, 1 as emails from ${messageRows(messages)}),
    ${outboxSteps({
      source: 'TRANSACTIONAL',
      limit: {
        source: 'transactional',
        cost: sql`select project_id, request, 1, asked_at from requested where request in (select request from unsent)`,
      },
      rows: sql`
    message as (
      select * from requested
      where request in (select request from unsent) and request not in (select request from over_limit)
    ),
    recipient as (
      select message.request, unsent.email_id, unsent.id as contact_id, unsent.email as to_email, null::text as to_name,
        unsent.data as contact_data
      from message join unsent on unsent.request = message.request
    )`,
      content: messages,
      job: { each: 'deliver-email' },
    })}
    select`.execute(db)
}
