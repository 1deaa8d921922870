/** Job name → action. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { dispatchEvents, setAlarms } from './dispatch.ts'
import { eraseWorkflow } from './executions.ts'
import { runExecution } from './run-together.ts'

export const workflowJobs = (ctx: Context) =>
  ({
    'dispatch-event': (payload) => dispatchEvents(ctx, payload),
    'run-workflow-step': (payload, { attempt, maxAttempts }) =>
      runExecution(ctx, payload, { takeOver: attempt > 1, last: attempt >= maxAttempts }),
    'set-workflow-alarms': () => setAlarms(ctx),
    'erase-workflow': (payload) => eraseWorkflow(ctx, payload),
  }) satisfies Partial<JobHandlers>
