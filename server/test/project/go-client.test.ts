/** The tests of the Go client, against a listening service. Skipped where Go is not installed. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../clients/go')
const hasGo = spawnSync('go', ['version']).status === 0
if (!hasGo) console.warn('The tests of the Go client are skipped: the command `go` was not found.')
const test = it.skipIf(!hasGo)
const run = promisify(execFile)

let app: TestApp
let key: string
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  if (!hasGo) return
  app = await openTestApp()
  const POSTHORN_URL = await app.server.listen({ host: '127.0.0.1', port: 0 })
  key = (await createProject(app)).secretKey
  // GOPROXY and GOTOOLCHAIN: nothing is downloaded.
  env = { ...process.env, POSTHORN_URL, POSTHORN_SECRET_KEY: key, GOPROXY: 'off', GOTOOLCHAIN: 'local' }
})
afterAll(() => app?.close())

test('the Go client sends, reads, uploads, retries and verifies webhooks with the names of the routes', async () => {
  const { stdout } = await run('go', ['test', '-count=1', '-v', './...'], { cwd: FOLDER, env })
  expect([...stdout.matchAll(/^--- (\w+): (\w+)/gm)].map(([, result, name]) => `${name} ${result}`)).toEqual([
    'TestSendsReadsChangesAndDeletes PASS',
    'TestUploadsAndDownloadsFiles PASS',
    'TestSendsOnceForAKeyAndReturnsRefusals PASS',
    'TestRetriesWhenItIsSafe PASS',
    'TestVerifiesWebhooks PASS',
  ])
}, 300_000) // the standard library is compiled first

test('the Go client is written as gofmt does it, and go vet reports nothing', async () => {
  expect(await run('gofmt', ['-l', '.'], { cwd: FOLDER })).toMatchObject({ stdout: '' })
  await run('go', ['vet', './...'], { cwd: FOLDER, env })
}, 300_000)

test('the Go examples of docs/clients.md are complete programs, and the first one sends an email', async () => {
  const guide = await readFile(path.join(FOLDER, '../../docs/clients.md'), 'utf8')
  const programs = [...guide.matchAll(/^```go\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)
  expect(programs).toHaveLength(2)
  const folder = await mkdtemp(path.join(tmpdir(), 'posthorn-go-'))
  try {
    const client = 'github.com/posthorn/posthorn/clients/go'
    const mod = `module example\n\ngo 1.19\n\nrequire ${client} v0.0.0\n\nreplace ${client} => ${FOLDER}\n`
    await writeFile(path.join(folder, 'go.mod'), mod)
    for (const [i, code] of programs.entries()) await writeFile(path.join(folder, `example${i}.go`), code)
    expect(await run('gofmt', ['-l', '.'], { cwd: folder })).toMatchObject({ stdout: '' })
    await run('go', ['vet', 'example1.go'], { cwd: folder, env })
    const { stdout } = await run('go', ['run', 'example0.go'], { cwd: folder, env })
    const { body } = await app.request('GET', `/emails/${stdout.trim()}`, { key })
    expect(body).toMatchObject({ to: 'ada@example.org', from: 'hello@example.com' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 300_000)
