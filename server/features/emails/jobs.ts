/** Job name → action. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { deliverEmail } from './deliver.ts'
import { forgetOldBodies } from './retention.ts'

export const emailJobs = (ctx: Context) =>
  ({
    'deliver-email': (payload, job) => deliverEmail(ctx, { ...payload, takeOver: job.attempt > 1 }),
    'forget-bodies': () => forgetOldBodies(ctx),
  }) satisfies Partial<JobHandlers>
