/** Job name → action. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { sendNotice } from './actions.ts'

export const noticeJobs = (ctx: Context) =>
  ({
    'send-notice': (payload, run) => sendNotice(ctx, payload, run),
  }) satisfies Partial<JobHandlers>
