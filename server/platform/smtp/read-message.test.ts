import { expect, it } from 'vitest'
import { createRoom, type Room, readMessage } from './read-message.ts'
import type { SmtpRefusal } from './refusal.ts'

async function* from(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

/** How much a sender can still take. */
function leftFor(room: Room, sender: string): number {
  let left = 0
  while (room.take(sender, 1) === 'reserved') left++
  room.release(sender, left)
  return left
}

const refusalOf = (stream: AsyncIterable<Buffer>, maxBytes = 100, room = createRoom(1_000, maxBytes)) =>
  readMessage(stream, maxBytes, room, 'a').then(
    () => undefined,
    (error: SmtpRefusal) => ({ code: error.responseCode, disconnect: error.disconnect, left: leftFor(room, 'a') }),
  )

it('a message is read unchanged, and its memory is counted until it has been handled', async () => {
  const room = createRoom(80, 20)
  const { raw, release } = await readMessage(from('a: b\r', '\n\r\nc', '\r\n'), 20, room, 'a')
  expect(raw.toString()).toBe('a: b\r\n\r\nc\r\n')
  expect(leftFor(room, 'a')).toBe(9)
  release()
  release()
  expect(leftFor(room, 'a')).toBe(20)
})

it.each([
  ['at the very start', ['\na']],
  ['in the middle', ['a\r\nb\nc\r\n']],
  ['at the start of a chunk', ['a\r\nb', '\nc\r\n']],
  ['before the dot that some take for the end', ['a\r\n', 'b\n.\r\nMAIL FROM:<x>\r\n']],
])('a message with a bare line feed %s is refused', async (_where, chunks) => {
  expect(await refusalOf(from(...chunks))).toEqual({ code: 550, disconnect: false, left: 250 })
})

it('a message over the size limit is read to its end and refused; an endless one is cut off', async () => {
  expect(await refusalOf(from('x'.repeat(60), 'y'.repeat(60)))).toEqual({ code: 552, disconnect: false, left: 250 })
  expect(await refusalOf(from('x'.repeat(150), 'y'.repeat(60)))).toEqual({ code: 552, disconnect: true, left: 250 })
})

it('one sender takes at most a quarter of the memory, and the others are refused only if all of it is used', async () => {
  const room = createRoom(400, 100)
  const read = (sender: string, bytes: number) => readMessage(from('x'.repeat(bytes)), 100, room, sender)
  const first = [await read('a', 60), await read('a', 40)]
  await expect(read('a', 1)).rejects.toMatchObject({
    responseCode: 452,
    message: expect.stringContaining('from you at the same time. Try again in a minute'),
  })
  for (const sender of ['b', 'c', 'd']) expect((await read(sender, 100)).raw.length).toBe(100)
  await expect(read('e', 1)).rejects.toMatchObject({
    responseCode: 452,
    message: '4.3.1 Too many messages are being received. Try again in a minute.',
  })
  for (const { release } of first) release()
  expect((await read('e', 100)).raw.length).toBe(100)
})

it('there is room for four messages of the maximum size', () => {
  expect(leftFor(createRoom(10, 100), 'a')).toBe(100)
})

it('a broken connection releases its memory', async () => {
  const room = createRoom(40, 10)
  async function* broken() {
    yield Buffer.from('abc')
    throw new Error('gone')
  }
  await expect(readMessage(broken(), 100, room, 'a')).rejects.toThrow('gone')
  expect(leftFor(room, 'a')).toBe(10)
})
