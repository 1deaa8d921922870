import { expect, it } from 'vitest'
import { textStream, withoutAddresses, writtenTogether } from './log.ts'

function written(entry: object): string {
  const parts: string[] = []
  const out = { write: (part: string) => parts.push(part) > 0 }
  textStream(out as NodeJS.WritableStream).write(JSON.stringify({ level: 30, time: 0, ...entry }))
  return parts.join('')
}

it('a text log escapes line breaks and control characters in input', () => {
  const hostile = 'a\r\n00:00:00 info  forged\u001b[2J\u0085\u2028b'
  const text = written({ msg: `m ${hostile}`, agent: hostile })
  expect(text.match(/[\p{Cc}\u2028]/gu)).toEqual(['\n'])
  expect(text).toContain('agent=a\\u000d\\u000a00:00:00 info  forged\\u001b[2J\\u0085\\u2028b')
})

it('a text log shows the stack of an error on separate lines, without control characters', () => {
  const text = written({ msg: 'failed', err: { stack: 'Error: x\u001b[31m\n    at y' } })
  expect(text).toBe('00:00:00 info  failed\n  Error: x\\u001b[31m\n    at y\n')
})

it.each([
  ['550 5.1.1 <ada.l+x@mail.example.org>: rejected', '550 5.1.1 <…@mail.example.org>: rejected'],
  ['a\nada@example.org', 'a\n…@example.org'],
  ['tab\tüñï@exämple.org "ada"@x', 'tab\t…@exämple.org "ada"@x'],
  ['C:\\user@example.org', 'C:\\…@example.org'],
  ['no "quoted user"@example.org, "@example.org', 'no …@example.org, "@example.org'],
  ['@example.org', '@example.org'],
  ['node_modules/@scope/name and v@1.2.3', 'node_modules/@scope/name and v@1.2.3'],
  ['quotes \\" and \u2028 stay', 'quotes \\" and \u2028 stay'],
])('only the domain of an address in %j is logged', (text, logged) => {
  const lines: string[] = []
  const stream = withoutAddresses({ write: (line) => void lines.push(line) })
  stream.write(JSON.stringify({ msg: text, deep: { err: { message: text } } }))
  expect(JSON.parse(lines[0]!)).toEqual({ msg: logged, deep: { err: { message: logged } } })
})

it('the lines of a turn of the event loop are written together, in order', async () => {
  const written: string[] = []
  const stream = writtenTogether({ write: (text) => void written.push(text) })
  stream.write('{"n":1}\n')
  stream.write('{"n":2}\n')
  expect(written).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  expect(written).toEqual(['{"n":1}\n{"n":2}\n'])
  stream.write('{"n":3}\n')
  process.listeners('exit').at(-1)?.(0)
  expect(written.join('')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
})
