/** SQL on the waves of a campaign: who is in which, when each is due, and how many of its emails were sent. */
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import { type Audience, recipientsSql } from '../../../audience/segments/audience-queries.ts'

/** Who of the recipients is in which wave; an expression over `recipient`: id, zone in lower case and, with an order, n (from 0). */
export interface WavePlan {
  /** The order in which recipients are numbered; an expression over `contacts`. Null if the wave doesn't depend on it. */
  order: RawBuilder<unknown> | null
  wave: RawBuilder<unknown>
  /** Joins that `wave` needs. */
  joins: RawBuilder<unknown>
}

/** The plan of an experiment: recipients in a random order, the first `share` percent in turn to the variants, and then the rest. */
export const experimentPlan = (campaignId: string, share: number, variants: number, total: number): WavePlan => ({
  order: sql`uuid_hash_extended(contacts.id, hashtextextended(${campaignId}, 0)), contacts.id`,
  joins: sql``,
  wave: sql`case when n < ${Math.floor((total * share) / 100)}::int then n % ${variants}::int else ${variants}::int end`,
})

export interface ZoneMinutes {
  /** In lower case. */
  zone: string
  /** Whole minutes from the start of the campaign; 0 if its time has passed. */
  minutes: number
}

interface Spread {
  minutes: number
  /** The number of recipients, who can have become more or fewer since it was counted. */
  total: number
}

/** The plan of a campaign with a time: the minute of the contact's zone, and the contact's part of the minutes that it is spread over. */
export const timedPlan = (zones: ZoneMinutes[], otherwise: number, spread: Spread | null): WavePlan => ({
  order: spread && sql`contacts.id`,
  joins: sql`left join unnest(${zones.map(({ zone }) => zone)}::text[], ${zones.map(({ minutes }) => minutes)}::int[])
      as local(zone, minutes) on local.zone = recipient.zone`,
  wave: sql`coalesce(local.minutes, ${otherwise}::int) ${spread ? sql`+ ${partOf(spread)}` : sql``}`,
})

const partOf = ({ minutes, total }: Spread): RawBuilder<unknown> =>
  sql`least(n * ${minutes}::int / ${Math.max(1, total)}::int, ${minutes - 1}::int)`

/** Opens of so many days count. */
const BEST_HOUR_DAYS = 180
const BEST_HOUR_OPENS_MIN = 5

/**
 * At the hour of the day, in the contact's time zone, at which a contact opened most emails, the earliest of equal ones. At
 * once during that hour, and for contacts who opened too few. Opens of machines aren't stored on emails. `zones` are the
 * names of all time zones; contacts without one of them have UTC.
 */
export const bestHourPlan = (projectId: string, zones: string[], now: Date): WavePlan => ({
  order: null,
  joins: sql`left join (
      select distinct on (contact_id) contact_id, zone, hour from (
        select e.contact_id, zones.zone, extract(hour from e.opened_at at time zone coalesce(zones.zone, 'UTC'))::int as hour,
          count(*) as opens, sum(count(*)) over (partition by e.contact_id) as total
        from emails e
        join contacts on contacts.project_id = e.project_id and contacts.id = e.contact_id
        left join unnest(${zones.map((zone) => zone.toLowerCase())}::text[], ${zones}::text[]) as zones(name, zone)
          on zones.name = lower(contacts.data ->> 'timezone')
        where e.project_id = ${projectId} and e.opened_at is not null and e.contact_id is not null
          and e.id >= first_id_at(${now}::timestamptz - make_interval(days => ${BEST_HOUR_DAYS}::int))
        group by 1, 2, 3
      ) as hours
      where total >= ${BEST_HOUR_OPENS_MIN}::int order by contact_id, opens desc, hour
    ) as best on best.contact_id = recipient.id
    left join lateral (
      select ${now}::timestamptz at time zone coalesce(best.zone, 'UTC') as shown where best.hour is not null
    ) as clock on true`,
  wave: sql`case when coalesce(best.hour = extract(hour from clock.shown), true) then 0 else greatest(0, extract(epoch from (
      date_trunc('day', clock.shown) + make_interval(days => (best.hour < extract(hour from clock.shown))::int, hours => best.hour)
    ) at time zone coalesce(best.zone, 'UTC') - date_trunc('minute', ${now}::timestamptz, 'UTC'))::int / 60) end`,
})

/**
 * Like `freezeRecipients`, with the wave of each recipient. They are stored in the order of the index, because writing it in another
 * order takes twice as long. `offset 0` reads the zone first, so that the data of contacts isn't carried through joins and windows.
 */
export async function freezeInWaves(
  tx: Tx,
  projectId: string,
  campaignId: string,
  audience: Audience,
  { order, joins, wave }: WavePlan,
  now: Date,
): Promise<number> {
  const recipients = await recipientsSql(tx, projectId, audience, now)
  const numbers = order ? sql`, row_number() over (order by ${order}) - 1 as n` : sql``
  const { numAffectedRows } = await sql`
    insert into campaign_wave_recipients (project_id, campaign_id, wave, contact_id)
    select ${projectId}::uuid, ${campaignId}::uuid, wave, id from (
      select recipient.id, ${wave} as wave
      from (
        select contacts.id, contacts.zone ${numbers} from (
          select contacts.id, lower(contacts.data ->> 'timezone') as zone
          from contacts where contacts.project_id = ${projectId} and ${recipients} offset 0
        ) as contacts
      ) as recipient ${joins} order by wave, id offset 0
    ) as placed`.execute(tx)
  return Number(numAffectedRows)
}

/** The waves of the stored recipients, `number` whole minutes after the start. */
export async function insertTimedWaves(tx: Tx, projectId: string, campaignId: string, start: Date): Promise<void> {
  await sql`
    insert into campaign_waves (project_id, campaign_id, number, send_at, recipients)
    select project_id, campaign_id, wave,
      greatest(${start}::timestamptz, date_trunc('minute', ${start}::timestamptz, 'UTC') + make_interval(mins => wave)), count(*)
    from campaign_wave_recipients where project_id = ${projectId} and campaign_id = ${campaignId}
    group by project_id, campaign_id, wave`.execute(tx)
}

export interface VariantWave {
  /** The name of the variant; null for the rest of the audience, which waits for the winner. */
  variant: string | null
  contentId: string | null
  /** If it contains no template code. */
  subject: string | null
  fromEmail: string | null
  fromName: string | null
}

/** A wave for each variant, and one for the rest, in the order of the plan. */
export async function insertVariantWaves(
  tx: Tx,
  projectId: string,
  campaignId: string,
  waves: VariantWave[],
  start: Date,
): Promise<void> {
  await sql`
    insert into campaign_waves (project_id, campaign_id, number, send_at, variant, content_id, subject, from_email, from_name, recipients)
    select ${projectId}, ${campaignId}, number - 1, case when variant is not null then ${start}::timestamptz end, variant, content_id,
      subject, from_email, from_name, (
        select count(*) from campaign_wave_recipients r
        where r.project_id = ${projectId} and r.campaign_id = ${campaignId} and r.wave = number - 1)
    from unnest(${waves.map((w) => w.variant)}::text[], ${waves.map((w) => w.contentId)}::uuid[], ${waves.map((w) => w.subject)}::text[],
      ${waves.map((w) => w.fromEmail)}::text[], ${waves.map((w) => w.fromName)}::text[])
      with ordinality as wave(variant, content_id, subject, from_email, from_name, number)`.execute(tx)
}

/** The wave of the rest is due now, with the winner's content. */
export async function releaseRest(
  tx: Tx,
  projectId: string,
  campaignId: string,
  { contentId, subject, fromEmail, fromName }: Omit<VariantWave, 'variant'>,
  now: Date,
): Promise<void> {
  await sql`
    update campaign_waves set send_at = ${now}, content_id = ${contentId}::uuid, subject = ${subject}::text,
      from_email = ${fromEmail}::text, from_name = ${fromName}::text
    where project_id = ${projectId} and campaign_id = ${campaignId} and variant is null and send_at is null`.execute(tx)
}

/** The names of all time zones, as far as this PostgreSQL has them. */
export async function listZones(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_timezone_names where name not like 'posix/%' and name not like 'right/%'`.execute(tx)
  return rows.map(({ name }) => name)
}

/** The time of the next wave with recipients that wait, and whether one waits for the winner of an experiment. */
export async function findNextWave(
  db: Database,
  projectId: string,
  campaignId: string,
): Promise<{ at: Date | null; undecided: boolean }> {
  const { rows } = await sql<{ at: Date | null; undecided: boolean }>`/* find-next-campaign-wave */
    select min(send_at) as at, count(*) > count(send_at) as undecided from campaign_waves
    where project_id = ${projectId} and campaign_id = ${campaignId} and queued < recipients`.execute(db)
  return rows[0]!
}

export interface WaveRow {
  at: Date | null
  recipients: number
  sent: number
}

/** In the order of their times. What was sent is counted until the campaign is complete, and stored then. */
export async function listWaves(db: Database, projectId: string, campaignId: string): Promise<WaveRow[]> {
  const { rows } = await sql<WaveRow>`/* list-campaign-waves */
    select w.send_at as at, w.recipients, coalesce(w.sent, counted.sent, 0)::int as sent
    from campaign_waves w left join (${sentByWave(projectId, campaignId)}) as counted on w.sent is null and counted.wave = w.number
    where w.project_id = ${projectId} and w.campaign_id = ${campaignId}
    order by w.send_at nulls last, w.number`.execute(db)
  return rows
}

/** PostgreSQL doesn't run it if every wave has its number. */
const sentByWave = (projectId: string, campaignId: string): RawBuilder<unknown> => sql`
  select wave, count(sent_at) as sent from emails
  where project_id = ${projectId} and campaign_id = ${campaignId} and wave is not null
    and exists (
      select from campaign_waves where project_id = ${projectId} and campaign_id = ${campaignId} and sent is null)
  group by wave`

/** When a campaign is complete; again when failed emails were retried. */
export async function storeSent(db: Database, projectId: string, campaignId: string): Promise<void> {
  await sql`/* store-campaign-waves */
    update campaign_waves w set sent = (
      select count(sent_at) from emails e
      where e.project_id = w.project_id and e.campaign_id = w.campaign_id and e.wave = w.number)
    from campaigns c
    where w.project_id = ${projectId} and w.campaign_id = ${campaignId}
      and c.project_id = w.project_id and c.id = w.campaign_id and c.has_waves`.execute(db)
}
