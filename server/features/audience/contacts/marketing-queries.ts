/**
 * Who receives marketing email (kernel/subscription.ts) as parts of statements. Every choice of recipients uses them; see
 * `isSuppressedSql` for addresses.
 */
import type { RawBuilder } from 'kysely'
import { EXCLUSIONS, type MarketingBy, type Reader } from '../../../kernel/subscription.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { updatedSteps } from './subscription-queries.ts'

/** The topic of an email, in SQL. Null, for both, if it has none or it was deleted. */
export interface TopicSql {
  number: RawBuilder<unknown>
  isDefault: RawBuilder<unknown>
}

interface MarketingEmailSql {
  by: MarketingBy
  topic?: TopicSql | undefined
  now: Date | RawBuilder<unknown>
}

/** The conditions of `exclusionOf` in its order, for the row of contacts named `contact`. */
function exclusions(contact: string, { by, topic, now }: MarketingEmailSql) {
  const of = (column: string) => sql.ref(`${contact}.${column}`)
  const hasTopic = topic && sql`${topic.number} is not null`
  const declined = sql`(${of('opted_out')} or ${of('pending')})`
  const ifNever = hasTopic ? sql`(${declined} or (${hasTopic} and not ${of('subscribed')}))` : declined
  const unsubscribed = by === 'request' ? ifNever : sql`not ${of('subscribed')}`
  // With `coalesce`, PostgreSQL would estimate that half of the contacts are paused.
  const paused = sql`((${of('paused_until')} > ${now}::timestamptz) is true)`
  const outside = topic && sql`(${hasTopic} and not ${isInTopicSql(contact, topic)})`
  return { unsubscribed, paused, topic: outside }
}

/** Whether the row of contacts named `contact` chose the topic, whatever the subscription. */
export const isInTopicSql = (contact: string, { number, isDefault }: TopicSql): RawBuilder<boolean> => {
  const topics = sql.ref(`${contact}.topics`)
  return sql<boolean>`(case when ${isDefault} then not -${number} = any(${topics}) else ${number} = any(${topics}) end)`
}

/** Whether the row of contacts named `contact` receives no marketing email. See `isSuppressedSql` for its address. */
export function excludedFromMarketingSql(contact: string, email: MarketingEmailSql): RawBuilder<boolean> {
  const { unsubscribed, paused, topic } = exclusions(contact, email)
  return sql<boolean>`(${unsubscribed} or ${paused} ${topic ? sql`or ${topic}` : sql``})`
}

/** The reason why it receives none, or null. */
export function exclusionReasonSql(contact: string, email: MarketingEmailSql): RawBuilder<string | null> {
  const { unsubscribed, paused, topic } = exclusions(contact, email)
  return sql<string | null>`case when ${unsubscribed} then ${sql.lit(EXCLUSIONS.unsubscribed)}
      when ${paused} then ${sql.lit(EXCLUSIONS.paused)}
      ${topic ? sql`when ${topic} then ${sql.lit(EXCLUSIONS.topic)}` : sql``} end`
}

/** The kind of that reason, for counts. A pending confirmation is a kind of its own. */
export function exclusionKindSql(contact: string, email: MarketingEmailSql): RawBuilder<string | null> {
  const { unsubscribed, paused, topic } = exclusions(contact, email)
  return sql<
    string | null
  >`case when ${unsubscribed} then case when ${sql.ref(`${contact}.pending`)} then 'pendingConfirmation' else 'notSubscribed' end
      when ${paused} then 'paused' ${topic ? sql`when ${topic} then 'topic'` : sql``} end`
}

/** What decides whether a contact receives marketing email. */
export async function findReader(db: Database | Tx, projectId: string, id: string): Promise<Reader | undefined> {
  const { rows } = await sql<Reader>`/* find-reader */
    select subscribed, opted_out as "optedOut", pending, paused_until as "pausedUntil", topics from contacts
    where project_id = ${projectId} and id = ${id}`.execute(db)
  return rows[0]
}

/** The sunset rule of the project counts the contact's emails from now on. Returns whether the contact exists. */
export async function resetSunset(db: Database, projectId: string, contactId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`/* reset-sunset */
    update contacts set sunset_reset_at = ${now}::timestamptz where project_id = ${projectId} and id = ${contactId}
    returning 1`.execute(db)
  return rows.length > 0
}

/** The contact receives no marketing email until then. Null ends a pause. */
export async function pauseMarketing(
  db: Tx,
  { projectId, contactId }: { projectId: string; contactId: string },
  until: Date | null,
  now: Date,
): Promise<void> {
  await sql`/* pause-marketing */
    with written as (
      update contacts c set paused_until = ${until}::timestamptz, updated_at = ${now}::timestamptz
      where c.project_id = ${projectId} and c.id = ${contactId}
      returning c.project_id, c.id, c.email, c.subscribed
    ), ${updatedSteps(sql`written c`, now)}
    select 1`.execute(db)
}
