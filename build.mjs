/** Bundles the server into server/dist when its sources are newer. `npm start` calls it, so nobody has to. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

const root = import.meta.dirname
const output = path.join(root, 'server/dist/main.js')

export async function buildIfStale() {
  if (existsSync(output) && newestSource() < statSync(output).mtimeMs) return
  const esbuild = await import('esbuild')
  await esbuild.build({
    entryPoints: {
      main: path.join(root, 'server/main.ts'),
      'render-thread': path.join(root, 'server/platform/rendering/render-thread.ts'),
    },
    outdir: path.join(root, 'server/dist'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  })
  await esbuild.stop()
}

/** The latest change in server/, leaving out what does not run. */
function newestSource() {
  const folder = path.join(root, 'server')
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => /\.(ts|json)$/.test(file) && !/^(dist|test)\b|\.test\.ts$/.test(file))
    .map((file) => path.join(folder, file))
  return Math.max(
    ...[...files, path.join(root, 'package-lock.json'), import.meta.filename].map((file) => statSync(file).mtimeMs),
  )
}

if (process.argv[1] === import.meta.filename) await buildIfStale()
