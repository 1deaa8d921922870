/** How fast mail may leave, shared by all processes: one row for each project, and one for the provider. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

/** What nobody used is kept for this long and no longer. Workers look for due jobs once a second. */
const SAVED_SECONDS = 1

export interface Grant {
  slots: number
  /** Until when slots are given out. */
  takenUntil: Date
}

/** Takes up to `most` slots that are free by now. */
export async function takeSlots(
  db: Database,
  scope: string,
  perSecond: number,
  most: number,
  now: Date,
): Promise<Grant> {
  const { rows } = await sql<Grant>`/* take-slots */
    with free as (
      select greatest(taken_until, ${now}::timestamptz - make_interval(secs => ${SAVED_SECONDS})) as since
      from send_paces where scope = ${scope} for update
    ), grants as (
      select since, greatest(0, least(${most}::int,
        floor(extract(epoch from ${now}::timestamptz - since) * ${perSecond}::float8 + 0.001)))::int as slots
      from free
    ), kept as (
      update send_paces set taken_until = since + make_interval(secs => slots / ${perSecond}::float8)
      from grants where scope = ${scope} and slots > 0
    )
    select slots, since + make_interval(secs => slots / ${perSecond}::float8) as "takenUntil" from grants`.execute(db)
  if (rows[0]) return rows[0]
  await sql`/* begin-pace */
    insert into send_paces (scope, taken_until) values (${scope}, '-infinity') on conflict (scope) do nothing`.execute(
    db,
  )
  return takeSlots(db, scope, perSecond, most, now)
}
