import { expect, it } from 'vitest'
import { hopsOf, isAutomaticReply, keptHeaders } from './facts.ts'

it('the stored headers exclude transit and envelope headers and keep the first of each name', () => {
  const headers = [
    { name: 'Received', value: 'from a' },
    { name: 'From', value: 'a@example.org' },
    { name: 'In-Reply-To', value: '<x@y>' },
    { name: 'X-Tag', value: 'one' },
    { name: 'x-tag', value: 'two' },
    { name: 'X-Long', value: 'x'.repeat(999) },
    { name: '__proto__', value: 'polluted' },
  ]
  expect(Object.entries(keptHeaders(headers))).toEqual([
    ['In-Reply-To', '<x@y>'],
    ['X-Tag', 'one'],
    ['__proto__', 'polluted'],
  ])
  expect(Object.keys(keptHeaders(Array.from({ length: 99 }, (_, i) => ({ name: `X-${i}`, value: '' }))))).toHaveLength(
    50,
  )
})

it('automatic replies are distinguished from other automatic email', () => {
  const automatic = (name: string, value: string) => isAutomaticReply([{ name, value }])
  expect(automatic('Auto-Submitted', 'auto-replied (vacation)')).toBe(true)
  expect(automatic('X-Autoreply', 'yes')).toBe(true)
  expect(automatic('Precedence', 'auto_reply')).toBe(true)
  expect(automatic('Auto-Submitted', 'auto-generated')).toBe(false)
  expect(automatic('Auto-Submitted', 'no')).toBe(false)
  expect(automatic('Precedence', 'bulk')).toBe(false)
})

it('hops are counted', () => {
  expect(hopsOf(Array.from({ length: 3 }, () => ({ name: 'RECEIVED', value: '' })))).toBe(3)
})
