/**
 * Parses SES notifications in both formats: notifications (`notificationType`) and event publishing (`eventType`). Pure
 * and lenient: missing or malformed fields are treated as absent.
 */

import { z } from 'zod'
import { normalizeEmail } from '../../../kernel/email-address.ts'
import { bareId } from '../../../platform/mime/parse-message.ts'
import { isComplaint } from './read-report.ts'

/**
 * What happened to an email. `providerId` is the id assigned by SES; `ownId` is the Message-ID that the email had when
 * it was sent to SES, if SES includes it.
 */
export type SesNotification = {
  providerId: string
  ownId: string | undefined
  at: Date | undefined
  /** The recipients that it is about; empty if SES doesn't name them. */
  recipients: string[]
} & (
  | { kind: 'delivery'; response: string | undefined }
  | { kind: 'bounce'; permanent: boolean; response: string | undefined }
  | { kind: 'complaint'; response: string | undefined }
  | { kind: 'open'; agent: string }
  | { kind: 'click'; agent: string; link: string }
  /** Recorded for the timeline only. */
  | { kind: 'deferred' | 'rejected'; response: string }
  /** A received email. */
  | { kind: 'received'; content: Record<string, unknown> }
)

const text = z.string().optional().catch(undefined)
const moment = text.transform((value) => {
  const at = value === undefined ? undefined : new Date(value)
  return at && !Number.isNaN(at.getTime()) ? at : undefined
})
const people = z.array(z.object({ emailAddress: text, diagnosticCode: text })).catch([])
const part = <S extends z.ZodRawShape>(shape: S) => z.object({ timestamp: moment, ...shape }).catch({} as never)

const Notification = z.object({
  notificationType: text,
  eventType: text,
  mail: z.object({
    messageId: z.string().min(1).max(998),
    timestamp: moment,
    commonHeaders: z.object({ messageId: text }).catch({}),
  }),
  delivery: part({ smtpResponse: text, recipients: z.array(z.string()).catch([]) }),
  bounce: part({ bounceType: text, bounceSubType: text, bouncedRecipients: people }),
  complaint: part({ complaintFeedbackType: text, complainedRecipients: people }),
  open: part({ userAgent: text }),
  click: part({ userAgent: text, link: text }),
  reject: part({ reason: text }),
  deliveryDelay: part({ delayType: text, delayedRecipients: people }),
})

/** Undefined for messages that are not from SES or that have no effect. */
export function readSesNotification(json: string): SesNotification | undefined {
  const content = parse(json)
  const read = Notification.safeParse(content)
  if (!read.success) return undefined
  const { mail, delivery, bounce, complaint, open, click, reject, deliveryDelay, ...type } = read.data
  const ownId = mail.commonHeaders.messageId && bareId(mail.commonHeaders.messageId)
  const about = (at: Date | undefined, recipients: string[] = []) => ({
    providerId: mail.messageId,
    ownId,
    at: at ?? mail.timestamp,
    recipients: recipients.map(normalizeEmail),
  })
  switch (type.notificationType ?? type.eventType) {
    case 'Delivery':
      return { kind: 'delivery', ...about(delivery.timestamp, delivery.recipients), response: delivery.smtpResponse }
    case 'Bounce':
      return {
        kind: 'bounce',
        ...about(bounce.timestamp, addressesOf(bounce.bouncedRecipients)),
        permanent: bounce.bounceType === 'Permanent',
        response: responseOf(bounce),
      }
    case 'Complaint': {
      const feedback = complaint.complaintFeedbackType
      if (feedback && !isComplaint(feedback)) return undefined
      return {
        kind: 'complaint',
        ...about(complaint.timestamp, addressesOf(complaint.complainedRecipients)),
        response: feedback,
      }
    }
    case 'Open':
      return { kind: 'open', ...about(open.timestamp), agent: open.userAgent ?? '' }
    case 'Click':
      return { kind: 'click', ...about(click.timestamp), agent: click.userAgent ?? '', link: click.link ?? '' }
    case 'Reject':
      return { kind: 'rejected', ...about(reject.timestamp), response: reject.reason ?? 'SES rejected the message.' }
    case 'DeliveryDelay':
      return {
        kind: 'deferred',
        ...about(deliveryDelay.timestamp, addressesOf(deliveryDelay.delayedRecipients)),
        response: delayReason(deliveryDelay),
      }
    case 'Received':
      return { kind: 'received', ...about(undefined), content: content as Record<string, unknown> }
    default: // Send, and unknown types
      return undefined
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined // SNS also delivers plain text, such as the first message of a new topic
  }
}

/** SES may write `Ada <ada@example.org>`. */
const addressesOf = (given: z.output<typeof people> = []): string[] =>
  given.flatMap(({ emailAddress = '' }) => /[^\s<>]+@[^\s<>]+/.exec(emailAddress)?.[0] ?? [])

type Part<K extends 'bounce' | 'deliveryDelay'> = Partial<z.output<typeof Notification>[K]>

const responseOf = ({ bouncedRecipients, bounceType, bounceSubType }: Part<'bounce'>): string | undefined =>
  bouncedRecipients?.find((recipient) => recipient.diagnosticCode)?.diagnosticCode ??
  ([bounceType, bounceSubType].filter(Boolean).join(', ') || undefined)

const delayReason = ({ delayedRecipients, delayType }: Part<'deliveryDelay'>): string =>
  delayedRecipients?.find((recipient) => recipient.diagnosticCode)?.diagnosticCode ?? delayType ?? 'Delayed.'
