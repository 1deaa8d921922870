/**
 * A double of Amazon SNS: messages signed with a key whose certificate is served on loopback by a server that records
 * its requests.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const size = body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0')
  const length = body.length < 0x80 ? [body.length] : [0x80 | (size.length / 2), ...Buffer.from(size, 'hex')]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const SHA256_WITH_RSA = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'))
const named = (name: string) =>
  sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name)))))
const moment = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`))

export const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:feedback'

const DAY_MS = 24 * 3_600_000

/** Self-signed, in PEM. */
export function makeCertificate(
  keys: { publicKey: KeyObject; privateKey: KeyObject },
  from = new Date(Date.now() - DAY_MS),
  to = new Date(Date.now() + 365 * DAY_MS),
): string {
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    SHA256_WITH_RSA,
    named('sns.amazonaws.com'),
    sequence(moment(from), moment(to)),
    named('sns.amazonaws.com'),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, keys.privateKey)
  const certificate = sequence(content, SHA256_WITH_RSA, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

export const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Fields in the order in which SNS signs them. */
const SIGNED = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']

export function signMessage<M extends Record<string, unknown>>(message: M, key: KeyObject, version: '1' | '2') {
  const fields = SIGNED.filter((field) => message[field] !== undefined)
  const text = fields.map((field) => `${field}\n${message[field]}\n`).join('')
  const signature = sign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256', Buffer.from(text), key)
  return { ...message, SignatureVersion: version, Signature: signature.toString('base64') }
}

export async function openSns() {
  const keys = makeKeys()
  const files: Record<string, string> = { '/good.pem': makeCertificate(keys) }
  const asked: string[] = []
  let hold: Promise<void> | undefined
  const server = createServer(async (request, reply) => {
    asked.push(request.url!)
    await hold
    const path = request.url!.split('?')[0]!
    if (path === '/moved.pem') return reply.writeHead(302, { location: '/good.pem' }).end()
    if (path === '/broken.pem') return reply.writeHead(500).end()
    const text = path === '/confirm' ? '<ConfirmSubscriptionResponse/>' : files[path]
    return text === undefined ? reply.writeHead(404).end() : reply.writeHead(200).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  let counter = 0

  return {
    host,
    keys,
    files,
    asked,
    /** Doesn't respond until the returned function is called. */
    pause() {
      let resume!: () => void
      hold = new Promise((resolve) => {
        resume = resolve
      })
      return resume
    },
    /** A message as SNS sends it; `over` replaces fields before it is signed. */
    message(over: Record<string, unknown> = {}, version: '1' | '2' = '2', key = keys.privateKey) {
      const message = {
        Type: 'Notification',
        MessageId: `message-${++counter}`,
        TopicArn: TOPIC,
        Timestamp: new Date().toISOString(),
        Message: '{}',
        SigningCertURL: `http://${host}/good.pem`,
        ...over,
      }
      return signMessage(message, key, version)
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
