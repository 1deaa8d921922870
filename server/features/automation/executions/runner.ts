/**
 * Runs executions: loads their states, runs their steps and saves the states they reach, in one transaction. Executions
 * that are ready at the same time share it, and those at the same step share the step's statements. If that fails, each
 * is retried alone, so a failing execution does not affect the others.
 */
import type { Context } from '../../../context.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { isDatabaseUnavailable, transaction } from '../../../platform/database/connection/transaction.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { isExternal, resumeStep, runStep, runStepMany } from '../steps/registry.ts'
import type { Outcome, StepInput } from '../steps/step.ts'
import { type RunnableGraph, readRunnableGraph } from '../workflows/actions.ts'
import { advance, currentStep, endsSoon, enter, jobTimes, leaveRemovedStep, type State, startRun } from './advance.ts'
import {
  type ExecutionRef,
  type LoadedExecution,
  loadExecutions,
  lockExecutions,
  type SavedExecution,
  saveExecutions,
  setChainDepth,
} from './engine-queries.ts'

const GRAPHS_MAX = 200
const DISABLED_PAUSE_MS = 60_000

const INTERRUPTED =
  'The service stopped while the request was in progress, so the outcome is unknown. Retry the execution if the request was not received.'
const GIVEN_UP = 'The service could not run this step. See its log for the reason.'

export interface RunOptions {
  /** The job was started before, so the process that ran it has exited. */
  takeOver: boolean
}

interface Request {
  ref: ExecutionRef
  takeOver: boolean
}

/** What is left to do when the transaction is committed. */
interface Result {
  external?: () => Promise<Outcome>
  retryAt?: TryAgainAt
}

type RunnableStep = RunnableGraph['steps'][number]

type ReadGraph = (tx: Tx, loaded: LoadedExecution, projectId: string) => Promise<RunnableGraph>

/** An execution while the transaction runs its steps. */
interface Running {
  ref: ExecutionRef
  loaded: LoadedExecution
  graph: RunnableGraph
  now: Date
  state: State
  result: Result
}

export interface Runner {
  runExecution(ref: ExecutionRef, options: RunOptions): Promise<void>
  /** The queue won't start the job again. */
  failExecution(ref: ExecutionRef): Promise<void>
}

export function createRunner(ctx: Context): Runner {
  const graphOf = createGraphCache()
  const runTogether = createBatcher(
    (requests: Request[]) => transaction(ctx.db, (tx) => runBatch(ctx, tx, graphOf, requests)),
    {
      batchMax: 50,
      concurrency: 2,
      mayJoin: eachOnce,
      // If the connection was lost during the commit, it may have succeeded; the queue starts the jobs again.
      retryAlone: (error) => !isDatabaseUnavailable(error),
    },
  )
  const changeAlone = (ref: ExecutionRef, change: (tx: Tx, loaded: LoadedExecution) => Promise<State | undefined>) =>
    transaction(ctx.db, async (tx) => {
      const [loaded] = await lockExecutions(tx, [ref])
      if (!loaded) return
      await setChainDepth(tx, loaded.depth + 1)
      const state = await change(tx, loaded)
      if (state) await save(ctx, tx, [{ ref, loaded, state }])
    })

  return {
    async runExecution(ref, { takeOver }) {
      const result = await runTogether({ ref, takeOver })
      const outcome = await result.external?.()
      if (outcome) await changeAlone(ref, (tx, loaded) => afterExternal(ctx, tx, graphOf, ref, loaded, outcome))
      if (result.retryAt) throw result.retryAt
    },
    async failExecution(ref) {
      const failed: Outcome = { kind: 'fail', error: GIVEN_UP }
      await changeAlone(ref, async (_tx, loaded) => advance(stateOf(loaded), failed, nowIn(ctx, NO_GRAPH)))
    },
  }
}

/** A timer and an event can each start a job for the same execution; the second finds a newer version. */
function eachOnce(): (request: Request) => boolean {
  const seen = new Set<string>()
  return ({ ref }) => !seen.has(ref.executionId) && seen.add(ref.executionId) !== undefined
}

/**
 * Graphs by the revision of their workflow, so that many executions share one read. The revision was read with the
 * execution, in the same transaction, so an outdated graph is never used.
 */
function createGraphCache(): ReadGraph {
  const cache = new Map<string, { revision: number | null; graph: RunnableGraph }>()
  return async (tx, { workflow_id, revision }, projectId) => {
    const cached = cache.get(workflow_id)
    if (cached?.revision === revision) return cached.graph
    const graph = await readRunnableGraph(tx, projectId, workflow_id)
    cache.delete(workflow_id)
    cache.set(workflow_id, { revision, graph })
    if (cache.size > GRAPHS_MAX) cache.delete(cache.keys().next().value!)
    return graph
  }
}

const NO_GRAPH: RunnableGraph = { steps: [], transitions: [], removed: [] }

const nowIn = (ctx: Context, graph: RunnableGraph) => ({ graph, at: ctx.clock.now() })

const stateOf = (loaded: LoadedExecution): State => ({
  status: loaded.status,
  currentStepId: loaded.current_step_id,
  exitReason: null,
  goalReached: false,
  error: null,
  seenUpTo: loaded.seen_up_to,
  awaitedEvent: loaded.awaited_event,
  resumeAt: loaded.resume_at,
  completedAt: null,
  contact: contactOf(loaded),
  openRun: openRunOf(loaded),
  endedRuns: [],
})

const contactOf = ({ contact_id, email, subscribed, data }: LoadedExecution): State['contact'] =>
  contact_id === null || email === null ? null : { id: contact_id, email, subscribed: subscribed!, data: data ?? {} }

const openRunOf = (loaded: LoadedExecution): State['openRun'] =>
  loaded.open_run_id === null
    ? null
    : {
        id: loaded.open_run_id,
        stepId: loaded.open_step_id!,
        type: loaded.open_type!,
        status: loaded.open_status!,
        output: null,
        error: null,
        startedAt: loaded.open_started_at!,
        completedAt: null,
        resumeAt: loaded.resume_at,
      }

async function runBatch(ctx: Context, tx: Tx, graphOf: ReadGraph, requests: Request[]): Promise<Result[]> {
  const byId = new Map(requests.map((request) => [request.ref.executionId, request]))
  const locked = await lockExecutions(
    tx,
    requests.map(({ ref }) => ref),
  )
  const results = new Map<string, Result>()
  const changed: Running[] = []
  for (const { round, depth, executions } of groupsOf(locked)) {
    await setChainDepth(tx, depth + 1)
    // The executions of the round before had the same contacts and may have changed them.
    const refs = executions.map(({ id }) => byId.get(id)!.ref)
    const fresh = round === 0 ? executions : await loadExecutions(tx, refs)
    const running: Running[] = []
    for (const loaded of fresh) {
      const started = await start(ctx, tx, graphOf, byId.get(loaded.id)!, loaded)
      if ('state' in started) running.push(started)
      else results.set(loaded.id, started)
    }
    await runSteps(ctx, tx, running)
    for (const one of running) results.set(one.loaded.id, one.result)
    changed.push(...running)
  }
  await save(ctx, tx, changed)
  return requests.map(({ ref }) => results.get(ref.executionId) ?? {})
}

/** Executions whose steps can run together: no contact is there twice, and all of them have the same depth. */
function groupsOf(locked: LoadedExecution[]) {
  const seen = new Map<string, number>()
  const groups = new Map<string, { round: number; depth: number; executions: LoadedExecution[] }>()
  for (const execution of locked) {
    const { contact_id: contactId, depth } = execution
    const round = contactId === null ? 0 : (seen.get(contactId) ?? 0)
    if (contactId !== null) seen.set(contactId, round + 1)
    const group = groups.get(`${round} ${depth}`) ?? { round, depth, executions: [] }
    groups.set(`${round} ${depth}`, group)
    group.executions.push(execution)
  }
  return [...groups.values()].sort((a, b) => a.round - b.round || a.depth - b.depth)
}

/** Brings an execution to the step it has to run. Returns only a result if there is nothing to run or save. */
async function start(
  ctx: Context,
  tx: Tx,
  graphOf: ReadGraph,
  { ref, takeOver }: Request,
  loaded: LoadedExecution,
): Promise<Running | Result> {
  const now = ctx.clock.now()
  if (loaded.disabled) {
    return { retryAt: retryAt(new Date(now.getTime() + DISABLED_PAUSE_MS), 'the project is disabled') }
  }
  if (loaded.open_status === 'RUNNING' && !takeOver) return {}
  const state = stateOf(loaded)
  const cancelled = cancelIfDeleted(loaded, state, now)
  if (cancelled) return { ref, loaded, graph: NO_GRAPH, now, state: cancelled, result: {} }

  if (loaded.goal_reached) {
    const completed = advance(state, { kind: 'goal' }, { graph: NO_GRAPH, at: now })
    return { ref, loaded, graph: NO_GRAPH, now, state: completed, result: {} }
  }

  const graph = await graphOf(tx, loaded, ref.projectId)
  const running: Running = { ref, loaded, graph, now, state, result: {} }
  const step = currentStep(state, graph)
  if (!state.openRun) running.state = enter(state, { graph, at: now })
  else if (!step && state.openRun.status === 'WAITING') running.state = leaveRemovedStep(state, { graph, at: now })
  else {
    const outcome = await closingOutcome(ctx, tx, running, step)
    if (outcome.kind === 'wait' && isSameWait(outcome, state)) return stillWaiting(state, now)
    running.state = advance(state, outcome, nowIn(ctx, graph))
  }
  return running
}

const retryAt = (at: Date, reason: string) => new TryAgainAt(at, { countsAsAttempt: false, reason })

function cancelIfDeleted(loaded: LoadedExecution, state: State, at: Date): State | undefined {
  if (loaded.workflow_name !== null && state.contact) return undefined
  const error = loaded.workflow_name === null ? 'The workflow was deleted.' : 'The contact was deleted.'
  return advance(state, { kind: 'cancel', error }, { graph: NO_GRAPH, at })
}

/** The outcome of the step at which the execution waits, or at which the service stopped. */
async function closingOutcome(
  ctx: Context,
  tx: Tx,
  running: Running,
  step: RunnableStep | undefined,
): Promise<Outcome> {
  const { state } = running
  if (!step || state.openRun!.status === 'RUNNING') return { kind: 'fail', error: INTERRUPTED }
  const wait = { until: state.resumeAt, forEvent: state.awaitedEvent }
  return resumeStep(step, inputFor(ctx, tx, running, step), wait)
}

const isSameWait = ({ until, forEvent }: Extract<Outcome, { kind: 'wait' }>, state: State): boolean =>
  until?.getTime() === state.resumeAt?.getTime() && (forEvent ?? null) === state.awaitedEvent

/** If another machine's clock is ahead, the job came early and runs again in time. */
const stillWaiting = (state: State, now: Date): Result =>
  endsSoon(state, now) ? { retryAt: retryAt(state.resumeAt!, 'the wait is not over yet') } : {}

const inputFor = (
  ctx: Context,
  db: StepInput['db'],
  { ref, loaded, state, now }: Running,
  step: RunnableStep,
): StepInput => ({
  ctx,
  db,
  projectId: ref.projectId,
  workflow: { id: loaded.workflow_id, name: loaded.workflow_name! },
  execution: {
    id: loaded.id,
    startedAt: loaded.started_at,
    context: loaded.context,
    event: loaded.event,
    seenUpTo: state.seenUpTo,
  },
  contact: state.contact!,
  step: { id: step.id, templateId: step.template_id },
  now,
})

/** Runs all steps up to one that waits, is external or ends the execution. */
async function runSteps(ctx: Context, tx: Tx, all: Running[]): Promise<void> {
  for (let groups = byStep(all); groups.size > 0; groups = byStep(all)) {
    for (const [step, group] of groups) {
      const at = ctx.clock.now()
      for (const running of group) running.state = startRun(running.state, { id: newId(at), type: step.type, at })
      if (isExternal(step.type)) {
        for (const running of group) {
          const input = inputFor(ctx, ctx.db, running, step)
          running.result.external = () => runStep(step, input)
        }
        continue
      }
      const outcomes = await runStepMany(
        step,
        group.map((running) => inputFor(ctx, tx, running, step)),
      )
      for (const [i, running] of group.entries()) {
        running.state = advance(running.state, outcomes[i]!, nowIn(ctx, running.graph))
      }
    }
  }
}

/** Executions that can run a step now. Those that share a cached graph share its step objects. */
function byStep(all: Running[]): Map<RunnableStep, Running[]> {
  const groups = new Map<RunnableStep, Running[]>()
  for (const running of all) {
    const { state, graph } = running
    if (state.status !== 'RUNNING' || state.openRun) continue
    const step = currentStep(state, graph)!
    const group = groups.get(step) ?? []
    group.push(running)
    groups.set(step, group)
  }
  return groups
}

/** The next step is a job of its own, so that this outcome stays saved whatever happens there. */
async function afterExternal(
  ctx: Context,
  tx: Tx,
  graphOf: ReadGraph,
  { projectId }: ExecutionRef,
  loaded: LoadedExecution,
  outcome: Outcome,
): Promise<State | undefined> {
  const state = stateOf(loaded)
  if (!state.openRun) return undefined
  const at = ctx.clock.now()
  const cancelled = cancelIfDeleted(loaded, state, at)
  if (cancelled) return cancelled
  const graph = await graphOf(tx, loaded, projectId)
  return advance(state, outcome.kind === 'continue' ? { ...outcome, seenUpTo: newId(at) } : outcome, { graph, at })
}

async function save(ctx: Context, tx: Tx, changed: Array<Pick<Running, 'ref' | 'loaded' | 'state'>>): Promise<void> {
  if (changed.length === 0) return
  const now = ctx.clock.now()
  const saved = changed.map(
    ({ ref, loaded, state }): SavedExecution => ({
      ref,
      state,
      loadedRunId: loaded.open_run_id,
      alarmSet: endsSoon(state, now),
      jobsAt: jobTimes(state, now),
    }),
  )
  await saveExecutions(tx, saved, now)
}
