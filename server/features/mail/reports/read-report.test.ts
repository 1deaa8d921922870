import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../platform/mime/parse-message.ts'
import { isPermanent, readPlainBounce, readReport, reportAbout } from './read-report.ts'

const report = (type: string, machine: string[], original: string[] = []) =>
  parseMessage(
    Buffer.from(
      [
        'From: MAILER-DAEMON@mx.example.org',
        'Subject: Undelivered Mail',
        `Content-Type: multipart/report; report-type=${type}; boundary=b`,
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'Sorry.',
        '--b',
        `Content-Type: message/${type}`,
        '',
        ...machine,
        '--b',
        'Content-Type: text/rfc822-headers',
        '',
        ...original,
        '--b--',
        '',
      ].join('\r\n'),
    ),
  )

const dsn = async (...fields: string[]) =>
  readReport(await report('delivery-status', ['Reporting-MTA: dns; mx.example.org', '', ...fields]))?.report

describe('a delivery report', () => {
  it("for an unknown user is a permanent bounce with the remote server's response", async () => {
    const fields = [
      'Final-Recipient: rfc822; nobody@example.org',
      'Action: failed',
      'Status: 5.0.0',
      'Diagnostic-Code: smtp; 550 5.1.1 <nobody@example.org>:',
      '    no such user',
    ]
    expect(await dsn(...fields)).toEqual({
      kind: 'bounce',
      permanent: true,
      response: '550 5.1.1 <nobody@example.org>: no such user',
    })
  })

  it('after days of retries is a transient bounce', async () => {
    expect(await dsn('Action: failed', 'Status: 4.4.7')).toEqual({
      kind: 'bounce',
      permanent: false,
      response: '4.4.7',
    })
  })

  it('about a delay, a delivery or something else is not a bounce', async () => {
    expect(await dsn('Action: delayed', 'Status: 4.4.1')).toEqual({ kind: 'deferred', response: '4.4.1' })
    expect(await dsn('Action: delivered', 'Status: 2.0.0')).toEqual({ kind: 'delivered', response: '2.0.0' })
    expect(await dsn('Action: relayed', 'Status: 2.0.0')).toEqual({ kind: 'nothing' })
    expect(await dsn('Status: 5.1.1')).toEqual({ kind: 'nothing' })
  })

  it('about several recipients uses the worst result', async () => {
    const fields = ['Action: delivered', 'Status: 2.0.0', '', 'Action: Failed (bad)', 'Status: 5.1.1']
    expect(await dsn(...fields)).toMatchObject({ kind: 'bounce', permanent: true })
  })

  it('contains the message it is about', async () => {
    const read = readReport(
      await report(
        'delivery-status',
        ['Final-Recipient: rfc822; A@example.org', 'Action: failed', 'Status: 5.1.1'],
        ['Return-Path: <b-x@bounces.example.com>', 'Message-ID: <id@example.com>'],
      ),
    )
    expect(read?.about).toEqual({
      returnPaths: ['b-x@bounces.example.com'],
      messageId: 'id@example.com',
      recipients: [['a@example.org']],
      outcomes: [expect.objectContaining({ kind: expect.any(String) })],
    })
  })
})

describe('a complaint report', () => {
  it('is recognized by its feedback type, and "not spam" is not a complaint', async () => {
    const arf = async (...fields: string[]) => readReport(await report('feedback-report', fields))
    expect(await arf('Feedback-Type: abuse', 'Original-Mail-From: <b-x@bounces.example.com>')).toEqual({
      report: { kind: 'complaint', response: 'abuse' },
      about: { returnPaths: ['b-x@bounces.example.com'], messageId: '', recipients: [[]], outcomes: [] },
    })
    expect((await arf('Feedback-Type: Not-Spam'))?.report).toEqual({ kind: 'nothing' })
    expect((await arf('Version: 1'))?.report).toEqual({ kind: 'complaint', response: 'abuse' })
  })
})

it.each([
  ['5.1.1', true],
  ['5.1.2', true],
  ['5.2.1', true],
  ['5.0.0', true],
  ['5.4.4', true],
  ['5.1.8', false],
  ['5.2.2', false],
  ['5.2.3', false],
  ['5.3.4', false],
  ['5.6.1', false],
  ['5.7.1', false],
  ['4.1.1', false],
  ['4.4.7', false],
  ['', false],
])('status %s means a permanently invalid address: %s', (status, expected) =>
  expect(isPermanent(status)).toBe(expected),
)

describe('a bounce without a standard format', () => {
  const plain = async (subject: string, text: string, from = 'MAILER-DAEMON@mx.example.org') =>
    readPlainBounce(await parseMessage(Buffer.from(`From: ${from}\r\nSubject: ${subject}\r\n\r\n${text}`)))

  it('is classified by the first status code in it', async () => {
    expect(await plain('failure notice', 'Hi.\r\n192.0.2.1 does not like recipient.\r\n550 5.1.1 unknown')).toEqual({
      kind: 'bounce',
      permanent: true,
      response: '550 5.1.1 unknown',
    })
    expect(await plain('failure notice', 'Remote host said: 452 mailbox full')).toMatchObject({ permanent: false })
  })

  it('is ignored without a status code, such as an automatic reply', async () => {
    expect(await plain('Out of office', 'I am away, call 550 1234', 'ada@example.org')).toEqual({ kind: 'nothing' })
    expect(await plain('Notice', 'Delivered: 2.0.0')).toEqual({ kind: 'nothing' })
    expect(await plain('Notice', 'Wait until 5 May 2026')).toEqual({ kind: 'nothing' })
  })
})

it('an ordinary message is not a report', async () => {
  expect(readReport(await parseMessage(Buffer.from('Subject: Hi\r\n\r\nx')))).toBeUndefined()
})

describe('a report about an email with copies', () => {
  const block = (email: string, action: string, status: string) => [
    '',
    `Final-Recipient: rfc822; ${email}`,
    `Action: ${action}`,
    `Status: ${status}`,
  ]
  const about = async (...blocks: string[][]) => {
    const { report: whole, about } = readReport(
      await report('delivery-status', ['Reporting-MTA: dns; mx', ...blocks.flat()]),
    )!
    return reportAbout('to@example.org', whole, about)
  }

  it('has no effect if it is about a copy', async () => {
    expect(await about(block('cc@example.org', 'failed', '5.1.1'))).toEqual({
      own: { kind: 'nothing' },
      others: ['cc@example.org (bounce): 5.1.1'],
    })
  })

  it('has the outcome of the recipient in `to` alone', async () => {
    const blocks = [block('cc@example.org', 'failed', '5.1.1'), block('to@example.org', 'delivered', '2.0.0')]
    expect(await about(...blocks)).toMatchObject({
      own: { kind: 'delivered' },
      others: ['cc@example.org (bounce): 5.1.1'],
    })
    expect(await about(block('to@example.org', 'failed', '5.1.1'))).toMatchObject({
      own: { kind: 'bounce', permanent: true },
      others: [],
    })
  })

  it('has no effect if it names nobody', () => {
    const bounce = { kind: 'bounce', permanent: true, response: '550 no' } as const
    expect(reportAbout('to@example.org', bounce, undefined)).toEqual({
      own: { kind: 'nothing' },
      others: ['bounce: 550 no'],
    })
  })
})
