/** server/statements has the SQL of every named statement; record-statements.ts compares it in each test that runs one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  isOfOneProject,
  layOut,
  namesInSources,
  readStatements,
  staleStatements,
  writeStatements,
} from '../statements.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-statements-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('server/statements', () => {
  it('has the SQL of every named statement in the sources, and of no other', () => {
    const { names, prefixes } = namesInSources()
    const isComputed = (name: string) => [...prefixes.keys()].some((prefix) => name.startsWith(prefix))
    const committed = [...readStatements().keys()].filter((name) => names.has(name) || !isComputed(name))
    expect(committed.sort()).toEqual([...names.keys()].sort())
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
