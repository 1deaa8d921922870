/**
 * Reads and writes whole tables as text, value by value, as PostgreSQL itself writes them: exact for every type, and
 * with nothing but a connection. Batches are kept to some megabytes, however large single rows are.
 */
import pg, { type ClientBase } from 'pg'

export type TextRow = Array<string | null>

export interface TableColumns {
  /** `public` if absent. */
  schema?: string
  table: string
  columns: string[]
}

const LARGEST_FETCH = 2_000
const BATCH_CHARACTERS = 4_000_000

const quoted = (name: string) => pg.escapeIdentifier(name)

export const qualified = ({ schema = 'public', table }: Omit<TableColumns, 'columns'>): string =>
  `${quoted(schema)}.${quoted(table)}`

/** What the text of values depends on. */
export async function setTextFormat(client: ClientBase): Promise<void> {
  await client.query(
    "set time zone 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3",
  )
}

/** Every table that keeps something, parents before those that refer to them. Unlogged ones keep nothing. */
export async function listTables(client: ClientBase, schema?: string): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns & { parents: string[] }>(
    `
    select c.relname as table,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select array_agg(p.relname::text) from pg_constraint k join pg_class p on p.oid = k.confrelid
       where k.conrelid = c.oid and k.contype = 'f' and p.oid <> c.oid), '{}') as parents
    from pg_class c
    where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and c.relname not in ('migrations', 'sql_files')
    order by c.relname`,
    [schema ?? 'public'],
  )
  const placed: TableColumns[] = []
  const open = [...rows]
  while (open.length > 0) {
    const next = open.findIndex((row) => row.parents.every((parent) => placed.some(({ table }) => table === parent)))
    if (next < 0) throw new Error('The tables reference each other in a loop.')
    const { table, columns } = open.splice(next, 1)[0]!
    placed.push({ ...(schema && { schema }), table, columns })
  }
  return placed
}

/** The months into which tables are split, as YYYY-MM. */
export async function listMonths(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(`
    select distinct replace(right(c.relname, 7), '_', '-') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where c.relnamespace = 'public'::regnamespace and c.relname ~ '_[0-9]{4}_[0-9]{2}$' order by 1`)
  return rows.map((row) => row.month)
}

/**
 * Inside a transaction with one snapshot: all rows of a table, a batch at a time. A second cursor returns the sizes of
 * the next rows in the same order, without reading large values, so that a batch after small rows doesn't load
 * thousands of large ones.
 */
export async function* readRows(client: ClientBase, table: TableColumns): AsyncGenerator<TextRow[]> {
  const { columns } = table
  const texts = columns.map((column) => `${quoted(column)}::text`).join(', ')
  const bytes = columns.map((column) => `coalesce(pg_column_size(${quoted(column)}), 0)`).join(' + ')
  await client.query('set local synchronize_seqscans = off') // otherwise, a scan can start anywhere in the table
  await client.query(`declare copied_rows no scroll cursor for select ${texts} from ${qualified(table)}`)
  await client.query(`declare copied_sizes no scroll cursor for select ${bytes} as bytes from ${qualified(table)}`)
  for (;;) {
    const sizes = await client.query<{ bytes: number }>(`fetch ${LARGEST_FETCH} from copied_sizes`)
    if (sizes.rows.length === 0) break
    for (const count of batchLengths(sizes.rows.map((row) => row.bytes))) {
      const { rows } = await client.query<TextRow>({ text: `fetch ${count} from copied_rows`, rowMode: 'array' })
      if (rows.length !== count) throw new Error(`The table ${table.table} changed while it was read.`)
      yield rows
    }
  }
  await client.query('close copied_rows; close copied_sizes')
}

/** How many rows each batch has, so that it stays small: one, if a single row is larger. */
export function batchLengths(sizes: number[]): number[] {
  const lengths: number[] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const size of sizes) {
    bytes += size
    if (bytes <= BATCH_CHARACTERS) lengths[lengths.length - 1]! += 1
    else {
      lengths.push(1)
      bytes = size
    }
  }
  return lengths
}

const charactersOf = (row: TextRow) => row.reduce((sum, value) => sum + (value?.length ?? 0), 0)

/** Collects rows and writes them a batch at a time, with the numbers that the other database assigned. */
export async function tableWriter(client: ClientBase, { columns, ...named }: TableColumns) {
  const { table } = named
  const place = qualified(named)
  const types = await typesOf(client, place)
  const unknown = columns.filter((column) => !types.has(column))
  if (unknown.length > 0) throw new Error(`The table ${table} has no column ${unknown.join(', ')}.`)
  const names = columns.map(quoted).join(', ')
  const values = columns.map((column, i) => `v.c${i}::${types.get(column)}`).join(', ')
  const lists = columns.map((_, i) => `$${i + 1}::text[]`).join(', ')
  const aliases = columns.map((_, i) => `c${i}`).join(', ')
  const text = `insert into ${place} (${names}) overriding system value select ${values} from unnest(${lists}) as v(${aliases})`
  let waiting: TextRow[] = []
  let characters = 0

  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    await client.query(
      text,
      columns.map((_, i) => waiting.map((row) => row[i] ?? null)),
    )
    waiting = []
    characters = 0
  }
  return {
    async add(row: TextRow): Promise<void> {
      if (row.length !== columns.length) throw new Error(`A row of ${table} has ${row.length} values.`)
      waiting.push(row)
      characters += charactersOf(row)
      if (waiting.length >= LARGEST_FETCH || characters >= BATCH_CHARACTERS) await flush()
    },
    flush,
  }
}

async function typesOf(client: ClientBase, place: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
    [place],
  )
  return new Map(rows.map((row) => [row.name, row.type]))
}

/** Our own triggers count and enqueue; what is written back was counted and enqueued when it happened. */
export async function setTriggers(
  client: ClientBase,
  tables: TableColumns[],
  state: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) await client.query(`alter table ${qualified(table)} ${state} trigger user`)
}
