import { expect, it } from 'vitest'
import { parseMessage } from '../../platform/mail/parse-message.ts'
import { fingerprintOf, hopsOf, isAutomaticReply, keptHeaders, ownIdIn } from './inbound-facts.ts'

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

it('a fingerprint ignores headers added in transit and differs if the content differs', async () => {
  const fingerprint = async (raw: string, arrival = 'first') =>
    fingerprintOf(await parseMessage(Buffer.from(raw)), Buffer.from(raw), arrival)
  const one = await fingerprint('Message-ID: <a@b>\r\nDate: today\r\n\r\nHello')
  expect(await fingerprint('Received: x\r\nMessage-ID: <a@b>\r\nDate: today\r\n\r\nHello')).toEqual(one)
  const others = ['Message-ID: <a@b>\r\nDate: today\r\n\r\nHello!', 'Message-ID: <c@b>\r\nDate: today\r\n\r\nHello']
  others.push(
    'Message-ID: <a@b>\r\nDate: later\r\n\r\nHello',
    'Date: today\r\n\r\nHello',
    'Date: today\r\nSubject: x\r\n\r\nHello',
    'Date: today\r\nFrom: x\r\n\r\nHello',
    'Subject: x\r\n\r\nHello',
  )
  const all = await Promise.all(others.map(async (raw) => (await fingerprint(raw)).toString('hex')))
  expect(new Set([...all, one.toString('hex')]).size).toBe(others.length + 1)
  const alarm = 'From: disk@example.org\r\nSubject: Full\r\n\r\nHello'
  expect(await fingerprint(alarm)).toEqual(await fingerprint(alarm))
  expect(await fingerprint(alarm, 'second')).not.toEqual(await fingerprint(alarm))
})
