/**
 * HTTP load from a separate process. Autocannon parses responses in JavaScript, so in this process or in the service's
 * it would use time that is measured; on another core it uses a third to a half of that core.
 */
import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { type Party, watchCores } from '../cores.ts'
import { type Measurement, summarize } from '../measure.ts'

export interface LoadPlan {
  url: string
  headers: Record<string, string>
  /** One list per connection; each connection repeats its own. */
  bodies: string[][]
  warmUpSeconds: number
  seconds: number
}

export type LoadReport =
  | { event: 'measuring' }
  | { event: 'done'; latenciesMs: number[]; answered: number; failures: number; example: string }

/** `answered` is the number of requests with those of the warm-up. */
export type Loaded = Measurement & { answered: number }

export const load = (plan: LoadPlan, parties: Party[]): Promise<Loaded> =>
  runLoad(fork(path.join(import.meta.dirname, 'load-process.ts'), { serialization: 'advanced' }), plan, parties)

/** Gives the plan to a generator, and waits for its report. */
export function runLoad(generator: ChildProcess, plan: Omit<LoadPlan, 'bodies'>, parties: Party[]): Promise<Loaded> {
  return new Promise<Loaded>((resolve, reject) => {
    let coresSoFar: () => Record<string, number> = () => ({})
    generator.once('error', reject)
    generator.once('exit', (code) => reject(new Error(`The load generator ended with ${code}.`)))
    generator.on('message', (report: LoadReport) => {
      if (report.event === 'measuring') {
        coresSoFar = watchCores([...parties, { name: 'load generator', pid: generator.pid! }])
        return
      }
      const cores = coresSoFar()
      if (report.failures > 0) {
        reject(new Error(`${report.failures} requests to ${plan.url} failed, such as: ${report.example}`))
      } else {
        resolve({ ...summarize(report.latenciesMs, plan.seconds), cores, answered: report.answered })
      }
    })
    generator.send(plan)
  }).finally(() => generator.kill())
}
