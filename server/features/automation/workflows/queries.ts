/** All SQL on workflows and their graphs. */

import type { ExpressionBuilder, Selectable } from 'kysely'
import { changedAt } from '../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { resembling } from '../../../platform/database/like.ts'
import type { Tables, WorkflowSteps, Workflows, WorkflowTransitions } from '../../../platform/database/tables.ts'
import type { Transition } from './graph.ts'
import type { StepType } from './schemas.ts'

export type WorkflowRow = Selectable<Workflows>
export type WorkflowFields = Omit<WorkflowRow, 'project_id' | 'id' | 'revision' | 'created_at' | 'updated_at'>

export type StepRow = Omit<Selectable<WorkflowSteps>, 'project_id' | 'workflow_id' | 'type'> & { type: StepType }
export type StepFields = Omit<StepRow, 'id' | 'type' | 'key' | 'created_at' | 'updated_at'>

export type TransitionRow = Omit<Selectable<WorkflowTransitions>, 'project_id' | 'workflow_id'> &
  Pick<Transition, 'branch'>

export async function insertWorkflow(
  db: Database | Tx,
  projectId: string,
  id: string,
  fields: WorkflowFields,
  now: Date,
): Promise<WorkflowRow> {
  return db
    .insertInto('workflows')
    .values({ project_id: projectId, id, ...fields, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * The workflow with this name; of several, the one that was changed last. Until the transaction ends, nobody else that locks the
 * name creates one.
 */
export async function lockNamed(tx: Tx, projectId: string, name: string): Promise<WorkflowRow | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`workflow:${projectId}:${name}`}, 0))`.execute(tx)
  return tx
    .selectFrom('workflows')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

export async function findWorkflow(db: Database | Tx, projectId: string, id: string): Promise<WorkflowRow | undefined> {
  return db
    .selectFrom('workflows')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The time of its last change; undefined if it doesn't exist. Locked until the transaction ends. */
export async function lockWorkflow(tx: Tx, projectId: string, id: string): Promise<Date | undefined> {
  const { rows } = await sql<{ updated_at: Date }>`
    select updated_at from workflows where project_id = ${projectId} and id = ${id} for update`.execute(tx)
  return rows[0]?.updated_at
}

/** Starts a change of the graph. It locks out other changes, but executions continue meanwhile. */
export async function beginRevision(
  tx: Tx,
  projectId: string,
  id: string,
  now: Date,
): Promise<WorkflowRow | undefined> {
  return tx
    .updateTable('workflows')
    .set((eb) => ({ revision: eb('revision', '+', 1), updated_at: changedAt(now) }))
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function updateWorkflow(
  tx: Tx,
  projectId: string,
  id: string,
  fields: Partial<WorkflowFields>,
): Promise<WorkflowRow> {
  return tx
    .updateTable('workflows')
    .set(fields)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteWorkflow(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx.deleteFrom('workflows').where('project_id', '=', projectId).where('id', '=', id).execute()
}

export async function hasActiveExecutions(db: Database | Tx, projectId: string, workflowId: string): Promise<boolean> {
  const { rows } = await sql`
    select from workflow_executions where project_id = ${projectId} and workflow_id = ${workflowId} and status in ('RUNNING', 'WAITING')
    limit 1`.execute(db)
  return rows.length > 0
}

/** How many active executions are at each of these steps. */
export async function countExecutionsAt(
  db: Database | Tx,
  projectId: string,
  workflowId: string,
  stepIds: string[],
): Promise<Array<{ stepId: string; contacts: number }>> {
  const { rows } = await sql<{ stepId: string; contacts: number }>`
    select current_step_id as "stepId", count(*) as contacts from workflow_executions
    where project_id = ${projectId} and workflow_id = ${workflowId} and status in ('RUNNING', 'WAITING')
      and current_step_id = any(${stepIds}::uuid[])
    group by current_step_id order by current_step_id`.execute(db)
  return rows
}

export interface WorkflowFilter {
  search?: string | undefined
  tag?: string | undefined
}

const SORT_COLUMNS = { name: sql`lower(name)`, createdAt: sql`id`, updatedAt: sql`updated_at` }

const matching =
  (projectId: string, { search, tag }: WorkflowFilter) =>
  (eb: ExpressionBuilder<Tables, 'workflows'>) =>
    eb.and([
      eb('project_id', '=', projectId),
      ...(tag ? [sql<boolean>`tags @> array[${tag}::text] and tags <> '{}'`] : []),
      ...(search
        ? [eb.or((['name', 'description', 'event_name'] as const).map((c) => eb(c, '~', resembling(search))))]
        : []),
    ])

export async function listWorkflows(
  db: Database,
  projectId: string,
  query: WorkflowFilter & { sort: keyof typeof SORT_COLUMNS; dir: 'asc' | 'desc'; limit: number; offset: number },
): Promise<WorkflowRow[]> {
  return db
    .selectFrom('workflows')
    .selectAll()
    .where(matching(projectId, query))
    .orderBy(SORT_COLUMNS[query.sort], query.dir)
    .orderBy('id', query.dir)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
}

export async function countWorkflows(db: Database, projectId: string, filter: WorkflowFilter): Promise<number> {
  const row = await db
    .selectFrom('workflows')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(matching(projectId, filter))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function listSteps(db: Database | Tx, projectId: string, workflowId: string): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`/* list-workflow-steps */
    select id, type, key, name, config, template_id, event_name, used_fields, position, created_at, updated_at
    from workflow_steps where project_id = ${projectId} and workflow_id = ${workflowId} order by id`.execute(db)
  return rows
}

export async function listTransitions(
  db: Database | Tx,
  projectId: string,
  workflowId: string,
): Promise<TransitionRow[]> {
  const { rows } = await sql<TransitionRow>`/* list-workflow-transitions */
    select id, from_step_id, to_step_id, branch, created_at
    from workflow_transitions where project_id = ${projectId} and workflow_id = ${workflowId} order by id`.execute(db)
  return rows
}

/** Undefined if another step of the project has this id. */
export async function insertStep(
  tx: Tx,
  projectId: string,
  workflowId: string,
  step: StepFields & { id: string; type: StepType },
  now: Date,
): Promise<StepRow | undefined> {
  const { rows } = await sql<StepRow>`
    insert into workflow_steps (project_id, workflow_id, id, type, name, config, template_id, event_name, used_fields,
      position, created_at, updated_at)
    values (${projectId}, ${workflowId}, ${step.id}, ${step.type}, ${step.name}, ${JSON.stringify(step.config)}::jsonb,
      ${step.template_id}, ${step.event_name}, ${step.used_fields}::text[], ${step.position === null ? null : JSON.stringify(step.position)}::jsonb,
      ${now}::timestamptz, ${now}::timestamptz)
    on conflict do nothing
    returning *`.execute(tx)
  return rows[0]
}

export async function updateStep(
  tx: Tx,
  projectId: string,
  stepId: string,
  step: StepFields,
  now: Date,
): Promise<StepRow> {
  const { rows } = await sql<StepRow>`
    update workflow_steps set name = ${step.name}, config = ${JSON.stringify(step.config)}::jsonb,
      template_id = ${step.template_id}::uuid, event_name = ${step.event_name}, used_fields = ${step.used_fields}::text[],
      position = ${step.position === null ? null : JSON.stringify(step.position)}::jsonb, updated_at = ${now}::timestamptz
    where project_id = ${projectId} and id = ${stepId}
    returning *`.execute(tx)
  return rows[0]!
}

/** Stores the keys with which steps were imported, by their ids. */
export async function setStepKeys(tx: Tx, projectId: string, keys: ReadonlyMap<string, string>): Promise<void> {
  await sql`
    update workflow_steps s set key = given.key from unnest(${[...keys.keys()]}::uuid[], ${[...keys.values()]}::text[]) as given(id, key)
    where s.project_id = ${projectId} and s.id = given.id`.execute(tx)
}

/** Also deletes the transitions around them. */
export async function deleteSteps(tx: Tx, projectId: string, stepIds: string[]): Promise<void> {
  await tx.deleteFrom('workflow_steps').where('project_id', '=', projectId).where('id', 'in', stepIds).execute()
}

export interface NewTransition {
  id: string
  fromStepId: string
  toStepId: string
  branch: Transition['branch']
}

export async function insertTransitions(
  tx: Tx,
  projectId: string,
  workflowId: string,
  transitions: NewTransition[],
  now: Date,
): Promise<TransitionRow[]> {
  if (transitions.length === 0) return []
  const { rows } = await sql<TransitionRow>`
    insert into workflow_transitions (project_id, workflow_id, id, from_step_id, to_step_id, branch, created_at)
    select ${projectId}, ${workflowId}, id, from_step_id, to_step_id, branch, ${now}::timestamptz
    from unnest(${transitions.map((t) => t.id)}::uuid[], ${transitions.map((t) => t.fromStepId)}::uuid[],
      ${transitions.map((t) => t.toStepId)}::uuid[], ${transitions.map((t) => t.branch)}::text[])
      as t(id, from_step_id, to_step_id, branch)
    returning id, from_step_id, to_step_id, branch, created_at`.execute(tx)
  return rows
}

/** Returns how many there were. */
export async function deleteTransitions(tx: Tx, projectId: string, workflowId: string, ids: string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('workflow_transitions')
    .where('project_id', '=', projectId)
    .where('workflow_id', '=', workflowId)
    .where('id', 'in', ids)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export interface EventField {
  key: string
  type: string
}

/** Each of the recent events can have a thousand keys. */
const EVENT_FIELDS_MAX = 2_000

/** The top-level keys in the data of recent events, of all names or one, each with its latest type. */
export async function listEventFields(
  db: Database,
  projectId: string,
  eventName: string | undefined,
  recent: number,
): Promise<EventField[]> {
  const name = eventName === undefined ? sql`` : sql`and name = ${eventName}`
  const { rows } = await sql<EventField>`
    select distinct on (entry.key) entry.key, field_type(entry.value) as type
    from (select id, data from events where project_id = ${projectId} ${name} order by id desc limit ${recent}) as recent,
      jsonb_each(case jsonb_typeof(recent.data) when 'object' then recent.data else '{}' end) as entry
    where jsonb_typeof(entry.value) not in ('null', 'object')
    order by entry.key, recent.id desc limit ${EVENT_FIELDS_MAX}`.execute(db)
  return rows
}
