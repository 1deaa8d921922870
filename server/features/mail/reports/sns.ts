/**
 * Receives Amazon SNS messages. Nothing in a message is trusted and no URL in it is fetched before its signature is
 * verified, and the signature is checked only if the certificate is from SNS and the topic is configured. Certificates
 * are cached for a day; redirects are not followed, and responses are limited in size.
 */
import { X509Certificate } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { badRequest, forbidden, Refusal } from '../../../kernel/errors.ts'
import { storeMessage } from './queries.ts'
import { readSesNotification } from './ses-notification.ts'
import { certificateAddress, hasSignatureForm, isSignedBy, SnsMessage, snsAddress } from './sns-message.ts'

const FETCH_MS = 5_000
const AGE_MAX_MS = 3_600_000
const BYTES_MAX = 64 * 1024
const KEPT_MS = 24 * 3_600_000
/**
 * There are only a few certificates. More, including those being fetched, indicate an attack: then only cached ones are
 * used.
 */
const KEPT_MAX = 50

interface Kept {
  at: number
  certificate: Promise<X509Certificate | undefined>
}

export type SnsReceiver = ReturnType<typeof createSnsReceiver>

export function createSnsReceiver(ctx: Context) {
  const kept = new Map<string, Kept>()

  /** Undefined if there is no certificate at this URL. Throws a refusal that SNS retries if it can't be fetched now. */
  function findCertificate(url: URL): Promise<X509Certificate | undefined> {
    const now = ctx.clock.now().getTime()
    const found = kept.get(url.href)
    if (found && now - found.at < KEPT_MS) return found.certificate

    if (!found && kept.size >= KEPT_MAX) return Promise.reject(retryLater())
    const certificate = fetchCertificate(ctx, url)
    kept.set(url.href, { at: now, certificate })
    const forget = () => kept.get(url.href)?.certificate === certificate && kept.delete(url.href)
    certificate.then((read) => read ?? forget(), forget)
    return certificate
  }

  async function requireSignature(message: SnsMessage): Promise<void> {
    const { SNS_TRUSTED_HOSTS: hosts, SNS_TOPIC_ARNS: topics } = ctx.settings
    const address = certificateAddress(message.SigningCertURL, hosts)
    if (!address) throw forbidden('The signing certificate is not hosted by SNS.')
    if (topics.length > 0 && !topics.includes(message.TopicArn)) throw forbidden('This topic is not in SNS_TOPIC_ARNS.')
    if (!hasSignatureForm(message)) throw badSignature()
    refuseStale(message, ctx.clock.now())
    if (topics.length === 0) refuseUnnamed(message)
    const certificate = await findCertificate(address)
    if (!certificate || !isSignedBy(message, certificate, ctx.clock.now())) throw badSignature()
  }

  return {
    async take(text: string, isRaw: boolean): Promise<void> {
      if (isRaw) throw forbidden('Raw messages are not signed. Turn off raw message delivery for this subscription.')
      const message = readMessage(text)
      await requireSignature(message)
      if (message.Type === 'SubscriptionConfirmation') await confirmSubscription(ctx, message)
      if (message.Type === 'UnsubscribeConfirmation') {
        ctx.log.warn(
          { topic: message.TopicArn },
          'an SNS topic was unsubscribed; its notifications will no longer be received',
        )
      }
      const body = message.Type === 'Notification' ? message.Message : null
      const encrypted = body === null ? null : ctx.secrets.encryptJson(message.MessageId, body)
      await storeMessage(
        ctx.db,
        { id: message.MessageId, topicArn: message.TopicArn, body: encrypted ? null : body, encrypted },
        ctx.clock.now(),
      )
    },
  }
}

/** SNS stops retrying after about an hour, so an older message was recorded by someone and is replayed. */
function refuseStale({ Timestamp }: SnsMessage, now: Date): void {
  const ageMs = now.getTime() - Date.parse(Timestamp)
  if (Math.abs(ageMs) < AGE_MAX_MS) return
  throw forbidden('The message was not sent within the last hour. Send a new one.')
}

/**
 * Anyone can have Amazon sign the messages of their own topic. Without configured topics, such a message must not
 * create received email or have a URL fetched.
 */
function refuseUnnamed(message: SnsMessage): void {
  const isReceived = message.Type === 'Notification' && readSesNotification(message.Message)?.kind === 'received'
  if (message.Type !== 'SubscriptionConfirmation' && !isReceived) return
  const what = isReceived ? 'Received email is' : 'Subscriptions are'
  throw forbidden(
    `${what} accepted only from topics in SNS_TOPIC_ARNS. If ${message.TopicArn} is your topic, add it there.`,
  )
}

function readMessage(text: string): SnsMessage {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refusal('bad-request', 'INVALID_REQUEST_BODY', 'The body is not valid JSON.')
  }
  const read = SnsMessage.safeParse(json)
  if (!read.success || text.includes('\\u0000')) throw badRequest('The body is not an Amazon SNS message.')
  return read.data
}

const badSignature = () => forbidden('The signature of this message is invalid.')

/** SNS sends notifications only after its confirmation URL was fetched. */
async function confirmSubscription(ctx: Context, message: SnsMessage): Promise<void> {
  const address = snsAddress(message.SubscribeURL ?? '', ctx.settings.SNS_TRUSTED_HOSTS)
  if (!address) throw forbidden('The SubscribeURL is not hosted by SNS.')
  if ((await fetchText(ctx, address)) === undefined)
    throw badRequest('SNS did not accept the subscription confirmation.')
  ctx.log.info({ topic: message.TopicArn }, 'an SNS topic was subscribed')
}

async function fetchCertificate(ctx: Context, url: URL): Promise<X509Certificate | undefined> {
  const text = await fetchText(ctx, url)
  try {
    return text === undefined ? undefined : new X509Certificate(text)
  } catch {
    return undefined // not a certificate
  }
}

/** The text at an SNS URL; undefined if there is none. */
async function fetchText(ctx: Context, url: URL): Promise<string | undefined> {
  try {
    const reply = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_MS) })
    if (reply.status >= 500) throw new Error(`status ${reply.status}`)
    if (reply.status === 200) return await readUpTo(reply, BYTES_MAX)
    await reply.body?.cancel()
    return undefined
  } catch (error) {
    if (hasNoSuchHost(error)) return undefined
    ctx.log.warn({ reason: String(error), host: url.host }, 'an SNS URL could not be fetched')
    throw retryLater()
  }
}

const retryLater = () =>
  new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'SNS could not be reached to verify this message.', {
    suggestion: 'Nothing was changed. Send the message again later.',
    details: { retryAfter: 60 },
  })

async function readUpTo(reply: Response, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const hasNoSuchHost = (error: unknown): boolean =>
  ['ENOTFOUND', 'EAI_AGAIN'].includes(String((error as { cause?: { code?: unknown } }).cause?.code))
