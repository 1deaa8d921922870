/** Job name → action. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { forgetOldEvents } from './actions.ts'

export const journalJobs = (ctx: Context) =>
  ({
    'forget-events': () => forgetOldEvents(ctx),
  }) satisfies Partial<JobHandlers>
