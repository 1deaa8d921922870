/**
 * The socket of an SMTP session, and its replies: commands are sent in one write, and replies are returned as a
 * promise. Promises never reject: fewer replies than expected mean that the connection has ended, and `failure()`
 * returns why. There are no listeners or streams per message, because a connection sends thousands.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as secureConnect } from 'node:tls'
import type { MailResult } from '../transports/transport.ts'

export interface Wire {
  /** Sends commands and waits for this many replies. Without commands: waits for what the server sends first. */
  exchange(data: string | readonly Buffer[], expected?: number): Promise<Reply[]>
  /** Switches to TLS. */
  secure(): Promise<boolean>
  /** Limits the time for all further replies. 0: no limit. */
  setDeadline(ms: number): void
  end(failure: SmtpFailure): void
  /** Why the connection has ended, if it has. */
  failure(): SmtpFailure | undefined
  /** The local address. */
  localAddress(): string
}

interface WireOptions {
  host: string
  port: number
  /** Implicit TLS. */
  implicitTls: boolean
  verify: boolean
  connectWithinMs: number
  /** The longest time without data while a reply is expected. */
  silenceMs: number
}

const KEEP_ALIVE_AFTER_MS = 30_000
const LATE: SmtpFailure = { message: 'The mail server took too long to respond.', code: 'ETIMEDOUT' }
const CLOSED: SmtpFailure = { message: 'The mail server closed the connection.', code: 'ECONNECTION' }

interface Waiting {
  expected: number
  replies: Reply[]
  resolve: (replies: Reply[]) => void
}

export function openWire(options: WireOptions): Wire {
  const plain = connect({
    host: options.host,
    port: options.port,
    // A name with several addresses: each in turn, both families. A quarter of a second is too short for distant
    // servers.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.min(2_500, options.connectWithinMs / 4)),
  })
  const reader = createReplyReader(handleReply, (data) =>
    end({ message: `The mail server sent a response that is not SMTP: ${data.slice(0, 200)}`, code: 'EPROTOCOL' }),
  )
  let socket: Socket = plain
  let waiting: Waiting | undefined
  let securing: ((isSecure: boolean) => void) | undefined
  let failure: SmtpFailure | undefined
  let deadline: NodeJS.Timeout | undefined
  const read = (chunk: Buffer) => reader.read(chunk)

  function handleReply(reply: Reply): void {
    if (!waiting) {
      end({ message: `The mail server sent an unexpected response: ${reply.text.slice(0, 200)}`, code: 'EPROTOCOL' })
      return
    }
    waiting.replies.push(reply)
    // Closes the connection; further commands get no replies.
    if (reply.code === 421) end(CLOSED)
    else if (waiting.replies.length === waiting.expected) finish()
  }

  function finish(): void {
    const done = waiting
    waiting = undefined
    done?.resolve(done.replies)
  }

  function end(why: SmtpFailure): void {
    if (failure) return
    failure = why
    clearTimeout(deadline)
    socket.destroy()
    plain.destroy()
    finish()
    securing?.(false)
  }

  function hungUp(): void {
    reader.finish()
    end(securing ? { ...CLOSED, code: 'ETLS' } : CLOSED)
  }

  function attach(to: Socket): void {
    to.on('data', read)
    to.on('end', hungUp)
    to.on('close', hungUp)
    // The timeout only applies while a reply is expected; the pool closes idle connections.
    to.setTimeout(options.silenceMs, () => (waiting || securing) && end(LATE))
  }

  const broken = (error: Error) => end({ message: messageOf(error), code: securing ? 'ETLS' : 'ECONNECTION' })

  function secure(): Promise<boolean> {
    if (failure) return Promise.resolve(false)
    // RFC 3207: replies from before TLS are discarded.
    reader.forget()
    plain.off('data', read).off('end', hungUp).off('close', hungUp).setTimeout(0)
    return new Promise((resolve) => {
      securing = resolve
      const { host, verify } = options
      const servername = isIP(host) ? {} : { servername: host }
      const tls = { socket: plain, host, ...servername, rejectUnauthorized: verify, minVersion: 'TLSv1.2' as const }
      socket = secureConnect(tls, () => {
        securing = undefined
        resolve(true)
      })
      socket.on('error', broken)
      attach(socket)
    })
  }

  function exchange(data: string | readonly Buffer[], expected = 1): Promise<Reply[]> {
    if (failure) return Promise.resolve([])
    return new Promise((resolve) => {
      waiting = { expected, replies: [], resolve }
      if (typeof data === 'string') {
        if (data !== '') socket.write(data)
        return
      }
      socket.cork()
      for (const piece of data) socket.write(piece)
      socket.uncork()
    })
  }

  function setDeadline(ms: number): void {
    clearTimeout(deadline)
    if (ms > 0 && !failure) deadline = setTimeout(() => end(LATE), ms)
  }

  plain.on('error', broken)
  plain.once('connect', () => {
    plain.setNoDelay(true)
    plain.setKeepAlive(true, KEEP_ALIVE_AFTER_MS)
    setDeadline(options.connectWithinMs) // for the greeting
    if (options.implicitTls) secure().catch(broken)
    else attach(plain)
  })
  setDeadline(options.connectWithinMs)

  return {
    exchange,
    secure,
    setDeadline,
    end,
    failure: () => failure,
    localAddress: () => plain.localAddress ?? '127.0.0.1',
  }
}

/** One command, one reply; throws if the connection ends instead. Only for commands before a message is sent. */
export async function exchangeOne(wire: Wire, data: string): Promise<Reply> {
  const [reply] = await wire.exchange(data)
  if (!reply) throw new SmtpError(wire.failure() ?? CLOSED, true)
  return reply
}

const UNTRUSTED =
  'is not trusted. Install one from a public authority on the mail server, or set NODE_EXTRA_CA_CERTS to the certificate of its authority.'

/** What is wrong with a certificate and what to do, by the error code of Node.js. */
const CERTIFICATE_PROBLEMS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired. Renew it on the mail server.',
  CERT_NOT_YET_VALID: 'is not valid yet. Check the clocks of both machines.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name. Use that name in MAIL_URL.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
}

/** When all addresses of a name fail, Node.js throws an error with a list of errors and no message. */
function messageOf(error: NodeJS.ErrnoException): string {
  const problem = CERTIFICATE_PROBLEMS[error.code ?? '']
  if (problem) return `The certificate of the mail server ${problem} (${error.message})`
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join('; ')
}

// Parses the replies of a mail server and classifies them for one message: accepted, rejected permanently, to be
// retried, or the server itself is unavailable.

/** What is known about a failed send. Every field can be missing, because a connection can break at any time. */
export interface SmtpFailure {
  message: string
  /** The client's error code: EAUTH, ECONNECTION, ETIMEDOUT… */
  code?: string | undefined
  /** The server's reply, code and text. */
  response?: string | undefined
  responseCode?: number | undefined
  /** The command that it answered: MAIL FROM, RCPT TO, DATA … */
  command?: string | undefined
  /** The failure was before any message: name lookup, connection, greeting, TLS or authentication. */
  beforeMessage?: boolean
}

type NotAccepted = Exclude<MailResult, { outcome: 'accepted' }>

/** RFC 3463: the second part is the subject. 1 and 2 are the recipient's address and mailbox. */
const ENHANCED = /^\d{3}[ -](\d)\.(\d{1,3})\.(\d{1,3})\b/
/** Two codes for a bad sender address, although their subject is the address. */
const SENDER_DETAILS = new Set(['7', '8'])
/** Policy codes that concern the sender, whatever the recipient. */
const ABOUT_US = new Set([530, 534, 535, 538])
/** Replies to RCPT that are about the command instead of the address. */
const ABOUT_THE_COMMAND = new Set([500, 502, 503, 504, 555])

export function resultOf(failure: SmtpFailure): NotAccepted {
  const reason = reasonOf(failure)
  const { responseCode: status, command } = failure
  if (isRefusedLogin(failure)) return { outcome: 'unavailable', reason, credentialsRefused: true }
  if (failure.beforeMessage || (status !== undefined && ABOUT_US.has(status))) return { outcome: 'unavailable', reason }
  // After DATA, a server that closes the connection may be refusing the message.
  if (status === 421 && command !== 'DATA') return { outcome: 'unavailable', reason, aboutOne: true }
  if (status === undefined) {
    return isOurOwn(failure) ? { outcome: 'rejected', reason, because: 'message' } : { outcome: 'later', reason }
  }
  if (status < 500) return { outcome: 'later', reason }
  return { outcome: 'rejected', reason, because: isAboutAddress(failure) ? 'address' : 'message' }
}

/** A temporary failure of the server (4xx) is not a refusal. */
const isRefusedLogin = ({ code, responseCode }: SmtpFailure): boolean =>
  responseCode === 535 || (code === 'EAUTH' && (responseCode === undefined || responseCode >= 500))

/** Refused by us before anything was sent: too large for this server, or an invalid address. */
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

/** The server's reply on one line, or our description if there was none. */
function reasonOf({ response, message, code }: SmtpFailure): string {
  return oneLine(response || (code === 'ETIMEDOUT' ? 'The mail server did not respond in time.' : message))
}

export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, WORDS_MAX)
    .toWellFormed()

export interface Reply {
  code: number
  /** All lines with their codes, as received. */
  text: string
}

export const isYes = ({ code }: Reply): boolean => code >= 200 && code <= 299

interface ReplyReader {
  read(chunk: Buffer): void
  /** The connection has ended: a refusal without a line break still counts. */
  finish(): void
  /** Discards an incomplete line. */
  forget(): void
}

/** The limit of one reply. Real ones have a few hundred bytes. */
export const REPLY_BYTES_MAX = 64 * 1024

const ENDLESS = 'a response without an end'
const LINE = /^[2-5]\d\d(?:[ -]|$)/
const UNENDED_REFUSAL = /^[45]\d\d[ -]/
const LINE_FEED = 10

/**
 * A reply is a code and text over any number of lines; the code of the last line counts. Anything else, or a reply
 * without an end, is reported once as invalid; nothing is read after that.
 */
export function createReplyReader(onReply: (reply: Reply) => void, onInvalid: (data: string) => void): ReplyReader {
  /** An incomplete line. Each character is a byte until the reply is complete. */
  let rest = ''
  /** The lines of an incomplete reply. */
  let lines = ''
  let isDone = false

  function read(chunk: Buffer): void {
    if (isDone) return
    const hasLineEnd = chunk.includes(LINE_FEED)
    rest += chunk.toString('latin1')
    // Only a chunk with a line break is parsed, so that a line that arrives byte by byte isn't scanned repeatedly.
    if (hasLineEnd) readLines()
    if (!isDone && rest.length + lines.length > REPLY_BYTES_MAX) reportInvalid(ENDLESS)
  }

  function readLines(): void {
    const text = rest
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0 && !isDone; end = text.indexOf('\n', from)) {
      readLine(text.slice(from, text[end - 1] === '\r' && end > from ? end - 1 : end))
      from = end + 1
    }
    rest = text.slice(from)
  }

  function readLine(line: string): void {
    if (line.trim() === '') return
    if (!LINE.test(line)) reportInvalid(decoded(line))
    else if (line[3] === '-') {
      lines += `${line}\n`
      if (lines.length > REPLY_BYTES_MAX) reportInvalid(ENDLESS)
    } else {
      const text = decoded(lines + line)
      lines = ''
      onReply({ code: Number(line.slice(0, 3)), text })
    }
  }

  function reportInvalid(data: string): void {
    isDone = true
    rest = lines = ''
    onInvalid(data)
  }

  return {
    read,
    finish: () => {
      if (UNENDED_REFUSAL.test(lines + rest)) read(Buffer.from('\r\n'))
      isDone = true
    },
    forget: () => {
      rest = lines = ''
    },
  }
}

/** UTF-8 if it is valid, otherwise Latin-1. */
function decoded(bytes: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII is what is asked for
  if (/^[\x00-\x7f]*$/.test(bytes)) return bytes
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? bytes : text
}

/** The failure of one message or connection, and whether the message may have been delivered anyway. */
export class SmtpError extends Error {
  readonly failure: SmtpFailure
  /** The message can't have been accepted: its final dot was never written. */
  readonly certainlyNotSent: boolean
  /** The refusal of each recipient, by position, if the server refused all of them. */
  readonly refused: Map<number, SmtpFailure>

  constructor(failure: SmtpFailure, certainlyNotSent: boolean, refused = new Map<number, SmtpFailure>()) {
    super(failure.message)
    this.failure = failure
    this.certainlyNotSent = certainlyNotSent
    this.refused = refused
  }
}

/** The server refused this command with this reply. */
export const refusalOf = (code: string, command: string, { code: responseCode, text }: Reply): SmtpFailure => ({
  message: text,
  code,
  response: text,
  responseCode,
  command,
})
