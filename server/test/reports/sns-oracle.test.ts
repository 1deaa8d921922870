/** Our signature check and the library that Amazon publishes give the same result for every message. */
import { X509Certificate } from 'node:crypto'
import https from 'node:https'
import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { hasSignatureForm, isSignedBy, SnsMessage } from '../../features/mail/reports/sns-message.ts'
import { makeCertificate, makeKeys, signMessage } from './sns-signer.ts'

type Validator = new () => { validate(message: object, done: (error: Error | null) => void): void }
const MessageValidator = createRequire(import.meta.url)('sns-validator') as Validator

const keys = makeKeys()
const pem = makeCertificate(keys)

/** The library fetches the certificate from Amazon; here it gets ours. */
beforeAll(() => {
  vi.spyOn(https, 'get').mockImplementation(((_url: string, done: (reply: PassThrough) => void) => {
    const reply = Object.assign(new PassThrough(), { statusCode: 200 })
    done(reply)
    reply.end(pem)
    return new PassThrough()
  }) as never)
})
afterAll(() => vi.restoreAllMocks())

const oracle = (message: object) =>
  new Promise<boolean>((resolve) => new MessageValidator().validate(message, (error) => resolve(error === null)))

function ours(message: object): boolean {
  const read = SnsMessage.safeParse(message)
  return read.success && hasSignatureForm(read.data) && isSignedBy(read.data, new X509Certificate(pem), new Date())
}

const BASE = {
  Type: 'Notification',
  MessageId: 'd1',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:t',
  Timestamp: '2026-01-01T00:00:00.000Z',
  Message: 'Hé 😀\nlines "quoted"',
  SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
}
const CONFIRMATION = { Token: 'token', SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription' }

/** Not an UnsubscribeConfirmation: the library leaves out its Token, contrary to Amazon's documentation. */
const GOOD = (['1', '2'] as const).flatMap((version) =>
  [
    BASE,
    { ...BASE, Subject: 'A subject' },
    { ...BASE, Message: '{"notificationType":"Bounce"}' },
    { ...BASE, ...CONFIRMATION, Type: 'SubscriptionConfirmation' },
  ].map((message) => signMessage(message, keys.privateKey, version)),
)

it.each(GOOD.map((message) => [message]))('sns-validator and our code accept signed messages', async (message) => {
  expect([ours(message), await oracle(message)]).toEqual([true, true])
})

it('sns-validator and our code refuse changed messages', async () => {
  for (const message of GOOD) {
    const changes = [
      ...['Message', 'MessageId', 'TopicArn', 'Timestamp', 'Token', 'SubscribeURL', 'Subject']
        .filter((field) => field in message)
        .map((field) => ({ ...message, [field]: 'changed' })),
      { ...message, Type: message.Type === 'Notification' ? 'UnsubscribeConfirmation' : 'Notification' },
      { ...message, SignatureVersion: message.SignatureVersion === '1' ? '2' : '1' },
      signMessage(message, makeKeys().privateKey, message.SignatureVersion),
    ]
    for (const changed of changes) expect([ours(changed), await oracle(changed)]).toEqual([false, false])
  }
})
