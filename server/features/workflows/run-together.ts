/**
 * The transaction around steps: their effects, their records and the next jobs are there together or not at all. Jobs
 * that run at the same time share one: a thousand executions a second take few statements. What goes wrong
 * with one of them is tried again alone, so that it harms nobody else.
 */
import type { Context } from '../../context.ts'
import { gather } from '../../kernel/gather.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { isDatabaseAway, transaction } from '../../platform/database/transaction.ts'
import { closeOutside, giveUp, type Turn, takeSteps } from './engine.ts'
import {
  type ExecutionRef,
  type LoadedExecution,
  loadExecutions,
  type SavedTurn,
  saveTurns,
  setChainDepth,
  takeExecutions,
} from './engine-queries.ts'

export interface RunOptions {
  /** The queue hands the job out again, so whoever had it is gone. */
  takeOver: boolean
  /** The queue will not hand it out once more. */
  last: boolean
}

export async function runExecution(ctx: Context, ref: ExecutionRef, { takeOver, last }: RunOptions): Promise<void> {
  try {
    const { act, later } = await runner(ctx)({ ref, takeOver })
    if (later) throw new Postponed(later)
    if (!act) return
    const outcome = await act()
    await alone(ctx, ref, (tx, loaded) => closeOutside(ctx, tx, ref, loaded, outcome))
  } catch (error) {
    if (error instanceof Postponed) throw error.later
    if (last) await alone(ctx, ref, async (_tx, loaded) => giveUp(ctx, loaded))
    throw error
  }
}

/** Not a failure, so nothing is given up for it. */
class Postponed extends Error {
  readonly later: NonNullable<Turn['later']>

  constructor(later: NonNullable<Turn['later']>) {
    super(later.message)
    this.later = later
  }
}

interface Wanted {
  ref: ExecutionRef
  takeOver: boolean
}

const runners = new WeakMap<Context, (wanted: Wanted) => Promise<Turn>>()

function runner(ctx: Context): (wanted: Wanted) => Promise<Turn> {
  let run = runners.get(ctx)
  if (!run) {
    run = gather((wanted: Wanted[]) => transaction(ctx.db, (tx) => takeTogether(ctx, tx, wanted)), {
      most: 50,
      atOnce: 2,
      mayJoin: eachOnce,
      // Whether a commit whose answer was lost went through is not known: then the queue hands the jobs out again.
      tryAlone: (error) => !isDatabaseAway(error),
    })
    runners.set(ctx, run)
  }
  return run
}

/** An alarm and an event may call for the same execution at once. The second one finds that the turn is over. */
function eachOnce(): (wanted: Wanted) => boolean {
  const seen = new Set<string>()
  return ({ ref }) => !seen.has(ref.executionId) && seen.add(ref.executionId) !== undefined
}

async function takeTogether(ctx: Context, tx: Tx, wanted: Wanted[]): Promise<Turn[]> {
  const turns = new Map<string, Turn>()
  const byId = new Map(wanted.map((one) => [one.ref.executionId, one]))
  const loaded = await takeExecutions(
    tx,
    wanted.map(({ ref }) => ref),
  )
  for (const { round, depth, group } of sideBySide(loaded)) {
    await setChainDepth(tx, depth + 1)
    const refs = group.map(({ id }) => byId.get(id)!.ref)
    // Another workflow has just had the same contacts, and may have changed them.
    const fresh = round === 0 ? group : await loadExecutions(tx, refs)
    const departures = fresh.map((execution) => ({ ...byId.get(execution.id)!, loaded: execution }))
    const taken = await takeSteps(ctx, tx, departures)
    departures.forEach(({ ref }, i) => {
      turns.set(ref.executionId, taken[i]!)
    })
  }
  const saved = wanted.flatMap(({ ref }): SavedTurn[] => {
    const progress = turns.get(ref.executionId)?.progress
    return progress ? [{ ref, progress }] : []
  })
  if (saved.length > 0) await saveTurns(tx, saved, ctx.clock.now())
  return wanted.map(({ ref }) => turns.get(ref.executionId) ?? {})
}

/** Who may take steps together: no contact twice, and only those whom equally many workflows led to where they are. */
function sideBySide(loaded: LoadedExecution[]) {
  const seen = new Map<string, number>()
  const groups = new Map<string, { round: number; depth: number; group: LoadedExecution[] }>()
  for (const execution of loaded) {
    const { contact_id: contactId, depth } = execution
    const round = contactId === null ? 0 : (seen.get(contactId) ?? 0)
    if (contactId !== null) seen.set(contactId, round + 1)
    const found = groups.get(`${round} ${depth}`) ?? { round, depth, group: [] }
    groups.set(`${round} ${depth}`, found)
    found.group.push(execution)
  }
  return [...groups.values()].sort((a, b) => a.round - b.round || a.depth - b.depth)
}

const alone = (
  ctx: Context,
  ref: ExecutionRef,
  work: (tx: Tx, loaded: LoadedExecution) => Promise<Turn>,
): Promise<void> =>
  transaction(ctx.db, async (tx) => {
    const [loaded] = await takeExecutions(tx, [ref])
    if (!loaded) return
    await setChainDepth(tx, loaded.depth + 1)
    const { progress } = await work(tx, loaded)
    if (progress) await saveTurns(tx, [{ ref, progress }], ctx.clock.now())
  })
