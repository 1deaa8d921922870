/** Job name → action. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { takeNotification } from './actions.ts'

export const feedbackJobs = (ctx: Context) =>
  ({
    'take-notification': (payload) => takeNotification(ctx, payload),
  }) satisfies Partial<JobHandlers>
