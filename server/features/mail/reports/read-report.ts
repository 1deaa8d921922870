/**
 * Parses reports about emails that we sent: failed deliveries (RFC 3464) and spam complaints (RFC 5965), and bounces of
 * servers that follow no standard. Pure.
 */

import { normalizeEmail } from '../../../kernel/email-address.ts'
import { bareId, type ParsedMessage } from '../../../platform/mime/parse-message.ts'

export type Report =
  | { kind: 'bounce'; permanent: boolean; response: string }
  | { kind: 'delivered' | 'deferred' | 'complaint'; response: string }
  /** A report that changes nothing, such as "not spam". */
  | { kind: 'nothing' }

/** What a report claims to be about; none of it is verified. */
export interface About {
  returnPaths: string[]
  messageId: string
  /** For each outcome in it, the addresses that its recipient has. */
  recipients: string[][]
  /** The outcomes in the same order; none in a complaint. */
  outcomes: Report[]
}

type Fields = Map<string, string>

const STATUS = /\b([245])\.(\d{1,3})\.(\d{1,3})\b/
const REPLY_CODE = /(?:^|[\s;:(])(421|45[012]|55[01234])[ -]/m
/** Those of them that are about the address. */
const ABOUT_ADDRESS = new Set(['550', '551', '553'])
const DAEMON = /^(?:mailer-daemon|mail-daemon|postmaster)@/
const SCANNED_CHARACTERS = 20_000

export function readReport(message: ParsedMessage): { report: Report; about: About } | undefined {
  const part = (...types: string[]) => message.attachments.find(({ contentType }) => types.includes(contentType))
  const feedback = part('message/feedback-report')
  const status = part('message/delivery-status', 'message/global-delivery-status')
  if (!feedback && !status) return undefined
  const original = part('message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers')
  const quoted = original ? (blocksOf(original.content)[0] ?? new Map()) : new Map()
  const feedbackFields = feedback ? (blocksOf(feedback.content)[0] ?? new Map()) : new Map()
  return {
    report: feedback ? complaintIn(feedbackFields) : outcomeIn(blocksOf(status!.content)),
    about: {
      returnPaths: [feedbackFields.get('original-mail-from'), quoted.get('return-path')].flatMap((path) =>
        path ? [bareId(path)] : [],
      ),
      messageId: bareId(quoted.get('message-id') ?? ''),
      recipients: feedback
        ? [addressesIn(feedbackFields.get('original-rcpt-to'), quoted.get('to'))]
        : outcomesIn(blocksOf(status!.content)).map((fields) =>
            addressesIn(fields.get('original-recipient'), fields.get('final-recipient')),
          ),
      outcomes: feedback ? [] : outcomesIn(blocksOf(status!.content)).map((fields) => outcomeIn([fields])),
    },
  }
}

/**
 * The part of a report that is about the recipient in `to` of an email with further recipients, and what it contains about
 * the others, for the timeline. A report that names nobody isn't attributed to anyone.
 */
export function reportAbout(to: string, report: Report, about: About | undefined): { own: Report; others: string[] } {
  const { recipients = [], outcomes = [] } = about ?? {}
  const isOwn = (addresses: string[]) => addresses.includes(to)
  const own = outcomes.length > 0 ? outcomes[recipients.findIndex(isOwn)] : recipients.some(isOwn) ? report : undefined
  const others = recipients.flatMap((addresses, i) => {
    const outcome = outcomes[i] ?? report
    return isOwn(addresses) || !('response' in outcome)
      ? []
      : [`${addresses.at(-1) ?? 'an unknown recipient'} (${outcome.kind}): ${outcome.response}`]
  })
  const unnamed = recipients.length === 0 && 'response' in report ? [`${report.kind}: ${report.response}`] : []
  return { own: own ?? { kind: 'nothing' }, others: [...others, ...unnamed] }
}

const complaintIn = (fields: Fields): Report => {
  const type = fields.get('feedback-type')?.toLowerCase() ?? 'abuse'
  return isComplaint(type) ? { kind: 'complaint', response: type } : { kind: 'nothing' }
}

/** The first block is about the whole message, each further block about one recipient. The worst result counts. */
function outcomeIn(blocks: Fields[]): Report {
  const recipients = outcomesIn(blocks)
  const one = (action: string) => recipients.find((fields) => fields.get('action')!.toLowerCase().startsWith(action))
  const failed = one('failed')
  if (failed) {
    const status = statusOf(failed)
    return { kind: 'bounce', permanent: isPermanent(status), response: responseOf(failed) }
  }
  const delayed = one('delayed')
  if (delayed) return { kind: 'deferred', response: responseOf(delayed) }
  const delivered = one('delivered')
  return delivered ? { kind: 'delivered', response: responseOf(delivered) } : { kind: 'nothing' }
}

const outcomesIn = (blocks: Fields[]): Fields[] => blocks.filter((fields) => fields.has('action'))

/** `rfc822; a@example.org`, `<a@example.org>` or `A <a@example.org>`. */
const addressesIn = (...fields: Array<string | undefined>): string[] =>
  fields.flatMap((field) =>
    [...(field ?? '').matchAll(/[^\s<>;,]+@[^\s<>;,]+/g)].map(([address]) => normalizeEmail(address)),
  )

/** If the reporting server only gives 5.0.0, the response of the remote server often has more detail. */
function statusOf(fields: Fields): string {
  const status = STATUS.exec(fields.get('status') ?? '')?.[0] ?? ''
  const remoteStatus = STATUS.exec(fields.get('diagnostic-code') ?? '')?.[0]
  return remoteStatus && (status === '' || status.endsWith('.0.0')) ? remoteStatus : status || '5.0.0'
}

/**
 * Whether the address is permanently invalid. A full mailbox, a message that is too large or classified as spam, and a
 * blocked sender don't affect the next message: those are transient, as in SES.
 */
export function isPermanent(status: string): boolean {
  const [, kind, subject, detail] = STATUS.exec(status) ?? []
  if (kind !== '5') return false
  if (subject === '1') return detail !== '7' && detail !== '8'
  if (subject === '2') return detail !== '2' && detail !== '3'
  return subject === '0' || subject === '4'
}

const responseOf = (fields: Fields): string =>
  (fields.get('diagnostic-code') ?? fields.get('status') ?? '').replace(/^smtp;\s*/i, '').trim() ||
  'No reason was given.'

/**
 * A bounce in prose, which only counts at an address that only receives bounces. Out-of-office replies are not bounces.
 */
export function readPlainBounce({ text = '', subject, from }: ParsedMessage): Report {
  if (!DAEMON.test(from?.email ?? '')) return { kind: 'nothing' }
  const seen = `${subject}\n${text.slice(0, SCANNED_CHARACTERS)}`
  const status = STATUS.exec(seen)?.[0]
  const code = REPLY_CODE.exec(seen)?.[1]
  if (status?.startsWith('2') || (!status && !code)) return { kind: 'nothing' }
  const line = seen.split('\n').find((one) => STATUS.test(one) || REPLY_CODE.test(one)) ?? ''
  const permanent = status ? isPermanent(status) : ABOUT_ADDRESS.has(code!)
  return { kind: 'bounce', permanent, response: line.trim() }
}

/** Header-like fields in blocks, with folded lines joined. Names are lower-cased; the first occurrence counts. */
function blocksOf(base64: string): Fields[] {
  const text = Buffer.from(base64, 'base64')
    .toString('utf8')
    .replaceAll('\0', '')
    .slice(0, SCANNED_CHARACTERS)
    .toWellFormed()
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((block) => {
      const fields: Fields = new Map()
      for (const line of block.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
        const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line) ?? []
        if (name && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value!.trim())
      }
      return fields
    })
    .filter((fields) => fields.size > 0)
}

/**
 * Feedback reports (RFC 5965, also used by SES) that are not complaints: email that a reader moved out of spam, a
 * failed authentication check (RFC 6591) and a virus.
 */
const NO_COMPLAINT = new Set(['not-spam', 'auth-failure', 'dmarc', 'virus'])

export const isComplaint = (feedbackType: string): boolean => !NO_COMPLAINT.has(feedbackType.trim().toLowerCase())
