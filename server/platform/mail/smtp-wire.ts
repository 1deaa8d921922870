/**
 * The socket under an SMTP session: words go out in one write, answers come back as a promise. Nothing here rejects:
 * fewer answers than asked for mean that the connection is over, and `failure()` says why. There are no listeners and
 * no streams per message; a connection that serves thousands has the ones it began with.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as secureConnect } from 'node:tls'
import { createReplyReader, type Reply, SmtpError, type SmtpFailure } from './smtp-reply.ts'

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

export interface WireOptions {
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

  const broken = (error: Error) => end({ message: wordsOf(error), code: securing ? 'ETLS' : 'ECONNECTION' })

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

/** When all addresses of a name fail, node puts what happened to each in a list and says nothing itself. */
function wordsOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join('; ')
}
