/**
 * Ids are UUIDv7: the first 48 bits are the time in milliseconds, so an id sorts by creation,
 * a keyset page needs no second column, and a table partitioned by id is partitioned by time.
 */
import { createHash, randomFillSync } from 'node:crypto'

const pool = new Uint8Array(16 * 256)
let poolOffset = pool.length
let lastMs = 0
let sequence = 0

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const SEQUENCE_MAX = 0xfff
const BORROWED_MS_MAX = 1000

/** A new id for the given time. Ids that one process creates in the same millisecond keep their order. */
export function newId(at: Date): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  const random = pool.subarray(poolOffset, poolOffset + 16)
  poolOffset += 16

  const ahead = lastMs - at.getTime()
  if (ahead >= 0 && ahead < BORROWED_MS_MAX) {
    if (++sequence > SEQUENCE_MAX) {
      lastMs++ // the counter is full: borrow the next millisecond
      sequence = 0
    }
  } else {
    lastMs = at.getTime()
    sequence = ((random[6]! & 0x07) << 8) | random[7]! // starts in the lower half, so that it can count up
  }
  return format(lastMs, sequence, random)
}

function format(ms: number, counter: number, random: Uint8Array): string {
  const time = ms.toString(16).padStart(12, '0')
  const variant = hex[(random[8]! & 0x3f) | 0x80]! + hex[random[9]!]!
  let node = ''
  for (let i = 10; i < 16; i++) node += hex[random[i]!]!
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}-${node}`
}

/** The smallest id of a moment: a partition's bound, or the start of a time range over ids. */
export function firstIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The time in an id. */
export const timeOfId = (id: string): Date => new Date(msOfId(id))

/** The same in milliseconds. */
export const msOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** An id that sorts next to another one and is always the same for the same seed; `derive_id` in SQL does the same. */
export function deriveId(other: string, seed: string): string {
  const hash = createHash('md5')
    .update(other + seed)
    .digest('hex')
  const variant = '89ab'[Number.parseInt(hash[0]!, 16) & 3]
  return `${other.slice(0, 14)}7${other.slice(15, 19)}${variant}${hash.slice(1, 4)}-${hash.slice(4, 16)}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isId = (text: string): boolean => UUID.test(text)
