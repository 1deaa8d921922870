/** Requests at a steady rate from a separate process; `load.ts` sends the next one after each response. */
import { fork } from 'node:child_process'
import path from 'node:path'
import type { Party } from '../cores.ts'
import { type Loaded, type LoadPlan, runLoad } from './load.ts'

export interface SteadyPlan extends Omit<LoadPlan, 'bodies'> {
  /** Sent in turn. */
  bodies: string[]
  perSecond: number
  connections: number
}

export const steadyLoad = (plan: SteadyPlan, parties: Party[]): Promise<Loaded> =>
  runLoad(fork(path.join(import.meta.dirname, 'steady-load-process.ts'), { serialization: 'advanced' }), plan, parties)
