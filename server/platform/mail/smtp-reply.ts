/** What a mail server's answer means for one message: taken, refused for good (and why), worth another try, or nobody's mail gets through. */
import type { MailResult } from './transport.ts'

/** What is known of a failed sending. Every field may be missing: a cable can be pulled at any moment. */
export interface SmtpFailure {
  message: string
  /** What kind of failure it was, in the client's words: EAUTH, ECONNECTION, ETIMEDOUT… */
  code?: string | undefined
  /** The server's answer, code and text. */
  response?: string | undefined
  responseCode?: number | undefined
  /** Which command it answered: MAIL FROM, RCPT TO, DATA … */
  command?: string | undefined
  /** It never came to a message: the name, the connection, the greeting, TLS or the password failed. */
  beforeMessage?: boolean
}

type NotAccepted = Exclude<MailResult, { outcome: 'accepted' }>

/** RFC 3463: the second part says what it is about. 1 and 2 are the recipient's address and mailbox. */
const ENHANCED = /^\d{3}[ -](\d)\.(\d{1,3})\.(\d{1,3})\b/
/** Bad sender address, in its two forms, though its subject says address. */
const SENDER_DETAILS = new Set(['7', '8'])
/** Said to everybody: who we are is the matter, not whom we write to. */
const ABOUT_US = new Set([530, 534, 535, 538])
/** Answers to RCPT that are about the command and not about the address. */
const ABOUT_THE_COMMAND = new Set([500, 502, 503, 504, 555])

export function resultOf(failure: SmtpFailure): NotAccepted {
  const reason = wordsOf(failure)
  const { responseCode: status, command } = failure
  if (failure.beforeMessage || (status !== undefined && ABOUT_US.has(status))) return { outcome: 'unavailable', reason }
  // After the message itself, a server that hangs up may mean the message.
  if (status === 421 && command !== 'DATA') return { outcome: 'unavailable', reason, aboutOne: true }
  if (status === undefined) {
    return isOurOwn(failure) ? { outcome: 'rejected', reason, because: 'message' } : { outcome: 'later', reason }
  }
  if (status < 500) return { outcome: 'later', reason }
  return { outcome: 'rejected', reason, because: isAboutAddress(failure) ? 'address' : 'message' }
}

/** Refused on our side before anything was said: too large for this server, or no address at all. */
export const isOurOwn = ({ code, responseCode }: SmtpFailure): boolean =>
  responseCode === undefined && (code === 'EMESSAGE' || code === 'EENVELOPE')

function isAboutAddress({ response = '', responseCode = 0, command }: SmtpFailure): boolean {
  const [, , subject, detail] = ENHANCED.exec(response) ?? []
  if (command === 'RCPT TO') {
    if (subject === undefined) return !ABOUT_THE_COMMAND.has(responseCode)
    return subject === '0' || subject === '2' || (subject === '1' && !SENDER_DETAILS.has(detail!))
  }
  if (command !== 'DATA') return false
  return (subject === '1' && !SENDER_DETAILS.has(detail!)) || (subject === '2' && detail === '1')
}

const WORDS_MAX = 1_000

/** The server's own words on one line, or ours where it said nothing. */
function wordsOf({ response, message, code }: SmtpFailure): string {
  return oneLine(response || (code === 'ETIMEDOUT' ? 'The mail server did not answer in time.' : message))
}

export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, WORDS_MAX)
    .toWellFormed()
