/** SQL of the actions on executions: starting, listing, canceling and retrying them. */
import type { RawBuilder, Selectable } from 'kysely'
import { NUMBERED_PAGE_BYTES_MAX, pageTooLarge } from '../../../kernel/pages.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { WorkflowExecutions, WorkflowStepRuns } from '../../../platform/database/tables.ts'
import type { JobCatalogue } from '../../../platform/queue/catalogue.ts'
import type { Consumer } from '../../../platform/queue/fan-out.ts'
import { addBatchesSql, addJobSql, addJobsStep } from '../../../platform/queue/job-table.ts'
import { type SegmentRow, segmentAudienceSql } from '../../audience/segments/queries.ts'

/** Without the columns that only the engine uses. */
export type ExecutionRow = Omit<
  Selectable<WorkflowExecutions>,
  'project_id' | 'only_once' | 'depth' | 'version' | 'seen_up_to' | 'awaited_event' | 'alarm_set'
>

export type StepRunRow = Omit<Selectable<WorkflowStepRuns>, 'project_id' | 'execution_id'>

/** How many events share a job. */
const DISPATCHED_AT_ONCE = 100

/**
 * Events that start a workflow, that a step may wait for, or that are a goal. A name counts as waited for as soon as a step that waits for
 * it is saved, so no event is missed between a check and a wait. The sub-selects are scalar on purpose: an `exists` may
 * be planned as a hash over the workflows of all projects.
 */
export const workflowConsumer: Consumer = {
  name: 'workflows',
  wants: sql`r.contact_id is not null and coalesce(
        (select true from workflows w
         where w.project_id = r.project_id and w.event_name = r.name and w.enabled and w.trigger_type = 'EVENT' limit 1),
        (select true from workflow_steps s where s.project_id = r.project_id and s.event_name = r.name limit 1),
        (select true from workflows w where w.project_id = r.project_id and w.goal_event = r.name limit 1))`,
  job: (wanted) => sql`
      select ${addBatchesSql(
        'dispatch-event',
        sql`jsonb_build_object('projectId', project_id, 'depth', coalesce(nullif(current_setting('posthorn.chain_depth', true), ''), '0')::int)`,
        { field: 'eventIds', ids: sql`array_agg(id)`, size: DISPATCHED_AT_ONCE },
      )}
      from ${wanted} group by project_id`,
}

const PAGE_COLUMNS = sql`id, workflow_id, contact_id, status, current_step_id, exit_reason, goal_reached, error, resume_at, started_at,
  completed_at, created_at, updated_at`
const COLUMNS = sql`${PAGE_COLUMNS}, context, event`

const ACTIVE = sql`status in ('RUNNING', 'WAITING')`

const runJob = (rows: string): RawBuilder<unknown> =>
  addJobSql(
    'run-workflow-step',
    sql`json_build_object('projectId', ${sql.ref(`${rows}.project_id`)}, 'executionId', ${sql.ref(`${rows}.id`)}, 'version', ${sql.ref(`${rows}.version`)})`,
  )

/** Whether a contact can enter a workflow, a row `w`. One that is in it is refused by an index. */
export const mayEnter = (contactId: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
      ((w.allow_reentry and w.reentry_days is null) or not exists (
        select from workflow_executions x
        where x.project_id = w.project_id and x.contact_id = ${contactId} and x.workflow_id = w.id
          and (not w.allow_reentry or w.reentry_days is null
            or x.started_at > ${now}::timestamptz - make_interval(hours => 24 * w.reentry_days))))`

export interface ManualStart {
  id: string
  workflowId: string
  contactId: string
  context: Record<string, unknown>
}

/** Undefined if the contact is in the workflow, or was in it and re-entry is not allowed. */
export async function startManually(
  db: Database,
  projectId: string,
  { id, workflowId, contactId, context }: ManualStart,
  now: Date,
): Promise<ExecutionRow | undefined> {
  const { rows } = await sql<ExecutionRow>`/* start-execution */
    with started as (
      insert into workflow_executions (project_id, id, workflow_id, contact_id, status, context, only_once, seen_up_to,
        started_at, created_at, updated_at)
      select w.project_id, ${id}::uuid, w.id, ${contactId}::uuid, 'RUNNING', ${JSON.stringify(context)}::jsonb,
        not w.allow_reentry, ${id}::uuid, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from workflows w
      where w.project_id = ${projectId} and w.id = ${workflowId} and w.enabled and ${mayEnter(sql`${contactId}::uuid`, now)}
      on conflict do nothing
      returning *
    ), jobs as (select ${runJob('started')} from started)
    select ${COLUMNS} from started where (select count(*) from jobs) > 0`.execute(db)
  return rows[0]
}

export interface SegmentBatch {
  /** The ids of executions are derived from it, so that a repeated batch starts nothing twice. */
  startId: string
  workflowId: string
  segmentId: string
  /** Contacts up to this id are done. */
  after: string | null
  batchMax: number
}

/** Starts executions of the contacts in `batch` (id): `started` has those that could enter (contact_id). */
const startBatchSteps = (
  projectId: string,
  { startId, workflowId }: Pick<SegmentBatch, 'startId' | 'workflowId'>,
  now: Date,
): RawBuilder<unknown> => sql`
    started as (
      insert into workflow_executions (project_id, id, workflow_id, contact_id, status, only_once, seen_up_to, started_at,
        created_at, updated_at)
      select w.project_id, derive_id(${startId}::uuid, batch.id::text), w.id, batch.id, 'RUNNING', not w.allow_reentry,
        ${startId}::uuid, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from batch join workflows w on w.project_id = ${projectId} and w.id = ${workflowId} and w.enabled
      where ${mayEnter(sql`batch.id`, now)}
      on conflict do nothing
      returning project_id, id, version, contact_id
    ),
    ${addJobsStep(
      'run-workflow-step',
      sql`select json_build_object('projectId', project_id, 'executionId', id, 'version', version) from started`,
    )}`

/** Starts the workflow for these contacts. Returns for each that exists whether it entered. */
export async function startForContacts(
  tx: Tx,
  projectId: string,
  { contactIds, ...start }: Pick<SegmentBatch, 'startId' | 'workflowId'> & { contactIds: string[] },
  now: Date,
): Promise<Array<{ id: string; entered: boolean }>> {
  const { rows } = await sql<{ id: string; entered: boolean }>`
    with batch as materialized (
      select id from contacts where project_id = ${projectId} and id = any(${contactIds}::uuid[]) order by id
    ), ${startBatchSteps(projectId, start, now)}
    select id, id in (select contact_id from started) as entered from batch`.execute(tx)
  return rows
}

/** Starts the workflow for the next contacts of a segment. Returns the last of them, or null if there are no more. */
export async function startForSegment(
  tx: Tx,
  projectId: string,
  {
    startId,
    workflowId,
    segment,
    after,
    batchMax,
    joinedBefore,
  }: Omit<SegmentBatch, 'segmentId'> & {
    segment: SegmentRow
    /** Only stored members that were added by this time. */
    joinedBefore?: string | undefined
  },
  now: Date,
): Promise<string | null> {
  const next = (id: string) => (after === null ? sql`true` : sql`${sql.ref(id)} > ${after}::uuid`)
  const contacts =
    joinedBefore === undefined
      ? sql`select contacts.id from contacts where contacts.project_id = ${projectId} and ${next('contacts.id')}
        and ${await segmentAudienceSql(tx, projectId, segment, now, { someContacts: true })}`
      : sql`select m.contact_id as id from segment_members m
        where m.project_id = ${projectId} and m.segment_id = ${segment.id} and ${next('m.contact_id')}
          and m.created_at <= ${joinedBefore}::timestamptz`
  const { rows } = await sql<{ last: string | null }>`
    with batch as materialized (
      ${contacts} and exists (select from workflows where project_id = ${projectId} and id = ${workflowId} and enabled)
      order by 1 limit ${batchMax}
    ), ${startBatchSteps(projectId, { startId, workflowId }, now)}
    select id as last from batch order by id desc limit 1`.execute(tx)
  return rows[0]?.last ?? null
}

export interface ExecutionFilter {
  status?: string | undefined
  contactId?: string | undefined
}

const matching = (projectId: string, workflowId: string, { status, contactId }: ExecutionFilter) => sql`
  project_id = ${projectId} and workflow_id = ${workflowId}
  ${status === undefined ? sql`` : sql`and status = ${status}`}
  ${contactId === undefined ? sql`` : sql`and contact_id = ${contactId}`}`

/** Newest first. Contexts and events that are too large for a page are not sent to this process. */
export async function listExecutions(
  db: Database,
  projectId: string,
  workflowId: string,
  query: ExecutionFilter & { limit: number; offset: number },
): Promise<ExecutionRow[]> {
  const { rows } = await sql<Omit<ExecutionRow, 'context'> & { context: ExecutionRow['context'] | null }>`
    select ${PAGE_COLUMNS}, case when fits then context end as context, case when fits then event end as event from (
      select *, sum(octet_length(context::text) + coalesce(octet_length(event::text), 0)) over () <= ${NUMBERED_PAGE_BYTES_MAX} as fits
      from (
        select ${COLUMNS} from workflow_executions where ${matching(projectId, workflowId, query)}
        order by id desc limit ${query.limit} offset ${query.offset}
      ) as page
    ) as page order by id desc`.execute(db)
  if (rows.some(({ context }) => context === null)) throw pageTooLarge('executions')
  return rows as ExecutionRow[]
}

/** The executions of a contact in all workflows, newest first, with one extra row that shows whether there are more. */
export async function listExecutionsOf(
  db: Database,
  projectId: string,
  contactId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ExecutionRow[]> {
  const earlier = before === undefined ? sql`` : sql`and id < ${before}::uuid`
  const { rows } = await sql<ExecutionRow>`
    select ${COLUMNS} from workflow_executions where project_id = ${projectId} and contact_id = ${contactId} ${earlier}
    order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function countExecutions(
  db: Database,
  projectId: string,
  workflowId: string,
  filter: ExecutionFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from workflow_executions where ${matching(projectId, workflowId, filter)}`.execute(db)
  return rows[0]!.count
}

export async function findExecution(
  db: Database | Tx,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<ExecutionRow | undefined> {
  const { rows } = await sql<ExecutionRow>`/* find-execution */
    select ${COLUMNS} from workflow_executions
    where project_id = ${projectId} and id = ${id} and workflow_id = ${workflowId}`.execute(db)
  return rows[0]
}

export async function listStepRuns(db: Database | Tx, projectId: string, executionId: string): Promise<StepRunRow[]> {
  const { rows } = await sql<StepRunRow>`/* list-step-runs */
    select id, step_id, type, status, output, error, started_at, completed_at, resume_at
    from workflow_step_runs where project_id = ${projectId} and execution_id = ${executionId} order by id`.execute(db)
  return rows
}

/** Cancels the executions that `batch` selects (project_id, id), with their open step runs. */
const cancelSteps = (batch: RawBuilder<unknown>, now: Date) => sql`
  batch as (${batch}),
  cancelled as (
    update workflow_executions x set status = 'CANCELLED', version = x.version + 1, resume_at = null, awaited_event = null,
      completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
    from batch where x.project_id = batch.project_id and x.id = batch.id and x.status in ('RUNNING', 'WAITING')
    returning x.project_id, x.id
  ),
  runs as (
    update workflow_step_runs r set status = 'CANCELLED', completed_at = ${now}::timestamptz
    from cancelled where r.project_id = cancelled.project_id and r.execution_id = cancelled.id
      and r.status in ('RUNNING', 'WAITING')
  )`

/** True if it was active. */
export async function cancelExecution(
  db: Database,
  projectId: string,
  workflowId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const one = sql`select project_id, id from workflow_executions
    where project_id = ${projectId} and id = ${id} and workflow_id = ${workflowId}`
  const { rows } = await sql`/* cancel-execution */
    with ${cancelSteps(one, now)} select from cancelled`.execute(db)
  return rows.length > 0
}

/** Cancels up to `most` executions with ids up to `upTo`. Returns how many. */
export async function cancelSome(
  db: Database,
  projectId: string,
  workflowId: string,
  upTo: string,
  most: number,
  now: Date,
): Promise<number> {
  const some = sql`select project_id, id from workflow_executions
    where project_id = ${projectId} and workflow_id = ${workflowId} and ${ACTIVE} and id <= ${upTo}::uuid limit ${most}`
  const { rows } = await sql<{ count: number }>`/* cancel-executions */
    with ${cancelSteps(some, now)} select count(*) as count from cancelled`.execute(db)
  return rows[0]!.count
}

/** Resumes a failed execution at the step that failed. False if it has not failed. */
export async function retryExecution(
  db: Database,
  projectId: string,
  workflowId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`/* retry-execution */
    with resumed as (
      update workflow_executions set status = 'RUNNING', error = null, completed_at = null, version = version + 1,
        updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id = ${id} and workflow_id = ${workflowId} and status = 'FAILED'
        and contact_id is not null
      returning project_id, id, version
    )
    select ${runJob('resumed')} from resumed`.execute(db)
  return rows.length > 0
}

/** Deletes up to `most` executions of a deleted workflow. Returns how many. */
export async function deleteExecutions(
  db: Database,
  projectId: string,
  workflowId: string,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`/* delete-executions */
    delete from workflow_executions where project_id = ${projectId} and id = any(array(
      select id from workflow_executions where project_id = ${projectId} and workflow_id = ${workflowId} limit ${most}))`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/**
 * Runs executions that wait at steps which were changed or removed again: the next ones in the order of contacts. Returns
 * the last contact, or null after the last batch.
 */
export async function wakeExecutions(
  tx: Tx,
  { projectId, workflowId, stepIds, after, batchMax }: JobCatalogue['wake-executions'] & { batchMax: number },
): Promise<string | null> {
  const { rows } = await sql<{ last: string; count: number }>`/* wake-executions */
    with batch as materialized (
      select id, contact_id from workflow_executions
      where project_id = ${projectId} and workflow_id = ${workflowId} and status = 'WAITING'
        and current_step_id = any(${stepIds}::uuid[]) and contact_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      order by contact_id limit ${batchMax}
    ), waiting as (
      update workflow_executions x set awaited_event = coalesce((
          select event_name from workflow_steps s where s.project_id = ${projectId} and s.id = x.current_step_id
        ), x.awaited_event)
      from batch
      where x.project_id = ${projectId} and x.id = batch.id and x.status = 'WAITING'
        and x.current_step_id = any(${stepIds}::uuid[])
      returning x.project_id, x.id, x.version
    ),
    ${addJobsStep(
      'run-workflow-step',
      sql`select json_build_object('projectId', project_id, 'executionId', id, 'version', version) from waiting`,
    )}
    select contact_id as last, count(*) over () as count from batch order by contact_id desc limit 1`.execute(tx)
  return rows[0]?.count === batchMax ? rows[0].last : null
}
