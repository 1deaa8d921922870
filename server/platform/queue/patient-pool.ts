/**
 * The connections that the library gets. What it writes about finished jobs is tried until the database has it:
 * left to itself the library forgets what it could not write (the jobs would run twice), shuts itself down, and may
 * take the process with it by a rejection that nobody handles. These statements can be repeated without harm.
 * All others fail as usual.
 */
import pg from 'pg'
import type { QueueLog } from './catalogue.ts'
import { pause } from './wait.ts'

const BOOKKEEPING = /^(complete|fail|return)_job/
const LONGEST_PAUSE_MS = 2_000

export class PatientPool extends pg.Pool {
  readonly #log: QueueLog
  readonly #writing = new Set<Promise<unknown>>()

  constructor(config: pg.PoolConfig, log: QueueLog) {
    super(config)
    this.#log = log
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    if (callback) {
      super.connect(callback)
      return undefined
    }
    return Promise.resolve(this.#patientClient() as pg.PoolClient)
  }

  /** Resolves when nothing is left to be written. */
  async settled(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing)
  }

  /** Takes a connection only when it is first used, and another one for each repetition. */
  #patientClient(): Pick<pg.PoolClient, 'query' | 'release'> {
    let client: Promise<pg.PoolClient> | undefined
    const query = async (statement: string | pg.QueryConfig, values?: unknown[]) => {
      if (typeof statement === 'object' && BOOKKEEPING.test(statement.name ?? '')) return this.#insist(statement)
      client ??= super.connect()
      return (await client).query(statement as string, values)
    }
    return {
      query: query as pg.PoolClient['query'],
      release: (error) => void client?.then((taken) => taken.release(error)).catch(() => {}),
    }
  }

  #insist(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const written = this.#repeat(statement)
    this.#writing.add(written)
    return written.finally(() => this.#writing.delete(written))
  }

  async #repeat(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await this.query(statement)
      } catch (error) {
        this.#log.debug({ err: error, statement: statement.name }, 'the queue could not write yet')
      }
      // The worker has stopped and others will free what it holds: an answer would only upset the library.
      if (this.ending) return new Promise(() => {})
      await pause(pauseMs)
    }
  }
}
