/** SQL of double opt-in: asking contacts to confirm their subscription, and their confirmation. */
import type { RawBuilder } from 'kysely'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import type { ConfirmationSubject } from '../../../kernel/consent/confirmation-token.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { addJobsStep } from '../../../platform/queue/job-table.ts'
import { writeEvents } from '../../record/journal/queries.ts'
import { causeSql, objectedSql, recordConsents } from '../consents/queries.ts'
import { isSuppressedSql, liftSuppressionsSteps } from '../suppressions/queries.ts'
import { subscriptionEvents, subscriptionSql, updatedSteps } from './subscription-queries.ts'

const PAUSE = sql`interval '10 minutes'`
const SENT_MAX = 5

/** Another confirmation email is allowed: at most one in ten minutes, and five in all until the contact confirms. */
const MAY_ASK = (
  now: RawBuilder<unknown>,
) => sql`(c.confirmations_sent = 0 or c.confirmations_sent < ${sql.lit(SENT_MAX)}
        and c.confirmation_requested_at <= ${now} - ${PAUSE})`

/** Subscribed contacts need no confirmation, unless their address is suppressed. */
const NEEDS_CONFIRMATION = sql`(not c.subscribed or ${isSuppressedSql(sql`c.project_id`, sql`c.email`)})`

/** Nobody requested it for this contact alone, so those who opted out aren't asked, even if they were erased since. */
const MAY_BE_INVITED = sql`(not c.subscribed and not c.opted_out and not ${isSuppressedSql(sql`c.project_id`, sql`c.email`)}
        and not ${objectedSql(sql`c.project_id`, sql`c.email`)})`

export interface ConfirmationRequest {
  projectId: string
  contactIds: string[]
  cause: ConsentCause
  now: Date
}

/**
 * Marks contacts as pending, records the request and enqueues their confirmation emails. Contacts that are subscribed, or
 * have just been asked, stay as they are. Returns the contacts that are asked. A request is later than the last
 * confirmation, so that links from before it stay used. Rows are locked in order of address, as everywhere. No contact may
 * be named twice.
 */
export async function requestConfirmations(db: Database | Tx, requests: ConfirmationRequest[]): Promise<string[]> {
  const given = requests.flatMap(({ contactIds }, i) => contactIds.map((id) => ({ request: i + 1, id })))
  const projectIds = requests.map(({ projectId }) => projectId)
  const isOneOfThem = sql`c.project_id = any(${projectIds}::uuid[]) and c.id = any(${given.map(({ id }) => id)}::uuid[])`
  const { rows } = await sql<{ id: string }>`/* request-confirmations */
    with wanted as (
      select c.project_id, c.id, request.cause, request.at
      from unnest(${projectIds}::uuid[], ${requests.map(({ cause }) => JSON.stringify(cause))}::jsonb[],
        ${requests.map(({ now }) => now)}::timestamptz[]) with ordinality as request(project_id, cause, at, number)
      join unnest(${given.map(({ request }) => request)}::int[], ${given.map(({ id }) => id)}::uuid[]) as given(request, contact_id)
        on given.request = request.number
      join contacts c on c.project_id = request.project_id and c.id = given.contact_id and ${isOneOfThem}
      where ${NEEDS_CONFIRMATION} and ${MAY_ASK(sql`request.at`)}
      order by c.project_id, c.email for no key update of c
    ), asked as (
      update contacts c set pending = not c.subscribed, confirmations_sent = c.confirmations_sent + 1,
        confirmation_requested_at = greatest(wanted.at, c.confirmed_at + interval '1 millisecond'), updated_at = wanted.at
      from wanted where c.project_id = wanted.project_id and c.id = wanted.id and ${isOneOfThem}
      returning c.project_id, c.id, c.email, c.subscribed, c.confirmation_requested_at, wanted.cause, wanted.at
    ), ${recordConsents(
      'requests_recorded',
      sql`
      select project_id, id, 'confirmation.requested', null, at, cause from asked`,
    )}, ${updatedSteps(sql`asked c`, sql`c.at`)},
    ${addJobsStep(
      'send-confirmation',
      sql`
      select json_build_object('projectId', project_id, 'contactId', id, 'requestedAt',
        to_char(confirmation_requested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) from asked`,
    )}
    select id from asked`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Marks contacts as pending that are to be asked later, so that they receive no marketing email until then. Not those that
 * are subscribed, have opted out or are suppressed. Returns the ids of those that are to be asked.
 */
export async function awaitConfirmations(tx: Tx, projectId: string, emails: string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* await-confirmations */
    with wanted as (
      select c.id from contacts c
      where c.project_id = ${projectId} and c.email = any(${emails}::text[]) and ${MAY_BE_INVITED}
      order by c.email for no key update
    )
    update contacts c set pending = true,
      confirmation_requested_at = case when c.pending then c.confirmation_requested_at
        else greatest(${now}::timestamptz, c.confirmed_at + interval '1 millisecond') end,
      confirmations_sent = case when c.pending then c.confirmations_sent else 0 end, updated_at = ${now}::timestamptz
    from wanted where c.project_id = ${projectId} and c.id = wanted.id
    returning c.id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Those of these contacts that may still be asked, and weren't since they were marked. */
export async function listAwaiting(
  tx: Tx,
  projectId: string,
  marked: Array<{ contactId: string; at: Date }>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* list-awaiting */
    select c.id from unnest(${marked.map((m) => m.contactId)}::uuid[], ${marked.map((m) => m.at)}::timestamptz[]) as marked(id, at)
    join contacts c on c.project_id = ${projectId} and c.id = marked.id
    where c.pending and ${MAY_BE_INVITED} and (c.confirmations_sent = 0 or c.confirmation_requested_at <= marked.at)`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}

/**
 * A request that has not been answered. A later opt-out, suppression or confirmation ends it, and so does another address:
 * the email was sent to the one before.
 */
const isOpen = (requestedAt: Date) => sql`(c.pending or c.subscribed and exists (
          select from suppressions s
          where s.project_id = c.project_id and s.email = c.email and s.created_at <= ${requestedAt}::timestamptz))
        and (c.confirmed_at is null or c.confirmed_at < ${requestedAt}::timestamptz)
        and not exists (
          select from emails e where e.project_id = c.project_id
            and e.id = derive_id(first_id_at(${requestedAt}::timestamptz), c.id::text) and e.to_email <> c.email)`

/** Subscribes the contact, if the request is open. Returns whether it was. */
export async function confirm(
  db: Database | Tx,
  { projectId, contactId, requestedAt }: ConfirmationSubject,
  { eventIds, cause, now }: { eventIds: [string, string]; cause: ConsentCause; now: Date },
): Promise<boolean> {
  const { rows } = await sql`/* confirm-contact */
    with written as (
      update contacts c set ${subscriptionSql('c', { subscribed: sql`true`, byContact: true })},
        confirmed_at = ${now}::timestamptz, confirmations_sent = 0, updated_at = ${now}::timestamptz
      where c.project_id = ${projectId} and c.id = ${contactId} and ${isOpen(requestedAt)}
      returning c.*
    ), ${writeEvents(
      'confirmed',
      sql`
      select project_id, ${eventIds[0]}::uuid, 'contact.confirmed', id, null::uuid, '{}'::jsonb, ${now}::timestamptz from written
      union all ${subscriptionEvents({
        rows: sql`written c`,
        eventId: sql`${eventIds[1]}::uuid`,
        at: sql`${now}::timestamptz`,
      })}`,
    )}, ${recordConsents(
      'confirmations_recorded',
      sql`
      select project_id, id, kind, null, ${now}::timestamptz, ${causeSql(cause)}
      from written cross join (values (1, 'subscribed'), (2, 'confirmed')) as kinds(place, kind)
      where kind = 'confirmed' or subscribed_before is false order by place`,
    )}, ${updatedSteps(sql`written c`, now)}, ${liftSuppressionsSteps(projectId, sql`select email from written`, now)}
    select from written`.execute(db)
  return rows.length > 0
}

/** Whether the request of a link is still open; undefined if the contact was deleted. */
export async function isRequestOpen(
  db: Database,
  { projectId, contactId, requestedAt }: ConfirmationSubject,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ open: boolean }>`/* is-request-open */
    select ${isOpen(requestedAt)} as open from contacts c where c.project_id = ${projectId} and c.id = ${contactId}`.execute(
    db,
  )
  return rows[0]?.open
}

export async function isDoubleOptIn(db: Database, projectId: string): Promise<boolean> {
  const { rows } = await sql<{ enabled: boolean }>`/* is-double-opt-in */
    select coalesce((double_opt_in ->> 'enabled')::boolean, false) as enabled from projects where id = ${projectId}`.execute(
    db,
  )
  return rows[0]?.enabled ?? false
}
