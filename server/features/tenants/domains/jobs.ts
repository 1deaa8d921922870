/** Job name → action. */
import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../platform/queue/catalogue.ts'
import { recheckDomains } from './actions.ts'

export const domainJobs = (ctx: Context) =>
  ({
    'recheck-domains': () => recheckDomains(ctx),
  }) satisfies Partial<JobHandlers>
