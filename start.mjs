#!/usr/bin/env node
/**
 * The `posthorn` command, and `npm start`. In a clone it first builds what has changed; then the service runs in this same
 * process, so that signals reach it, and starts its worker processes.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { NOUNS } from './cli/nouns.mjs'
import { explainMissingPackage, explainUnsupported } from './tools/native-packages.mjs'
import { applyNodeSettings } from './tools/node-settings.mjs'
import { watchNpmParents } from './tools/npm-parents.mjs'

const unsupported = explainUnsupported()
if (unsupported) {
  console.error(unsupported)
  process.exit(1)
}

if (process.argv[2] === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  console.log(version)
  process.exit(0)
}

watchNpmParents() // from the beginning, because a build takes a while

function fail(error) {
  console.error(explainMissingPackage(error) ?? error)
  process.exit(1)
}

const sources = fileURLToPath(new URL('server/main.ts', import.meta.url))
const buildIfStale = async () => existsSync(sources) && (await import('./tools/build.mjs')).buildIfStale()

if (process.argv.includes('--watch')) {
  await buildIfStale() // for the dashboard; the server runs from its sources
  const child = spawn(process.execPath, ['--import', 'tsx', '--watch', '--watch-preserve-output', sources], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  child.on('exit', (code) => process.exit(code ?? 0))
} else {
  await buildIfStale()
  if (NOUNS.includes(process.argv[2])) await import('./server/dist/cli.js').catch(fail)
  else {
    applyNodeSettings(fileURLToPath(new URL('server/dist/cache', import.meta.url)))
    await import('./server/dist/main.js').catch(fail)
  }
}
