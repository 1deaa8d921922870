/** SQL that changes subscriptions, for all statements that do, and the statement that changes them manually, by the ids of contacts. */
import type { RawBuilder } from 'kysely'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { announce, contactFacts, writeEvents } from '../../record/journal/queries.ts'
import { causeSql, recordConsents } from '../consents/queries.ts'
import { liftSuppressionsSteps } from '../suppressions/queries.ts'

/** The kind of a consent record, by the contact `c` as it is after the write. */
export const CONSENT_KIND = sql`case when c.subscribed then 'subscribed' else 'unsubscribed' end`

// How a write changes a subscription (kernel/subscription.ts) as parts of statements. Every write of `subscribed` uses them.

/** Whether a key that visitors of a website have may subscribe the row of contacts named `contact`, to anything. */
export function publicKeyMaySubscribeSql(contact: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${contact}.${column}`)
  return sql`(not ${of('pending')} and (not ${of('opted_out')} or ${of('opted_out_by_api')}))`
}

interface SubscriptionRequestSql {
  /** A boolean; null keeps the subscription unchanged. */
  subscribed: RawBuilder<unknown>
  /** See `SubscriptionRequest`. */
  byContact?: boolean
}

/** The columns that a write sets, for the row of contacts named `contact`. */
export function subscriptionSql(contact: string, request: SubscriptionRequestSql): RawBuilder<unknown> {
  const { subscribed, optedOut, optedOutByApi, pending } = after(contact, request)
  return sql`subscribed = ${subscribed}, subscribed_before = ${sql.ref(`${contact}.subscribed`)}, opted_out = ${optedOut},
        opted_out_by_api = ${optedOutByApi}, pending = ${pending}`
}

function after(contact: string, { subscribed: requested, byContact = false }: SubscriptionRequestSql) {
  const of = (column: string) => sql.ref(`${contact}.${column}`)
  const [was, wasOptedOut] = [of('subscribed'), of('opted_out')]
  const subscribed = sql`coalesce(${requested}, ${was})`
  const [declined, notDeclined] = byContact
    ? [sql`or ${requested} is false`, sql`and ${requested} is not false`]
    : [sql``, sql``]
  const optedOut = sql`not ${subscribed} and (${wasOptedOut} or ${was} ${declined})`
  return {
    subscribed,
    optedOut,
    optedOutByApi: sql`${optedOut} and (not ${wasOptedOut} or ${of('opted_out_by_api')}) ${notDeclined}`,
    pending: sql`${of('pending')} and not ${subscribed} ${notDeclined}`,
  }
}

/** Whether the write would change the subscription or the opt-out. */
const isChanged = (contact: string, request: SubscriptionRequestSql): RawBuilder<boolean> => {
  const { subscribed, optedOut, optedOutByApi, pending } = after(contact, request)
  const of = (column: string) => sql.ref(`${contact}.${column}`)
  return sql`(${of('subscribed')}, ${of('opted_out')}, ${of('opted_out_by_api')}, ${of('pending')})
        <> (${subscribed}, ${optedOut}, ${optedOutByApi}, ${pending})`
}

interface SubscriptionEvents {
  /** Written rows of contacts, named `c`, with what the other expressions need. */
  rows: RawBuilder<unknown>
  eventId: RawBuilder<unknown>
  /** The email that caused it, if any. */
  emailId?: RawBuilder<unknown>
  data?: RawBuilder<unknown>
  at: RawBuilder<unknown>
}

interface RecordedChanges extends SubscriptionEvents {
  cause: ConsentCause
  /**
   * The rows are contacts who decided themselves, or whose address was reported. Declining is recorded as a consent even
   * if the contact wasn't subscribed.
   */
  byContact?: boolean
}

/** Steps that record an event and a consent for each contact whose subscription was changed by the statement. */
export const writeSubscriptionEventsSteps = (step: string, changes: RecordedChanges): RawBuilder<unknown> => sql`
    ${writeEvents(step, subscriptionEvents(changes))},
    ${recordConsents(
      `${step}_consents`,
      sql`
      select c.project_id, c.id, ${CONSENT_KIND}, null, ${changes.at}, ${causeSql(changes.cause)}
      from ${changes.rows} ${changes.byContact ? sql`` : sql`where c.subscribed <> c.subscribed_before`}`,
    )}`

/** Steps that announce that these contacts, named `c`, were changed. */
export const updatedSteps = (rows: RawBuilder<unknown>, now: Date | RawBuilder<unknown>): RawBuilder<unknown> =>
  announce(
    'updated',
    sql`select c.project_id, 'contact.updated', c.id, ${contactFacts('c')}, ${now}::timestamptz from ${rows}`,
  )

/** Rows for `writeEvents`. */
export const subscriptionEvents = ({
  rows,
  eventId,
  emailId,
  data,
  at,
}: SubscriptionEvents): RawBuilder<unknown> => sql`
      select c.project_id, ${eventId}, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        ${emailId ?? sql`null::uuid`}, ${data ?? sql`'{}'::jsonb`}, ${at}
      from ${rows} where c.subscribed <> c.subscribed_before`

interface ContactSelection {
  from?: RawBuilder<unknown>
  /** The contacts are `c`. */
  where: RawBuilder<unknown>
}

/** A step that changes subscriptions, only where they differ. Returns the contacts it wrote. */
export const changeSubscriptionsStep = (
  request: SubscriptionRequestSql,
  now: Date,
  { from, where }: ContactSelection,
): RawBuilder<unknown> => sql`
      update contacts c set ${subscriptionSql('c', request)}, updated_at = ${now}::timestamptz
      ${from ? sql`from ${from}` : sql``}
      where ${where} and ${isChanged('c', request)}
      returning c.project_id, c.id, c.email, c.subscribed, c.subscribed_before`

export interface SubscriptionChange {
  projectId: string
  contactIds: string[]
  /** Ids of events in case subscriptions change, one per contact. */
  eventIds: string[]
  subscribed: boolean
  /** Whether suppressed addresses that are subscribed stay suppressed. */
  keepSuppressions: boolean
  cause: ConsentCause
  now: Date
}

/**
 * Subscribes or unsubscribes contacts manually, records the changes and removes suppressions. Returns the contacts that
 * exist, and whether each changed. Rows are locked in order of address, as in upserts.
 */
export async function setSubscriptions(
  tx: Tx,
  { projectId, contactIds, eventIds, subscribed, keepSuppressions, cause, now }: SubscriptionChange,
): Promise<Array<{ id: string; flipped: boolean }>> {
  const written = changeSubscriptionsStep({ subscribed: sql`${subscribed}::boolean` }, now, {
    from: sql`found`,
    where: sql`c.project_id = ${projectId} and c.id = found.id`,
  })
  const { rows } = await sql<{ id: string; flipped: boolean }>`
    with asked as (
      select * from unnest(${contactIds}::uuid[], ${eventIds}::uuid[]) as asked(id, event_id)
    ), found as (
      select c.id, c.email, c.subscribed <> ${subscribed}::boolean as flipped
      from contacts c
      where c.project_id = ${projectId} and c.id in (select id from asked)
      order by c.email
      for no key update
    ), written as (${written}
    ), ${writeSubscriptionEventsSteps('flips', {
      rows: sql`written c join asked on asked.id = c.id`,
      eventId: sql`asked.event_id`,
      at: sql`${now}::timestamptz`,
      cause,
    })}, ${updatedSteps(sql`written c`, now)},
    ${liftSuppressionsSteps(projectId, sql`select email from found where ${subscribed && !keepSuppressions}::boolean`, now)}
    select id, flipped from found`.execute(tx)
  return rows
}

export interface OptOut {
  email: string
  /** The ID of the event, in case the contact was subscribed. */
  eventId: string
  cause: ConsentCause
}

/** Opts contacts out, by address, as their own decision. Returns the addresses whose contact changed. */
export async function optOut(tx: Tx, projectId: string, people: OptOut[], now: Date): Promise<string[]> {
  if (people.length === 0) return []
  const at = sql`${now}::timestamptz`
  const written = changeSubscriptionsStep({ subscribed: sql`false`, byContact: true }, now, {
    from: sql`asked`,
    where: sql`c.project_id = ${projectId} and c.email = asked.email`,
  })
  const rows = sql`written c join asked on asked.email = c.email`
  const { rows: changed } = await sql<{ email: string }>`
    with asked as materialized (
      select * from unnest(${people.map(({ email }) => email)}::text[], ${people.map(({ eventId }) => eventId)}::uuid[],
        ${people.map(({ cause }) => JSON.stringify(cause))}::jsonb[]) as asked(email, event_id, cause)
    ), written as (${written}
    ), ${writeEvents('flips', subscriptionEvents({ rows, eventId: sql`asked.event_id`, at }))},
    ${recordConsents(
      'opt_outs',
      sql`
      select c.project_id, c.id, 'unsubscribed', null, ${at}, asked.cause from ${rows}`,
    )},
    ${updatedSteps(sql`written c`, now)}
    select email from written`.execute(tx)
  return changed.map(({ email }) => email)
}
