/** The processes of this machine as tests see them: from /proc on Linux, which needs no program, and from `ps` elsewhere. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

interface ProcessEntry {
  pid: number
  ppid: number
  /** Empty for an exited child that its parent hasn't collected. */
  command: string
}

export function listProcesses(): ProcessEntry[] {
  if (process.platform === 'linux') {
    const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.map((pid) => ({
      pid: Number(pid),
      ppid: Number(/^PPid:\s+(\d+)$/m.exec(readProcess(pid, 'status'))?.[1] ?? 0),
      command: readProcess(pid, 'cmdline').replaceAll('\0', ' ').trim(),
    }))
  }
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,stat=,command='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, ppid, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid ? [{ pid: Number(pid), ppid: Number(ppid), command: state!.startsWith('Z') ? '' : command! }] : []
  })
}

function readProcess(pid: string | number, file: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // it has exited in the meantime
  }
}

export const isAlive = (pid: number): boolean => livingOf([pid]).length > 0

/** Those of the processes that are still running. */
export function livingOf(pids: number[]): number[] {
  const running = new Set(listProcesses().flatMap(({ pid, command }) => (command === '' ? [] : [pid])))
  return pids.filter((pid) => running.has(pid))
}

/** The PostgreSQL server that runs on a DATA_DIR, with its children. */
export function postgresProcesses(dataDir: string): number[] {
  const folder = path.join(dataDir, 'postgres')
  if (!fs.existsSync(folder)) return []
  const { dev, ino } = fs.statSync(folder, { bigint: true })
  const all = listProcesses()
  const servers = all.filter(({ command }) => command.includes(`posthorn.cluster=${dev}-${ino}`))
  const children = all.filter(({ ppid }) => servers.some(({ pid }) => pid === ppid))
  return [...servers, ...children].map(({ pid }) => pid)
}

/** A process and all its descendants. */
export function familyOf(pid: number): number[] {
  const all = listProcesses()
  const family = [pid]
  for (const member of family) {
    family.push(...all.filter(({ ppid }) => ppid === member).map((entry) => entry.pid))
  }
  return family
}

/** The worker processes of a service. */
export const workersOf = (pid: number): number[] =>
  listProcesses()
    .filter(({ ppid, command }) => ppid === pid && command.includes('worker-process'))
    .map((entry) => entry.pid)

/** The resident memory of a process; 0 if it has exited. */
export function residentBytes(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+)/m.exec(readProcess(pid, 'status'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes ?? 0) * 1024
}

/** On Linux only. */
export const ownersOf = (pid: number): string[] =>
  /^Uid:\s+(\d+)\s+(\d+)/m.exec(readProcess(pid, 'status'))?.slice(1) ?? []
