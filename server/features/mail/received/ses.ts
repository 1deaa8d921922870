/**
 * Email that SES received for a verified domain, from its SNS notification: the whole message if the notification
 * includes it (up to 150 KB), otherwise its headers. Missing or malformed fields are treated as absent.
 */
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { domainOf } from '../../../kernel/email-address.ts'
import { fingerprintOf } from '../../../platform/mime/fingerprint.ts'
import type { ReceivedEmail } from '../../../platform/mime/message-thread.ts'
import { bareId, type ParsedMessage, storable, UnreadableMessage } from '../../../platform/mime/parse-message.ts'
import { type IncomingMail, receiveMail } from './actions.ts'

const text = z.string().catch('').transform(storable)
const texts = z.array(z.string().transform(storable)).catch([])
const verdict = z
  .object({ status: z.string().regex(/^[A-Z_]{1,30}$/) })
  .catch({ status: 'GRAY' })
  .transform(({ status }) => status)

const Received = z.object({
  content: z.string().optional().catch(undefined),
  mail: z.object({
    messageId: text,
    timestamp: text,
    source: text,
    destination: texts,
    commonHeaders: z
      .object({ from: texts, replyTo: texts, subject: text, messageId: text })
      .catch({ from: [], replyTo: [], subject: '', messageId: '' }),
  }),
  receipt: z
    .object({
      recipients: texts,
      processingTimeMillis: z.number().int().nonnegative().optional().catch(undefined),
      spamVerdict: verdict,
      virusVerdict: verdict,
      spfVerdict: verdict,
      dkimVerdict: verdict,
      dmarcVerdict: verdict,
      action: z.object({ encoding: text }).catch({ encoding: '' }),
    })
    .partial()
    .catch({}),
})

type Received = z.output<typeof Received>

export async function receiveSesMail(ctx: Context, notification: Record<string, unknown>): Promise<void> {
  const read = Received.safeParse(notification)
  const arrival = read.success ? await incomingMailOf(ctx, read.data) : undefined
  if (!arrival || (await receiveMail(ctx, arrival)) === 'no-recipient') {
    ctx.log.info('SES received email for an address that no project accepts')
  }
}

async function incomingMailOf(ctx: Context, { mail, receipt, content }: Received): Promise<IncomingMail | undefined> {
  const raw = content === undefined ? undefined : Buffer.from(content, isBase64(receipt) ? 'base64' : 'utf8')
  const sentTo = recipientDomain({ mail, receipt })
  const email = raw ? await readable(ctx, raw, mail.messageId, sentTo) : await headersAlone(ctx, mail, sentTo)
  if (!email) return undefined
  const at = new Date(mail.timestamp)
  const { recipients = [], processingTimeMillis, action: _, ...verdicts } = receipt
  return {
    sender: mail.source === '<>' ? '' : mail.source,
    recipients: recipients.length > 0 ? recipients : mail.destination,
    ...email,
    hasContent: raw !== undefined,
    at: Number.isNaN(at.getTime()) ? ctx.clock.now() : at,
    findVerdicts: async () => ({ ...NO_VERDICT, ...verdicts }),
    processingTimeMillis,
    startedAt: performance.now(),
  }
}

const NO_VERDICT = {
  spamVerdict: 'GRAY',
  virusVerdict: 'GRAY',
  spfVerdict: 'GRAY',
  dkimVerdict: 'GRAY',
  dmarcVerdict: 'GRAY',
}

const isBase64 = ({ action }: Received['receipt']) => action?.encoding.toUpperCase() === 'BASE64'

/** SES has one network for all senders, so the domains of recipients have turns. */
const recipientDomain = ({ mail, receipt }: Pick<Received, 'mail' | 'receipt'>): string =>
  domainOf(receipt.recipients?.[0] ?? mail.destination[0] ?? '')

const readable = (ctx: Context, raw: Buffer, arrival: string, sentTo: string): Promise<ReceivedEmail | undefined> =>
  ctx.messageReader.receive(raw, arrival, sentTo).catch((error: unknown) => {
    if (error instanceof UnreadableMessage && !error.isTimeout) return undefined
    throw error
  })

/** SES has decoded these; line breaks in them would create further headers. */
async function headersAlone(
  ctx: Context,
  { commonHeaders, messageId }: Received['mail'],
  sentTo: string,
): Promise<ReceivedEmail> {
  const line = (value = '') => value.replaceAll(/[\r\n]+/g, ' ')
  const lines = [`From: ${line(commonHeaders.from[0])}`, `Reply-To: ${line(commonHeaders.replyTo[0])}`]
  const message: ParsedMessage = {
    ...(await ctx.messageReader.parse(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), sentTo)),
    subject: line(commonHeaders.subject),
    messageId: bareId(line(commonHeaders.messageId)) || messageId,
    html: undefined,
    text: undefined,
    headers: [],
  }
  const fingerprint = fingerprintOf(message, Buffer.from(messageId), messageId)
  return { message, attachments: new TextEncoder().encode('[]'), html: '', fingerprint }
}
