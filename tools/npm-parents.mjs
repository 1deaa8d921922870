/**
 * Stops Posthorn when npm or npx, or the shell in which they run it, exits. They don't forward every signal, and none if they
 * are killed, so the service would keep running and keep its port.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeSync } from 'node:fs'

const CHECK_MS = 1_000
const SHELL_WITH_COMMAND = /^(?:\S*\/)?\w*sh -\w*c /
/** npm names its process `npm start` or `npm exec`; others are `pnpm start` or `node …/pnpm.cjs start`. */
const PACKAGE_MANAGER = /^(?:\S*node )?(?:\S*\/)?(?:npm|npx|pnpm|yarn|bunx?)(?:[-.]\S*)?(?: |$)/
const PARENTS_MAX = 5

/** Emits SIGHUP when a parent has exited. Parents that this process doesn't depend on, such as a terminal, aren't watched. */
export function watchNpmParents() {
  const parents = findNpmParents()
  if (parents.length === 0) return
  const timer = setInterval(() => {
    if (areRunning(parents)) return
    clearInterval(timer)
    try {
      writeSync(2, 'npm, which started Posthorn, has exited.\n')
    } catch {} // nobody reads the output any longer
    if (!process.emit('SIGHUP', 'SIGHUP')) process.exit(1)
  }, CHECK_MS)
  timer.unref()
}

/** From the parent of this process to npm. Empty if npm didn't start it, or started a program that did so. */
function findNpmParents() {
  if (!process.env.npm_lifecycle_event) return []
  if (process.platform === 'win32') return [process.ppid]
  const parents = []
  for (let pid = process.ppid; parents.length < PARENTS_MAX; ) {
    const { parentPid, command } = readProcess(pid)
    parents.push(pid)
    if (PACKAGE_MANAGER.test(command)) return parents
    if (!SHELL_WITH_COMMAND.test(command)) return []
    pid = parentPid
  }
  return []
}

/** A process whose parent exits gets another parent. Windows, and macOS for a parent's parent, only show which processes exist. */
function areRunning([parent, ...rest]) {
  if (process.platform === 'win32') return exists(parent)
  if (process.ppid !== parent) return false
  if (process.platform !== 'linux') return rest.every(exists)
  return rest.every((pid, i) => readProcess([parent, ...rest][i]).parentPid === pid)
}

function exists(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

function readProcess(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      // The name of the program, in parentheses, may contain anything.
      return { parentPid: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]), command }
    }
    const line = execFileSync('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return { parentPid: Number.parseInt(line, 10), command: line.replace(/^\d+\s+/, '') }
  } catch {
    return { parentPid: 0, command: '' } // it has exited
  }
}
