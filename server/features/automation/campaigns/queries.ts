/** SQL of campaigns: writing and reading them, lists and counts. */

import type { RawBuilder, Selectable, Updateable } from 'kysely'
import { changedAt } from '../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { resembling } from '../../../platform/database/like.ts'
import type { Campaigns } from '../../../platform/database/tables.ts'
import { defineTally } from '../../../platform/database/tallies.ts'
import { lockGraph } from '../../audience/segments/queries.ts'
import {
  compiledFrom,
  currentVersionStep,
  type VisualEmail,
  visualEmails,
} from '../../content/documents/version-queries.ts'
import { announce, otherFacts } from '../../record/journal/queries.ts'
import { ALLOWED, type CampaignAction, type CampaignFields, type ShownColumns } from './campaign.ts'

const TALLIES = [
  'ended',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
  'refused',
  'skipped',
] as const

type CampaignCounts = Record<(typeof TALLIES)[number], number>

export type CampaignRow = CampaignFields &
  ShownColumns &
  CampaignCounts &
  Pick<
    Selectable<Campaigns>,
    'scheduled_at' | 'frozen_at' | 'content_id' | 'has_waves' | 'send_options' | 'guard_passed' | 'guarded_at'
  >

/** Folded counts plus the differences recorded since. */
const countOf = (tally: (typeof TALLIES)[number]) =>
  sql`(coalesce(k.${sql.ref(tally)}, 0) + coalesce(d.${sql.ref(tally)}, 0))::int`

const COUNTS = sql.join(TALLIES.map((tally) => sql`${countOf(tally)} as ${sql.ref(tally)}`))
const DIFFERENCES = sql.join(TALLIES.map((tally) => sql`sum(${sql.ref(tally)}) as ${sql.ref(tally)}`))

/** `source` names rows of `campaigns` as `c`. */
const withCounts = (source: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select c.*, r.status as recurrence, t.campaign_id is not null as has_experiment, ${COUNTS} from ${source}
  left join campaign_recurrences r on r.project_id = c.project_id and r.campaign_id = c.id
  left join campaign_experiments t on t.project_id = c.project_id and t.campaign_id = c.id
  left join campaign_counts k on k.project_id = c.project_id and k.campaign_id = c.id
  left join lateral (
    select ${DIFFERENCES} from campaign_count_changes x where x.project_id = c.project_id and x.campaign_id = c.id
  ) as d on true`

/** Locks what the campaign refers to against deletion. Returns the references that don't exist. */
export async function lockReferences(
  tx: Tx,
  projectId: string,
  { template_id = null, segment_id = null, segment_ids = [] }: Partial<CampaignFields>,
): Promise<Array<{ resource: 'template' | 'segment'; id: string }>> {
  const segments = [...new Set([...segment_ids, ...(segment_id ? [segment_id] : [])])]
  if (segments.length > 0) await lockGraph(tx, projectId)
  const { rows } = await sql<{ resource: 'template' | 'segment'; id: string }>`
    with kept as (select id from templates where project_id = ${projectId} and id = ${template_id}::uuid for key share),
    present as (select id from segments where project_id = ${projectId} and id = any(${segments}::uuid[]))
    select 'template' as resource, ${template_id}::uuid as id where ${template_id}::uuid is not null and not exists (select from kept)
    union all
    select 'segment', wanted.id from unnest(${segments}::uuid[]) as wanted(id) where wanted.id not in (select id from present)`.execute(
    tx,
  )
  return rows
}

const stored = <F extends Partial<CampaignFields>>({ audience_condition, document, utm, feed, ...same }: F) => ({
  ...same,
  ...(utm === undefined ? {} : { utm: utm && JSON.stringify(utm) }),
  ...(feed === undefined ? {} : { feed: feed && JSON.stringify(feed) }),
  document: document === null ? null : JSON.stringify(document),
  audience_condition: audience_condition === null ? null : JSON.stringify(audience_condition),
})

export async function insertCampaign(
  tx: Tx,
  projectId: string,
  id: string,
  fields: CampaignFields,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('campaigns')
    .values({ project_id: projectId, id, ...stored(fields), created_at: now, updated_at: now })
    .execute()
}

/** The time of its last change; undefined if it doesn't exist. Locked until the transaction ends. */
export async function lockCampaign(tx: Tx, projectId: string, id: string): Promise<Date | undefined> {
  const { rows } = await sql<{ updated_at: Date }>`
    select updated_at from campaigns where project_id = ${projectId} and id = ${id} for update`.execute(tx)
  return rows[0]?.updated_at
}

/** The content, locked until the transaction ends; undefined if the campaign can't be changed. */
export async function lockContent(tx: Tx, projectId: string, id: string): Promise<CampaignContent | undefined> {
  const { rows } = await sql<CampaignContent>`
    select subject, plain, preheader, body, document, mjml, version, updated_at from campaigns
    where project_id = ${projectId} and id = ${id} and status in (${sql.join(ALLOWED.change)}) for update`.execute(tx)
  return rows[0]
}

export type CampaignContent = Pick<
  CampaignFields & ShownColumns,
  'subject' | 'plain' | 'preheader' | 'body' | 'document' | 'mjml' | 'version' | 'updated_at'
>

export async function updateCampaign(
  tx: Tx,
  projectId: string,
  id: string,
  { version, ...fields }: Partial<CampaignFields> & { version: number },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('campaigns')
    .set({ ...stored(fields), version, updated_at: changedAt(now) })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('status', 'in', ALLOWED.change)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A page of visual campaigns that have not started, in the order of IDs: all of a project, or those with a layout. */
export async function listVisualCampaigns(
  db: Database,
  projectId: string,
  layoutId: string | undefined,
  after: string | undefined,
  limit: number,
): Promise<VisualEmail[]> {
  const { rows } = await sql<VisualEmail>`/* list-visual-campaigns */
    select id, document from campaigns
    where ${visualEmails(projectId, layoutId, after)} and status in ('DRAFT', 'SCHEDULED')
    order by id limit ${limit}`.execute(db)
  return rows
}

/** Not an edit, so the time of the last change is kept. A campaign that has started keeps what it sends. */
export async function saveCompiledCampaign(
  db: Database,
  projectId: string,
  campaign: VisualEmail,
  body: string,
): Promise<void> {
  await sql`/* save-compiled-campaign */
    with saved as (
      update campaigns set body = ${body} where ${compiledFrom(projectId, campaign, body)} and status in ('DRAFT', 'SCHEDULED')
      returning id, version
    ) ${currentVersionStep('campaign', projectId, body)}`.execute(db)
}

export async function findCampaign(db: Database | Tx, projectId: string, id: string): Promise<CampaignRow | undefined> {
  const { rows } = await sql<CampaignRow>`/* find-campaign */
    ${withCounts(sql`(select * from campaigns where project_id = ${projectId} and id = ${id}) as c`)}`.execute(db)
  return rows[0]
}

/** Only what is given. */
export async function patchCampaign(
  tx: Tx,
  projectId: string,
  id: string,
  { tags, is_public }: { tags: string[] | undefined; is_public: boolean | undefined },
  now: Date,
): Promise<void> {
  await sql`
    update campaigns set tags = coalesce(${tags ?? null}::text[], tags), is_public = coalesce(${is_public ?? null}::boolean, is_public),
      updated_at = ${changedAt(now)}
    where project_id = ${projectId} and id = ${id}`.execute(tx)
}

/**
 * False if the current state doesn't allow the action, if the campaign doesn't exist, or if it, its experiment or its
 * recurrence was changed since the given time.
 */
export async function setState(
  db: Database | Tx,
  projectId: string,
  id: string,
  act: CampaignAction,
  fields: Updateable<Campaigns>,
  now: Date,
  unchangedSince?: Date,
): Promise<boolean> {
  const set = Object.entries({ ...fields, updated_at: changedAt(now) }).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  )
  const event = act === 'send' ? fields.status === 'SENDING' && 'campaign.started' : ANNOUNCED[act]
  const { rows } = await sql`
    with changed as (
      update campaigns set ${sql.join(set)}
      where project_id = ${projectId} and id = ${id} and status = any(${ALLOWED[act]}::text[])
        ${unchangedSince ? sql`and date_trunc('milliseconds', updated_at) = ${unchangedSince}::timestamptz` : sql``}
      returning *
    ), ${announceCampaigns(event || null, now)}
    select from changed`.execute(db)
  return rows.length > 0
}

const ANNOUNCED: Partial<Record<CampaignAction, string>> = { cancel: 'campaign.cancelled', pause: 'campaign.paused' }

/** Steps that announce what happened to the campaigns in `changed`; nothing if `event` is null. */
export const announceCampaigns = (event: string | null, now: Date): RawBuilder<unknown> =>
  announce(
    'announced',
    sql`
      select c.project_id, ${event}::text, null::uuid, ${otherFacts(
        sql`jsonb_build_object('campaignId', c.id, 'name', c.name) || case ${event}::text when 'campaign.paused'
          then jsonb_build_object('reason', c.held_reason) else '{}' end`,
      )}, ${now}::timestamptz
      from changed c where ${event}::text is not null`,
  )

/** Keeps the campaign scheduled, with the reason why it did not start. False if it has one already or isn't scheduled. */
export async function setHeldReason(
  tx: Tx,
  projectId: string,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* set-campaign-held-reason */
    update campaigns set held_reason = ${reason}, updated_at = ${now}
    where project_id = ${projectId} and id = ${id} and status = 'SCHEDULED' and held_reason is null`.execute(tx)
  return numAffectedRows === 1n
}

/**
 * After a restore: nothing is sent until a user resumes it. $1: the reason, $2: now. Runs in the schema of the backup,
 * which may be older than this version's.
 */
export const PAUSE_CAMPAIGNS = `
  update campaigns set held_reason = $1, paused_at = case status when 'SENDING' then coalesce(paused_at, $2) end
  where status in ('SENDING', 'SCHEDULED')`

export async function deleteCampaign(db: Database, projectId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('campaigns')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('status', 'in', ALLOWED.delete)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export interface CampaignFilter {
  status?: string | undefined
  search?: string | undefined
  tag?: string | undefined
  held?: boolean | undefined
}

const SORT_COLUMNS = { name: sql`lower(name)`, createdAt: sql`id`, updatedAt: sql`updated_at` }

const matching = (projectId: string, { status, search, tag, held }: CampaignFilter): RawBuilder<unknown> => {
  const pattern = resembling(search ?? '')
  return sql`project_id = ${projectId}
    ${tag ? sql`and tags @> array[${tag}::text] and tags <> '{}'` : sql``}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${held === undefined ? sql`` : sql`and (held_reason is not null) = ${held}`}
    ${search ? sql`and (name ~ ${pattern} or subject ~ ${pattern} or from_email ~ ${pattern})` : sql``}`
}

/** The ids of a page in order, with the size of their contents. */
export async function findPage(
  db: Database,
  projectId: string,
  query: CampaignFilter & { sort: keyof typeof SORT_COLUMNS; dir: 'asc' | 'desc'; limit: number; offset: number },
): Promise<Array<{ id: string; bytes: number }>> {
  const dir = query.dir === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql<{ id: string; bytes: number }>`
    select id, octet_length(concat(body, document, mjml)) as bytes from campaigns where ${matching(projectId, query)}
    order by ${SORT_COLUMNS[query.sort]} ${dir}, id ${dir} limit ${query.limit} offset ${query.offset}`.execute(db)
  return rows
}

export async function countCampaigns(db: Database, projectId: string, filter: CampaignFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from campaigns where ${matching(projectId, filter)}`.execute(db)
  return rows[0]!.count
}

/** Without their content, PostgreSQL doesn't read it; `document` and `mjml` only show that there is one. */
export async function findCampaigns(
  db: Database,
  projectId: string,
  ids: string[],
  withContent: boolean,
): Promise<CampaignRow[]> {
  const name = sql.raw(`/* find-campaigns${withContent ? '' : '-without-content'} */`)
  const row = withContent ? sql`campaigns` : sql`short`
  const short = sql`, jsonb_populate_record(campaigns, jsonb_build_object('body', '',
      'document', case when document is not null then '{}'::jsonb end, 'mjml', case when mjml is not null then '<mjml>' end)) as short`
  const { rows } = await sql<CampaignRow>`${name}
    select * from (${withCounts(sql`(
      select ${row}.*, position from unnest(${ids}::uuid[]) with ordinality as page(id, position)
      join campaigns on campaigns.project_id = ${projectId} and campaigns.id = page.id${withContent ? sql`` : short}) as c`)}) as listed
    order by position`.execute(db)
  return rows
}

/** Contacts who unsubscribed through a link in one of its emails. */
export async function countUnsubscribed(db: Database, projectId: string, id: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-campaign-unsubscribes */
    select count(distinct events.email_id) as count from events
    join emails on emails.project_id = events.project_id and emails.id = events.email_id
    where events.project_id = ${projectId} and events.name = 'contact.unsubscribed' and events.id >= first_id_at(${since}::timestamptz)
      and emails.campaign_id = ${id} and not events.data ? 'reason' -- a bounce or a complaint is counted as such`.execute(
    db,
  )
  return rows[0]!.count
}

/** `ended` includes recipients who were deleted before their email was written; only this count includes them. */
export const campaignTally = defineTally({
  name: 'campaigns',
  kept: 'campaign_counts',
  changes: 'campaign_count_changes',
  keys: ['project_id', 'campaign_id'],
  measures: Object.fromEntries(TALLIES.map((tally) => [tally, tally])),
  of: 'emails',
  facts: (rows) => sql`
    select project_id, campaign_id,
      count(*) filter (where status not in ('PENDING', 'SENDING')) as ended,
      count(sent_at) as sent, count(*) filter (where is_delivered(delivered_at, bounced_at)) as delivered, count(opened_at) as opened, count(clicked_at) as clicked,
      count(bounced_at) as bounced, count(complained_at) as complained,
      count(*) filter (where status = 'FAILED') as failed,
      count(*) filter (where is_refused(sent_at, bounced_at)) as refused,
      count(*) filter (where status = 'SKIPPED') as skipped
    from ${rows} where campaign_id is not null group by project_id, campaign_id`,
  keepsDropped: true,
  keepsDeleted: ['ended'],
  belongsTo: sql`exists (
    select from campaigns c where c.project_id = counted.project_id and c.id = counted.campaign_id)`,
})

export interface RecipientRow {
  id: string
  contact_id: string | null
  to_email: string
  status: string
  error: string | null
  attempts: number
  opens: number
  clicks: number
  sent_at: Date | null
  delivered_at: Date | null
  opened_at: Date | null
  clicked_at: Date | null
  bounced_at: Date | null
  complained_at: Date | null
  created_at: Date
}

/** Newest first, with one extra row that shows whether there are more. */
export async function listRecipients(
  db: Database,
  projectId: string,
  campaignId: string,
  { status, before, limit }: { status?: string | undefined; before?: string | undefined; limit: number },
): Promise<RecipientRow[]> {
  let query = db
    .selectFrom('emails')
    .select(['id', 'contact_id', 'to_email', 'status', 'error', 'attempts', 'opens', 'clicks', 'created_at'])
    .select(['sent_at', 'delivered_at', 'opened_at', 'clicked_at', 'bounced_at', 'complained_at'])
    .where('project_id', '=', projectId)
    .where('campaign_id', '=', campaignId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (before !== undefined) query = query.where('id', '<', before)
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countRecipients(
  db: Database,
  projectId: string,
  campaignId: string,
  status: string | undefined,
): Promise<number> {
  let query = db.selectFrom('emails').where('project_id', '=', projectId).where('campaign_id', '=', campaignId)
  if (status !== undefined) query = query.where('status', '=', status)
  const row = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}
