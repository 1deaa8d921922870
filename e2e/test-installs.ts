/**
 * Installs Posthorn in each way that the README describes, starts it, sends an email, reads it back and stops it. Each way is stopped
 * by ending npm differently, and nothing may keep running. Prints a line for each, and then `N passed, N failed`.
 *   npm run test:installs
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { familyOf, livingOf, postgresProcesses } from '../server/test/processes.ts'
import { call, eventually } from '../server/test/service-process.ts'

const INSTALLS_WITHIN_MS = 600_000
const STARTS_WITHIN_MS = 600_000
const STOPS_WITHIN_MS = 60_000

const root = path.resolve(import.meta.dirname, '..')
const home = mkdtempSync(path.join(tmpdir(), 'posthorn-installs-'))
const npmCache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
const launched: Array<{ child: ChildProcess; dataDir: string }> = []

/** As in a terminal: without the variables of the `npm run` that runs this. Downloads are shared between the installs. */
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  npm_config_cache: npmCache,
  npm_config_prefer_offline: 'true',
  npm_config_fetch_retries: '1',
}

/** What a new clone would contain, including changes that are not committed. */
function makeClone(name: string): string {
  const folder = path.join(home, name)
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(folder, file))
  }
  return folder
}

async function run(cwd: string, [command, ...args]: string[], settings: NodeJS.ProcessEnv = env): Promise<string> {
  const options = { cwd, env: settings, timeout: INSTALLS_WITHIN_MS, maxBuffer: 64 * 1024 * 1024 }
  const { stdout, stderr } = await promisify(execFile)(command!, args, options).catch((error) => {
    throw new Error(`${command} ${args.join(' ')} failed.\n${error.stdout}\n${error.stderr || error.message}`)
  })
  if (/allowScripts/.test(stderr)) throw new Error(`npm warns about install scripts:\n${stderr}`)
  return stdout
}

interface Start {
  folder: string
  command: string[]
  dataDir: string
  /** Sent to npm, and to nothing else. */
  signal: NodeJS.Signals
  settings?: NodeJS.ProcessEnv
  alsoCheck?: (baseUrl: string) => Promise<void>
}

async function startAndStop({ folder, command, dataDir, signal, settings = env, alsoCheck }: Start): Promise<void> {
  const child = spawn(command[0]!, command.slice(1), { cwd: folder, env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
  launched.push({ child, dataDir })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exited = once(child, 'exit')
  try {
    await eventually('the service is ready', STARTS_WITHIN_MS, () => {
      if (child.exitCode !== null) throw new Error('It exited early.')
      return /"msg":"serving /.test(output)
    })
    const { baseUrl, secretKey } = JSON.parse(readFileSync(path.join(dataDir, 'first-run.json'), 'utf8'))
    await sendEmail(baseUrl, secretKey)
    await alsoCheck?.(baseUrl)

    const processes = [...familyOf(child.pid!), ...postgresProcesses(dataDir)]
    child.kill(signal)
    await eventually('every process has exited', STOPS_WITHIN_MS, () => livingOf(processes).length === 0)
    const [code] = await exited
    if (signal === 'SIGTERM' && command[0] === 'npm' && code !== 0) throw new Error(`The exit code is ${code}, not 0.`)
    if (await call({ baseUrl }, 'GET', '/health').catch(() => undefined)) throw new Error('The port is still in use.')
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${output}`)
  }
}

async function sendEmail(baseUrl: string, key: string): Promise<void> {
  const body = { to: 'ada@example.org', from: 'hello@example.com', subject: 'Hello', body: '<p>It works.</p>' }
  const sent = await call({ baseUrl }, 'POST', '/v1/send', { key, body })
  if (sent.status !== 200) throw new Error(`POST /v1/send returned ${sent.status}: ${JSON.stringify(sent.body)}`)
  await eventually('the email is delivered', 120_000, async () => {
    const email = await call({ baseUrl }, 'GET', `/emails/${sent.body.data.emails[0].email}`, { key })
    return email.body.status === 'DELIVERED' && email.body.subject === body.subject
  })
}

const results = { passed: 0, failed: 0 }

async function check(name: string, work: () => Promise<void>): Promise<void> {
  const from = performance.now()
  const print = (result: string) =>
    console.log(`${result}: ${name} (${((performance.now() - from) / 1000).toFixed(0)} s)`)
  try {
    await work()
    results.passed++
    print('passed')
  } catch (error) {
    results.failed++
    print('failed')
    console.log(explain(error as Error))
  }
}

function explain({ message }: Error): string {
  const unreachable = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b.*/.exec(message)
  if (!unreachable || !/npm (?:error|ERR!)/.test(message)) return message
  return `The npm registry can't be reached (${unreachable[0]}). Check the network and \`npm config get registry\`.`
}

async function withoutDevelopmentTools(): Promise<void> {
  const folder = makeClone('clone-without-tools')
  await check('npm ci --omit=dev && npm start', async () => {
    await run(folder, ['npm', 'ci', '--omit=dev'])
    await startAndStop({ folder, command: ['npm', 'start'], dataDir: path.join(folder, 'data'), signal: 'SIGKILL' })
    const left = readdirSync(folder).filter((name) => name.startsWith('dist.'))
    if (left.length > 0) throw new Error(`The build tools are still installed in ${left}.`)
  })
}

/**
 * In one clone, because most of the time is spent on writing and deleting files: `npm ci` does what `npm ci --ignore-scripts` and
 * `npm rebuild` do, which runs the install scripts. The later ones use the build of the first one.
 */
async function withDevelopmentTools(): Promise<void> {
  const folder = makeClone('clone')
  const dataDir = path.join(folder, 'data')
  await check('npm ci --ignore-scripts && npm start', async () => {
    await run(folder, ['npm', 'ci', '--ignore-scripts'])
    await startAndStop({ folder, command: ['npm', 'start'], dataDir, signal: 'SIGHUP' })
  })
  rmSync(dataDir, { recursive: true, force: true })
  await check('npm ci && npm start', async () => {
    await run(folder, ['npm', 'rebuild'])
    await startAndStop({ folder, command: ['npm', 'start'], dataDir, signal: 'SIGTERM' })
  })
  await check('npm pack, then npx in an empty folder', () => fromPackage(folder))
}

async function fromPackage(clone: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(path.join(clone, 'package.json'), 'utf8'))
  const folder = path.join(home, 'empty')
  const dataDir = path.join(folder, 'posthorn-data')
  mkdirSync(folder)
  await run(clone, ['npm', 'pack', '--pack-destination', folder])
  const sbom = JSON.parse(await run(folder, ['tar', '-xzOf', `posthorn-${version}.tgz`, 'package/sbom.cdx.json']))
  const names = sbom.components.map((component: { name: string }) => component.name)
  const isComplete = ['fastify', 'react', '@node-rs/argon2'].every((name) => names.includes(name))
  if (sbom.bomFormat !== 'CycloneDX' || !isComplete) throw new Error(`sbom.cdx.json lists only ${names.join(', ')}`)

  // npx stores packages by file name. In a folder of its own, it can't find those of an earlier run.
  const cache = path.join(home, 'npx-cache')
  mkdirSync(cache)
  symlinkSync(path.join(npmCache, '_cacache'), path.join(cache, '_cacache'))
  const settings = { ...env, npm_config_cache: cache }
  const command = ['npx', '--yes', `./posthorn-${version}.tgz`]

  const help = await run(folder, [...command, '--help'], settings)
  if (!help.includes('posthorn backup FILE') || !/DATA_DIR.*\n.*Default: \.\/posthorn-data\./.test(help)) {
    throw new Error(`--help printed:\n${help}`)
  }
  if (existsSync(dataDir)) throw new Error('--help started the service.')
  const alsoCheck = async (baseUrl: string) => {
    const { body } = await call({ baseUrl }, 'GET', '/')
    if (!body.includes('<div id="root">')) throw new Error(`The dashboard is missing: ${body}`)
    const written = await run(folder, [...command, 'backup', 'posthorn.backup'], settings)
    if (!/^Wrote posthorn\.backup: \d+ rows/m.test(written)) throw new Error(`The backup printed: ${written}`)
  }
  await startAndStop({ folder, command, dataDir, signal: 'SIGTERM', settings, alsoCheck })
}

function cleanUp(): void {
  const left = launched.flatMap(({ child, dataDir }) => [...familyOf(child.pid!), ...postgresProcesses(dataDir)])
  for (const pid of livingOf(left)) process.kill(pid, 'SIGKILL')
  spawn('rm', ['-rf', home], { detached: true, stdio: 'ignore' }).unref() // takes up to a minute, for which nothing needs to wait
}

process.on('exit', cleanUp)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

// Together, because one often waits for npm or for the service while the other computes.
await Promise.all([withoutDevelopmentTools(), withDevelopmentTools()])
console.log(`${results.passed} passed, ${results.failed} failed`)
process.exitCode = results.failed > 0 ? 1 : 0
