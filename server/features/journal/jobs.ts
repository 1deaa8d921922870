/** Job name → action. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { deleteOldEvents } from './actions.ts'

export const journalJobs = (ctx: Context) =>
  ({
    'delete-old-events': () => deleteOldEvents(ctx),
  }) satisfies Partial<JobHandlers>
