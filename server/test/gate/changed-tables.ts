/**
 * Which tables a request has changed, for tests with thousands of requests that must change nothing. Triggers record
 * every row that is inserted, updated or deleted, in the same transaction, so a change that is rolled back doesn't count.
 * That costs a fraction of `databaseState`, which reads every table.
 */
import { listStateTables, type TestApp } from '../harness.ts'

export type ChangedTables = () => Promise<string[]>

/** Returns a function that lists the tables that have changed since its last call. */
export async function watchTables(app: TestApp): Promise<ChangedTables> {
  const tables = await listStateTables(app)
  // A trigger of a partitioned table also exists on its partitions.
  const triggers = tables.map(
    (table) => `
    create trigger seen after insert or update or delete on ${table} for each row execute function see_change();
    create trigger seen_empty after truncate on ${table} for each statement execute function see_change();`,
  )
  await app.pool.query(`
    create unlogged table changes_seen (name text);
    create function see_change() returns trigger language plpgsql as $$
    begin
      insert into changes_seen values (tg_table_name);
      return null;
    end $$;
    ${triggers.join('')}`)
  const text = `with seen as (delete from changes_seen returning name) select distinct name from seen order by name`
  return async () => {
    const { rows } = await app.pool.query<{ name: string }>({ name: 'changed-tables', text })
    return rows.map((row) => row.name)
  }
}
