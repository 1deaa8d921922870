/** Job name → action. */
import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../platform/queue/catalogue.ts'
import { type RecordResult, sendNotice } from './actions.ts'

export const noticeJobs = (ctx: Context, recordResult: RecordResult) =>
  ({
    'send-notice': (payload, run) => sendNotice(ctx, recordResult, payload, run),
  }) satisfies Partial<JobHandlers>
