/**
 * How many cores each process uses, read from /proc. On a small machine the load generator, the service and PostgreSQL
 * share the cores, and figures mean little without this. Empty on systems other than Linux.
 */
import { readFileSync } from 'node:fs'

export const TICKS_PER_SECOND = 100

export interface Party {
  name: string
  pid: number
  /** PostgreSQL has one process per connection. */
  withChildren?: boolean
}

/** Starts measuring; the returned function ends it. Everything else on the machine is reported as the rest. */
export function watchCores(parties: Party[]): () => Record<string, number> {
  const startedAt = performance.now()
  const before = readTicks(parties)
  return () => {
    const seconds = (performance.now() - startedAt) / 1000
    const after = readTicks(parties)
    if (!before || !after) return {}
    const cores = after.map((ticks, i) => (ticks - before[i]!) / TICKS_PER_SECOND / seconds)
    const [all, ...own] = cores as [number, ...number[]]
    const rest = Math.max(0, all - own.reduce((sum, busy) => sum + busy, 0))
    return { ...Object.fromEntries(parties.map(({ name }, i) => [name, own[i]!])), 'everything else': rest }
  }
}

/** First the whole machine, then each party; empty if there is no /proc or a process has just exited. */
function readTicks(parties: Party[]): number[] | undefined {
  try {
    return [ticksOfMachine(), ...parties.map(ticksOfParty)]
  } catch {
    return undefined
  }
}

export function ticksOfParty({ pid, withChildren }: Party): number {
  const children = withChildren ? childrenOf(pid) : []
  return children.reduce((sum, child) => sum + ticksOf(child, false), ticksOf(pid, true))
}

/** user, nice and system; then, without idle and iowait, irq, softirq and steal. */
function ticksOfMachine(): number {
  const line = readFileSync('/proc/stat', 'utf8').split('\n')[0]!
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return ticks.reduce((sum, each, i) => (i === 3 || i === 4 ? sum : sum + each), 0)
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

/** Without the threads of the process. */
export const mainThreadTicks = (pid: number): number => ticksIn(`/proc/${pid}/task/${pid}/stat`, false)

const ticksOf = (pid: number, withEnded: boolean): number => ticksIn(`/proc/${pid}/stat`, withEnded)

/** User and system time; with `withEnded` including that of children that have exited. */
function ticksIn(file: string, withEnded: boolean): number {
  const stat = readFileSync(file, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // the name before it can contain spaces
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0)
}

/** The worker processes of the service. */
export const workersOf = (pid: number): number[] =>
  childrenOf(pid).filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('worker-process'))

/** Resident memory in megabytes, including the workers of a service. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    return [pid, ...workersOf(pid)].reduce((sum, each) => sum + residentKilobytes(each), 0) / 1024
  } catch {
    return undefined
  }
}

/** The memory of all these processes in megabytes, with shared memory counted once (proportional set size). */
export function proportionalMegabytes(parties: Party[]): number | undefined {
  try {
    const pids = parties.flatMap(({ pid, withChildren }) => [pid, ...(withChildren ? childrenOf(pid) : [])])
    return pids.reduce((sum, pid) => sum + proportionalKilobytes(pid), 0) / 1024
  } catch {
    return undefined
  }
}

const proportionalKilobytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)

const residentKilobytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
