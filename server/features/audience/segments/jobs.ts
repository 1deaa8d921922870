/** Job name → action, for segments. */
import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../platform/queue/catalogue.ts'
import { recomputeSegments } from './compute.ts'
import { recordSegmentSizes } from './history/sizes.ts'

export const segmentJobs = (ctx: Context) =>
  ({
    'recompute-segments': () => recomputeSegments(ctx),
    'record-segment-sizes': () => recordSegmentSizes(ctx),
  }) satisfies Partial<JobHandlers>
