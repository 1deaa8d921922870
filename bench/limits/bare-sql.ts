/**
 * The reference: the service's own statements from a client that does nothing else, with as many callers as the HTTP
 * measurement has connections and as many database connections as the service.
 */
import { type Database, openDatabase } from '../../server/platform/database/connection/connect.ts'
import { openLog } from '../../server/platform/log.ts'
import { type Party, watchCores } from '../cores.ts'
import { type Measurement, summarize } from '../measure.ts'

const POOL_SIZE = 20

export interface SqlPlan {
  databaseUrl: string
  /** One list per caller; each caller repeats its own. */
  calls: Array<Array<(db: Database) => Promise<unknown>>>
  warmUpSeconds: number
  seconds: number
}

export async function loopSql(plan: SqlPlan, parties: Party[]): Promise<Measurement> {
  const log = openLog({ level: 'warn', format: 'json' })
  const { db, close } = openDatabase({ url: plan.databaseUrl, poolSize: POOL_SIZE, log })
  const latenciesMs: number[] = []
  const measureFrom = performance.now() + plan.warmUpSeconds * 1000
  const endAt = measureFrom + plan.seconds * 1000

  async function call(list: Array<(db: Database) => Promise<unknown>>): Promise<void> {
    for (let n = 0; ; n++) {
      const startedAt = performance.now()
      if (startedAt >= endAt) return
      await list[n % list.length]!(db)
      const now = performance.now()
      if (now >= measureFrom && now < endAt) latenciesMs.push(now - startedAt)
    }
  }

  let coresSoFar: () => Record<string, number> = () => ({})
  const warm = setTimeout(() => {
    coresSoFar = watchCores([...parties, { name: 'bare client', pid: process.pid }])
  }, plan.warmUpSeconds * 1000)
  try {
    await Promise.all(plan.calls.map(call))
    return { ...summarize(latenciesMs, plan.seconds), cores: coresSoFar() }
  } finally {
    clearTimeout(warm)
    await close()
  }
}
