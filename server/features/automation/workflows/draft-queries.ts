/** SQL on drafts and published versions of graphs, and on removed steps. */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { RemovedStep } from './graph.ts'

export interface DraftRow<G> {
  version: number
  graph: G
  updated_at: Date
}

export async function findDraft<G>(
  db: Database | Tx,
  projectId: string,
  workflowId: string,
): Promise<DraftRow<G> | undefined> {
  const { rows } = await sql<DraftRow<G>>`
    select version, graph, updated_at from workflow_drafts
    where project_id = ${projectId} and workflow_id = ${workflowId}`.execute(db)
  return rows[0]
}

/** Undefined if the stored draft has another version than the change is based on. 0 stands for no draft. */
export async function saveDraft<G>(
  tx: Tx,
  projectId: string,
  workflowId: string,
  { graph, basedOn }: { graph: G; basedOn: number | undefined },
  now: Date,
): Promise<DraftRow<G> | undefined> {
  const expected = basedOn === undefined ? sql`` : sql`where draft.version = ${basedOn}::int`
  const existing = sql`select from workflow_drafts where project_id = ${projectId} and workflow_id = ${workflowId}`
  const { rows } = await sql<DraftRow<G>>`
    insert into workflow_drafts as draft (project_id, workflow_id, version, graph, updated_at)
    select ${projectId}, ${workflowId}, 1, ${JSON.stringify(graph)}::jsonb, ${now}::timestamptz
    where ${(basedOn ?? 0) === 0} or exists (${existing})
    on conflict (project_id, workflow_id) do update
      set version = draft.version + 1, graph = excluded.graph, updated_at = excluded.updated_at ${expected}
    returning version, graph, updated_at`.execute(tx)
  return rows[0]
}

export async function deleteDraft(db: Database | Tx, projectId: string, workflowId: string): Promise<void> {
  await db
    .deleteFrom('workflow_drafts')
    .where('project_id', '=', projectId)
    .where('workflow_id', '=', workflowId)
    .execute()
}

export interface VersionRow {
  number: number
  published_at: Date
  step_count: number
}

/** Newest first. */
export async function listVersions(db: Database, projectId: string, workflowId: string): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select number, published_at, jsonb_array_length(graph -> 'steps') as step_count from workflow_versions
    where project_id = ${projectId} and workflow_id = ${workflowId} order by number desc`.execute(db)
  return rows
}

/**
 * The versions, newest first, each with the IDs of the executions that were caused while it was published. The first one
 * also has those before.
 */
export async function listVersionRanges(db: Database, projectId: string, workflowId: string): Promise<VersionRange[]> {
  const { rows } = await sql<VersionRange>`
    select number, published_at as "publishedAt",
      case when lag(number) over by_number is null then ${EVERY_ID.first}::uuid else first_id_at(published_at) end as first,
      coalesce(first_id_at(lead(published_at) over by_number), ${EVERY_ID.end}::uuid) as end
    from workflow_versions where project_id = ${projectId} and workflow_id = ${workflowId}
    window by_number as (order by number) order by number desc`.execute(db)
  return rows
}

interface VersionRange {
  number: number
  publishedAt: Date
  first: string
  end: string
}

export const EVERY_ID = { first: '00000000-0000-0000-0000-000000000000', end: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export async function findVersion<G>(
  db: Database,
  projectId: string,
  workflowId: string,
  number: number,
): Promise<{ number: number; published_at: Date; graph: G } | undefined> {
  const { rows } = await sql<{ number: number; published_at: Date; graph: G }>`
    select number, published_at, graph from workflow_versions
    where project_id = ${projectId} and workflow_id = ${workflowId} and number = ${number}::int`.execute(db)
  return rows[0]
}

/**
 * Adds versions after the latest one, and deletes those before the newest `keep`. `first` is the graph before the first
 * published one, and is added only if there is no version yet.
 */
export async function addVersion(
  tx: Tx,
  projectId: string,
  workflowId: string,
  { first, graph, keep }: { first: object | null; graph: object; keep: number },
  now: Date,
): Promise<void> {
  await sql`
    with latest as (
      select coalesce(max(number), 0) as number from workflow_versions
      where project_id = ${projectId} and workflow_id = ${workflowId}
    ), added as (
      select row_number() over (order by ordinal) as ordinal, graph
      from (values (1, ${first === null ? null : JSON.stringify(first)}::jsonb), (2, ${JSON.stringify(graph)}::jsonb)) as given(ordinal, graph), latest
      where graph is not null and (ordinal = 2 or latest.number = 0)
    ), deleted as (
      delete from workflow_versions v using latest
      where v.project_id = ${projectId} and v.workflow_id = ${workflowId} and v.number <= latest.number + 1 - ${keep}::int
    )
    insert into workflow_versions (project_id, workflow_id, number, graph, published_at)
    select ${projectId}, ${workflowId}, latest.number + added.ordinal, added.graph, ${now}::timestamptz from latest, added`.execute(
    tx,
  )
}

export async function listRemovedSteps(
  db: Database | Tx,
  projectId: string,
  workflowId: string,
): Promise<RemovedStep[]> {
  const { rows } = await sql<RemovedStep>`/* list-removed-steps */
    select step_id as id, executions, next_step_id as "nextStepId" from workflow_removed_steps
    where project_id = ${projectId} and workflow_id = ${workflowId}`.execute(db)
  return rows
}

export async function addRemovedSteps(
  tx: Tx,
  projectId: string,
  workflowId: string,
  removed: RemovedStep[],
): Promise<void> {
  if (removed.length === 0) return
  await sql`
    insert into workflow_removed_steps (project_id, workflow_id, step_id, executions, next_step_id)
    select ${projectId}, ${workflowId}, id, executions, "nextStepId"
    from jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as removed(id uuid, executions text, "nextStepId" uuid)`.execute(
    tx,
  )
}

/** Steps that were removed and are added again. */
export async function deleteRemovedSteps(
  tx: Tx,
  projectId: string,
  workflowId: string,
  stepIds: string[],
): Promise<void> {
  await tx
    .deleteFrom('workflow_removed_steps')
    .where('project_id', '=', projectId)
    .where('workflow_id', '=', workflowId)
    .where('step_id', 'in', stepIds)
    .execute()
}
