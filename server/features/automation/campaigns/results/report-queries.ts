/** SQL of a campaign's report: when it was opened and clicked, which links, and why emails bounced. */
import type { RawBuilder } from 'kysely'
import type { EmailCounts } from '../../../../kernel/sending/email-rates.ts'
import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'

export interface EngagementBucket {
  at: Date
  opened: number
  clicked: number
}

/** First opens and clicks by hour or day, counted from the start of sending. */
export async function listEngagement(
  tx: Tx,
  projectId: string,
  id: string,
  unit: 'hour' | 'day',
): Promise<EngagementBucket[]> {
  const { rows } = await sql<EngagementBucket>`/* list-campaign-engagement */
    select date_trunc(${unit}::text, at, 'UTC') as at, count(*) filter (where kind = 'open')::int as opened,
      count(*) filter (where kind = 'click')::int as clicked
    from emails, lateral (values ('open', opened_at), ('click', clicked_at)) as moment(kind, at)
    where project_id = ${projectId} and campaign_id = ${id} and at is not null
    group by 1 order by 1`.execute(tx)
  return rows
}

export interface LinkClicks {
  url: string
  clicks: number
  totalClicks: number
}

/**
 * How many recipients clicked each link, and how often they did. Emails that were clicked before every link was stored have an
 * event for the first of them.
 */
export async function listLinks(
  tx: Tx,
  projectId: string,
  id: string,
  { since, until, most }: { since: Date; until: Date; most: number },
): Promise<LinkClicks[]> {
  const { rows } = await sql<LinkClicks>`/* list-campaign-links */
    select url, count(*)::int as clicks, sum(clicks)::int as "totalClicks" from (
      select link as url, clicks from link_clicks where project_id = ${projectId} and campaign_id = ${id}
      union all
      select events.data ->> 'link', 1 from events
      join emails on emails.project_id = events.project_id and emails.id = events.email_id
      where events.project_id = ${projectId} and events.name = 'email.click'
        and events.id >= first_id_at(${since}::timestamptz) and events.id < first_id_at(${until}::timestamptz)
        and emails.campaign_id = ${id} and events.data ? 'link' and not exists (
          select from link_clicks k where k.project_id = events.project_id and k.email_id = events.email_id)
    ) as clicked
    group by 1 order by 2 desc, 1 limit ${most}`.execute(tx)
  return rows
}

export interface Conversions {
  converted: number
  /** The keys are currencies. */
  revenue: Record<string, number>
}

/** How many emails have a conversion, and what they add up to. */
export async function readConversions(db: Database | Tx, projectId: string, id: string): Promise<Conversions> {
  const { rows } = await sql<Conversions>`/* read-campaign-conversions */
    select
      (select count(distinct email_id) from conversions where project_id = ${projectId} and campaign_id = ${id})::int as converted,
      (select coalesce(jsonb_object_agg(currency, total), '{}') from (
        select currency, sum(millionths) / 1000000 as total from conversions
        where project_id = ${projectId} and campaign_id = ${id} and currency is not null group by currency
      ) as by_currency) as revenue`.execute(db)
  return rows[0]!
}

export interface EarlierCampaign extends EmailCounts {
  id: string
  name: string
  sentAt: Date
}

/** The campaigns that were sent before `since`, newest first, with what had happened to their emails at an age. */
export async function listEarlierAt(
  tx: Tx,
  projectId: string,
  { since, ageSeconds, most }: { since: Date; ageSeconds: number; most: number },
): Promise<EarlierCampaign[]> {
  const { rows } = await sql<EarlierCampaign>`/* list-earlier-campaigns */
    select c.id, c.name, c.sent_at as "sentAt", counted.* from (
      select id, name, sent_at, sent_at + make_interval(secs => ${ageSeconds}::int) as until from campaigns
      where project_id = ${projectId} and status = 'SENT' and sent_at < ${since}::timestamptz
      order by sent_at desc, id desc limit ${most}
    ) as c
    join lateral (
      select count(*) filter (where fact = 'sent')::int as sent, count(*) filter (where fact = 'delivered')::int as delivered,
        count(*) filter (where fact = 'opened')::int as opened, count(*) filter (where fact = 'clicked')::int as clicked,
        count(*) filter (where fact = 'bounced')::int as bounced, count(*) filter (where fact = 'complained')::int as complained,
        count(*) filter (where fact = 'refused')::int as refused
      from emails e cross join lateral email_facts(e.sent_at, e.delivered_at, e.opened_at, e.clicked_at,
        case when e.bounced_at <= c.until then e.bounced_at end, e.complained_at)
      where e.project_id = ${projectId} and e.campaign_id = c.id and at <= c.until
    ) as counted on counted.sent + counted.refused > 0
    order by c.sent_at desc, c.id desc`.execute(tx)
  return rows
}

export interface BounceGroup {
  domain: string
  reason: string
  count: number
}

/** By the domain of the recipient and the status code of the response; `reason` is one of the responses. */
export async function listBounces(tx: Tx, projectId: string, id: string, most: number): Promise<BounceGroup[]> {
  const { rows } = await sql<BounceGroup>`/* list-campaign-bounces */
    select split_part(e.to_email, '@', 2) as domain, coalesce(min(note.words), min(e.error), '') as reason, count(*)::int as count
    from emails e left join lateral (
      select words from email_notes n where n.project_id = e.project_id and n.email_id = e.id and n.kind = 'email.bounce'
      order by n.id desc limit 1
    ) as note on true
    where e.project_id = ${projectId} and e.campaign_id = ${id} and e.bounced_at is not null
    group by 1, coalesce(substring(note.words from '^\\d{3}[ -]\\d\\.\\d+\\.\\d+'), left(note.words, 60))
    order by 3 desc, 1 limit ${most}`.execute(tx)
  return rows
}

/** The reason is recorded as text, which names the rule. */
export async function countSkipped(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<Array<{ reason: 'frequencyCap' | 'sunset'; count: number }>> {
  const { rows } = await sql<{ reason: 'frequencyCap' | 'sunset'; count: number }>`/* count-campaign-skipped */
    select case when error like '%the sunset rule of the project%' then 'sunset' else 'frequencyCap' end as reason, count(*)::int as count
    from emails where project_id = ${projectId} and campaign_id = ${id} and status = 'SKIPPED'
    group by 1 order by 2 desc, 1`.execute(tx)
  return rows
}

export type Reaction = 'OPENED' | 'NOT_OPENED' | 'CLICKED' | 'NOT_CLICKED'

const REACTIONS: Record<Reaction, RawBuilder<boolean>> = {
  OPENED: sql`e.opened_at is not null`,
  NOT_OPENED: sql`e.opened_at is null`,
  CLICKED: sql`e.clicked_at is not null`,
  NOT_CLICKED: sql`e.clicked_at is null`,
}

/** The addresses of recipients who still exist and whose email was delivered, by what they did with it. */
export async function listReactions(
  db: Database,
  projectId: string,
  id: string,
  reaction: Reaction,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select contacts.email from emails e
    join contacts on contacts.project_id = e.project_id and contacts.id = e.contact_id
    where e.project_id = ${projectId} and e.campaign_id = ${id} and e.sent_at is not null and e.bounced_at is null
      and e.complained_at is null and ${REACTIONS[reaction]}
    order by e.id limit ${most}`.execute(db)
  return rows.map(({ email }) => email)
}
