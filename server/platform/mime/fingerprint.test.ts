import { expect, it } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'
import { parseMessage } from './parse-message.ts'

it('the fingerprint of a message ignores headers that servers add, and differs if the message differs', async () => {
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
