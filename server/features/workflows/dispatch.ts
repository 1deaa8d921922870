/** From facts to executions: events start and wake them, and time does. Each is told by a job. */
import type { Context } from '../../context.ts'
import { gather } from '../../kernel/gather.ts'
import type { JobCatalogue } from '../../platform/queue/catalogue.ts'
import * as queries from './dispatch-queries.ts'
import { ALARM_AHEAD_MS } from './engine.ts'

/** A workflow that a workflow caused, that a workflow caused… A circle of them ends here. */
const CHAIN_MAX = 10
const TOO_DEEP = `Not started: ${CHAIN_MAX} workflows in a row have caused each other, as in a circle. Change one of them so that it does not trigger the next.`

const ALARMS_AT_ONCE = 2_000

type Told = JobCatalogue['dispatch-event']

const dispatchers = new WeakMap<Context, (told: Told) => Promise<void>>()

/** Jobs that run at the same time share one statement. */
export function dispatchEvents(ctx: Context, told: Told): Promise<void> {
  let dispatch = dispatchers.get(ctx)
  if (!dispatch) {
    dispatch = gather((all: Told[]) => dispatchTogether(ctx, all), { most: 50, atOnce: 2 })
    dispatchers.set(ctx, dispatch)
  }
  return dispatch(told)
}

async function dispatchTogether(ctx: Context, told: Told[]): Promise<undefined[]> {
  const events = told.flatMap(({ projectId, eventIds, depth }) =>
    eventIds.map((eventId) => ({ projectId, eventId, depth })),
  )
  await queries.dispatchEvents(ctx.db, events, { depthMax: CHAIN_MAX, tooDeep: TOO_DEEP, now: ctx.clock.now() })
  return told.map(() => undefined)
}

/** Every minute: waits that end soon become jobs for their exact moment. */
export async function setAlarms(ctx: Context): Promise<void> {
  const until = new Date(ctx.clock.now().getTime() + ALARM_AHEAD_MS)
  while ((await queries.setAlarms(ctx.db, until, ALARMS_AT_ONCE)) === ALARMS_AT_ONCE);
}
