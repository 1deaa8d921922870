/**
 * The processor time that a unit of work takes: an email, a request. Unlike a rate, it is about the same on a machine that
 * other programs use too. Because processors differ, and slow down when they are shared, a signature (RSA, 2048 bits) is timed
 * every quarter of a second during the work and is the unit of the result. Empty on systems other than Linux.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mainThreadTicks, type Party, TICKS_PER_SECOND, ticksOfParty } from './cores.ts'

const SIGN_EVERY_MS = 250
const SIGNATURES_AT_ONCE = 8
const WARM_UP = 100

export interface ProcessorTime {
  /** Milliseconds for one unit of work: the main threads of service and worker, their other threads, and PostgreSQL. */
  parts: Record<string, number>
  totalMs: number
  signatureMs: number
}

/** `parties` are those of a service. The returned function ends the measurement and gets the number of units. */
export function watchProcessor(parties: Party[]): (units: number) => ProcessorTime | undefined {
  const signatureSoFar = watchSignature()
  const before = readParts(parties)
  return (units) => {
    const after = readParts(parties)
    const signatureMs = signatureSoFar()
    if (!before || !after) return undefined
    const perUnit = Object.entries(after).map(([name, ms]) => [name, (ms - before[name]!) / units] as const)
    return { parts: Object.fromEntries(perUnit), totalMs: perUnit.reduce((sum, [, ms]) => sum + ms, 0), signatureMs }
  }
}

/** Milliseconds so far; undefined if there is no /proc. */
function readParts(parties: Party[]): Record<string, number> | undefined {
  const parts: Record<string, number> = {}
  const add = (name: string, ticks: number) => {
    parts[name] = (parts[name] ?? 0) + (ticks * 1000) / TICKS_PER_SECOND
  }
  try {
    for (const party of parties) {
      const all = ticksOfParty(party)
      const main = party.withChildren ? all : mainThreadTicks(party.pid)
      add(party.name, main)
      if (!party.withChildren) add('threads', all - main)
    }
    return parts
  } catch {
    return undefined
  }
}

function watchSignature(): () => number {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const key = createPrivateKey(privateKey)
  timeSignatures(key, WARM_UP)
  const timesMs: number[] = []
  const timer = setInterval(() => timesMs.push(timeSignatures(key, SIGNATURES_AT_ONCE)), SIGN_EVERY_MS)
  return () => {
    clearInterval(timer)
    if (timesMs.length === 0) timesMs.push(timeSignatures(key, WARM_UP))
    return timesMs.reduce((sum, ms) => sum + ms, 0) / timesMs.length
  }
}

const headers = Buffer.alloc(600, 'x')

/** Milliseconds of processor time for each. */
function timeSignatures(key: KeyObject, count: number): number {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) sign('sha256', headers, key)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / count
}
