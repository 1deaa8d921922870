/** SQL on experiments, and the counts of their variants. */
import type { Selectable } from 'kysely'
import type { EmailDocument } from '../../../../kernel/content/email-document.ts'
import { changedAt } from '../../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import type { CampaignExperiments } from '../../../../platform/database/tables.ts'
import { ALLOWED } from '../campaign.ts'

/** As it is stored: null where it is the campaign's. `body` is compiled from `document`, if there is one. */
export interface StoredVariant {
  name: string
  subject: string | null
  from: string | null
  fromName: string | null
  preheader: string | null
  body: string | null
  document: EmailDocument | null
}

export interface DecidedBy {
  type: 'system' | 'user' | 'key'
  id: string | null
  name: string
}

export interface ExperimentRow
  extends Omit<Selectable<CampaignExperiments>, 'variants' | 'metric' | 'selection' | 'decided_by'> {
  variants: StoredVariant[]
  metric: 'opens' | 'clicks' | 'conversions'
  selection: 'automatic' | 'manual'
  decided_by: DecidedBy | null
}

export type ExperimentFields = Pick<
  ExperimentRow,
  'variants' | 'share' | 'metric' | 'conversion_event' | 'wait_minutes' | 'selection'
>

export interface LockedCampaign {
  name: string
  status: string
  frozen_at: Date | null
  send_options: unknown
}

/** The state of its campaign, which can't change until the transaction ends. */
export async function lockState(tx: Tx, projectId: string, campaignId: string): Promise<LockedCampaign | undefined> {
  const { rows } = await sql<LockedCampaign>`
    select name, status, frozen_at, send_options from campaigns where project_id = ${projectId} and id = ${campaignId} for update`.execute(
    tx,
  )
  return rows[0]
}

export async function saveExperiment(
  tx: Tx,
  projectId: string,
  campaignId: string,
  { variants, share, metric, conversion_event, wait_minutes, selection }: ExperimentFields,
  now: Date,
): Promise<void> {
  await sql`
    insert into campaign_experiments (project_id, campaign_id, variants, share, metric, conversion_event, wait_minutes, selection, created_at, updated_at)
    values (${projectId}, ${campaignId}, ${JSON.stringify(variants)}::jsonb, ${share}, ${metric}, ${conversion_event}, ${wait_minutes}, ${selection}, ${now}, ${now})
    on conflict (project_id, campaign_id) do update set variants = excluded.variants, share = excluded.share, metric = excluded.metric,
      conversion_event = excluded.conversion_event, wait_minutes = excluded.wait_minutes, selection = excluded.selection,
      updated_at = excluded.updated_at`.execute(tx)
}

/** An experiment or a recurrence is part of its campaign, whose ETag changes with it. */
export async function markChanged(tx: Tx, projectId: string, campaignId: string, now: Date): Promise<void> {
  await sql`
    update campaigns set updated_at = ${changedAt(now)} where project_id = ${projectId} and id = ${campaignId}`.execute(
    tx,
  )
}

/** False if there is none, or if its campaign can no longer be changed. */
export async function deleteExperiment(tx: Tx, projectId: string, campaignId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from campaign_experiments x using campaigns c
    where x.project_id = ${projectId} and x.campaign_id = ${campaignId} and c.project_id = x.project_id and c.id = x.campaign_id
      and c.status = any(${ALLOWED.change}::text[])`.execute(tx)
  return Number(numAffectedRows) > 0
}

export async function findExperiment(
  db: Database | Tx,
  projectId: string,
  campaignId: string,
): Promise<ExperimentRow | undefined> {
  const { rows } = await sql<ExperimentRow>`/* find-experiment */
    select * from campaign_experiments where project_id = ${projectId} and campaign_id = ${campaignId}`.execute(db)
  return rows[0]
}

export async function setDecideAt(tx: Tx, projectId: string, campaignId: string, at: Date): Promise<void> {
  await sql`
    update campaign_experiments set decide_at = ${at} where project_id = ${projectId} and campaign_id = ${campaignId}`.execute(
    tx,
  )
}

/** The address of a user. */
export async function nameUser(tx: Tx, userId: string): Promise<string> {
  const { rows } = await sql<{ email: string }>`select email from users where id = ${userId}::uuid`.execute(tx)
  return rows[0]?.email ?? ''
}

/** False if there is a winner already. */
export async function setWinner(
  tx: Tx,
  projectId: string,
  campaignId: string,
  { winner, conclusive, by }: { winner: string; conclusive: boolean; by: DecidedBy },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update campaign_experiments set winner = ${winner}, conclusive = ${conclusive}, decided_at = ${now}, decided_by = ${JSON.stringify(by)}::jsonb,
      updated_at = ${now}
    where project_id = ${projectId} and campaign_id = ${campaignId} and winner is null`.execute(tx)
  return Number(numAffectedRows) > 0
}

export interface VariantCounts {
  variant: string
  recipients: number
  /** Whose email is written. */
  queued: number
  /** Whose email is written, but was never tried. */
  untried: number
  sent: number
  delivered: number
  refused: number
  bounced: number
  opened: number
  clicked: number
  converted: number
}

/**
 * The results of the test: the rest of the audience isn't included. Recipients convert if the event follows their first click. Only
 * the first `opened` and `clicked` of people are stored on an email, not those of machines.
 */
export async function countVariants(
  db: Database | Tx,
  projectId: string,
  campaignId: string,
  conversionEvent: string | null,
): Promise<VariantCounts[]> {
  const { rows } = await sql<VariantCounts>`/* count-variants */
    select w.variant, w.recipients, w.queued, coalesce(e.untried, 0)::int as untried, coalesce(e.sent, 0)::int as sent, coalesce(e.delivered, 0)::int as delivered,
      coalesce(e.refused, 0)::int as refused, coalesce(e.bounced, 0)::int as bounced, coalesce(e.opened, 0)::int as opened,
      coalesce(e.clicked, 0)::int as clicked, coalesce(e.converted, 0)::int as converted
    from campaign_waves w
    left join (
      select wave, count(*) filter (where status = 'PENDING' and attempts = 0) as untried, count(sent_at) as sent, count(*) filter (where is_delivered(delivered_at, bounced_at)) as delivered,
        count(*) filter (where is_refused(sent_at, bounced_at)) as refused, count(bounced_at) as bounced, count(opened_at) as opened, count(clicked_at) as clicked,
        count(*) filter (where clicked_at is not null and ${conversionEvent}::text is not null and exists (
          select from events v where v.project_id = ${projectId} and v.contact_id = emails.contact_id and v.name = ${conversionEvent}::text
            and v.created_at >= emails.clicked_at and v.id >= first_id_at(emails.clicked_at))) as converted
      from emails
      where project_id = ${projectId} and campaign_id = ${campaignId} and wave in (
        select number from campaign_waves
        where project_id = ${projectId} and campaign_id = ${campaignId} and variant is not null)
      group by wave
    ) as e on e.wave = w.number
    where w.project_id = ${projectId} and w.campaign_id = ${campaignId} and w.variant is not null`.execute(db)
  return rows
}
