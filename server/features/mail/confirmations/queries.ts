/** SQL of confirmation emails and their pages. */
import { sql } from 'kysely'
import type { ConfirmationSubject } from '../../../kernel/consent/confirmation-token.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import type { ContentEncryption } from '../../../platform/content-encryption.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
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
  { projectId, contactId, requestedAt }: ConfirmationSubject,
): Promise<ConfirmationRow | undefined> {
  const { rows } = await sql<ConfirmationRow>`/* find-confirmation */
    select p.name as project_name, p.language as project_language, p.branding, p.disabled_at is not null as disabled,
      p.double_opt_in ->> 'templateId' as template_id, p.double_opt_in ->> 'redirectUrl' as redirect_url,
      (select d.domain from domains d where d.project_id = p.id and d.status = 'VERIFIED' order by d.id limit 1) as domain,
      c.email, c.data -> 'locale' as locale,
      coalesce(c.confirmation_requested_at = ${requestedAt}::timestamptz, false) as is_latest
    from projects p left join contacts c on c.project_id = p.id and c.id = ${contactId}
    where p.id = ${projectId}`.execute(db)
  return rows[0]
}

/** Inserts the email and its job, unless an earlier attempt did: the same request always has the same email. */
export async function insertConfirmation(
  db: Database,
  secrets: ContentEncryption,
  given: Message,
  { contactId, requestedAt }: ConfirmationSubject,
): Promise<void> {
  const message = storedMessage(secrets, given)
  const { projectId, now } = message
  const emailId = sql`derive_id(first_id_at(${requestedAt}::timestamptz), ${contactId}::text)`
  await sql`/* insert-confirmation */
    with unsent as (
      select c.id, c.email, c.data from contacts c
      where c.project_id = ${projectId} and c.id = ${contactId}
        and not exists (select from emails e where e.project_id = c.project_id and e.id = ${emailId})
    ), ${outboxSteps({
      source: 'TRANSACTIONAL',
      limit: {
        source: 'transactional',
        cost: sql`select ${projectId}::uuid, 1, 1, ${now}::timestamptz from unsent`,
      },
      rows: sql`
    message as (
      select *, 1 as emails from ${messageRows([message])}
      where exists (select from unsent) and request not in (select request from over_limit)
    ),
    recipient as (
      select message.request, ${emailId} as email_id, unsent.id as contact_id, unsent.email as to_email, null::text as to_name,
        unsent.data as contact_data
      from message, unsent
    )`,
      content: [message],
      job: { each: 'deliver-email' },
    })}
    select`.execute(db)
}
