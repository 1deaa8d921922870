/** Job name → action. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { removeUploads } from './actions.ts'

export const uploadJobs = (ctx: Context) =>
  ({
    'remove-uploads': () => removeUploads(ctx),
  }) satisfies Partial<JobHandlers>
