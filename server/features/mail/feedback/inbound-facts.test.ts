import { expect, it } from 'vitest'
import { hopsOf, isAutomaticReply, keptHeaders, ownIdIn } from './inbound-facts.ts'

const ID = '01a1dd1f-5566-7386-9343-5429898a495c'

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

it('hops are counted, and our own Message-IDs are recognized', () => {
  expect(hopsOf(Array.from({ length: 3 }, () => ({ name: 'RECEIVED', value: '' })))).toBe(3)
  expect(ownIdIn(`${ID.toUpperCase()}@example.com`)).toBe(ID)
  expect(ownIdIn(`x${ID}@example.com`)).toBeNull()
  expect(ownIdIn(ID)).toBeNull()
  expect(ownIdIn('')).toBeNull()
})
