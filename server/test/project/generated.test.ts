import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generatedFiles } from '../../../tools/generate.ts'
import { openTestDatabase } from '../harness.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

describe('generated files', () => {
  it('are up to date with the code (run `npm run generate`)', async () => {
    for (const [file, text] of Object.entries(await generatedFiles(database.url))) {
      expect(await readFile(path.join(import.meta.dirname, '../../..', file), 'utf8'), file).toBe(text)
    }
  })
})
