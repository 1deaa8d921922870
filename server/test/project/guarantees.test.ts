/** Every guarantee in docs/guarantees.md names tests that exist. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const rows = readFileSync(path.join(ROOT, 'docs/guarantees.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| guarantee'))

it.each(rows)('%s', (row) => {
  const files = [...row.matchAll(/`((?:server|e2e)\/[\w/.-]+\.(?:test|spec)\.ts)`/g)].map((match) => match[1]!)
  expect(files).not.toEqual([])
  for (const file of files) expect(existsSync(path.join(ROOT, file)), file).toBe(true)
})
