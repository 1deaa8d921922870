import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMessageReader, type MessageReader, readingMs } from './message-reader.ts'

const MEGABYTE = 1024 * 1024
/** What is tested is the order, so a slow machine may take longer than users would wait. */
const MINUTE_MS = 60_000
const SMALL = Buffer.from('From: a@example.org\r\nSubject: Hi\r\n\r\nHello\r\n')
const LARGE = Buffer.from(`From: a@example.org\r\n\r\n${'Some words in a line.\r\n'.repeat(3_000)}`)

let reader: MessageReader
beforeAll(async () => {
  reader = createMessageReader({ INBOUND_MAX_MB: 25, MESSAGE_MAX_MB: 40 }, () => MINUTE_MS)
})
afterAll(() => reader.close())

it('a message below a megabyte may take two seconds, a larger one ten', () => {
  expect(readingMs({ raw: Buffer.alloc(MEGABYTE - 1) })).toBe(2_000)
  expect(readingMs({ raw: Buffer.alloc(MEGABYTE) })).toBe(10_000)
})

describe('while one network sends many messages', () => {
  /** Returns who was served, in order. */
  async function order(one: (owner: string, raw: Buffer) => Promise<unknown>): Promise<string[]> {
    await Promise.all(Array.from({ length: 8 }, (_, i) => one(`owner ${i % 4}`, SMALL))) // the threads have started
    const served: string[] = []
    const start = (owner: string, raw: Buffer) => one(owner, raw).then(() => served.push(owner))
    const hog = Array.from({ length: 30 }, () => start('hog', LARGE))
    await Promise.all([...hog, start('other', SMALL)])
    return served
  }

  it('a message from another one is received before most of them', async () => {
    const served = await order((network, raw) => reader.receive(raw, 'arrival', network))
    expect(served.indexOf('other')).toBeLessThan(15)
  })

  it('a message that another project submits is parsed before most of those of one project', async () => {
    const served = await order((projectId, raw) => reader.parse(raw, projectId))
    expect(served.indexOf('other')).toBeLessThan(15)
  })

  it('submitted messages do not wait for received ones', async () => {
    const received = Array.from({ length: 30 }, () => reader.receive(LARGE, 'arrival', 'hog'))
    let left = received.length
    for (const one of received) void one.finally(() => left--)
    await reader.parse(SMALL, 'project')
    expect(left).toBeGreaterThan(10)
    await Promise.all(received)
  })
})
