/**
 * The engine: what the worker's jobs call. It is created once per process, because calls that arrive at the same time
 * share statements and graphs.
 */
import type { Context } from '../../../context.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import type { JobCatalogue } from '../../../platform/queue/catalogue.ts'
import { ALARM_AHEAD_MS } from './advance.ts'
import * as queries from './engine-queries.ts'
import { createRunner, type Runner } from './runner.ts'

/** After so many workflows that caused each other, the next one is not started. */
const CHAIN_MAX = 10
const TOO_DEEP = `Not started: ${CHAIN_MAX} workflows in a row triggered each other, which looks like a loop. Change one of them so that it no longer triggers the next.`

const ALARMS_AT_ONCE = 2_000

/** It runs an execution up to a step that waits, or to its end. */
export interface Engine extends Runner {
  /** Starts and wakes the executions that events are meant for. */
  dispatchEvents(events: JobCatalogue['dispatch-event']): Promise<void>
  /** Adds the jobs for waits that end soon. */
  setAlarms(): Promise<void>
}

export function createEngine(ctx: Context): Engine {
  return {
    ...createRunner(ctx),
    dispatchEvents: createBatcher((all) => dispatchTogether(ctx, all), { batchMax: 50, concurrency: 2 }),
    async setAlarms() {
      const until = new Date(ctx.clock.now().getTime() + ALARM_AHEAD_MS)
      while ((await queries.setAlarms(ctx.db, until, ALARMS_AT_ONCE)) === ALARMS_AT_ONCE);
    },
  }
}

async function dispatchTogether(ctx: Context, all: Array<JobCatalogue['dispatch-event']>): Promise<undefined[]> {
  const events = all.flatMap(({ projectId, eventIds, depth }) =>
    eventIds.map((eventId) => ({ projectId, eventId, depth })),
  )
  // First: a contact can reach the goal and then enter again with the next event.
  await queries.completeGoals(ctx.db, events, ctx.clock.now())
  await queries.dispatchEvents(ctx.db, events, { depthMax: CHAIN_MAX, tooDeepError: TOO_DEEP, now: ctx.clock.now() })
  return all.map(() => undefined)
}
