/**
 * The examples of README.md and docs/ run as a reader would paste them, page by page and in order, against a real service.
 * Blocks marked `no-run` start services or change the machine. Examples are skipped where curl or Python is not installed.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../platform/database/embedded/postmaster.ts'
import { startDnsServer } from '../dns-server.ts'
import { startMigratedService } from '../migrated-service.ts'
import type { ServiceProcess } from '../service-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const RUN_WITHIN_MS = 60_000
const hasCurl = spawnSync('curl', ['--version']).status === 0
const hasPython = spawnSync('python3', ['--version']).status === 0

interface Block {
  language: string
  options: string[]
  code: string
}

const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\S*)([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, language, options, code]) => ({
    language: language!,
    options: options!.trim().split(/\s+/).filter(Boolean),
    code: code!,
  }))

const markdownIn = async (folder: string) =>
  (await readdir(path.join(ROOT, folder))).filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`)

const names = [
  'README.md',
  ...(await markdownIn('docs')),
  ...(await markdownIn('docs/migrate')),
  ...(await markdownIn('docs/recipes')),
]
const pages = await Promise.all(
  names.map(async (name) => {
    const blocks = blocksOf(await readFile(path.join(ROOT, name), 'utf8'))
    const codeIn = (...languages: string[]) =>
      blocks
        .filter(({ language, options }) => languages.includes(language) && !options.includes('no-run'))
        .map(({ code }) => code)
        .join('\n')
    return { name, blocks, shell: codeIn('sh'), script: codeIn('js', 'ts'), python: codeIn('python') }
  }),
)

let folder: string
let service: ServiceProcess
let submissionPort: number
let dns: Awaited<ReturnType<typeof startDnsServer>>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-docs-'))
  dns = await startDnsServer()
  submissionPort = await freePort()
  service = await startMigratedService({
    DATA_DIR: path.join(folder, 'data'),
    PORT: '0',
    SUBMISSION_SMTP_PORT: String(submissionPort),
    DNS_SERVERS: dns.address,
  })
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  await writeFile(path.join(folder, 'package.json'), '{"type": "module"}')
})

afterAll(async () => {
  await service?.stop()
  await dns?.close()
  await rm(folder, { recursive: true, force: true })
})

/** What a reader has after the first page: the address of the service and the keys. */
async function run(command: string, args: string[]): Promise<string> {
  const { secretKey, publicKey } = JSON.parse(await readFile(path.join(folder, 'data/first-run.json'), 'utf8'))
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: folder,
    timeout: RUN_WITHIN_MS,
    env: {
      PATH: process.env.PATH,
      POSTHORN_URL: service.baseUrl,
      POSTHORN_SECRET_KEY: secretKey,
      POSTHORN_PUBLIC_KEY: publicKey,
      NODE_NO_WARNINGS: '1',
      PYTHONPATH: path.join(ROOT, 'clients/python'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  })
  return stdout
}

/** Replaces the addresses in the examples by those of the service under test. */
const atService = (code: string) =>
  code
    .replaceAll('http://127.0.0.1:3000', service.baseUrl)
    .replaceAll(
      "host: 'mail.example.com', port: 587", // has a certificate of an authority, unlike the service under test
      `host: '127.0.0.1', port: ${submissionPort}, tls: { rejectUnauthorized: false }`,
    )
    .replaceAll('2587', String(submissionPort))

// A refused request must end the script, because it would confuse a reader.
const SHELL_SETUP = 'set -euo pipefail\ncurl() { command curl --fail --silent --show-error --max-time 20 "$@"; }\n'

describe.each(pages.filter(({ shell }) => shell))('$name', ({ name, shell }) => {
  it.skipIf(!hasCurl)(`the shell examples of ${name} run as they are`, { timeout: RUN_WITHIN_MS }, async () => {
    const file = path.join(folder, `${path.basename(name)}.sh`)
    await writeFile(file, SHELL_SETUP + atService(shell))
    await expect(run('bash', [file])).resolves.not.toContain('"success":false')
  })
})

describe.each(pages.filter(({ script }) => script))('$name', ({ name, script }) => {
  it(`the TypeScript and JavaScript examples of ${name} run as they are`, { timeout: RUN_WITHIN_MS }, async () => {
    const file = path.join(folder, `${path.basename(name)}.ts`)
    await writeFile(file, atService(script))
    const tsx = path.join(ROOT, 'node_modules/tsx/dist/loader.mjs')
    await expect(
      run(process.execPath, ['--import', tsx, '--conditions', 'posthorn:source', file]),
    ).resolves.toBeDefined()
  })
})

describe.each(pages.filter(({ python }) => python))('$name', ({ name, python }) => {
  it.skipIf(!hasPython)(`the Python examples of ${name} run as they are`, { timeout: RUN_WITHIN_MS }, async () => {
    const file = path.join(folder, `${path.basename(name)}.py`)
    const verified = atService(python)
    const unverified = verified.replace(/ssl\.create_default_context\(.*?\)/, 'ssl._create_unverified_context()')
    await writeFile(file, `${verified}\n${unverified}`)
    await expect(run('python3', [file])).resolves.toBeDefined()
  })
})

describe('every page of docs/', () => {
  it.each(pages)('$name has an example', ({ blocks }) => {
    expect(blocks.filter(({ language }) => ['sh', 'ts', 'js'].includes(language))).not.toEqual([])
  })
})
