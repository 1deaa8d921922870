/** Numbers of campaigns from their stored counts (campaigns/triggers.sql), and of emails by what they have in common. */
import type { RawBuilder } from 'kysely'
import { EMAIL_COUNTS, type EmailCounts } from '../../../kernel/sending/email-rates.ts'
import type { TimeRange } from '../../../kernel/time-range.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

export interface CampaignNumbers extends EmailCounts {
  total_recipients: number
  failed: number
}

export interface CampaignNumbersRow extends CampaignNumbers {
  id: string
  name: string
  subject: string
  status: string
  sent_at: Date
}

const TALLIES = [...EMAIL_COUNTS, 'failed'] as const
const tallies = (make: (tally: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql.join(TALLIES.map((tally) => make(sql.ref(tally))))

const countOf = (tally: (typeof TALLIES)[number]) => sql`coalesce(counted.${sql.ref(tally)}, 0)::bigint`
const COUNTS = sql.join(TALLIES.map((tally) => sql`${countOf(tally)} as ${sql.ref(tally)}`))

/** Campaigns that started within a time range, with their numbers. */
const numbers = (projectId: string, { from, to }: TimeRange) => sql`
  select c.id, c.name, c.subject, c.status, c.sent_at, c.total_recipients,
    ${COUNTS}
  from campaigns c left join (
    select campaign_id, ${tallies((tally) => sql`sum(${tally}) as ${tally}`)} from (
      select campaign_id, ${tallies((tally) => tally)} from campaign_counts where project_id = ${projectId}
      union all
      select campaign_id, ${tallies((tally) => tally)} from campaign_count_changes where project_id = ${projectId}
    ) as parts group by campaign_id
  ) as counted on counted.campaign_id = c.id
  where c.project_id = ${projectId} and c.sent_at is not null
    and (${from ?? null}::timestamptz is null or c.sent_at >= ${from ?? null}::timestamptz)
    and (${to ?? null}::timestamptz is null or c.sent_at <= ${to ?? null}::timestamptz)`

/** Ordered by opens, then clicks, then emails sent. */
export async function listTopCampaigns(
  db: Database,
  projectId: string,
  range: TimeRange,
  limit: number,
): Promise<CampaignNumbersRow[]> {
  const { rows } = await sql<CampaignNumbersRow>`/* list-top-campaigns */
    ${numbers(projectId, range)} order by opened desc, clicked desc, sent desc, c.id desc limit ${limit}`.execute(db)
  return rows
}

export interface CampaignSums extends CampaignNumbers {
  campaigns: number
  delivery_rate: number
  open_rate: number
  click_rate: number
  bounce_rate: number
  complaint_rate: number
}

const mean = (part: string, whole: RawBuilder<unknown>) =>
  sql`coalesce(avg(least(1, ${sql.ref(part)}::float8 / nullif(${whole}, 0))), 0)`

/** Sums over campaigns, and the mean of each campaign's rates, in which every campaign counts equally. */
export async function sumCampaigns(db: Database, projectId: string, range: TimeRange): Promise<CampaignSums> {
  const attempted = sql`(sent + refused)`
  const reached = sql`emails_reached(sent, refused, delivered, bounced)`
  const { rows } = await sql<CampaignSums>`/* sum-campaigns */
    select count(*) as campaigns, coalesce(sum(total_recipients), 0)::bigint as total_recipients,
      ${tallies((tally) => sql`coalesce(sum(${tally}), 0)::bigint as ${tally}`)},
      ${mean('delivered', attempted)} as delivery_rate, ${mean('opened', reached)} as open_rate,
      ${mean('clicked', reached)} as click_rate, ${mean('bounced', attempted)} as bounce_rate,
      ${mean('complained', attempted)} as complaint_rate
    from (${numbers(projectId, range)}) as campaign`.execute(db)
  return rows[0]!
}

export const BREAKDOWNS = ['campaign', 'template', 'workflow', 'domain', 'tag'] as const
export type Breakdown = (typeof BREAKDOWNS)[number]

export interface BreakdownRow extends EmailCounts {
  key: string
  name: string | null
}

interface BreakdownKey {
  key: RawBuilder<unknown>
  from?: RawBuilder<unknown>
  names?: RawBuilder<unknown>
}

/** What the emails of a row have in common, and the table with its name. */
const KEYS: Record<Exclude<Breakdown, 'tag'>, BreakdownKey> = {
  campaign: { key: sql`e.campaign_id`, names: sql`campaigns` },
  template: { key: sql`e.template_id`, names: sql`templates` },
  workflow: {
    key: sql`x.workflow_id`,
    from: sql`join workflow_executions x on x.project_id = e.project_id and x.id = e.workflow_execution_id`,
    names: sql`workflows`,
  },
  domain: { key: sql`split_part(e.to_email, '@', 2)` },
}

const COUNTED: Record<keyof EmailCounts, RawBuilder<unknown>> = {
  sent: sql`count(e.sent_at)`,
  delivered: sql`count(*) filter (where is_delivered(e.delivered_at, e.bounced_at))`,
  opened: sql`count(e.opened_at)`,
  clicked: sql`count(e.clicked_at)`,
  bounced: sql`count(e.bounced_at)`,
  complained: sql`count(e.complained_at)`,
  refused: sql`count(*) filter (where is_refused(e.sent_at, e.bounced_at))`,
}

/** Reads every email of the range, which is why callers limit its time. Most emails first. */
export async function listBreakdown(
  tx: Tx,
  projectId: string,
  { by, tag }: { by: Breakdown; tag?: string | undefined },
  { first, end }: { first: string; end: string },
  limit: number,
): Promise<BreakdownRow[]> {
  const { key, from, names }: BreakdownKey = by === 'tag' ? { key: sql`e.tags ->> ${tag}` } : KEYS[by]
  const counts = EMAIL_COUNTS.map((name) => sql`${COUNTED[name]} as ${sql.ref(name)}`)
  const { rows } = await sql<BreakdownRow>`
    select counted.*, ${names ? sql`named.name` : sql`counted.key`} as name
    from (
      select ${key} as key, ${sql.join(counts)}
      from emails e ${from ?? sql``}
      where e.project_id = ${projectId} and e.id >= ${first}::uuid and e.id < ${end}::uuid
        and e.source_type <> 'INBOUND' and not is_test(e.source_type, e.campaign_id) and e.test is not true and ${key} is not null
      group by 1 having count(e.sent_at) + count(e.bounced_at) > 0
      order by sent desc, 1 limit ${limit}
    ) as counted
    ${names ? sql`left join ${names} named on named.project_id = ${projectId} and named.id = counted.key` : sql``}
    order by counted.sent desc, counted.key`.execute(tx)
  return rows
}
