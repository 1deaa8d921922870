/**
 * Copies everything that Posthorn stores from one database to another one that has the same, empty tables. Unlike a backup,
 * this includes jobs as they are, and detached tables that retention has not archived yet.
 */
import pg, { type ClientBase } from 'pg'
import { OperatorProblem } from '../kernel/errors.ts'
import {
  listTables,
  qualified,
  readRows,
  setTextFormat,
  setTriggers,
  type TableColumns,
  tableWriter,
} from '../platform/database/schema/copy-tables.ts'
import { RETIRED_SCHEMA } from '../platform/database/tallies.ts'

const SCHEMAS = ['public', 'posthorn_queue']

export interface CopiedRows {
  tables: number
  rows: number
}

export async function copyDatabase(source: ClientBase, target: ClientBase): Promise<CopiedRows> {
  for (const client of [source, target]) await setTextFormat(client)
  await source.query('begin isolation level repeatable read, read only')
  await target.query('begin')
  const retired = await copyRetiredDefinitions(source, target)
  const tables = await listAll(source)
  refuseForeign(tables, await listAll(target))
  await target.query(`truncate ${tables.map(qualified).join(', ')} cascade`)
  await setTriggers(target, tables, 'disable')
  let rows = 0
  for (const table of [...tables, ...retired]) rows += await copyTable(source, target, table)
  await setTriggers(target, tables, 'enable')
  await copySequences(source, target)
  await target.query('commit')
  await source.query('commit')
  await target.query('analyze')
  return { tables: tables.length + retired.length, rows }
}

async function listAll(client: ClientBase): Promise<TableColumns[]> {
  const lists: TableColumns[] = []
  for (const schema of SCHEMAS) lists.push(...(await listTables(client, schema)))
  return lists
}

function refuseForeign(tables: TableColumns[], known: TableColumns[]): void {
  const names = new Set(known.map(qualified))
  const foreign = tables.map(qualified).filter((name) => !names.has(name))
  if (foreign.length === 0) return
  throw new OperatorProblem(
    `The database contains ${foreign.join(', ')}, which Posthorn did not create and can't copy. ` +
      'Start the previous version of Posthorn, move what you added to another database, and try again.',
  )
}

async function copyTable(source: ClientBase, target: ClientBase, table: TableColumns): Promise<number> {
  const writer = await tableWriter(target, table)
  for await (const rows of readRows(source, table)) {
    for (const row of rows) await writer.add(row)
  }
  await writer.flush()
  const [expected, copied] = [await countRows(source, table), await countRows(target, table)]
  if (copied !== expected) throw new Error(`The copy of ${qualified(table)} has ${copied} of ${expected} rows.`)
  return copied
}

async function countRows(client: ClientBase, table: TableColumns): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${qualified(table)}`)
  return Number(rows[0]!.count)
}

/** Creates the detached tables. They have the columns of the table that they were detached from. */
async function copyRetiredDefinitions(source: ClientBase, target: ClientBase): Promise<TableColumns[]> {
  const detached = await listTables(source, RETIRED_SCHEMA)
  if (detached.length === 0) return []
  const { rows } = await source.query<{ name: string; parent: string }>(
    'select name, parent from retired_tables where dropped_at is null',
  )
  // Others are what an interrupted `restore-archive` left behind.
  const retired = detached.filter(({ table }) => rows.some(({ name }) => name === table))
  for (const table of retired) {
    const { parent } = rows.find(({ name }) => name === table.table)!
    await target.query(
      `create table ${qualified(table)} (like ${qualified({ table: parent })} including defaults including indexes)`,
    )
  }
  return retired
}

/** Numbers continue where they were. */
async function copySequences(source: ClientBase, target: ClientBase): Promise<void> {
  const { rows } = await source.query<{ schema: string; name: string; last: string }>(
    `select schemaname as schema, sequencename as name, last_value as last from pg_sequences
     where schemaname = any($1) and last_value is not null`,
    [SCHEMAS],
  )
  for (const { schema, name, last } of rows) {
    const sequence = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
    await target.query('select setval($1::regclass, $2)', [sequence, last])
  }
}
