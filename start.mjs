#!/usr/bin/env node
/**
 * The `posthorn` command, and `npm start`. In a clone it first builds what has changed; then the service runs in this same
 * process, so that signals reach it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { explainMissingPackage, explainUnsupported } from './native-packages.mjs'

const unsupported = explainUnsupported()
if (unsupported) {
  console.error(unsupported)
  process.exit(1)
}

function fail(error) {
  console.error(explainMissingPackage(error) ?? error)
  process.exit(1)
}

const sources = fileURLToPath(new URL('server/main.ts', import.meta.url))
const buildIfStale = async () => existsSync(sources) && (await import('./build.mjs')).buildIfStale()

if (process.argv.includes('--watch')) {
  await buildIfStale() // for the dashboard; the server runs from its sources
  const child = spawn(process.execPath, ['--import', 'tsx', '--watch', '--watch-preserve-output', sources], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  child.on('exit', (code) => process.exit(code ?? 0))
} else {
  // With memory to spare V8 lets three times as much garbage pile up as there is in use before it clears up. At half of
  // that, sending 100,000 emails takes 60 MB more than doing nothing. Less garbage would be cleared up so often that
  // callers notice: the slowest of 100 waits a fifth longer at 50 than at 150.
  setFlagsFromString('--heap-growing-percent=150')
  await buildIfStale()
  // From Node.js 22 on, compiled code is kept between starts: in a folder of our own, because /tmp is open to everybody.
  nodeModule.enableCompileCache?.(fileURLToPath(new URL('server/dist/cache', import.meta.url)))
  // As Node.js has it from 21 on. Without it the database driver loads all of `fetch` to find out where it runs.
  globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node}` }
  await import('./server/dist/main.js').catch(fail)
}
