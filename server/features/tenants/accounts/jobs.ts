/** Job name → action. */
import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../platform/queue/catalogue.ts'
import { sendAccountMail } from './tokens.ts'

export const accountJobs = (ctx: Context) =>
  ({
    'send-account-mail': (payload) => sendAccountMail(ctx, payload),
  }) satisfies Partial<JobHandlers>
