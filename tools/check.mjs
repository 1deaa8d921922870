/**
 * Runs every check, as many at a time as there are cores, and prints the output of those that fail.
 *   npm run check
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
/**
 * Checks types in a fifth of the time of TypeScript 5, which stays installed for its API: it builds the client's
 * declarations, and tests and check:language use it.
 */
const tsc = path.join(root, 'node_modules/typescript-7/bin/tsc')
/**
 * With what the last check knows about each file, so that the next one reads only what has changed. By default there are four
 * checkers, each of which works out the types that files share, but the other checks need the other cores.
 */
const typesOf = (part) => [
  ...['node', tsc, '--noEmit', '--incremental', '--checkers', '1'],
  ...['--tsBuildInfoFile', path.join(root, `node_modules/.cache/types/${part}.json`)],
]

/** The longest first, so that none is left for the end. */
const CHECKS = [
  ['types', ...typesOf('server')],
  ['types of the dashboard', ...typesOf('dashboard'), '-p', 'dashboard'],
  ['types of the client', ...typesOf('client'), '-p', 'sdk'],
  ['dependencies', 'npm', 'run', '--silent', 'check:layers'],
  ['lint and format', 'npm', 'run', '--silent', 'check:lint'],
  ['language', 'npm', 'run', '--silent', 'check:language'],
]

function run([name, command, ...args]) {
  return new Promise((resolve) => {
    const started = performance.now()
    const child = spawn(command, args, { cwd: root, shell: process.platform === 'win32' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const end = (failed) => resolve({ name, failed, output, seconds: (performance.now() - started) / 1000 })
    child.on('error', (error) => {
      output += error.message
      end(true)
    })
    child.on('close', (code) => end(code !== 0))
  })
}

let failures = 0
const waiting = [...CHECKS]
async function runNext() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const { name, failed, output, seconds } = await run(check)
    console.log(`${failed ? 'failed' : 'passed'}: ${name} (${seconds.toFixed(0)} s)`)
    if (failed) console.log(output)
    failures += failed ? 1 : 0
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, runNext))
process.exitCode = failures > 0 ? 1 : 0
