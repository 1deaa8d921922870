import { expect, it } from 'vitest'
import { readMessage } from './read-message.ts'
import type { SmtpRefusal } from './refusal.ts'

async function* from(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

const refusalOf = (stream: AsyncIterable<Buffer>, maxBytes = 100, room = { bytesLeft: 1_000 }) =>
  readMessage(stream, maxBytes, room).then(
    () => undefined,
    (error: SmtpRefusal) => ({ code: error.responseCode, disconnect: error.disconnect, left: room.bytesLeft }),
  )

it('a message is read unchanged, and its memory is counted until it has been handled', async () => {
  const room = { bytesLeft: 20 }
  const { raw, release } = await readMessage(from('a: b\r', '\n\r\nc', '\r\n'), 100, room)
  expect(raw.toString()).toBe('a: b\r\n\r\nc\r\n')
  expect(room.bytesLeft).toBe(9)
  release()
  release()
  expect(room.bytesLeft).toBe(20)
})

it.each([
  ['at the very start', ['\na']],
  ['in the middle', ['a\r\nb\nc\r\n']],
  ['at the start of a chunk', ['a\r\nb', '\nc\r\n']],
  ['before the dot that some take for the end', ['a\r\n', 'b\n.\r\nMAIL FROM:<x>\r\n']],
])('a message with a bare line feed %s is refused', async (_where, chunks) => {
  expect(await refusalOf(from(...chunks))).toEqual({ code: 550, disconnect: false, left: 1_000 })
})

it('a message over the size limit is read to its end and refused; an endless one is cut off', async () => {
  expect(await refusalOf(from('x'.repeat(60), 'y'.repeat(60)))).toEqual({ code: 552, disconnect: false, left: 1_000 })
  expect(await refusalOf(from('x'.repeat(150), 'y'.repeat(60)))).toEqual({ code: 552, disconnect: true, left: 1_000 })
})

it('a message is refused temporarily if there is no memory left', async () => {
  expect(await refusalOf(from('x'.repeat(60)), 100, { bytesLeft: 59 })).toEqual({
    code: 452,
    disconnect: false,
    left: 59,
  })
})

it('a broken connection releases its memory', async () => {
  const room = { bytesLeft: 10 }
  async function* broken() {
    yield Buffer.from('abc')
    throw new Error('gone')
  }
  await expect(readMessage(broken(), 100, room)).rejects.toThrow('gone')
  expect(room.bytesLeft).toBe(10)
})
