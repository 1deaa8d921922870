import { describe, expect, it } from 'vitest'
import { readSesNotification } from './ses-notification.ts'

const MAIL = { messageId: 'ses-1', timestamp: '2026-01-01T00:00:00.000Z' }
const AT = '2026-01-01T00:00:05.000Z'
const about = { providerId: 'ses-1', ownId: undefined, at: new Date(AT), recipients: [] as string[] }
const read = (content: object) => readSesNotification(JSON.stringify({ mail: MAIL, ...content }))

describe.each(['notificationType', 'eventType'])('an SES notification by %s', (key) => {
  it.each([
    [
      'Delivery',
      { delivery: { timestamp: AT, smtpResponse: '250 ok' } },
      { kind: 'delivery', ...about, response: '250 ok' },
    ],
    [
      'Bounce',
      {
        bounce: { timestamp: AT, bounceType: 'Permanent', bouncedRecipients: [{ diagnosticCode: '550 no' }] },
      },
      { kind: 'bounce', ...about, permanent: true, response: '550 no' },
    ],
    [
      'Bounce',
      { bounce: { timestamp: AT, bounceType: 'Transient', bounceSubType: 'MailboxFull', bouncedRecipients: [] } },
      { kind: 'bounce', ...about, permanent: false, response: 'Transient, MailboxFull' },
    ],
    [
      'Bounce',
      {
        bounce: { timestamp: AT, bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: 'Ada <Ada@x.test>' }] },
      },
      { kind: 'bounce', ...about, recipients: ['ada@x.test'], permanent: true, response: 'Permanent' },
    ],
    [
      'Bounce',
      { bounce: { timestamp: AT, bounceType: 'Undetermined' } },
      { kind: 'bounce', ...about, permanent: false, response: 'Undetermined' },
    ],
    [
      'Complaint',
      { complaint: { timestamp: AT, complaintFeedbackType: 'abuse' } },
      { kind: 'complaint', ...about, response: 'abuse' },
    ],
    ['Complaint', { complaint: { timestamp: AT, complaintFeedbackType: 'not-spam' } }, undefined],
    ['Complaint', { complaint: { timestamp: AT, complaintFeedbackType: 'auth-failure' } }, undefined],
    ['Open', { open: { timestamp: AT, userAgent: 'UA' } }, { kind: 'open', ...about, agent: 'UA' }],
    [
      'Click',
      { click: { timestamp: AT, userAgent: 'UA', link: 'https://x.test/' } },
      { kind: 'click', ...about, agent: 'UA', link: 'https://x.test/' },
    ],
    [
      'Reject',
      { reject: { reason: 'Bad content' } },
      { kind: 'rejected', ...about, at: new Date(MAIL.timestamp), response: 'Bad content' },
    ],
    [
      'DeliveryDelay',
      { deliveryDelay: { timestamp: AT, delayType: 'MailboxFull', delayedRecipients: [{}] } },
      { kind: 'deferred', ...about, response: 'MailboxFull' },
    ],
    ['Send', { send: {} }, undefined],
    ['Rendering Failure', {}, undefined],
    ['Something new', {}, undefined],
  ])('about %s is parsed', (type, content, expected) => {
    expect(read({ [key]: type, ...content })).toEqual(expected)
  })
})

it('an SES notification about received email is passed on unchanged', () => {
  const content = {
    notificationType: 'Received',
    mail: MAIL,
    receipt: { recipients: ['a@example.com'] },
    content: 'raw',
  }
  expect(readSesNotification(JSON.stringify(content))).toMatchObject({ kind: 'received', content })
})

it('fields of an unexpected type are treated as absent', () => {
  expect(read({ notificationType: 'Bounce', bounce: 7 })).toMatchObject({ kind: 'bounce', permanent: false })
  expect(read({ notificationType: 'Bounce', bounce: { bouncedRecipients: [7], timestamp: 'never' } })).toMatchObject({
    permanent: false,
    at: new Date(MAIL.timestamp),
  })
  expect(read({ eventType: ['Bounce'] })).toBeUndefined()
  for (const text of [
    '',
    'plain text',
    'null',
    '7',
    '[]',
    '{}',
    '{"mail":{"messageId":""}}',
    '{"mail":{"messageId":7}}',
  ]) {
    expect(readSesNotification(text)).toBeUndefined()
  }
})
