/** Breaks each dependency rule on purpose, in a separate tree, and expects that rule to report it. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const config = createRequire(import.meta.url)(path.join(ROOT, '.dependency-cruiser.cjs'))

interface Violation {
  rule: string
  from: string
  imports: string
}

const VIOLATIONS: Violation[] = [
  { rule: 'kernel-imports-only-kernel', from: 'kernel/a.ts', imports: 'platform/database/x.ts' },
  { rule: 'platform-imports-no-feature', from: 'platform/a.ts', imports: 'features/audience/contacts/actions.ts' },
  { rule: 'features-import-no-gate', from: 'features/audience/contacts/actions.ts', imports: 'gate/a.ts' },
  { rule: 'gate-imports-no-app', from: 'gate/a.ts', imports: 'app.ts' },
  {
    rule: 'import-features-through-actions',
    from: 'features/mail/emails/actions.ts',
    imports: 'features/audience/contacts/data-rules.ts',
  },
  {
    rule: 'import-features-through-actions',
    from: 'features/mail/emails/routes.ts',
    imports: 'features/audience/contacts/queries.ts',
  },
  {
    rule: 'import-features-through-actions',
    from: 'features/automation/campaigns/actions.ts',
    imports: 'features/mail/emails/simulate.ts',
  },
  {
    rule: 'import-features-through-actions',
    from: 'features/mail/emails/actions.ts',
    imports: 'features/audience/preferences/texts/types.ts',
  },
  {
    rule: 'queries-import-only-queries',
    from: 'features/mail/emails/queries.ts',
    imports: 'features/audience/contacts/actions.ts',
  },
  {
    rule: 'queries-import-no-actions',
    from: 'features/mail/emails/queries.ts',
    imports: 'features/mail/emails/actions.ts',
  },
  { rule: 'sql-only-in-queries', from: 'features/mail/emails/actions.ts', imports: 'kysely' },
  { rule: 'sql-only-in-queries', from: 'features/mail/delivery/deliver.ts', imports: 'pg' },
  { rule: 'sql-only-in-queries', from: 'features/audience/contacts/queries-plan.ts', imports: 'kysely' },
  { rule: 'sql-only-in-queries', from: 'gate/admission.ts', imports: 'kysely' },
  {
    rule: 'queries-import-only-queries',
    from: 'features/mail/emails/x-queries.ts',
    imports: 'features/audience/contacts/actions.ts',
  },
  {
    rule: 'queries-import-no-actions',
    from: 'features/mail/emails/x-queries.ts',
    imports: 'features/mail/emails/x-routes.ts',
  },
  { rule: 'sql-only-in-queries', from: 'features/automation/steps/step-delay.ts', imports: 'kysely' },
  {
    rule: 'queries-import-only-queries',
    from: 'features/automation/steps/queries.ts',
    imports: 'features/mail/emails/actions.ts',
  },
  {
    rule: 'import-features-through-actions',
    from: 'features/tenants/billing/actions.ts',
    imports: 'features/automation/steps/templating.ts',
  },
  { rule: 'http-only-in-routes', from: 'features/mail/emails/actions.ts', imports: 'fastify' },
  { rule: 'http-only-in-routes', from: 'features/mail/emails/actions.ts', imports: 'platform/http/route.ts' },
  { rule: 'no-imports-from-tests', from: 'platform/a.ts', imports: 'test/harness.ts' },
  {
    rule: 'journal-imports-only-earlier-features',
    from: 'features/record/journal/actions.ts',
    imports: 'features/mail/emails/actions.ts',
  },
  {
    rule: 'composing-imports-only-earlier-features',
    from: 'features/content/composing/compose.ts',
    imports: 'features/mail/delivery/deliver.ts',
  },
  {
    rule: 'outbox-imports-only-earlier-features',
    from: 'features/mail/outbox/actions.ts',
    imports: 'features/mail/delivery/deliver.ts',
  },
  {
    rule: 'outbox-imports-only-earlier-features',
    from: 'features/mail/outbox/queries.ts',
    imports: 'features/automation/campaigns/sending-queries.ts',
  },
  {
    rule: 'suppressions-imports-only-earlier-features',
    from: 'features/audience/suppressions/queries.ts',
    imports: 'features/audience/contacts/queries.ts',
  },
  {
    rule: 'contacts-imports-only-earlier-features',
    from: 'features/audience/contacts/actions.ts',
    imports: 'features/audience/imports/actions.ts',
  },
  {
    rule: 'contacts-imports-only-earlier-features',
    from: 'features/audience/contacts/queries.ts',
    imports: 'features/audience/events/queries.ts',
  },
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-layers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function writeTree(name: string, files: Record<string, string>): Promise<string> {
  const base = path.join(folder, name)
  for (const [file, text] of Object.entries(files)) {
    const full = path.join(base, 'server', file)
    await mkdir(path.dirname(full), { recursive: true })
    await writeFile(full, text)
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(base, 'node_modules'))
  return base
}

async function findViolations(base: string): Promise<Violation[]> {
  const options: ICruiseOptions = {
    ...config.options,
    baseDir: base,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  }
  const { output } = await cruise(['server'], options, config.options.enhancedResolveOptions)
  const inServer = (file: string) => file.replace(/^server\//, '').replace(/^.*node_modules\/(\w+)\/.*$/, '$1')
  return (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => ({
    rule: rule.name,
    from: inServer(from),
    imports: inServer(to),
  }))
}

const importOf = (from: string, target: string) =>
  target.endsWith('.ts') ? path.relative(path.dirname(from), target).replace(/^(?!\.)/, './') : target

/** All violations in one tree, because most of the time is spent on starting to read one. */
async function violateAll(): Promise<Violation[]> {
  const files: Record<string, string> = {
    'kernel/b.ts': "import './c.ts'\n",
    'kernel/c.ts': "import './b.ts'\n",
    'features/tenants/gadgets/actions.ts': "import '../../../kernel/d.ts'\n",
    'kernel/d.ts': 'export const x = 1\n',
  }
  for (const { from, imports } of VIOLATIONS) {
    if (imports.endsWith('.ts')) files[imports] ??= 'export const x = 1\n'
    files[from] = `${files[from] ?? ''}import '${importOf(from, imports)}'\n`
  }
  return findViolations(await writeTree('violations', files))
}

/** The list of features, read from the rule that refuses all others. */
function enforcedOrder(): string[] {
  const rules: Array<{ name: string; from: { path: string } }> = config.forbidden
  const { from } = rules.find(({ name }) => name === 'features-are-ordered')!
  return /\(\?!\(([^)]+)\)/.exec(from.path)![1]!.split('|')
}

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'])(
  '%s names files and folders that exist',
  async (page) => {
    const text = await readFile(path.join(ROOT, page), 'utf8')
    const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, name]) => name!)
    expect(named.length).toBeGreaterThan(5)
    const groups = enforcedOrder().map((feature) => `server/features/${path.dirname(feature)}`)
    const exists = (name: string) =>
      ['', 'server', 'dashboard', ...groups].some((folder) => existsSync(path.join(ROOT, folder, name)))
    // The example of a new transport.
    expect(named.filter((name) => !name.includes('mailgun') && !exists(name))).toEqual([])
  },
)

describe('the dependency rules', () => {
  let found: Violation[]
  beforeAll(async () => {
    found = await violateAll()
  })

  it.each(VIOLATIONS)('$rule refuses $from → $imports', (violation) => expect(found).toContainEqual(violation))

  it('no-cycles refuses a cycle', () => {
    expect(found).toContainEqual({ rule: 'no-cycles', from: 'kernel/b.ts', imports: 'kernel/c.ts' })
  })

  it('features-are-ordered refuses a feature that is missing in the order', () => {
    const from = 'features/tenants/gadgets/actions.ts'
    expect(found).toContainEqual({ rule: 'features-are-ordered', from, imports: 'kernel/d.ts' })
  })

  it('ARCHITECTURE.md lists the groups and features in the enforced order, and no others exist', async () => {
    const text = await readFile(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8')
    const rows = [...text.matchAll(/^\| `([a-z]+)` \| ((?:`[a-z]+`(?:, )?)+) \|/gm)]
    const documented = rows.flatMap(([, group, names]) =>
      names!.split(', ').map((name) => `${group}/${name.replaceAll('`', '')}`),
    )
    expect(documented).toEqual(enforcedOrder())
    const entries = await readdir(path.join(ROOT, 'server/features'), { recursive: true, withFileTypes: true })
    const folders = entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.relative(path.join(ROOT, 'server/features'), path.join(entry.parentPath, entry.name)))
      .filter((folder) => folder.split(path.sep).length === 2)
    expect(documented.toSorted()).toEqual(folders.map((folder) => folder.split(path.sep).join('/')).toSorted())
  })

  it('no module keeps state by context: services do, and app.ts builds them', async () => {
    const server = path.join(ROOT, 'server')
    const files = (await readdir(server, { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('test/'),
    )
    expect(files.length).toBeGreaterThan(300)
    const texts = await Promise.all(files.map(async (file) => [file, await readFile(path.join(server, file), 'utf8')]))
    expect(texts.filter(([, text]) => /new WeakMap<Context\b/.test(text!)).map(([file]) => file)).toEqual([])
  })

  it('no folder has more than 15 source files or 2,500 lines, and no file more than 400 lines', async () => {
    const PACKAGES = ['cli', 'mcp', 'movers', 'server', 'dashboard', 'sdk', 'bench', 'e2e', 'tools']
    const GENERATED = ['server/platform/database/tables.ts', 'sdk/api-types.ts']
    const files: string[] = []
    for (const name of PACKAGES) {
      for (const file of await readdir(path.join(ROOT, name), { recursive: true })) {
        const location = `${name}/${file.split(path.sep).join('/')}`
        if (/\.(ts|tsx|mjs)$/.test(file) && !/\/(dist[^/]*|node_modules)\//.test(location)) files.push(location)
      }
    }
    const written = files.filter((file) => !GENERATED.includes(file))
    const lengths = new Map<string, number>()
    for (const file of written) {
      lengths.set(file, (await readFile(path.join(ROOT, file), 'utf8')).trimEnd().split('\n').length)
    }
    const folders = new Map<string, { files: number; lines: number }>()
    for (const file of written.filter((file) => !/\.(test|spec)\.tsx?$|^server\/test\//.test(file))) {
      const { files, lines } = folders.get(path.dirname(file)) ?? { files: 0, lines: 0 }
      folders.set(path.dirname(file), { files: files + 1, lines: lines + lengths.get(file)! })
    }
    expect(folders.get('server/features/automation/executions')!.files).toBeGreaterThan(5)
    expect([...folders].filter(([, { files, lines }]) => files > 15 || lines > 2_500)).toEqual([])
    expect([...lengths].filter(([file, lines]) => lines > 400 && /^(server|dashboard)/.test(file))).toEqual([])
  })

  it('a valid tree breaks no rule', async () => {
    const files = {
      'features/mail/emails/actions.ts': "import '../../audience/contacts/actions.ts'\nimport './queries.ts'\n",
      'features/mail/emails/queries.ts': "import 'kysely'\nimport '../../audience/contacts/queries.ts'\n",
      'features/mail/delivery/deliver.ts':
        "import '../../content/composing/compose.ts'\nimport '../../mail/outbox/actions.ts'\n",
      'features/content/composing/compose.ts': "import '../../audience/preferences/actions.ts'\n",
      'features/audience/preferences/actions.ts': 'export const x = 1\n',
      'features/mail/outbox/actions.ts': 'export const x = 1\n',
      'features/audience/contacts/actions.ts': "import './queries.ts'\n",
      'features/audience/contacts/schemas.ts': 'export const x = 1\n',
      'features/audience/segments/schemas.ts': "import '../../audience/contacts/schemas.ts'\n",
      'features/audience/contacts/queries.ts': "import '../../../platform/database/x.ts'\n",
      'features/audience/contacts/fields/field-queries.ts':
        "import 'kysely'\nimport './queries.ts'\nimport '../../record/journal/queries.ts'\n",
      'features/audience/contacts/field-routes.ts': "import '../../../platform/http/x.ts'\nimport './actions.ts'\n",
      'features/record/journal/queries.ts': 'export const x = 1\n',
      'gate/admission.ts': "import '../features/audience/contacts/actions.ts'\nimport './queries.ts'\n",
      'gate/queries.ts': "import 'kysely'\nimport '../platform/database/x.ts'\n",
      'platform/http/x.ts': 'export const x = 1\n',
      'platform/database/x.ts': "import '../../kernel/a.ts'\n",
      'kernel/a.ts': 'export const x = 1\n',
    }
    expect(await findViolations(await writeTree('sound', files))).toEqual([])
  })
})
