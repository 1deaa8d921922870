/** Job name → action, for contact jobs. */
import type { Context } from '../../../context.ts'
import type { FailureHandlers, JobHandlers } from '../../../platform/queue/catalogue.ts'
import type { Erasure } from '../contacts/erasure.ts'
import { failContactJob } from './actions.ts'
import { type BulkTools, changeContacts } from './bulk.ts'
import { sendImportConfirmations } from './confirmations/actions.ts'
import { importContacts } from './import.ts'

export const importJobs = (ctx: Context, erasure: Erasure, tools: BulkTools) =>
  ({
    'import-contacts': (payload) => importContacts(ctx, payload),
    'change-contacts': (payload) => changeContacts(ctx, erasure, tools, payload),
    'change-contacts-for-target': (payload) => changeContacts(ctx, erasure, tools, payload),
    'send-import-confirmations': (payload) => sendImportConfirmations(ctx, payload),
  }) satisfies Partial<JobHandlers>

export const failedImportJobs = (ctx: Context): FailureHandlers => ({
  'import-contacts': (payload) => failContactJob(ctx, payload),
  'change-contacts': (payload) => failContactJob(ctx, payload),
  'change-contacts-for-target': (payload) => failContactJob(ctx, payload),
})
