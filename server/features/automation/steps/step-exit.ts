/** EXIT: ends the execution with the status EXITED. */
import { z } from 'zod'
import { defineStep } from './step.ts'

export const exitStep = defineStep({
  type: 'EXIT',
  config: z.object({ reason: z.string().max(1_000, 'Must be at most 1000 characters.').nullish() }),
  branches: [],
  run: async (_input, { reason }) => ({ kind: 'exit', reason: reason || null }),
})
