/** Bundles the server into server/dist when its sources are newer. `npm start` calls it, so nobody has to. Made beside it and moved, so two starts at once never run half a bundle. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'

const root = import.meta.dirname
const output = path.join(root, 'server/dist')
const bundle = path.join(output, 'main.js')

export async function buildIfStale() {
  if (existsSync(bundle) && newestSource() < statSync(bundle).mtimeMs) return
  const esbuild = await import('esbuild')
  const draft = `${output}.${process.pid}`
  await esbuild.build({
    entryPoints: {
      main: path.join(root, 'server/main.ts'),
      'render-thread': path.join(root, 'server/platform/rendering/render-thread.ts'),
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
  await rm(output, { recursive: true, force: true })
  await rename(draft, output).catch(() => rm(draft, { recursive: true, force: true })) // another start was faster
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

if (process.argv[1] === import.meta.filename) await buildIfStale()
