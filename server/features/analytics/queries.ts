/** Numbers of campaigns, from their stored counts. See campaigns/triggers.sql. */
import { type RawBuilder, sql } from 'kysely'
import type { TimeRange } from '../../kernel/time-range.ts'
import type { Database } from '../../platform/database/connect.ts'

export interface CampaignNumbers {
  total_recipients: number
  sent: number
  delivered: number
  opened: number
  clicked: number
  bounced: number
  complained: number
  failed: number
  /** Bounced before it was sent. */
  refused: number
}

export interface CampaignNumbersRow extends CampaignNumbers {
  id: string
  name: string
  subject: string
  status: string
  sent_at: Date
}

const TALLIES = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'failed', 'refused'] as const
const tallies = (make: (tally: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql.join(TALLIES.map((tally) => make(sql.ref(tally))))

/** Campaigns that started within a time range, with their numbers. */
const numbers = (projectId: string, { from, to }: TimeRange) => sql`
  select c.id, c.name, c.subject, c.status, c.sent_at, c.total_recipients,
    ${tallies((tally) => sql`coalesce(counted.${tally}, 0)::bigint as ${tally}`)}
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
}

const mean = (part: string, whole: RawBuilder<unknown>) =>
  sql`coalesce(avg(least(1, ${sql.ref(part)}::float8 / nullif(${whole}, 0))), 0)`

/** Sums over campaigns, and the mean of each campaign's rates, in which every campaign counts equally. */
export async function sumCampaigns(db: Database, projectId: string, range: TimeRange): Promise<CampaignSums> {
  const attempted = sql`(sent + refused)`
  const { rows } = await sql<CampaignSums>`/* sum-campaigns */
    select count(*) as campaigns, coalesce(sum(total_recipients), 0)::bigint as total_recipients,
      ${tallies((tally) => sql`coalesce(sum(${tally}), 0)::bigint as ${tally}`)},
      ${mean('delivered', attempted)} as delivery_rate, ${mean('opened', sql`delivered`)} as open_rate,
      ${mean('clicked', sql`delivered`)} as click_rate, ${mean('bounced', attempted)} as bounce_rate
    from (${numbers(projectId, range)}) as campaign`.execute(db)
  return rows[0]!
}
