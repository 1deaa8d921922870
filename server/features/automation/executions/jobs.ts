/** Job name → action. */
import type { Context } from '../../../context.ts'
import type { FailureHandlers, JobHandlers } from '../../../platform/queue/catalogue.ts'
import { eraseWorkflow, startSegment, wakeExecutions } from './actions.ts'
import type { Engine } from './engine.ts'
import { moveWaiting } from './moves/moves.ts'
import { changeWaits } from './moves/waits.ts'

export const executionJobs = (ctx: Context, engine: Engine) =>
  ({
    'dispatch-event': (payload) => engine.dispatchEvents(payload),
    'run-workflow-step': (payload, { attempt }) => engine.runExecution(payload, { takeOver: attempt > 1 }),
    'set-workflow-alarms': () => engine.setAlarms(),
    'start-segment': (payload) => startSegment(ctx, payload),
    'wake-executions': (payload) => wakeExecutions(ctx, payload),
    'move-executions': (payload) => moveWaiting(ctx, payload),
    'change-waits': (payload) => changeWaits(ctx, payload),
    'erase-workflow': (payload) => eraseWorkflow(ctx, payload),
  }) satisfies Partial<JobHandlers>

export const failedExecutionJobs = (engine: Engine): FailureHandlers => ({
  'run-workflow-step': (payload) => engine.failExecution(payload),
})
