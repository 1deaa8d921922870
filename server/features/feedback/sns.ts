/**
 * The door for Amazon SNS. Nothing that a message says is believed, and no address in it visited, before its signature
 * holds; and its signature is looked at only if the certificate is SNS's and the topic is one we listen to.
 */
import type { Context } from '../../context.ts'
import { badRequest, forbidden, Refusal } from '../../kernel/errors.ts'
import { fetchText, findCertificate } from './certificates.ts'
import { keepMessage } from './queries.ts'
import { certificateAddress, hasSignatureForm, isSignedBy, SnsMessage, snsAddress } from './sns-message.ts'

export async function takeSnsMessage(ctx: Context, text: string, isRaw: boolean): Promise<void> {
  if (isRaw) throw forbidden('Raw message delivery is not signed. Turn it off for this subscription.')
  const message = readMessage(text)
  await requireSignature(ctx, message)
  if (message.Type === 'SubscriptionConfirmation') await confirmSubscription(ctx, message)
  if (message.Type === 'UnsubscribeConfirmation') {
    ctx.log.warn({ topic: message.TopicArn }, 'an SNS topic was unsubscribed: its notifications no longer come')
  }
  const body = message.Type === 'Notification' ? message.Message : null
  await keepMessage(ctx.db, { id: message.MessageId, topicArn: message.TopicArn, body }, ctx.clock.now())
}

function readMessage(text: string): SnsMessage {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refusal('bad-request', 'INVALID_REQUEST_BODY', 'The body is not valid JSON.')
  }
  const read = SnsMessage.safeParse(json)
  if (!read.success || text.includes('\\u0000')) throw badRequest('The body is not a message of Amazon SNS.')
  return read.data
}

async function requireSignature(ctx: Context, message: SnsMessage): Promise<void> {
  const { SNS_TRUSTED_HOSTS: hosts, SNS_TOPIC_ARNS: topics } = ctx.settings
  const address = certificateAddress(message.SigningCertURL, hosts)
  if (!address) throw forbidden('The signing certificate is not on a host of SNS.')
  if (topics.length > 0 && !topics.includes(message.TopicArn)) throw forbidden('This topic is not in SNS_TOPIC_ARNS.')
  if (!hasSignatureForm(message)) throw badSignature()
  const certificate = await findCertificate(ctx, address)
  if (!certificate || !isSignedBy(message, certificate, ctx.clock.now())) throw badSignature()
}

const badSignature = () => forbidden('The signature of this message does not hold.')

/** SNS sends notifications only once its address was visited. */
async function confirmSubscription(ctx: Context, message: SnsMessage): Promise<void> {
  const address = snsAddress(message.SubscribeURL ?? '', ctx.settings.SNS_TRUSTED_HOSTS)
  if (!address) throw forbidden('The address to confirm the subscription is not on a host of SNS.')
  if ((await fetchText(ctx, address)) === undefined) throw badRequest('SNS did not take the confirmation.')
  ctx.log.info({ topic: message.TopicArn }, 'an SNS topic was subscribed')
}
