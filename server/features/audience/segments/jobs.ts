/** Job name → action, for segments. */
import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../platform/queue/catalogue.ts'
import { recomputeSegments } from './compute.ts'

export const segmentJobs = (ctx: Context) =>
  ({ 'recompute-segments': () => recomputeSegments(ctx) }) satisfies Partial<JobHandlers>
