/** Writes the types of tables.ts from a migrated database, so that a column that does not exist does not compile. */
import pg from 'pg'

const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  bytea: 'Buffer',
  bool: 'boolean',
  int4: 'number',
  int2: 'number',
  int8: 'number',
  float8: 'number',
  timestamptz: 'Date',
  date: 'Date',
  jsonb: 'Json',
  _text: 'string[]',
  _uuid: 'string[]',
  _int4: 'number[]',
  _int8: 'number[]',
}

interface Column {
  table: string
  column: string
  type: string
  nullable: boolean
  has_default: boolean
}

const COLUMNS = `
  select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable, a.atthasdef as has_default
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('migrations', 'sql_files')
  order by c.relname, a.attnum`

export async function describeTables(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Column>(COLUMNS)
  await client.end()

  const tables = groupByTable(rows)
  const interfaces = [...tables].map(([table, columns]) => {
    const fields = columns.map((column) => `  ${column.column}: ${typeOf(column)}`)
    return `export interface ${typeName(table)} {\n${fields.join('\n')}\n}\n`
  })
  const index = [...tables.keys()].map((table) => `  ${table}: ${typeName(table)}`)
  return [
    '/** Generated from the migrations by `npm run generate`. */',
    "import type { ColumnType, Generated } from 'kysely'",
    '',
    'export type Json = ColumnType<Record<string, unknown>, string, string>',
    '',
    ...interfaces,
    `export interface Tables {\n${index.join('\n')}\n}`,
    '',
  ].join('\n')
}

function typeOf({ type, nullable, has_default }: Column): string {
  const plain = TYPES[type]
  if (!plain) throw new Error(`describe-tables doesn't support the column type ${type}.`)
  const maybe = nullable ? `${plain} | null` : plain
  return has_default ? `Generated<${maybe}>` : maybe
}

const typeName = (table: string): string =>
  table
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')

function groupByTable(columns: Column[]): Map<string, Column[]> {
  const tables = new Map<string, Column[]>()
  for (const column of columns) tables.set(column.table, [...(tables.get(column.table) ?? []), column])
  return tables
}
