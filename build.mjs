/**
 * Builds what runs: the server into server/dist, the dashboard into dashboard/dist, each only when its sources changed.
 * `npm start` calls it, so nobody has to. Made beside the old one and moved, so two starts at once never run half of it.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const root = import.meta.dirname
const server = path.join(root, 'server/dist')
const bundle = path.join(server, 'main.js')
const dashboard = path.join(root, 'dashboard/dist')

/** In a process of its own, because the tools that build take memory which the service should not keep. */
export async function buildIfStale() {
  if (isServerFresh() && isDashboardFresh()) return
  const child = spawn(process.execPath, [import.meta.filename], { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error('The build failed; its message is above.')
}

const isServerFresh = () => existsSync(bundle) && newestSource() < statSync(bundle).mtimeMs

async function buildServer() {
  if (isServerFresh()) return
  const esbuild = await import('esbuild')
  const draft = `${server}.${process.pid}`
  await esbuild.build({
    entryPoints: {
      main: path.join(root, 'server/main.ts'),
      'render-thread': path.join(root, 'server/platform/rendering/render-thread.ts'),
      'signing-thread': path.join(root, 'server/platform/mail/signing-thread.ts'),
    },
    outdir: draft,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  })
  await esbuild.stop()
  await putInPlace(draft, server)
}

/** The latest change in server/, leaving out what does not run. */
function newestSource() {
  const folder = path.join(root, 'server')
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => /\.(ts|json)$/.test(file) && !/^(dist[.\d]*|test)\b|\.test\.ts$/.test(file))
    .map((file) => path.join(folder, file))
  return Math.max(
    ...[...files, path.join(root, 'package-lock.json'), import.meta.filename].map((file) => statSync(file).mtimeMs),
  )
}

/** Known by what its sources say, not by when they were written: a fresh clone with a kept build starts at once. */
function isDashboardFresh() {
  const kept = path.join(dashboard, 'stamp')
  return existsSync(kept) && readFileSync(kept, 'utf8') === dashboardStamp()
}

async function buildDashboard() {
  if (isDashboardFresh()) return
  const stamp = dashboardStamp()
  const { build } = await import('vite')
  const draft = `${dashboard}.${process.pid}`
  await build({
    root: path.join(root, 'dashboard'),
    logLevel: 'warn',
    build: { outDir: draft, emptyOutDir: true },
  })
  await compressAll(path.join(draft, 'assets'))
  await writeFile(path.join(draft, 'stamp'), stamp)
  await putInPlace(draft, dashboard)
}

function dashboardStamp() {
  const hash = createHash('sha256')
  for (const folder of ['dashboard', 'sdk']) {
    const files = readdirSync(path.join(root, folder), { recursive: true })
      .filter((file) => /\.(tsx?|css|html|svg|json)$/.test(file) && !/^dist\b|\.test\.tsx?$/.test(file))
      .sort()
    for (const file of files) hash.update(file).update(readFileSync(path.join(root, folder, file)))
  }
  for (const file of ['package-lock.json', 'build.mjs']) hash.update(readFileSync(path.join(root, file)))
  return hash.digest('hex')
}

/** Once, here, as small as it gets: the server only picks the form a browser takes. */
async function compressAll(folder) {
  for (const name of await readdir(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const file = path.join(folder, name)
    const whole = await readFile(file)
    await writeFile(`${file}.br`, await promisify(brotliCompress)(whole))
    await writeFile(`${file}.gz`, await promisify(gzip)(whole, { level: 9 }))
  }
}

/** By renaming alone, which takes effect whole or not at all; what fails was done by another start. */
async function putInPlace(draft, target) {
  const old = `${draft}.old`
  await rename(target, old).catch(() => {})
  await rename(draft, target).catch(() => {})
  for (const folder of [old, draft]) await rm(folder, { recursive: true, force: true })
}

if (process.argv[1] === import.meta.filename) await Promise.all([buildServer(), buildDashboard()])
