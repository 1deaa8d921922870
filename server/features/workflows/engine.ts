/**
 * Takes an execution from step to step until it has to wait, act outside, or end. A step that acts outside is recorded
 * as begun before it acts; what a crash leaves begun fails, because nobody knows whether it arrived. The transaction
 * around it, which makes a step's effects and its record one, is run-together.ts.
 */
import type { Context } from '../../context.ts'
import { Refusal } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import { TemplateError } from '../../platform/rendering/template-error.ts'
import type { ExecutionRef, LoadedExecution, Progress } from './engine-queries.ts'
import { entryOf, type Graph, stepAfter } from './graph.ts'
import { rememberedGraph } from './graph-memory.ts'
import type { StepRow } from './queries.ts'
import type { Outcome, Scene } from './step-kind.ts'
import { kindOf } from './steps.ts'

/** Later alarms are rows, not jobs: a queue full of far-off jobs is slow to search. */
export const ALARM_AHEAD_MS = 2 * 60_000
const DISABLED_PAUSE_MS = 60_000

const INTERRUPTED =
  'The service stopped while the request was under way. Whether it arrived is not known; try the execution again if it did not.'

interface Journey {
  scene: Omit<Scene, 'step'>
  graph: Graph<StepRow>
  progress: Progress
}

/** What one go at an execution leaves to be done. */
export interface Turn {
  /** To be saved in the transaction; absent where nothing happened. */
  progress?: Progress
  /** To be done outside, once that is committed. */
  act?: () => Promise<Outcome>
  /** There was nothing to do yet. */
  later?: TryAgainAt
}

/** An execution that is to go on. */
export interface Departure {
  ref: ExecutionRef
  loaded: LoadedExecution
  takeOver: boolean
}

/** How far one of them has come. */
interface Underway {
  turn: Turn
  journey?: Journey
  /** The step it stands before; none when it goes no further for now. */
  step?: StepRow | undefined
}

/**
 * All steps up to one that waits, acts outside or ends. Who comes to the same step takes it together: a thousand
 * contacts in a workflow are few statements. Writes what the steps write, and leaves the saving to the caller. No
 * contact may be among them twice.
 */
export async function takeSteps(ctx: Context, tx: Tx, departures: Departure[]): Promise<Turn[]> {
  const all: Underway[] = []
  for (const departure of departures) all.push(await setOut(ctx, tx, departure))
  for (let groups = byStep(all); groups.length > 0; groups = byStep(all)) {
    for (const [step, group] of groups) await takeStep(ctx, step, group)
  }
  return all.map(({ turn }) => turn)
}

async function setOut(ctx: Context, tx: Tx, { ref, loaded, takeOver }: Departure): Promise<Underway> {
  const now = ctx.clock.now()
  if (loaded.disabled) {
    return { turn: { later: waitUntil(new Date(now.getTime() + DISABLED_PAUSE_MS), 'the project is disabled') } }
  }
  if (loaded.open_status === 'RUNNING' && !takeOver) return { turn: {} }

  const progress = progressOf(loaded)
  const journey = await beginJourney(ctx, tx, ref, loaded, progress)
  if (!journey) return { turn: { progress } }
  if (loaded.open_run_id) {
    const still = await closeOpenRun(journey, loaded)
    if (still) return { turn: stillWaiting(still, now) }
    return { turn: { progress }, journey, step: currentStep(journey) }
  }
  return { turn: { progress }, journey, step: findCurrent(journey) }
}

function byStep(all: Underway[]): Array<[StepRow, Array<Underway & { journey: Journey }>]> {
  const groups = new Map<StepRow, Array<Underway & { journey: Journey }>>()
  for (const one of all) {
    if (!one.step || !hasJourney(one)) continue
    const group = groups.get(one.step) ?? []
    group.push(one)
    groups.set(one.step, group)
  }
  return [...groups]
}

const hasJourney = (one: Underway): one is Underway & { journey: Journey } => one.journey !== undefined

/** Where it goes on; nothing when it has ended. */
const currentStep = ({ graph, progress }: Journey): StepRow | undefined =>
  progress.status === 'RUNNING' ? graph.steps.find(({ id }) => id === progress.currentStepId) : undefined

const waitUntil = (at: Date, reason: string) => new TryAgainAt(at, { countsAsAttempt: false, reason })

/** An alarm that rang early, by another machine's clock, rings again; anything else was a look that found nothing. */
function stillWaiting({ until }: { until: Date | null }, now: Date): Turn {
  const soon = until !== null && until.getTime() - now.getTime() <= ALARM_AHEAD_MS
  return soon ? { later: waitUntil(until, 'the wait is not over yet') } : {}
}

const progressOf = (loaded: LoadedExecution): Progress => ({
  status: 'RUNNING',
  currentStepId: loaded.current_step_id,
  exitReason: null,
  error: null,
  seenUpTo: loaded.seen_up_to,
  awaitedEvent: null,
  resumeAt: null,
  alarmSet: false,
  completedAt: null,
  keepTurn: false,
  closed: undefined,
  runs: [],
  jobsAt: [],
})

/** Nothing when there is no way to go on: the workflow or the contact is gone. */
async function beginJourney(
  ctx: Context,
  tx: Tx,
  { projectId }: ExecutionRef,
  loaded: LoadedExecution,
  progress: Progress,
): Promise<Journey | undefined> {
  const now = ctx.clock.now()
  const { workflow_id, workflow_name, revision, contact_id, email, subscribed, data } = loaded
  if (workflow_name === null || revision === null || contact_id === null || email === null) {
    const error = workflow_name === null ? 'The workflow was deleted.' : 'The contact was deleted.'
    Object.assign(progress, { status: 'CANCELLED', error, completedAt: now })
    if (loaded.open_run_id) {
      progress.closed = { id: loaded.open_run_id, status: 'CANCELLED', output: null, error: null, completedAt: now }
    }
    return undefined
  }
  return {
    graph: await rememberedGraph(ctx, tx, projectId, workflow_id, revision),
    progress,
    scene: {
      ctx: { ...ctx, db: tx },
      projectId,
      workflow: { id: workflow_id, name: workflow_name },
      execution: {
        id: loaded.id,
        startedAt: loaded.started_at,
        context: loaded.context,
        event: loaded.event,
        seenUpTo: loaded.seen_up_to,
      },
      contact: { id: contact_id, email, subscribed: subscribed!, data: data ?? {} },
      now,
    },
  }
}

function findCurrent({ graph, progress, scene }: Journey): StepRow | undefined {
  const { currentStepId } = progress
  const step = currentStepId === null ? entryOf(graph) : graph.steps.find(({ id }) => id === currentStepId)
  if (!step) {
    const error = currentStepId === null ? 'The workflow has no steps.' : 'The step that came next has been removed.'
    Object.assign(progress, { status: 'FAILED', error, completedAt: scene.now })
  }
  return step
}

/** Ends the step that was waited at or interrupted. Returns its wait if that is not over. */
async function closeOpenRun(journey: Journey, loaded: LoadedExecution): Promise<{ until: Date | null } | undefined> {
  const { graph, scene } = journey
  const step = graph.steps.find(({ id }) => id === loaded.open_step_id)
  let outcome: Outcome
  if (!step) outcome = { kind: 'fails', error: 'The step at which this execution waited has been removed.' }
  else if (loaded.open_status === 'RUNNING') outcome = { kind: 'fails', error: INTERRUPTED }
  else outcome = await resumed(scene, step, { until: loaded.resume_at, forEvent: loaded.awaited_event })
  if (outcome.kind === 'waits') return { until: outcome.until }
  close(journey, loaded.open_run_id!, loaded.open_step_id!, outcome)
  return undefined
}

function close(journey: Journey, runId: string, stepId: string, outcome: Exclude<Outcome, { kind: 'waits' }>): void {
  const { graph, progress, scene } = journey
  const output = 'output' in outcome ? (outcome.output ?? null) : null
  const error = outcome.kind === 'fails' ? outcome.error : null
  progress.closed = { id: runId, status: runStatus(outcome), output, error, completedAt: scene.ctx.clock.now() }
  apply(journey, stepId, outcome)
  if (progress.status === 'RUNNING' && !graph.steps.some(({ id }) => id === progress.currentStepId)) complete(journey)
}

/** One step inside the transaction, for everyone who stands before it. */
async function takeStep(ctx: Context, step: StepRow, group: Array<Underway & { journey: Journey }>): Promise<void> {
  if (kindOf(step.type).outside) {
    for (const one of group) {
      one.turn.act = beginOutside(ctx, one.journey, step)
      one.step = undefined
    }
    return
  }
  const startedAt = ctx.clock.now()
  const scenes = group.map(({ journey }) => sceneAt(journey, step))
  const outcomes = await performedTogether(step, scenes)
  for (const [i, one] of group.entries()) {
    record(one.journey, step, outcomes[i]!, startedAt)
    one.step = currentStep(one.journey)
  }
}

function record(journey: Journey, step: StepRow, outcome: Outcome, startedAt: Date): void {
  journey.progress.runs.push({
    id: newId(startedAt),
    stepId: step.id,
    type: step.type,
    status: runStatus(outcome),
    output: 'output' in outcome ? (outcome.output ?? null) : null,
    error: outcome.kind === 'fails' ? outcome.error : null,
    startedAt,
    completedAt: outcome.kind === 'waits' ? null : journey.scene.ctx.clock.now(),
    resumeAt: outcome.kind === 'waits' ? outcome.until : null,
  })
  apply(journey, step.id, outcome)
}

const sceneAt = ({ scene }: Journey, step: StepRow): Scene => ({
  ...scene,
  step: { id: step.id, templateId: step.template_id },
})

/** Checked when it was saved. What an older version saved and this one refuses fails the step, like any refusal. */
export function configOf(step: StepRow): unknown {
  if (!configs.has(step)) configs.set(step, parsedConfig(step))
  return configs.get(step)
}

const configs = new WeakMap<StepRow, unknown>()

function parsedConfig(step: StepRow): unknown {
  const parsed = kindOf(step.type).config.safeParse(step.config)
  if (parsed.success) return parsed.data
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'The settings of this step are not valid any more. Save it again.')
}

const resumed = (scene: Journey['scene'], step: StepRow, wait: { until: Date | null; forEvent: string | null }) =>
  performed(() => kindOf(step.type).resume!(sceneAt({ scene } as Journey, step), configOf(step), wait))

/** What is refused for one of them is refused before anything is written; then each goes alone. */
async function performedTogether(step: StepRow, scenes: Scene[]): Promise<Outcome[]> {
  const kind = kindOf(step.type)
  if (scenes.length > 1 && kind.runTogether) {
    try {
      return await kind.runTogether(scenes, configOf(step))
    } catch (error) {
      if (!isRefused(error)) throw error
    }
  }
  const outcomes: Outcome[] = []
  for (const scene of scenes) outcomes.push(await performed(() => kind.run(scene, configOf(step))))
  return outcomes
}

/** What a user's settings or data made impossible fails the step; anything else is a fault of ours, and tried again. */
export async function performed(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (isRefused(error)) return { kind: 'fails', error: wordsOf(error) }
    throw error
  }
}

const isRefused = (error: unknown): error is TemplateError | Refusal =>
  error instanceof TemplateError || error instanceof Refusal

const wordsOf = (error: TemplateError | Refusal): string =>
  error instanceof Refusal && error.extras.problems?.[0]
    ? `${error.extras.problems[0].field}: ${error.extras.problems[0].message}`
    : error.message

const runStatus = (outcome: Outcome): string => {
  if (outcome.kind === 'waits') return 'WAITING'
  if (outcome.kind === 'fails') return 'FAILED'
  return outcome.kind === 'goes on' && outcome.skipped ? 'SKIPPED' : 'COMPLETED'
}

function apply(journey: Journey, stepId: string, outcome: Outcome): void {
  const { graph, progress, scene } = journey
  const at = scene.ctx.clock.now()
  if (outcome.kind === 'waits') {
    const soon = outcome.until !== null && outcome.until.getTime() - at.getTime() <= ALARM_AHEAD_MS
    Object.assign(progress, { status: 'WAITING', currentStepId: stepId, resumeAt: outcome.until, alarmSet: soon })
    if (soon) progress.jobsAt.push(outcome.until!)
    if (outcome.forEvent !== undefined) {
      progress.awaitedEvent = outcome.forEvent
      progress.jobsAt.push(at) // a second look, after the commit: what was recorded meanwhile found nobody waiting
    }
    return
  }
  if (outcome.kind === 'fails') {
    Object.assign(progress, { status: 'FAILED', currentStepId: stepId, error: outcome.error, completedAt: at })
    return
  }
  if (outcome.kind === 'exits') {
    Object.assign(progress, { status: 'EXITED', currentStepId: stepId, exitReason: outcome.reason, completedAt: at })
    return
  }
  if (outcome.contact) scene.contact = outcome.contact
  if (outcome.seenUpTo) {
    progress.seenUpTo = outcome.seenUpTo
    scene.execution.seenUpTo = outcome.seenUpTo
  }
  const next = stepAfter(graph, stepId, outcome.branch ?? null)
  progress.currentStepId = next?.id ?? stepId
  if (!next) complete(journey)
}

function complete({ progress, scene }: Journey): void {
  Object.assign(progress, { status: 'COMPLETED', completedAt: scene.ctx.clock.now() })
}

/** Records that a step has begun, and returns it to be done once that is committed. */
function beginOutside(ctx: Context, journey: Journey, step: StepRow): () => Promise<Outcome> {
  const { progress } = journey
  const startedAt = ctx.clock.now()
  const run = { status: 'RUNNING', output: null, error: null, completedAt: null, resumeAt: null }
  progress.runs.push({ ...run, id: newId(startedAt), stepId: step.id, type: step.type, startedAt })
  Object.assign(progress, { currentStepId: step.id, keepTurn: true })
  const scene = { ...sceneAt(journey, step), ctx }
  return () => performed(() => kindOf(step.type).run(scene, configOf(step)))
}

/** The outcome of a step outside. What follows is a job of its own, so that this stays recorded whatever comes. */
export async function closeOutside(
  ctx: Context,
  tx: Tx,
  ref: ExecutionRef,
  loaded: LoadedExecution,
  outcome: Outcome,
): Promise<Turn> {
  if (!loaded.open_run_id || outcome.kind === 'waits') return {}
  const progress = progressOf(loaded)
  const journey = await beginJourney(ctx, tx, ref, loaded, progress)
  if (journey) {
    close(journey, loaded.open_run_id, loaded.open_step_id!, withMoment(outcome, ctx.clock.now()))
    if (progress.status === 'RUNNING') progress.jobsAt.push(ctx.clock.now())
  }
  return { progress }
}

const withMoment = (outcome: Exclude<Outcome, { kind: 'waits' }>, at: Date) =>
  outcome.kind === 'goes on' ? { ...outcome, seenUpTo: newId(at) } : outcome

/** The queue has tried for days. A person can see it and try again. */
export function giveUp(ctx: Context, loaded: LoadedExecution): Turn {
  const now = ctx.clock.now()
  const error = 'The service could not run this step. Its log says why.'
  const progress: Progress = { ...progressOf(loaded), status: 'FAILED', error, completedAt: now }
  if (loaded.open_run_id) {
    progress.closed = { id: loaded.open_run_id, status: 'FAILED', output: null, error, completedAt: now }
  }
  return { progress }
}
