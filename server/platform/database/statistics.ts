/**
 * Tells PostgreSQL in time how large its tables have become. Plans of prepared statements are kept until the statistics
 * of a table change. A plan for a table that is almost empty (a new installation, the first emails of a month) reads one
 * of its indexes from end to end, which is best then and takes 20 ms after a minute of sending. PostgreSQL looks for
 * tables that have grown once a minute; we look more often.
 */
import { sql } from 'kysely'
import { pause } from '../../kernel/wait.ts'
import type { Log } from '../log.ts'
import type { Database } from './connect.ts'

const LOOK_EVERY_MS = 2_000
/** After a failure, which may well be a timeout that would come again. */
const LOOK_AGAIN_MS = 60_000
/** Below so many rows every plan is good enough. */
const ROWS_MIN = 100

/** Until the signal. Nobody waits for what is under way then. */
export function watchGrowth(db: Database, log: Log, signal: AbortSignal): void {
  async function lookForever(): Promise<void> {
    for (let pauseMs = LOOK_EVERY_MS; ; ) {
      await pause(pauseMs, signal)
      try {
        await analyzeGrownTables(db)
        pauseMs = LOOK_EVERY_MS
      } catch (error) {
        log.debug({ err: error }, 'table statistics could not be refreshed')
        pauseMs = LOOK_AGAIN_MS
      }
    }
  }
  lookForever().catch(() => {}) // only the signal ends it
}

/**
 * Tables of ours with more than twice the rows that PostgreSQL knows of, small ones first. Only the columns of indexes:
 * that is what makes one plan better than another, and texts take long. Autovacuum sees to the rest. Whoever finds
 * another process at it leaves it to that one.
 */
export async function analyzeGrownTables(db: Database): Promise<void> {
  const { rows } = await sql<{ table: string; columns: string }>`/* find-grown-tables */
    select c.oid::regclass::text as table, string_agg(distinct quote_ident(a.attname), ', ') as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_index i on i.indrelid = c.oid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where n.nspname in (current_schema(), 'posthorn_queue') and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
      and pg_stat_get_live_tuples(c.oid) > greatest(2 * c.reltuples, ${ROWS_MIN}::float)
    group by c.oid
    order by c.reltuples`.execute(db)
  for (const { table, columns } of rows) await sql.raw(`analyze (skip_locked) ${table} (${columns})`).execute(db)
}
