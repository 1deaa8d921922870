/** server/statements has the SQL of every named statement; record-statements.ts compares it in each test that runs one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../harness.ts'
import {
  isOfOneProject,
  layOut,
  namesInSources,
  readStatements,
  staleStatements,
  writeStatements,
} from '../statements.ts'

/** A value of a type, as SQL. */
function sampleOf(type: string): string {
  if (type.endsWith('[]')) return `array[${sampleOf(type.slice(0, -2))}]::${type}`
  const SAMPLES: Record<string, string> = {
    uuid: 'gen_random_uuid()',
    boolean: 'true',
    json: `'{}'`,
    jsonb: `'{}'`,
    'timestamp with time zone': 'now()',
    'timestamp without time zone': 'now()::timestamp',
    date: 'current_date',
    interval: `interval '1 day'`,
    bytea: `'x'::bytea`,
    text: `'x'`,
  }
  return `${SAMPLES[type] ?? '1'}::${type}`
}

const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-statements-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('server/statements', () => {
  it('has the SQL of every named statement in the sources, and of no other', () => {
    const { names, prefixes } = namesInSources()
    const isComputed = (name: string) => [...prefixes.keys()].some((prefix) => name.startsWith(prefix))
    const committed = [...readStatements().keys()].filter((name) => names.has(name) || !isComputed(name))
    expect(committed.sort()).toEqual([...names.keys()].sort())
  })

  it('can be prepared and run on this version of PostgreSQL', async () => {
    const database = await openTestDatabase()
    const client = await database.pool.connect()
    const refused: string[] = []
    try {
      for (const [name, text] of readStatements()) {
        await client.query('begin')
        try {
          await client.query(`prepare trial as ${text}`)
          const { rows } = await client.query<{ types: string[] }>(
            `select parameter_types::text[] as types from pg_prepared_statements where name = 'trial'`,
          )
          const values = rows[0]!.types.map(sampleOf).join(', ')
          await client.query(`execute trial${values && `(${values})`}`)
        } catch (error) {
          const { code, message } = error as pg.DatabaseError
          // Samples may not be valid data, may refer to rows that don't exist, or be refused by our own functions.
          if (!/^(22|23|P0)/.test(code ?? '')) refused.push(`${name}: ${code} ${message}`)
        }
        await client.query('rollback; deallocate all')
      }
    } finally {
      client.release()
      await database.close()
    }
    expect(refused).toEqual([])
  })

  it('is read back as it was written', () => {
    const text = layOut('/* list-segments */\n    select ";"\n      from segments\n')
    expect(text).toBe('select ";"\n  from segments')
    writeStatements(new Map([['list-segments', text]]), folder)
    expect(readStatements(folder)).toEqual(new Map([['list-segments', text]]))
  })

  it('drops a statement that is no longer in the sources when it is written', () => {
    writeStatements(new Map([['list-dodos', 'select from dodos']]), folder)
    expect(readStatements(folder).has('list-dodos')).toBe(false)
  })

  it('runs for one project, whose id is in every parameter that is compared with a project_id or inserted as one', () => {
    const text = `insert into emails (project_id, id) select $1, id from contacts
      where project_id = $2 and exists (select from events e where e."project_id" = $3) and id = $4`
    expect(isOfOneProject(text, ['one', 'one', 'one', 'other'])).toBe(true)
    expect(isOfOneProject(text, ['other', 'one', 'one', 'one'])).toBe(false)
    expect(isOfOneProject(text, ['one', 'other', 'one', 'one'])).toBe(false)
    expect(isOfOneProject(text, ['one', 'one', 'other', 'one'])).toBe(false)
    expect(isOfOneProject('insert into keys (project_id, key) values ($1, $2)', ['one', 'other'])).toBe(true)
  })

  it('is stale when a statement has changed or is new', () => {
    const committed = new Map([
      ['list-segments', 'select from segments'],
      ['find-segment', 'select 1'],
    ])
    const ran = new Map([
      ['list-segments', 'select from segments where true'],
      ['find-segment', 'select 1'],
      ['read-segments', 'select 2'],
    ])
    expect(staleStatements(ran, committed)).toEqual([
      'list-segments has changed',
      'read-segments has no SQL in server/statements',
    ])
  })
})
