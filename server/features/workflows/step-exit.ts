/** EXIT: the execution ends here, on purpose. */
import { z } from 'zod'
import { stepKind } from './step-kind.ts'

export const exitStep = stepKind({
  type: 'EXIT',
  config: z.object({ reason: z.string().max(1_000, 'Must be at most 1000 characters.').nullish() }),
  run: async (_scene, { reason }) => ({ kind: 'exits', reason: reason || null }),
})
