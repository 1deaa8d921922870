import { expect, it } from 'vitest'
import { textStream } from './log.ts'

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
