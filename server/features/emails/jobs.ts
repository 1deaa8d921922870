/** Job name → action. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { deliverEmail } from './deliver.ts'

export const emailJobs = (ctx: Context) =>
  ({
    'deliver-email': (payload, job) => deliverEmail(ctx, { ...payload, takeOver: job.attempt > 1 }),
  }) satisfies Partial<JobHandlers>
