/** `npm start`: builds what must be built, then runs the service in this same process, so that signals reach it. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { buildIfStale } from './build.mjs'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Posthorn needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

if (process.argv.includes('--watch')) {
  await buildIfStale() // for the dashboard; the server runs from its sources
  const main = path.join(import.meta.dirname, 'server/main.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', '--watch', '--watch-preserve-output', main], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 0))
} else {
  // With memory to spare V8 lets three times as much garbage pile up as there is in use before it clears up. At half of
  // that, sending 100,000 emails takes 60 MB more than doing nothing. Less garbage would be cleared up so often that
  // callers notice: the slowest of 100 waits a fifth longer at 50 than at 150.
  setFlagsFromString('--heap-growing-percent=150')
  await buildIfStale()
  process.setSourceMapsEnabled(true)
  await import('./server/dist/main.js')
}
