/** Checks the dependency rules of the SDK and the dashboard by breaking each one in a temporary folder. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, expect, it } from 'vitest'

const config = createRequire(import.meta.url)(path.resolve(import.meta.dirname, '../.dependency-cruiser.cjs'))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-layers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  { rule: 'sdk-imports-only-sdk', from: 'sdk/a.ts', imports: 'server/kernel/ids.ts' },
  { rule: 'dashboard-imports-only-sdk', from: 'dashboard/pages/contacts/a.tsx', imports: 'server/kernel/ids.ts' },
  { rule: 'only-pages-import-pages', from: 'dashboard/ui/a.tsx', imports: 'dashboard/pages/contacts/list.tsx' },
  { rule: 'only-pages-import-pages', from: 'dashboard/ui/a.tsx', imports: 'dashboard/router.tsx' },
  { rule: 'server-imports-no-client', from: 'server/platform/a.ts', imports: 'sdk/index.ts' },
])('the dependency rule $rule rejects an import of $imports in $from', async ({ rule, from, imports }) => {
  const base = path.join(folder, `${rule} ${imports.replaceAll('/', '-')}`)
  const specifier = path.relative(path.dirname(from), imports).replace(/^(?!\.)/, './')
  for (const [file, text] of Object.entries({ [from]: `import '${specifier}'\n`, [imports]: 'export const x = 1\n' })) {
    await mkdir(path.join(base, path.dirname(file)), { recursive: true })
    await writeFile(path.join(base, file), text)
  }
  const options = { ...config.options, baseDir: base, validate: true, ruleSet: { forbidden: config.forbidden } }
  const { output } = await cruise([from.split('/')[0]!], options, config.options.enhancedResolveOptions)
  expect((output as ICruiseResult).summary.violations.map((violation) => violation.rule.name)).toContain(rule)
})
