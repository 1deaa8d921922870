/** The dashboard recognizes errors by parts of their messages, so these must be messages of the API or the SDK. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { apiErrors } from '../../../dashboard/shell/error-texts.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const FOLDERS = ['server/features', 'server/gate', 'server/kernel', 'server/platform', 'sdk']

let code = ''

beforeAll(async () => {
  for (const folder of FOLDERS) {
    const files = await readdir(path.join(ROOT, folder), { recursive: true })
    const sources = files.filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('node_modules'),
    )
    for (const file of sources) code += await readFile(path.join(ROOT, folder, file), 'utf8')
  }
})

it.each(apiErrors.map(({ matches }) => matches.source))('an error message matches %s', (pattern) => {
  const texts = pattern.split(/\\\w|[\^$()+*?[\]|]+/).filter((text) => text.trim().length > 3)
  expect(texts.length).toBeGreaterThan(0)
  for (const text of texts) expect(code.replaceAll('\\`', '`')).toContain(text)
})
