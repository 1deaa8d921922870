/** Job name → action. */
import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../platform/queue/catalogue.ts'
import { recheckDomains } from './actions.ts'
import { releaseWaiting } from './warm-up/actions.ts'

export const domainJobs = (ctx: Context) =>
  ({
    'recheck-domains': () => recheckDomains(ctx),
    'release-warm-up': (payload) => releaseWaiting(ctx, payload),
  }) satisfies Partial<JobHandlers>
