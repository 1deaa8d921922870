/**
 * The feed, upcoming activity, the timeline of one contact, and the projects that are watched.
 *
 * The feed shows events, campaigns and workflows together. Every entry has an id that starts with its time, so one order
 * and one cursor serve all sources: each returns its next few rows by an index, and the first of them form the page.
 */
import type { RawBuilder } from 'kysely'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

/** The sources of the feed besides events, by type. */
export const OTHER_TYPES = [
  'campaign.scheduled',
  'campaign.sent',
  'workflow.started',
  'workflow.completed',
  'workflow.failed',
] as const
type OtherType = (typeof OTHER_TYPES)[number]

export interface FeedFilter {
  types?: string[] | undefined
  contactId?: string | undefined
  /** Ids from `first` (inclusive) to `end` (exclusive). */
  first?: string | undefined
  end?: string | undefined
}

export interface FeedRow {
  id: string
  type: string
  at: Date
  contact_id: string | null
  contact_email: string | null
  metadata: Record<string, unknown>
  /** The email of the event, as it is now. */
  email_id: string | null
  email_status: string | null
  sent_at: Date | null
  delivered_at: Date | null
  opened_at: Date | null
  clicked_at: Date | null
  bounced_at: Date | null
  complained_at: Date | null
}

interface Source {
  table: RawBuilder<unknown>
  id: RawBuilder<unknown>
  at: RawBuilder<unknown>
  where: RawBuilder<unknown>
  contact: RawBuilder<unknown> | undefined
  metadata: RawBuilder<unknown>
}

const campaign = (type: OtherType, column: string, more: RawBuilder<unknown>): Source => ({
  table: sql`campaigns`,
  id: sql`feed_id(s.${sql.ref(column)}, ${sql.lit(type)}, s.id)`,
  at: sql`s.${sql.ref(column)}`,
  where: sql`s.${sql.ref(column)} is not null`,
  contact: undefined,
  metadata: sql`jsonb_build_object('campaignId', s.id, 'name', s.name, 'subject', s.subject, 'status', s.status ${more})`,
})

const execution = (type: OtherType, column: string, where: RawBuilder<unknown>, more = sql``): Source => ({
  table: sql`workflow_executions`,
  id: sql`feed_id(s.${sql.ref(column)}, ${sql.lit(type)}, s.id)`,
  at: sql`s.${sql.ref(column)}`,
  where,
  contact: sql`s.contact_id`,
  metadata: sql`jsonb_build_object('workflowId', s.workflow_id, 'executionId', s.id, 'name', (
    select w.name from workflows w where w.project_id = s.project_id and w.id = s.workflow_id) ${more})`,
})

const SOURCES: Record<OtherType, Source> = {
  'campaign.scheduled': campaign(
    'campaign.scheduled',
    'scheduled_at',
    sql`, 'scheduledFor', ${isoSql('scheduled_for')}`,
  ),
  'campaign.sent': campaign('campaign.sent', 'sent_at', sql`, 'totalRecipients', s.total_recipients`),
  'workflow.started': execution('workflow.started', 'started_at', sql`true`),
  'workflow.completed': execution(
    'workflow.completed',
    'completed_at',
    sql`s.status in ('COMPLETED', 'EXITED')`,
    sql`, 'exitReason', s.exit_reason`,
  ),
  'workflow.failed': execution('workflow.failed', 'completed_at', sql`s.status = 'FAILED'`, sql`, 'error', s.error`),
}

function isoSql(column: string): RawBuilder<unknown> {
  return sql`to_char(s.${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

const within = (id: RawBuilder<unknown>, { first, end }: FeedFilter) => sql`
  ${first === undefined ? sql`` : sql`and ${id} >= ${first}::uuid`} ${end === undefined ? sql`` : sql`and ${id} < ${end}::uuid`}`

type Order = 'asc' | 'desc'

const inOrder = (id: RawBuilder<unknown>, order: Order, limit: number) =>
  sql`order by ${id} ${sql.raw(order)} limit ${limit}`

/** The next rows of one source: id, type, at, contact_id, email_id, metadata. */
function fromSource(projectId: string, type: OtherType, filter: FeedFilter, order: Order, limit: number) {
  const { table, id, at, where, contact, metadata } = SOURCES[type]
  const ofContact = filter.contactId === undefined ? sql`` : sql`and s.contact_id = ${filter.contactId}::uuid`
  return sql`(select ${id} as id, ${sql.lit(type)} as type, ${at} as at, ${contact ?? sql`null::uuid`} as contact_id,
      null::uuid as email_id, ${metadata} as metadata
    from ${table} s where s.project_id = ${projectId} and ${where} ${ofContact} ${within(id, filter)} ${inOrder(id, order, limit)})`
}

const EVENT = sql`e.id, e.name as type, e.created_at as at, e.contact_id, e.email_id,
  e.data || case when e.email_id is null then '{}'::jsonb else jsonb_build_object('emailId', e.email_id) end as metadata`

/** Each name is looked up separately, because searching for a rare name among millions of events would be slow. */
function fromEvents(projectId: string, filter: FeedFilter, order: Order, limit: number) {
  const { types, contactId } = filter
  const rest = sql`${within(sql`e.id`, filter)} ${inOrder(sql`e.id`, order, limit)}`
  if (contactId !== undefined) {
    const named = types === undefined ? sql`` : sql`and e.name = any(${types}::text[])`
    return sql`(select ${EVENT} from events e
      where e.project_id = ${projectId} and e.contact_id = ${contactId}::uuid ${named} ${rest})`
  }
  if (types === undefined) return sql`(select ${EVENT} from events e where e.project_id = ${projectId} ${rest})`
  return sql`(select found.* from unnest(${types}::text[]) as wanted(name) cross join lateral (
      select ${EVENT} from events e where e.project_id = ${projectId} and e.name = wanted.name ${rest}
    ) as found)`
}

/** Campaigns have no contact. */
const otherTypes = ({ types, contactId }: FeedFilter): OtherType[] =>
  OTHER_TYPES.filter(
    (type) => (types === undefined || types.includes(type)) && (contactId === undefined || SOURCES[type].contact),
  )

/** With the state of each email, so that a list can show an email once with everything that happened to it. */
export async function listFeed(
  db: Database,
  projectId: string,
  filter: FeedFilter,
  { order = 'desc', limit }: { order?: Order; limit: number },
): Promise<FeedRow[]> {
  const parts = [
    fromEvents(projectId, filter, order, limit),
    ...otherTypes(filter).map((type) => fromSource(projectId, type, filter, order, limit)),
  ]
  const { rows } = await sql<FeedRow>`
    select feed.id, feed.type, feed.at, feed.contact_id, feed.metadata, c.email as contact_email, m.* from (
      select * from (${sql.join(parts, sql` union all `)}) as parts ${inOrder(sql`id`, order, limit)}
    ) as feed
    left join contacts c on c.project_id = ${projectId} and c.id = feed.contact_id
    left join lateral (
      select s.id as email_id, s.status as email_status, s.sent_at, s.delivered_at, s.opened_at, s.clicked_at, s.bounced_at,
        s.complained_at
      from emails s where s.project_id = ${projectId} and s.id = feed.email_id limit 1
    ) as m on true
    order by feed.id ${sql.raw(order)}`.execute(db)
  return rows
}

/** The number of entries of the other sources. */
export async function countOthers(db: Database, projectId: string, filter: FeedFilter): Promise<number> {
  const types = otherTypes(filter)
  if (types.length === 0) return 0
  const counts = types.map((type) => {
    const { table, id, where } = SOURCES[type]
    const ofContact = filter.contactId === undefined ? sql`` : sql`and s.contact_id = ${filter.contactId}::uuid`
    return sql`(select count(*) from ${table} s
      where s.project_id = ${projectId} and ${where} ${ofContact} ${within(id, filter)})`
  })
  const { rows } = await sql<{ count: number }>`select (${sql.join(counts, sql` + `)})::bigint as count`.execute(db)
  return rows[0]!.count
}

/** Counts individual events: of a contact, or of a part of a day. */
export async function countEvents(db: Database, projectId: string, filter: FeedFilter): Promise<number> {
  const { types, contactId } = filter
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from events e where e.project_id = ${projectId}
      ${contactId === undefined ? sql`` : sql`and e.contact_id = ${contactId}::uuid`}
      ${types === undefined ? sql`` : sql`and e.name = any(${types}::text[])`} ${within(sql`e.id`, filter)}`.execute(db)
  return rows[0]!.count
}

export interface UpcomingRow {
  type: 'campaign.scheduled' | 'workflow.waiting' | 'email.scheduled'
  at: Date
  campaign_id: string | null
  workflow_id: string | null
  execution_id: string | null
  email_id: string | null
  name: string | null
  step_id: string | null
  contact_id: string | null
  contact_email: string | null
  awaited_event: string | null
}

/** Scheduled campaigns and emails, and executions that wait until a time, soonest first. */
export async function listUpcoming(db: Database, projectId: string, limit: number): Promise<UpcomingRow[]> {
  const { rows } = await sql<UpcomingRow>`/* list-upcoming */
    with next as (
      (select 'campaign.scheduled' as type, scheduled_for as at, id, id as campaign_id, null::uuid as workflow_id,
        null::uuid as execution_id, null::uuid as step_id, name, null::uuid as contact_id, null::text as awaited_event, null::uuid as email_id
      from campaigns where project_id = ${projectId} and status = 'SCHEDULED' and scheduled_for is not null
      order by scheduled_for, id limit ${limit})
      union all
      (select 'workflow.waiting', resume_at, id, null, workflow_id, id, current_step_id, null, contact_id, awaited_event, null
      from workflow_executions where project_id = ${projectId} and status = 'WAITING' and resume_at is not null
      order by resume_at, id limit ${limit})
      union all
      (select 'email.scheduled', scheduled_for, id, null, null, null, null, coalesce(subject, (
        select c.subject from email_contents c where c.project_id = emails.project_id and c.id = emails.content_id)), contact_id, null, id
      from emails where project_id = ${projectId} and status = 'SCHEDULED'
      order by scheduled_for, id limit ${limit})
    )
    select next.type, next.at, next.campaign_id, next.workflow_id, next.execution_id, next.step_id, next.contact_id, next.email_id,
      coalesce(next.name, w.name) as name, c.email as contact_email, next.awaited_event
    from next
    left join workflows w on w.project_id = ${projectId} and w.id = next.workflow_id
    left join contacts c on c.project_id = ${projectId} and c.id = next.contact_id
    order by next.at, next.id limit ${limit}`.execute(db)
  return rows
}

export interface TimelineRow {
  id: string
  kind: 'event' | 'email' | 'import'
  /** Null for an import. */
  at: Date | null
  event_name: string | null
  event_data: Record<string, unknown> | null
  email_id: string | null
  subject: string | null
  status: string | null
  source_type: string | null
  opens: number | null
  clicks: number | null
  campaign_id: string | null
  campaign_name: string | null
  execution_id: string | null
  workflow_id: string | null
  workflow_name: string | null
  step_id: string | null
  step_name: string | null
  via: string | null
  key_id: string | null
  key_name: string | null
  /** Whether the import created the contact. */
  created: boolean | null
}

/**
 * Events of a contact, its emails with why they were sent, and the imports that created it and last changed it. Newest first,
 * with one extra row that shows whether there are more.
 */
export async function listTimeline(
  db: Database,
  projectId: string,
  contactId: string,
  before: string | undefined,
  limit: number,
): Promise<TimelineRow[]> {
  const earlier = (id: string) => (before === undefined ? sql`` : sql`and ${sql.ref(id)} < ${before}::uuid`)
  const { rows } = await sql<TimelineRow>`
    select item.*, c.name as campaign_name, w.id as workflow_id, w.name as workflow_name, step.id as step_id, step.name as step_name,
      k.name as key_name
    from (
      select * from (
        (select id, 'event' as kind, created_at as at, name as event_name, data as event_data, email_id, null as subject,
          null as status, null as source_type, null::int as opens, null::int as clicks, null::uuid as campaign_id,
          null::uuid as execution_id, null as via, null::uuid as key_id, null::boolean as created
        from events where project_id = ${projectId} and contact_id = ${contactId} ${earlier('id')} order by id desc limit ${limit + 1})
        union all
        (select id, 'email', created_at, null, null, id, coalesce(subject, (
            select c.subject from email_contents c where c.project_id = emails.project_id and c.id = emails.content_id)),
          status, source_type, opens, clicks, campaign_id, workflow_execution_id, via, key_id, null
        from emails where project_id = ${projectId} and contact_id = ${contactId} ${earlier('id')} order by id desc limit ${limit + 1})
        union all
        select import.id, 'import', null, null, null, null, null, null, null, null, null, null, null, null, null, import.created
        from (${importsOf(projectId, contactId)}) as import where true ${earlier('import.id')}
      ) as timeline order by id desc limit ${limit + 1}
    ) as item
    left join campaigns c on c.project_id = ${projectId} and c.id = item.campaign_id
    left join workflow_executions x on x.project_id = ${projectId} and x.id = item.execution_id
    left join workflows w on w.project_id = ${projectId} and w.id = x.workflow_id
    left join lateral (
      select s.id, s.name from workflow_step_runs run
      join workflow_steps s on s.project_id = ${projectId} and s.id = run.step_id
      where run.project_id = ${projectId} and run.execution_id = item.execution_id and run.type = 'SEND_EMAIL'
        and run.output ->> 'emailId' = item.id::text limit 1
    ) as step on true
    left join api_keys k on k.project_id = ${projectId} and k.id = item.key_id
    order by item.id desc`.execute(db)
  return rows
}

/** Its ID has the time at which it began. */
const importsOf = (projectId: string, contactId: string) => sql`
          select import.id, bool_or(import.created) as created
          from contacts cross join lateral (values (created_by_import, true), (updated_by_import, false)) as import(id, created)
          where contacts.project_id = ${projectId} and contacts.id = ${contactId} and import.id is not null group by import.id`

export async function countTimeline(db: Database, projectId: string, contactId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-timeline */
    select (select count(*) from events where project_id = ${projectId} and contact_id = ${contactId})
      + (select count(*) from emails where project_id = ${projectId} and contact_id = ${contactId})
      + (select count(*) from (${importsOf(projectId, contactId)}) as imported) as count`.execute(db)
  return rows[0]!.count
}

// The projects that have open streams. Only their events cause a notification.

/** Uses the clock of the database, so that processes don't need synchronized clocks. */
export async function watchProjects(db: Database, projectIds: string[], seconds: number): Promise<void> {
  await sql`/* watch-projects */
    insert into activity_watchers (project_id, until)
    select id, now() + make_interval(secs => ${seconds}) from unnest(${projectIds.toSorted()}::uuid[]) as watched(id)
    on conflict (project_id) do update set until = greatest(activity_watchers.until, excluded.until)`.execute(db)
}

/** Extends the registration, and removes those of projects without watchers. */
export async function extendWatches(db: Database, projectIds: string[], seconds: number): Promise<void> {
  await watchProjects(db, projectIds, seconds)
  await sql`/* delete-watchers */
    delete from activity_watchers where project_id in (
      select project_id from activity_watchers where until < now() - interval '1 hour' for update skip locked)`.execute(
    db,
  )
}
