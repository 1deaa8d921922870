/**
 * SQL on the warm-up of sender domains. Emails that are claimed count in the statement that claims them, which locks the
 * row of the domain, so that no two processes use the same place of a day.
 */
import { domainToUnicode } from 'node:url'
import type { RawBuilder } from 'kysely'
import type { WarmUp } from '../../../../kernel/sending/warm-up.ts'
import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'

export interface WarmUpRow extends WarmUp {
  domain: string
  sentToday: number
  limitToday: number | null
  /** The start of the next day. */
  nextDay: Date
}

const dayOfRow = (now: Date) => sql`warm_up_day(w.counted_on, ${now}::timestamptz)`

const countOn = (day: RawBuilder<unknown>) => sql`case when w.counted_on = ${day} then w.counted else 0 end`

const limitOn = (day: RawBuilder<unknown>) => sql`warm_up_limit(w.started_on, w.per_day, w.growth, ${day})`

const startOfNext = (day: RawBuilder<unknown>) => sql`((${day} + 1)::timestamp at time zone 'UTC')`

/** The warm-up of one domain, or of all domains of the project. */
export async function listWarmUps(db: Database | Tx, projectId: string, now: Date, domain?: string) {
  const day = dayOfRow(now)
  const { rows } = await sql<WarmUpRow>`/* list-warm-ups */
    select domain, to_char(started_on, 'YYYY-MM-DD') as "startedOn", per_day as "perDay", growth, ${countOn(day)} as "sentToday",
      ${limitOn(day)} as "limitToday", ${startOfNext(day)} as "nextDay"
    from domain_warm_ups w
    where w.project_id = ${projectId} and w.per_day is not null and (${domain ?? null}::text is null or w.domain = ${domain ?? null}::text)`.execute(
    db,
  )
  return rows
}

/** Without a plan, nothing is held back. What was sent today counts in the next plan too. */
export async function saveWarmUp(tx: Tx, projectId: string, domain: string, plan: WarmUp | null): Promise<void> {
  const names = [...new Set([domain, domainToUnicode(domain)])]
  await sql`/* save-warm-up */
    insert into domain_warm_ups (project_id, domain, names, started_on, per_day, growth)
    values (${projectId}, ${domain}, ${names}::text[], ${plan?.startedOn ?? null}::date, ${plan?.perDay ?? null}::int, ${plan?.growth ?? null}::float8)
    on conflict (project_id, domain) do update set names = excluded.names, started_on = excluded.started_on, per_day = excluded.per_day,
      growth = excluded.growth`.execute(tx)
}

/** Whether a project has a domain in warm-up, which spares the others the steps below. */
export const warmsUpSql = (projectId: string): RawBuilder<boolean> => sql`exists (
  select from domain_warm_ups w where w.project_id = ${sql.ref(projectId)} and w.per_day is not null)`

/** Whether `domain_warm_ups w` is that of the sender of an email. */
export const isOfSender = (email: string): RawBuilder<boolean> => sql`(
  w.project_id = ${sql.ref(`${email}.project_id`)} and w.per_day is not null
    and lower(substring(${sql.ref(`${email}.from_email`)} from '[^@]*$')) = any(w.names))`

/** Over `w` and an email: whether it needs a place of the day. */
export const needsPlace = (email: string, now: Date): RawBuilder<boolean> =>
  sql`${sql.ref(`${email}.warm_up_day`)} is distinct from ${dayOfRow(now)}`

/**
 * The steps before a claim: `places` has the emails of `candidates` (project_id, id, domain) that have to count, with the
 * day if there is a place for them and else null. Rows of `w` are locked, and read as they are after any statement that
 * this one has waited for.
 */
export const placesSteps = (candidates: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
    candidates as materialized (${candidates}),
    warm_up as materialized (
      select w.project_id, w.domain, ${dayOfRow(now)} as day, ${limitOn(dayOfRow(now))} - ${countOn(dayOfRow(now))} as places
      from (select distinct project_id, domain from candidates) as wanted
        join domain_warm_ups w on w.project_id = wanted.project_id and w.domain = wanted.domain and w.per_day is not null
      order by w.project_id, w.domain for no key update of w
    ),
    places as (
      select c.project_id, c.id, c.domain, case when c.nth <= warm_up.places then warm_up.day end as day
      from (select *, row_number() over (partition by project_id, domain order by id) as nth from candidates) as c
        join warm_up on warm_up.project_id = c.project_id and warm_up.domain = c.domain
      where warm_up.places is not null
    )`

/** The step after a claim: `claimed` has project_id, place_domain and place_day, which is null if the email doesn't count. */
export const countPlacesStep = sql`
    counted as (
      update domain_warm_ups w set counted_on = taken.day, counted = taken.count + ${countOn(sql`taken.day`)}
      from (
        select project_id, place_domain as domain, place_day as day, count(*)::int as count from claimed
        where place_day is not null group by 1, 2, 3
      ) as taken
      where w.project_id = taken.project_id and w.domain = taken.domain
    )`

/** Over `w`: when the next day begins, if this one has no place left; otherwise null. */
export const fullUntilSql = (now: Date): RawBuilder<Date | null> =>
  sql`case when ${limitOn(dayOfRow(now))} - ${countOn(dayOfRow(now))} <= 0 then ${startOfNext(dayOfRow(now))} end`
