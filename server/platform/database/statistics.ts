/**
 * Tells PostgreSQL in time how large its tables have become. Plans of prepared statements are kept until the statistics
 * of a table change. A plan for a table that is almost empty (a new installation, the first emails of a month) reads one
 * of its indexes from end to end, which is best then and takes 20 ms after a minute of sending. PostgreSQL looks for
 * tables that have grown once a minute; we look more often.
 */
import { sql } from 'kysely'
import type { Log } from '../log.ts'
import { pause } from '../queue/wait.ts'
import type { Database } from './connect.ts'

const LOOK_EVERY_MS = 2_000
/** Below so many rows every plan is good enough. */
const ROWS_MIN = 100

export interface GrowthWatch {
  stop(): Promise<void>
}

export function watchGrowth(db: Database, log: Log): GrowthWatch {
  const stopping = new AbortController()

  async function lookForever(): Promise<void> {
    for (;;) {
      await pause(LOOK_EVERY_MS, stopping.signal)
      try {
        await analyzeGrownTables(db)
      } catch (error) {
        log.debug({ err: error }, 'the statistics of tables could not be refreshed')
      }
    }
  }
  const stopped = lookForever().catch(() => {}) // only stopping ends it
  return {
    stop() {
      stopping.abort()
      return stopped
    },
  }
}

/**
 * Tables with more than twice the rows that PostgreSQL knows of. Only the columns of indexes: that is what makes one
 * plan better than another, and texts take long. Whoever finds another process at it leaves it to that one.
 */
export async function analyzeGrownTables(db: Database): Promise<void> {
  const { rows } = await sql<{ table: string; columns: string }>`/* find-grown-tables */
    select c.oid::regclass::text as table, string_agg(distinct quote_ident(a.attname), ', ') as columns
    from pg_class c
    join pg_index i on i.indrelid = c.oid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where c.relkind = 'r' and c.relpersistence = 'p' and pg_has_role(c.relowner, 'usage')
      and pg_stat_get_live_tuples(c.oid) > greatest(2 * c.reltuples, ${ROWS_MIN}::float)
    group by c.oid`.execute(db)
  for (const { table, columns } of rows) await sql.raw(`analyze (skip_locked) ${table} (${columns})`).execute(db)
}
