/**
 * Runs before every test file: collects the named statements that the file prepares, and fails it if one of them differs
 * from its SQL in server/statements. Also fails a file whose output contains a secret (known-secrets.ts). With
 * `npx vitest run -u` the collected SQL is written there instead (global-setup.ts).
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject } from 'vitest'
import { findLeaks, forgetOutputs } from './known-secrets.ts'
import { isOfOneProject, layOut, readStatements, type Statements, staleStatements } from './statements.ts'

const ran: Statements = new Map()
const contradictions: string[] = []

// The files of a process share its modules, so each file replaces the one before.
type Query = (...args: unknown[]) => unknown
const { query } = pg.Client.prototype as { query: Query & { unrecorded?: Query } }
const unrecorded = query.unrecorded ?? query
const recorded: typeof query = function (this: pg.Client, ...args: unknown[]) {
  const { name, text, values } = (args[0] ?? {}) as { name?: string; text?: string; values?: unknown[] }
  if (name && text?.trimStart().startsWith(`/* ${name} */`)) record(name, text, values ?? [])
  return unrecorded.apply(this, args)
}
recorded.unrecorded = unrecorded
pg.Client.prototype.query = recorded as typeof pg.Client.prototype.query

/** By their names: most statements run many times with the same text, which is laid out once. */
const asRun: Statements = new Map()

function record(name: string, text: string, values: unknown[]): void {
  if (asRun.get(name) !== text) {
    const laidOut = layOut(text)
    if (ran.has(name) && ran.get(name) !== laidOut) contradictions.push(`${name} has two texts`)
    ran.set(name, laidOut)
    asRun.set(name, text)
  }
  if (!isOfOneProject(ran.get(name)!, values)) contradictions.push(`${name} ran with several projects`)
}

forgetOutputs()
afterAll(() => expect(findLeaks(), 'A secret is in an output.').toEqual([]))

afterAll(() => {
  const { folder, writes } = inject('statements')
  const file = `${expect.getState().testPath}`.replaceAll(/[^\w]+/g, '_')
  writeFileSync(path.join(folder, `${file}.json`), JSON.stringify([...ran]))
  const stale = writes ? [] : staleStatements(ran, readStatements())
  expect([...contradictions, ...stale], 'Run `npx vitest run <this file> -u` and commit server/statements.').toEqual([])
})
