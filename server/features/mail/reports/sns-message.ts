/**
 * Parses Amazon SNS messages and verifies their signature. Pure: the certificate is passed in. Signed fields must be
 * single lines, so that no value can be mistaken for two fields.
 */
import { verify, type X509Certificate } from 'node:crypto'
import { z } from 'zod'

const line = z
  .string()
  .min(1)
  .max(2_048)
  .regex(/^[^\r\n]*$/, 'Must be a single line.')

export const SnsMessage = z
  .object({
    Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
    MessageId: line.max(200),
    TopicArn: line.max(400),
    Timestamp: line.max(100),
    Message: z.string(),
    Subject: z.string().nullish(),
    Token: line.optional(),
    SubscribeURL: line.optional(),
    // A message without a signature is treated as forged.
    SignatureVersion: line.max(10).catch(''),
    Signature: line.catch(''),
    SigningCertURL: line.catch(''),
  })
  .refine(
    (message) => message.Type === 'Notification' || (message.Token !== undefined && message.SubscribeURL !== undefined),
    'A subscription confirmation requires a Token and a SubscribeURL.',
  )

export type SnsMessage = z.output<typeof SnsMessage>

const ALGORITHMS = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
])
const NOTIFICATION_FIELDS = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const
const CONFIRMATION_FIELDS = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const

function canonicalText(message: SnsMessage): string {
  const fields = message.Type === 'Notification' ? NOTIFICATION_FIELDS : CONFIRMATION_FIELDS
  return fields
    .map((field) => [field, message[field]] as const)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([field, value]) => `${field}\n${value}\n`)
    .join('')
}

/** Whether it can be a signature at all; checked before anything is fetched. */
export const hasSignatureForm = ({ SignatureVersion, Signature }: SnsMessage): boolean =>
  ALGORITHMS.has(SignatureVersion) && /^[A-Za-z0-9+/]{100,}={0,2}$/.test(Signature)

export function isSignedBy(message: SnsMessage, certificate: X509Certificate, now: Date): boolean {
  const algorithm = ALGORITHMS.get(message.SignatureVersion)
  if (!algorithm || certificate.publicKey.asymmetricKeyType !== 'rsa') return false
  if (now < new Date(certificate.validFrom) || now > new Date(certificate.validTo)) return false
  const signature = Buffer.from(message.Signature, 'base64')
  return verify(algorithm, Buffer.from(canonicalText(message), 'utf8'), certificate.publicKey, signature)
}

const SNS_HOST = /^sns\.[a-z0-9-]{3,}\.amazonaws\.com(\.cn)?$/
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * The URL, if it is allowed to be fetched: on an SNS host over https, or on a host that the operator trusts (http only
 * on loopback).
 */
export function snsAddress(text: string, trustedHosts: readonly string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username !== '' || url.password !== '') return undefined
  if (SNS_HOST.test(url.hostname)) return url.protocol === 'https:' && url.port === '' ? url : undefined
  const isTrusted = trustedHosts.some((host) => host === url.host || host === url.hostname)
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
  return isTrusted && isAllowed ? url : undefined
}

/**
 * A file on such a host. On Amazon's hosts only the known form is allowed, because its API can return arbitrary text.
 */
export function certificateAddress(text: string, trustedHosts: readonly string[]): URL | undefined {
  const url = snsAddress(text, trustedHosts)
  if (url?.search !== '' || url.hash !== '') return undefined
  const file = SNS_HOST.test(url.hostname) ? /^\/SimpleNotificationService-[A-Za-z0-9]+\.pem$/ : /\.pem$/
  return file.test(url.pathname) ? url : undefined
}
