/**
 * One connection to a mail server: opened with greeting, TLS and password; then message after message. Our own client
 * because a message is two writes and two answers here where the server pipelines: the envelope with DATA, then the
 * whole of it (docs/decisions/0010).
 */
import type { SmtpOptions } from './mail-url.ts'
import { type Envelope, envelopeOf, type SmtpMessage } from './smtp-envelope.ts'
import { refusalOf, SmtpError } from './smtp-error.ts'
import { wireForm } from './smtp-message.ts'
import type { Reply } from './smtp-reply-reader.ts'
import { beginSession, isYes, type Offer } from './smtp-session.ts'
import { askOne, openWire, type Wire } from './smtp-wire.ts'

const CONNECT_WITHIN_MS = 15_000
/** From the greeting until we are let in. */
const SESSION_WITHIN_MS = 30_000
/** Whatever a server does to keep us waiting, a message is given up in time for its lease. */
const MESSAGE_WITHIN_MS = 45_000
const QUIT_WITHIN_MS = 2_000

export interface SmtpLine {
  sent: number
  isUsable(): boolean
  /** Returns the server's words. */
  send(message: SmtpMessage): Promise<string>
  /** Ready for the next message after one that was refused; false if the connection is of no more use. */
  reset(): Promise<boolean>
  quit(): void
  close(): void
}

/** Throws an `SmtpError`, like everything here. */
export async function openLine(options: SmtpOptions): Promise<SmtpLine> {
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
    wire.giveUpAfter(0)
    return lineOver(wire, offer)
  } catch (error) {
    close(wire)
    const failure = error instanceof SmtpError ? error.failure : { message: (error as Error).message }
    throw new SmtpError({ ...failure, beforeMessage: true }, true)
  }
}

function lineOver(wire: Wire, offer: Offer): SmtpLine {
  let isLeaving = false

  async function send(message: SmtpMessage): Promise<string> {
    const envelope = envelopeOf(message, offer)
    wire.giveUpAfter(MESSAGE_WITHIN_MS)
    try {
      await (offer.pipelining ? announceAtOnce(wire, envelope) : announce(wire, envelope))
      const words = await handOver(wire, message.raw)
      line.sent++
      return words
    } finally {
      wire.giveUpAfter(0)
    }
  }

  async function reset(): Promise<boolean> {
    wire.giveUpAfter(MESSAGE_WITHIN_MS)
    const [answer] = await wire.ask('RSET\r\n')
    wire.giveUpAfter(0)
    return answer !== undefined && isYes(answer)
  }

  function quit(): void {
    isLeaving = true
    wire.giveUpAfter(QUIT_WITHIN_MS)
    void wire.ask('QUIT\r\n').then(() => close(wire))
  }

  const line: SmtpLine = {
    sent: 0,
    isUsable: () => !isLeaving && !wire.failure(),
    send,
    reset,
    quit,
    close: () => close(wire),
  }
  return line
}

const close = (wire: Wire): void => wire.end({ message: 'We closed the connection.', code: 'ECONNECTION' })

const STEPS: ReadonlyArray<{ command: string; isTaken: (answer: Reply) => boolean }> = [
  { command: 'MAIL FROM', isTaken: isYes },
  { command: 'RCPT TO', isTaken: isYes },
  { command: 'DATA', isTaken: ({ code }) => code >= 300 && code <= 399 },
]

/** Step by step, for servers that want to be asked one thing at a time. */
async function announce(wire: Wire, { mail, rcpt }: Envelope): Promise<void> {
  for (const [at, words] of [mail, rcpt, 'DATA\r\n'].entries()) {
    const { command, isTaken } = STEPS[at]!
    const answer = await askOne(wire, words)
    if (!isTaken(answer)) throw new SmtpError(refusalOf('EENVELOPE', command, answer), true)
  }
}

/** All in one write. The first no is the one that counts: what follows it is only its echo. */
async function announceAtOnce(wire: Wire, { mail, rcpt }: Envelope): Promise<void> {
  const answers = await wire.ask(`${mail}${rcpt}DATA\r\n`, STEPS.length)
  const refused = STEPS.findIndex(({ isTaken }, at) => answers[at] && !isTaken(answers[at]))
  if (refused >= 0) {
    await takeBack(wire, answers)
    throw new SmtpError(refusalOf('EENVELOPE', STEPS[refused]!.command, answers[refused]!), true)
  }
  if (answers.length < STEPS.length) throw new SmtpError(wire.failure()!, true)
}

/**
 * RFC 2920: a server may ask for the message though it refused what came before. It gets an empty one, which goes to
 * nobody. If somebody would get it (a recipient taken without a sender), it is better to leave in mid-sentence.
 */
async function takeBack(wire: Wire, [, rcpt, data]: Reply[]): Promise<void> {
  if (!data || !STEPS[2]!.isTaken(data)) return
  if (rcpt && isYes(rcpt)) close(wire)
  else await wire.ask('.\r\n')
}

/** The message itself. From here on it may have arrived, whatever happens. */
async function handOver(wire: Wire, raw: Buffer): Promise<string> {
  const [answer] = await wire.ask(wireForm(raw))
  if (!answer) throw new SmtpError(wire.failure()!, false)
  if (!isYes(answer)) throw new SmtpError(refusalOf('EMESSAGE', 'DATA', answer), false)
  return answer.text
}
