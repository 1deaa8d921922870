/**
 * Builds the published package: JavaScript with types, and a single file without imports for pages that have no build
 * step. `npm pack` and `npm publish` call it.
 */
import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'

const here = import.meta.dirname
const dist = path.join(here, 'dist')

await rm(dist, { recursive: true, force: true })
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', path.join(here, 'tsconfig.build.json')], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)

// The compiler changes file extensions in the imports of the code, but not in those of the types.
for (const name of await readdir(dist)) {
  if (!name.endsWith('.d.ts')) continue
  const file = path.join(dist, name)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/((?:from|import\()\s*')(\.[^']+)\.ts'/g, "$1$2.js'"))
}

await build({
  entryPoints: [path.join(here, 'index.ts')],
  outfile: path.join(dist, 'bundle.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'inline',
  banner: { js: '/*! @posthorn/sdk, MIT */' },
  logLevel: 'warning',
})
