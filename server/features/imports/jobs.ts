/** Job name → action, for contact jobs. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import type { Erasure } from '../erasure/actions.ts'
import type { Matching } from './actions.ts'
import { changeContacts } from './bulk.ts'
import { importContacts } from './import.ts'

export const importJobs = (ctx: Context, erasure: Erasure, matching: Matching) =>
  ({
    'import-contacts': (payload, job) => importContacts(ctx, payload, job),
    'change-contacts': (payload, job) => changeContacts(ctx, erasure, matching, payload, job),
  }) satisfies Partial<JobHandlers>
