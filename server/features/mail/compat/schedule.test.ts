import { expect, it } from 'vitest'
import { mailgunTime, resendTime, unixTime } from './schedule.ts'

const now = new Date('2026-11-18T09:00:00.000Z')

it.each([
  ['in 10 minutes', '2026-11-18T09:10:00.000Z'],
  ['in an hour', '2026-11-18T10:00:00.000Z'],
  ['In 2 Days', '2026-11-20T09:00:00.000Z'],
  ['2026-12-01T09:00:00+01:00', '2026-12-01T09:00:00+01:00'],
])('a time of Resend: %s is %s', (text, at) => expect(resendTime(text, now, 'scheduled_at')).toBe(at))

it.each(['in 0 minutes', 'in 5 parsecs', 'tomorrow at 9am', ''])('a time of Resend: %j is refused', (text) => {
  expect(() => resendTime(text, now, 'scheduled_at')).toThrow()
})

it('a time of SendGrid or Mailgun that has passed is now, however long the request takes', () => {
  expect(unixTime(now.getTime() / 1000 + 60, now, 'send_at')).toBe('2026-11-18T09:01:00.000Z')
  for (const passed of [1, now.getTime() / 1000]) expect(unixTime(passed, now, 'send_at')).toBeUndefined()
  expect(mailgunTime('Wed, 18 Nov 2026 10:01:00 +0100', now, 'o:deliverytime')).toBe('2026-11-18T09:01:00.000Z')
  expect(mailgunTime('Wed, 18 Nov 2026 08:59:59 GMT', now, 'o:deliverytime')).toBeUndefined()
})
