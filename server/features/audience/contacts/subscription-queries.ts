/** SQL that subscribes and unsubscribes contacts manually, by their ids. */
import { sql } from 'kysely'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { liftSuppressionsSteps } from '../suppressions/queries.ts'
import { changeSubscriptionsStep, updatedSteps, writeSubscriptionEventsSteps } from './queries.ts'

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
