/**
 * Updates the statistics of PostgreSQL for tables that grow. Plans of prepared statements are kept until the statistics
 * of a table change. A plan for an almost empty table (a new installation, the first emails of a month) scans an index,
 * which is best then and takes 20 ms after a minute of sending. Autovacuum checks once a minute; this checks more
 * often.
 */

import { pause } from '../../kernel/clock.ts'
import type { Log } from '../log.ts'
import type { Database } from './connection/connect.ts'
import { sql } from './connection/sql.ts'

const LOOK_EVERY_MS = 2_000
/** After a failure, which may be a timeout that would repeat. */
const LOOK_AGAIN_MS = 60_000
/** Below this number of rows every plan is fast enough. */
const ROWS_MIN = 100

/** Runs until the signal, without waiting for a statement in progress. */
export function watchGrowth(db: Database, log: Log, signal: AbortSignal): void {
  async function watchTables(): Promise<void> {
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
  watchTables().catch(() => {}) // only the signal ends it
}

/**
 * Our tables with more than twice the rows in the statistics, small ones first. Only indexed columns, because they
 * determine the plan and large text columns take long; autovacuum does the rest. With a list of columns, PostgreSQL
 * omits indexed expressions, so a table that has any is analyzed as a whole. Skipped if another process is doing it.
 */
export async function analyzeGrownTables(db: Database): Promise<void> {
  const { rows } = await sql<{ table: string; columns: string }>`/* find-grown-tables */
    select c.oid::regclass::text as table,
      case when bool_or(i.indexprs is not null) then ''
      else '(' || string_agg(distinct quote_ident(a.attname), ', ') || ')' end as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_index i on i.indrelid = c.oid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where n.nspname in (current_schema(), 'posthorn_queue') and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
      and pg_stat_get_live_tuples(c.oid) > greatest(2 * c.reltuples, ${ROWS_MIN}::float)
    group by c.oid
    order by c.reltuples`.execute(db)
  for (const { table, columns } of rows) await sql.raw(`analyze (skip_locked) ${table} ${columns}`).execute(db)
}
