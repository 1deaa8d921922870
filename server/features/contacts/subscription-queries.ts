/**
 * The subscription rule (kernel/subscription.ts) as parts of statements, and the statements that change only
 * subscriptions. Every write of `subscribed` uses this file.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/connect.ts'
import { writeEvents } from '../journal/queries.ts'
import { liftSuppressionsStep } from '../suppressions/queries.ts'

export interface SubscriptionRequestSql {
  /** A boolean; null keeps the subscription unchanged. */
  subscribed: RawBuilder<unknown>
  /** See `SubscriptionRequest`. */
  byContact?: boolean
}

/** The columns that a write sets, for the row of contacts named `contact`. */
export function subscriptionSql(contact: string, wish: SubscriptionRequestSql): RawBuilder<unknown> {
  const { subscribed, optedOut } = after(contact, wish)
  return sql`subscribed = ${subscribed}, subscribed_before = ${sql.ref(`${contact}.subscribed`)}, opted_out = ${optedOut}`
}

function after(contact: string, { subscribed: wish, byContact = false }: SubscriptionRequestSql) {
  const [was, optedOut] = [sql.ref(`${contact}.subscribed`), sql.ref(`${contact}.opted_out`)]
  const subscribed = sql`coalesce(${wish}, ${was})`
  const declined = byContact ? sql`or ${wish} is false` : sql``
  return { subscribed, optedOut: sql`not ${subscribed} and (${optedOut} or ${was} ${declined})` }
}

/** Whether the write would change the subscription or the opt-out. */
const isChanged = (contact: string, wish: SubscriptionRequestSql): RawBuilder<boolean> => {
  const { subscribed, optedOut } = after(contact, wish)
  return sql`(${sql.ref(`${contact}.subscribed`)}, ${sql.ref(`${contact}.opted_out`)}) <> (${subscribed}, ${optedOut})`
}

export interface SubscriptionEvents {
  /** Written rows of contacts, named `c`, with what the other expressions need. */
  rows: RawBuilder<unknown>
  eventId: RawBuilder<unknown>
  /** The email that caused it, if any. */
  emailId?: RawBuilder<unknown>
  data?: RawBuilder<unknown>
  at: RawBuilder<unknown>
}

/** A step that records an event for each contact whose subscription was changed by the statement. */
export const writeSubscriptionEventsStep = ({
  rows,
  eventId,
  emailId,
  data,
  at,
}: SubscriptionEvents): RawBuilder<unknown> =>
  writeEvents(sql`
      select c.project_id, ${eventId}, case when c.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end, c.id,
        ${emailId ?? sql`null::uuid`}, ${data ?? sql`'{}'::jsonb`}, ${at}
      from ${rows} where c.subscribed <> c.subscribed_before`)

export interface ContactSelection {
  from?: RawBuilder<unknown>
  /** The contacts are `c`. */
  where: RawBuilder<unknown>
}

/** A step that changes subscriptions, only where they differ. Returns the contacts it wrote. */
export const changeSubscriptionsStep = (
  wish: SubscriptionRequestSql,
  now: Date,
  { from, where }: ContactSelection,
): RawBuilder<unknown> => sql`
      update contacts c set ${subscriptionSql('c', wish)}, updated_at = ${now}::timestamptz
      ${from ? sql`from ${from}` : sql``}
      where ${where} and ${isChanged('c', wish)}
      returning c.project_id, c.id, c.subscribed, c.subscribed_before`

export interface SubscriptionChange {
  projectId: string
  contactIds: string[]
  /** Ids of events in case subscriptions change, one per contact. */
  eventIds: string[]
  subscribed: boolean
  /** Whether suppressed addresses that are subscribed stay suppressed. */
  keepSuppressions: boolean
  now: Date
}

/**
 * Subscribes or unsubscribes contacts manually, records the changes and removes suppressions. Returns the contacts that
 * exist, and whether each changed. Rows are locked in order of address, as in upserts.
 */
export async function setSubscriptions(
  tx: Tx,
  { projectId, contactIds, eventIds, subscribed, keepSuppressions, now }: SubscriptionChange,
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
    ), flips as (${writeSubscriptionEventsStep({
      rows: sql`written c join asked on asked.id = c.id`,
      eventId: sql`asked.event_id`,
      at: sql`${now}::timestamptz`,
    })}
    ), lifted as (${liftSuppressionsStep(projectId, sql`select email from found where ${subscribed && !keepSuppressions}::boolean`)})
    select id, flipped from found`.execute(tx)
  return rows
}
