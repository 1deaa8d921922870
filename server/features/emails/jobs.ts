/** Job name → action. */
import type { Context } from '../../context.ts'
import { type JobHandlers, PRIORITY } from '../../platform/queue/catalogue.ts'
import { deliverEmail } from './deliver.ts'
import { forgetOldBodies } from './retention.ts'

export const emailJobs = (ctx: Context) =>
  ({
    'deliver-email': (payload, { attempt, priority = PRIORITY.transactional }) =>
      deliverEmail(ctx, { ...payload, takeOver: attempt > 1, priority }),
    'forget-bodies': () => forgetOldBodies(ctx),
  }) satisfies Partial<JobHandlers>
