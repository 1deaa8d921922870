/** Job name → action. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { foldEventCounts, forgetOldEvents } from './actions.ts'

export const journalJobs = (ctx: Context) =>
  ({
    'fold-event-counts': () => foldEventCounts(ctx),
    'forget-events': () => forgetOldEvents(ctx),
  }) satisfies Partial<JobHandlers>
