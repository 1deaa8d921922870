/** Executions, one for each contact in a workflow: starting, listing, canceling and retrying them. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { refuseTooMuchData } from '../../../kernel/contact-data.ts'
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { cursorPage, numberedPage, offsetOf } from '../../../kernel/pages.ts'
import { transaction, violatedConstraint } from '../../../platform/database/connection/transaction.ts'
import type { JobCatalogue } from '../../../platform/queue/catalogue.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { getContact } from '../../audience/contacts/actions.ts'
import { findSegment, requireSegment } from '../../audience/segments/actions.ts'
import type { Actor } from '../../record/audit/actions.ts'
import { recordWorkflowAct, requireWorkflow } from '../workflows/actions.ts'
import { EVERY_ID, listVersionRanges } from '../workflows/publishing.ts'
import * as queries from './queries.ts'
import {
  EXECUTION_STATUSES,
  type ExecutionListQuery,
  type NewExecution,
  type SegmentStart,
  type StatsQuery,
} from './schemas.ts'
import { countActive, countExecutions, countFailures, countRuns, countStepRuns } from './stats-queries.ts'

const CANCEL_AT_ONCE = 2_000
const DELETE_AT_ONCE = 1_000
/** Then other jobs can run. */
const BATCHES_MAX = 20

const START_AT_ONCE = 500
const WAKE_AT_ONCE = 1_000
/** Counts of steps cover the newest executions, so that they take the same time in any workflow. */
const DAY_MS = 24 * 3600_000
const COUNTED_EXECUTIONS = 5_000

export const DISABLED = 'The workflow is disabled. Enable it to start executions.'
const ALREADY_ACTIVE = 'The contact is already in this workflow.'

export async function startExecution(
  ctx: Context,
  projectId: string,
  workflowId: string,
  { contactId, context = {} }: z.output<typeof NewExecution>,
  who: Actor,
) {
  refuseTooMuchData(context ?? {}, 'context')
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  const contact = await getContact(ctx, projectId, contactId)
  if (!workflow.enabled) throw conflict(DISABLED)
  const now = ctx.clock.now()
  const start = { id: newId(now), workflowId: workflow.id, contactId: contact.id, context: context ?? {} }
  return transaction(ctx.db, async (tx) => {
    const row = await queries.startManually(tx, projectId, start, now)
    if (!row) {
      const canReturn = workflow.allow_reentry && workflow.reentry_days === null
      throw conflict(canReturn ? ALREADY_ACTIVE : reentryRefusal(workflow.reentry_days))
    }
    const details = { contactId: contact.id }
    await recordWorkflowAct(ctx, tx, workflow, { act: 'workflow.executions-started', details }, who)
    return showExecution(row)
  })
}

const reentryRefusal = (days: number | null): string =>
  days === null
    ? 'The contact has been in this workflow before, and the workflow does not allow re-entry.'
    : `The contact is in this workflow or has entered it in the last ${days} days.`

/** A job starts the executions. Contacts that can't enter the workflow are left out. */
export async function startForSegment(
  ctx: Context,
  projectId: string,
  workflowId: string,
  { segmentId }: z.output<typeof SegmentStart>,
  who: Actor,
) {
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  const segment = await requireSegment(ctx, projectId, segmentId)
  if (!workflow.enabled) throw conflict(DISABLED)
  const startId = newId(ctx.clock.now())
  const start = { projectId, workflowId: workflow.id, segmentId: segment.id, startId, after: null }
  await transaction(ctx.db, async (tx) => {
    await enqueue(tx, 'start-segment', start)
    const details = { segmentId: segment.id, segment: segment.name }
    await recordWorkflowAct(ctx, tx, workflow, { act: 'workflow.executions-started', details }, who)
  })
  return { queued: true as const }
}

/** Starts as many batches as it may, then lets other jobs run. Nothing happens if the segment was deleted meanwhile. */
export async function startSegment(ctx: Context, { after, ...job }: JobCatalogue['start-segment']): Promise<void> {
  const { projectId, workflowId, segmentId, startId, joinedBefore } = job
  let last = after
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    last = await transaction(ctx.db, async (tx) => {
      const segment = await findSegment(tx, projectId, segmentId)
      if (!segment) return null
      const start = { startId, workflowId, segment, joinedBefore, after: last, batchMax: START_AT_ONCE }
      return queries.startForSegment(tx, projectId, start, ctx.clock.now())
    })
    if (last === null) return
  }
  await enqueue(ctx.db, 'start-segment', { ...job, after: last })
}

/** Executions of each enabled workflow: active ones, and those completed in the last week. */
export const listCounts = (ctx: Context, projectId: string) =>
  countExecutions(ctx.db, projectId, new Date(ctx.clock.now().getTime() - 7 * DAY_MS), COUNTED_EXECUTIONS)

/** What failed in the last day, by workflow and step. */
export const listFailures = (ctx: Context, projectId: string) =>
  countFailures(ctx.db, projectId, new Date(ctx.clock.now().getTime() - DAY_MS), COUNTED_EXECUTIONS)

/** Runs the executions that wait at steps again, in batches like `startSegment`. */
export async function wakeExecutions(
  ctx: Context,
  job: JobCatalogue['wake-executions'],
  batchMax = WAKE_AT_ONCE,
): Promise<void> {
  let { after } = job
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    after = await transaction(ctx.db, (tx) => queries.wakeExecutions(tx, { ...job, after, batchMax }))
    if (after === null) return
  }
  await enqueue(ctx.db, 'wake-executions', { ...job, after })
}

/** Newest first. */
const VERSIONS_SHOWN = 10

/** Where executions are, and the outcomes of the steps of the newest ones: of all versions, or of those that started with one. */
export async function getStats(
  ctx: Context,
  projectId: string,
  workflowId: string,
  { version: number }: z.output<typeof StatsQuery>,
) {
  const { id } = await requireWorkflow(ctx.db, projectId, workflowId)
  const versions = await listVersionRanges(ctx, projectId, id)
  const range = number === undefined ? EVERY_ID : versions.find((version) => version.number === number)
  if (!range) throw notFound('version', String(number))
  const shown = versions.slice(0, VERSIONS_SHOWN)
  const [active, counts, runs, ...ofVersions] = await Promise.all([
    countActive(ctx.db, projectId, id, range),
    countRuns(ctx.db, projectId, id, range, COUNTED_EXECUTIONS),
    countStepRuns(ctx.db, projectId, id, range, COUNTED_EXECUTIONS),
    ...shown.map((version) => countRuns(ctx.db, projectId, id, version, COUNTED_EXECUTIONS)),
  ])
  const activeAt = new Map(active.map((row) => [row.stepId, row.active]))
  const stepIds = new Set([...active, ...runs].map(({ stepId }) => stepId).filter((stepId) => stepId !== null))
  return {
    active: active.reduce((sum, row) => sum + row.active, 0),
    counted: counts.counted,
    converted: counts.converted,
    version: number ?? null,
    versions: shown.map(({ number, publishedAt }, i) => ({ number, publishedAt, ...ofVersions[i]! })),
    steps: [...stepIds].map((stepId) => ({
      ...NO_RUNS,
      ...runs.find((row) => row.stepId === stepId),
      stepId,
      active: activeAt.get(stepId) ?? 0,
    })),
  }
}

const NO_RUNS = {
  ...{ entered: 0, completed: 0, skipped: 0, failed: 0, emails: 0, delivered: 0, refused: 0, bounced: 0 },
  ...{ opened: 0, clicked: 0, converted: 0 },
}

export async function listExecutions(
  ctx: Context,
  projectId: string,
  workflowId: string,
  query: z.output<typeof ExecutionListQuery>,
) {
  const { status, contactId, pageSize } = query
  if (status !== undefined && !EXECUTION_STATUSES.some((known) => known === status)) {
    throw badRequest(`status must be one of ${EXECUTION_STATUSES.join(', ')}.`)
  }
  await requireWorkflow(ctx.db, projectId, workflowId)
  if (contactId !== undefined) {
    if (!isId(contactId)) throw notFound('contact', contactId)
    await getContact(ctx, projectId, contactId)
  }
  const filter = { status, contactId }
  const [rows, total] = await Promise.all([
    queries.listExecutions(ctx.db, projectId, workflowId, { ...filter, limit: pageSize, offset: offsetOf(query) }),
    queries.countExecutions(ctx.db, projectId, workflowId, filter),
  ])
  return numberedPage(rows, query, total, showExecution)
}

/** The executions of a contact in all workflows. */
export async function listExecutionsOf(
  ctx: Context,
  projectId: string,
  contactId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
) {
  const rows = await queries.listExecutionsOf(ctx.db, projectId, contactId, { before: cursor, limit })
  return cursorPage(rows, limit, 0, showExecution)
}

export async function getExecution(ctx: Context, projectId: string, workflowId: string, id: string) {
  await requireWorkflow(ctx.db, projectId, workflowId)
  const row = await queries.findExecution(ctx.db, projectId, workflowId, id)
  if (!row) throw notFound('execution', id)
  return { ...showExecution(row), steps: (await queries.listStepRuns(ctx.db, projectId, row.id)).map(showStepRun) }
}

export async function cancelExecution(ctx: Context, projectId: string, workflowId: string, id: string, who: Actor) {
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  const { status, contactId } = await getExecution(ctx, projectId, workflowId, id)
  await transaction(ctx.db, async (tx) => {
    if (!(await queries.cancelExecution(tx, projectId, workflowId, id, ctx.clock.now()))) {
      throw conflict(`The execution has already ended (${status}).`)
    }
    const details = { executionId: id, contactId }
    await recordWorkflowAct(ctx, tx, workflow, { act: 'workflow.executions-canceled', details }, who)
  })
  return getExecution(ctx, projectId, workflowId, id)
}

/** In batches, so that no statement is slow. Executions that start in the meantime are not canceled. */
export async function cancelAllExecutions(ctx: Context, projectId: string, workflowId: string, who: Actor) {
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  const now = ctx.clock.now()
  const upTo = newId(now)
  // First, so that a cancellation that is interrupted has its entry.
  await transaction(ctx.db, (tx) =>
    recordWorkflowAct(ctx, tx, workflow, { act: 'workflow.executions-canceled', details: { all: true } }, who),
  )
  let cancelled = 0
  for (let batch = CANCEL_AT_ONCE; batch === CANCEL_AT_ONCE; cancelled += batch) {
    batch = await queries.cancelSome(ctx.db, projectId, workflow.id, upTo, CANCEL_AT_ONCE, now)
  }
  return { cancelled }
}

/** Resumes at the step that failed. */
export async function retryExecution(ctx: Context, projectId: string, workflowId: string, id: string, who: Actor) {
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  const { status, contactId } = await getExecution(ctx, projectId, workflowId, id)
  const retry = transaction(ctx.db, async (tx) => {
    if (!(await queries.retryExecution(tx, projectId, workflowId, id, ctx.clock.now()))) {
      throw conflict(`Only failed executions can be retried. This one is ${status}.`)
    }
    const details = { executionId: id, contactId }
    await recordWorkflowAct(ctx, tx, workflow, { act: 'workflow.execution-retried', details }, who)
  })
  await retry.catch((error: unknown) => {
    if (violatedConstraint(error) === 'workflow_executions_active') throw conflict(ALREADY_ACTIVE)
    throw error
  })
  return getExecution(ctx, projectId, workflowId, id)
}

/** Deletes the executions of a deleted workflow. */
export async function eraseWorkflow(
  ctx: Context,
  { projectId, workflowId }: { projectId: string; workflowId: string },
): Promise<void> {
  for (let batch = 1; (await queries.deleteExecutions(ctx.db, projectId, workflowId, DELETE_AT_ONCE)) > 0; batch++) {
    if (batch === BATCHES_MAX) {
      throw new TryAgainAt(ctx.clock.now(), { countsAsAttempt: false, reason: 'there is more to delete' })
    }
  }
}

const showExecution = (row: queries.ExecutionRow) => ({
  id: row.id,
  workflowId: row.workflow_id,
  contactId: row.contact_id,
  status: row.status,
  currentStepId: row.current_step_id,
  exitReason: row.exit_reason,
  goalReached: row.goal_reached,
  error: row.error,
  context: row.context,
  event: row.event,
  resumeAt: row.resume_at,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const showStepRun = (row: queries.StepRunRow) => ({
  id: row.id,
  stepId: row.step_id,
  type: row.type,
  status: row.status,
  output: row.output,
  error: row.error,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  resumeAt: row.resume_at,
})
