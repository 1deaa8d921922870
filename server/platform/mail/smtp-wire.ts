/**
 * The socket of an SMTP session, and the replies that arrive on it: words go out in one write, answers come back as a promise. Nothing here rejects:
 * fewer answers than asked for mean that the connection is over, and `failure()` says why. There are no listeners and
 * no streams per message; a connection that serves thousands has the ones it began with.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as secureConnect } from 'node:tls'
import type { MailResult } from './transport.ts'

export interface Wire {
  /** Writes the words, and waits for so many answers. No words: waits for what the server says by itself. */
  ask(words: string | readonly Buffer[], answers?: number): Promise<Reply[]>
  /** From here on in TLS. */
  secure(): Promise<boolean>
  /** Whatever is asked from now on has to be answered by then. 0: no such limit. */
  giveUpAfter(ms: number): void
  end(failure: SmtpFailure): void
  /** Why it is over, if it is. */
  failure(): SmtpFailure | undefined
  /** Of our end. */
  localAddress(): string
}

interface WireOptions {
  host: string
  port: number
  /** TLS from the first byte. */
  implicitTls: boolean
  verify: boolean
  connectWithinMs: number
  /** The longest silence while an answer is waited for. */
  silenceMs: number
}

const KEEP_ALIVE_AFTER_MS = 30_000
const LATE: SmtpFailure = { message: 'The mail server took too long to respond.', code: 'ETIMEDOUT' }
const CLOSED: SmtpFailure = { message: 'The mail server closed the connection.', code: 'ECONNECTION' }

interface Waiting {
  answers: number
  replies: Reply[]
  resolve: (replies: Reply[]) => void
}

export function openWire(options: WireOptions): Wire {
  const plain = connect({
    host: options.host,
    port: options.port,
    // A name with several addresses: each in turn, both families. A quarter of a second is too short for far servers.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.min(2_500, options.connectWithinMs / 4)),
  })
  const reader = createReplyReader(heard, (words) =>
    end({ message: `The mail server sent a response that is not SMTP: ${words.slice(0, 200)}`, code: 'EPROTOCOL' }),
  )
  let socket: Socket = plain
  let waiting: Waiting | undefined
  let securing: ((isSecure: boolean) => void) | undefined
  let failure: SmtpFailure | undefined
  let deadline: NodeJS.Timeout | undefined
  const read = (chunk: Buffer) => reader.read(chunk)

  function heard(reply: Reply): void {
    if (!waiting) {
      end({ message: `The mail server sent an unexpected response: ${reply.text.slice(0, 200)}`, code: 'EPROTOCOL' })
      return
    }
    waiting.replies.push(reply)
    // It closes now, and answers nothing more, whatever else was asked.
    if (reply.code === 421) end(CLOSED)
    else if (waiting.replies.length === waiting.answers) settle()
  }

  function settle(): void {
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
    settle()
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
    // Silence matters only to one who waits; the pool looks after idle connections.
    to.setTimeout(options.silenceMs, () => (waiting || securing) && end(LATE))
  }

  const broken = (error: Error) => end({ message: messageOf(error), code: securing ? 'ETLS' : 'ECONNECTION' })

  function secure(): Promise<boolean> {
    if (failure) return Promise.resolve(false)
    // RFC 3207: what was said in the clear before TLS is nobody's word.
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

  function ask(words: string | readonly Buffer[], answers = 1): Promise<Reply[]> {
    if (failure) return Promise.resolve([])
    return new Promise((resolve) => {
      waiting = { answers, replies: [], resolve }
      if (typeof words === 'string') {
        if (words !== '') socket.write(words)
        return
      }
      socket.cork()
      for (const piece of words) socket.write(piece)
      socket.uncork()
    })
  }

  function giveUpAfter(ms: number): void {
    clearTimeout(deadline)
    if (ms > 0 && !failure) deadline = setTimeout(() => end(LATE), ms)
  }

  plain.on('error', broken)
  plain.once('connect', () => {
    plain.setNoDelay(true)
    plain.setKeepAlive(true, KEEP_ALIVE_AFTER_MS)
    giveUpAfter(options.connectWithinMs) // for the greeting
    if (options.implicitTls) secure().catch(broken)
    else attach(plain)
  })
  giveUpAfter(options.connectWithinMs)

  return {
    ask,
    secure,
    giveUpAfter,
    end,
    failure: () => failure,
    localAddress: () => plain.localAddress ?? '127.0.0.1',
  }
}

/** One question, one answer; throws if the connection ends instead. Only for what comes before a message is out. */
export async function askOne(wire: Wire, words: string): Promise<Reply> {
  const [reply] = await wire.ask(words)
  if (!reply) throw new SmtpError(wire.failure() ?? CLOSED, true)
  return reply
}

/** When all addresses of a name fail, Node.js throws an error with a list of errors and no message. */
function messageOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join('; ')
}

// The replies of a mail server: how bytes become replies, and what a reply means for one message (accepted, refused for
// good and why, worth another try, or nobody's mail gets through).

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
  const reason = reasonOf(failure)
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
  /** All lines with their codes, as they came. */
  text: string
}

interface ReplyReader {
  read(chunk: Buffer): void
  /** The connection is over: a refusal whose line was never ended still counts. */
  finish(): void
  /** Throws away a line that is half here. */
  forget(): void
}

/** Of one reply. Real ones have a few hundred bytes. */
export const REPLY_BYTES_MAX = 64 * 1024

const ENDLESS = 'a response without an end'
const LINE = /^[2-5]\d\d(?:[ -]|$)/
const UNENDED_REFUSAL = /^[45]\d\d[ -]/
const LINE_FEED = 10

/**
 * A reply is a code and its words over as many lines as the server likes; the last line's code counts. What isn't a
 * reply, or never ends, is reported once as garbage; nothing is read after that.
 */
export function createReplyReader(onReply: (reply: Reply) => void, onGarbage: (words: string) => void): ReplyReader {
  /** A line that is half here. Each character is a byte until the reply is complete. */
  let rest = ''
  /** The lines of a reply whose last one is to come. */
  let lines = ''
  let isDone = false

  function read(chunk: Buffer): void {
    if (isDone) return
    const hasLineEnd = chunk.includes(LINE_FEED)
    rest += chunk.toString('latin1')
    // Only a chunk with a line end is worth a look, or a line that comes byte by byte is read over and over.
    if (hasLineEnd) readLines()
    if (!isDone && rest.length + lines.length > REPLY_BYTES_MAX) giveUp(ENDLESS)
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
    if (!LINE.test(line)) giveUp(decoded(line))
    else if (line[3] === '-') {
      lines += `${line}\n`
      if (lines.length > REPLY_BYTES_MAX) giveUp(ENDLESS)
    } else {
      const text = decoded(lines + line)
      lines = ''
      onReply({ code: Number(line.slice(0, 3)), text })
    }
  }

  function giveUp(words: string): void {
    isDone = true
    rest = lines = ''
    onGarbage(words)
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

/** UTF-8 where it is, else a character a byte. */
function decoded(bytes: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII is what is asked for
  if (/^[\x00-\x7f]*$/.test(bytes)) return bytes
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? bytes : text
}

/** What went wrong with one message or one connection, and whether the message can have arrived all the same. */
export class SmtpError extends Error {
  readonly failure: SmtpFailure
  /** The message cannot have been taken: the dot that ends it was never written. */
  readonly certainlyNotSent: boolean

  constructor(failure: SmtpFailure, certainlyNotSent: boolean) {
    super(failure.message)
    this.failure = failure
    this.certainlyNotSent = certainlyNotSent
  }
}

/** The server said no, in these words, to this command. */
export const refusalOf = (code: string, command: string, { code: responseCode, text }: Reply): SmtpFailure => ({
  message: text,
  code,
  response: text,
  responseCode,
  command,
})
