/**
 * One connection to a mail server: opened with a session, then used for many messages. Our own client
 * because a message takes only two writes and two responses with pipelining: the envelope with DATA, then the content
 * (docs/decisions/0010).
 */
import { isAscii } from 'node:buffer'
import type { SmtpOptions } from '../transports/mail-url.ts'
import { beginSession, type Offer } from './smtp-session.ts'
import {
  exchangeOne,
  isYes,
  openWire,
  type Reply,
  refusalOf,
  SmtpError,
  type SmtpFailure,
  type Wire,
} from './smtp-wire.ts'

const CONNECT_WITHIN_MS = 15_000
/** The limit from the greeting until authentication is complete. */
const SESSION_WITHIN_MS = 30_000
/** However slow a server is, a message times out before its lease expires. */
const MESSAGE_WITHIN_MS = 45_000
const QUIT_WITHIN_MS = 2_000

export interface SmtpConnection {
  sent: number
  isUsable(): boolean
  /** Returns the server's response, and why it refused some of the recipients. */
  send(message: SmtpMessage): Promise<SmtpAcceptance>
  /** Resets after a refused message; false if the connection can't be used again. */
  reset(): Promise<boolean>
  quit(): void
  close(): void
}

/** Throws an `SmtpError`, like everything here. */
export async function openConnection(options: SmtpOptions): Promise<SmtpConnection> {
  const wire = openWire({
    host: options.host,
    port: options.port,
    implicitTls: options.tls === 'implicit',
    verify: options.verify,
    connectWithinMs: Math.min(CONNECT_WITHIN_MS, options.timeoutMs),
    silenceMs: options.timeoutMs,
  })
  try {
    const offer = await beginSession(wire, options, SESSION_WITHIN_MS)
    wire.setDeadline(0)
    return connectionOver(wire, offer)
  } catch (error) {
    close(wire)
    const failure = error instanceof SmtpError ? error.failure : { message: (error as Error).message }
    throw new SmtpError({ ...failure, beforeMessage: true }, true)
  }
}

function connectionOver(wire: Wire, offer: Offer): SmtpConnection {
  let isQuitting = false

  async function send(message: SmtpMessage): Promise<SmtpAcceptance> {
    const envelope = envelopeOf(message, offer)
    wire.setDeadline(MESSAGE_WITHIN_MS)
    try {
      const refused = await (offer.pipelining ? pipelineEnvelope(wire, envelope) : sendEnvelope(wire, envelope))
      const response = await sendContent(wire, message.raw)
      connection.sent++
      return { response, refused }
    } finally {
      wire.setDeadline(0)
    }
  }

  async function reset(): Promise<boolean> {
    wire.setDeadline(MESSAGE_WITHIN_MS)
    const [reply] = await wire.exchange('RSET\r\n')
    wire.setDeadline(0)
    return reply !== undefined && isYes(reply)
  }

  function quit(): void {
    isQuitting = true
    wire.setDeadline(QUIT_WITHIN_MS)
    void wire.exchange('QUIT\r\n').then(() => close(wire))
  }

  const connection: SmtpConnection = {
    sent: 0,
    isUsable: () => !isQuitting && !wire.failure(),
    send,
    reset,
    quit,
    close: () => close(wire),
  }
  return connection
}

const close = (wire: Wire): void => wire.end({ message: 'The connection was closed by Posthorn.', code: 'ECONNECTION' })

const isStart = ({ code }: Reply): boolean => code >= 300 && code <= 399

const refused = (command: string, reply: Reply): SmtpError =>
  new SmtpError(refusalOf('EENVELOPE', command, reply), true)

/** The failures of recipients, by their position. */
type RefusedRecipients = Map<number, SmtpFailure>

/** One command at a time, for servers without pipelining. */
async function sendEnvelope(wire: Wire, { mail, rcpts }: Envelope): Promise<RefusedRecipients> {
  const sender = await exchangeOne(wire, mail)
  if (!isYes(sender)) throw refused('MAIL FROM', sender)
  const replies: Reply[] = []
  for (const rcpt of rcpts) replies.push(await exchangeOne(wire, rcpt))
  const refusals = refusedAmong(replies)
  const data = await exchangeOne(wire, 'DATA\r\n')
  if (!isStart(data)) throw refused('DATA', data)
  return refusals
}

/** Throws if the server refused all of them. */
function refusedAmong(replies: Reply[]): RefusedRecipients {
  const refusals: RefusedRecipients = new Map()
  for (const [at, reply] of replies.entries()) {
    if (!isYes(reply)) refusals.set(at, refusalOf('EENVELOPE', 'RCPT TO', reply))
  }
  if (refusals.size === replies.length) throw new SmtpError(refusals.get(0)!, true, refusals)
  return refusals
}

/** All in one write. The first refusal counts, except that of some of the recipients; later ones are its consequence. */
async function pipelineEnvelope(wire: Wire, { mail, rcpts }: Envelope): Promise<RefusedRecipients> {
  const replies = await wire.exchange(`${mail}${rcpts.join('')}DATA\r\n`, rcpts.length + 2)
  const [sender, ...rest] = replies
  const [recipients, data] = [rest.slice(0, rcpts.length), rest[rcpts.length]]
  try {
    if (sender && !isYes(sender)) throw refused('MAIL FROM', sender)
    const refusals = recipients.length > 0 ? refusedAmong(recipients) : new Map()
    if (data && !isStart(data)) throw refused('DATA', data)
    if (!data) throw new SmtpError(wire.failure()!, true)
    return refusals
  } catch (error) {
    await abortTransaction(wire, recipients, data)
    throw error
  }
}

/**
 * RFC 2920: a server may request the message although it refused an earlier command. It gets an empty one, which has no
 * recipients. If there is a recipient (accepted without a sender), the connection is closed instead.
 */
async function abortTransaction(wire: Wire, recipients: Reply[], data: Reply | undefined): Promise<void> {
  if (!data || !isStart(data)) return
  if (recipients.some(isYes)) close(wire)
  else await wire.exchange('.\r\n')
}

/** The message itself. From here on it may have been delivered, whatever happens. */
async function sendContent(wire: Wire, raw: Buffer): Promise<string> {
  const [reply] = await wire.exchange(wireForm(raw))
  if (!reply) throw new SmtpError(wire.failure()!, false)
  if (!isYes(reply)) throw new SmtpError(refusalOf('EMESSAGE', 'DATA', reply), false)
  return reply.text
}

export interface SmtpMessage {
  sender: string
  recipients: string[]
  raw: Buffer
}

export interface SmtpAcceptance {
  response: string
  refused: RefusedRecipients
}

/** Each with its line break. */
interface Envelope {
  mail: string
  rcpts: string[]
}

/** Spaces are allowed inside quotes; control characters and angle brackets, which end an address, are never allowed. */
const ADDRESS = /^(?:"(?:[^"\\<>\p{Cc}]|\\[^<>\p{Cc}])*"|[^\s"<>\p{Cc}]+)@[^\s"<>\p{Cc}]+$/u

/**
 * Checks what the server can't accept before anything is sent, and that no address contains a command. Throws an
 * `SmtpError`; the connection stays usable.
 */
function envelopeOf({ sender, recipients, raw }: SmtpMessage, offer: Offer): Envelope {
  if (sender !== '' && !ADDRESS.test(sender)) refuse('EENVELOPE', `Invalid sender address: ${JSON.stringify(sender)}`)
  for (const recipient of recipients) {
    if (!ADDRESS.test(recipient)) refuse('EENVELOPE', `Invalid recipient address: ${JSON.stringify(recipient)}`)
  }
  if (offer.sizeMax > 0 && raw.length > offer.sizeMax) {
    refuse('EMESSAGE', `The message has ${raw.length} bytes; the mail server accepts at most ${offer.sizeMax}.`)
  }
  const isBeyondAscii = ![sender, ...recipients].every(isPlain)
  if (isBeyondAscii && !offer.smtpUtf8) {
    refuse('EENVELOPE', 'The mail server does not support addresses with non-ASCII characters (SMTPUTF8).')
  }
  const isEightBit = !isAscii(raw)
  // A server without SMTPUTF8 gets such headers anyway: most accept them, and it can refuse.
  const utf8 = offer.smtpUtf8 && (isBeyondAscii || (isEightBit && !isAscii(headersOf(raw)))) ? ' SMTPUTF8' : ''
  const body = isEightBit && offer.eightBit ? ' BODY=8BITMIME' : ''
  const size = offer.size ? ` SIZE=${raw.length}` : ''
  return {
    mail: `MAIL FROM:<${sender}>${utf8}${body}${size}\r\n`,
    rcpts: recipients.map((recipient) => `RCPT TO:<${recipient}>\r\n`),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII is what is asked for
const isPlain = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

function headersOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n')
  return end < 0 ? raw : raw.subarray(0, end)
}

function refuse(code: string, message: string): never {
  throw new SmtpError({ message, code, command: 'MAIL FROM' }, true)
}

const LF = 10
const CR = 13
const DOT = 46
const END = Buffer.from('.\r\n')
const END_OF_LINE_TOO = Buffer.from('\r\n.\r\n')

/**
 * The message on the wire: a dot before every line that starts with one, and a line with a single dot at the end. Line
 * breaks are always CRLF, because a server that accepts a bare LF could read a second message (SMTP smuggling). Most
 * messages need no change, are checked line by line (3 µs for 4 KB) and not copied.
 */
export function wireForm(raw: Buffer): Buffer[] {
  const message = isReady(raw) ? raw : rewritten(raw)
  const endsWithLineEnd = message.length === 0 || message[message.length - 1] === LF
  return [message, endsWithLineEnd ? END : END_OF_LINE_TOO]
}

/** True if every CR is followed by LF, every LF preceded by CR, and no line starts with a dot. */
function isReady(raw: Buffer): boolean {
  for (let from = 0; ; ) {
    if (raw[from] === DOT) return false
    const lf = raw.indexOf(LF, from)
    const cr = raw.indexOf(CR, from)
    if (lf < 0) return cr < 0
    if (cr < 0 || cr !== lf - 1) return false
    from = lf + 1
  }
}

function rewritten(raw: Buffer): Buffer {
  // At worst every byte is a line break or a dot.
  const out = Buffer.allocUnsafe(2 * raw.length)
  let length = 0
  let cr = -1
  let lf = -1
  for (let from = 0; from < raw.length; ) {
    // Searched only once it is passed; otherwise a message without any CR is searched to its end for every line.
    if (cr < from) cr = positionOf(raw, CR, from)
    if (lf < from) lf = positionOf(raw, LF, from)
    const end = Math.min(cr, lf)
    if (raw[from] === DOT) out[length++] = DOT
    length += raw.copy(out, length, from, end)
    if (end === raw.length) break
    out[length++] = CR
    out[length++] = LF
    from = lf === cr + 1 ? lf + 1 : end + 1
  }
  return out.subarray(0, length)
}

function positionOf(raw: Buffer, byte: number, from: number): number {
  const at = raw.indexOf(byte, from)
  return at < 0 ? raw.length : at
}
