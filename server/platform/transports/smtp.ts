/**
 * Sends messages to a mail server or relay over pooled connections. A message that the server accepted counts as
 * delivered. If a server closed a connection while it was idle, the message is sent over another one.
 */
import { withSpan } from '../../kernel/tracing.ts'
import { createPriorityLine } from '../../kernel/waiting.ts'
import { wireAddress } from '../mime/mime-encoding.ts'
import { openLine, type SmtpLine, type SmtpMessage } from '../smtp/smtp-connection.ts'
import { isOurOwn, resultOf, SmtpError } from '../smtp/smtp-wire.ts'
import type { SmtpOptions } from './mail-url.ts'
import type { MailResult, OpenTransport, OutgoingMail } from './transport.ts'

/** The connection was lost between the end of the message and the reply. */
const OUTCOME_UNKNOWN = '(The server may have accepted the message. A retry has the same Message-ID.)'

export function smtpTransport(options: SmtpOptions): OpenTransport {
  const pool = createPool(options)

  const attributes = { 'server.address': options.host, 'server.port': options.port }
  const send = ({ sender, recipients, messageId, raw, ...turn }: OutgoingMail) =>
    withSpan('SMTP transaction', { kind: 'client', attributes }, async (span): Promise<MailResult> => {
      try {
        const message = { sender: wireAddress(sender), recipient: wireAddress(recipients[0]!), raw }
        const reply = await pool.send(message, turn)
        span?.set({ 'smtp.reply_code': Number.parseInt(reply, 10) })
        return { outcome: 'accepted', providerId: messageId, delivered: true }
      } catch (error) {
        if (!(error instanceof SmtpError)) throw error
        const { failure } = error
        span?.set({ 'smtp.reply_code': failure.responseCode })
        span?.fail(failure.code ?? 'unknown')
        const result = resultOf(failure)
        const isUnknown = !error.certainlyNotSent && failure.responseCode === undefined
        return isUnknown ? { ...result, reason: `${result.reason} ${OUTCOME_UNKNOWN}` } : result
      }
    })

  return {
    kind: 'smtp',
    capabilities: { captures: false, signing: options.dkim ? 'on-send' : 'by-provider', receivesReports: false },
    credentialSettings: 'the user and password in MAIL_URL',
    parallel: options.pool,
    send,
    close: () => pool.close(),
  }
}

/** Servers close idle connections after a minute or more; ours are closed before that. */
const IDLE_MS = 20_000
/** How long no further connections are opened after the server refused one. */
const FEWER_FOR_MS = 60_000

/** No connection is possible. A server that replies may only be limiting their number. */
const isOutage = (error: unknown): boolean =>
  error instanceof SmtpError && (error.failure.responseCode === undefined || error.failure.code === 'EAUTH')

type Turn = Pick<OutgoingMail, 'priority' | 'projectId'>

export interface SmtpPool {
  /** Returns the server's response; throws an `SmtpError`. */
  send(message: SmtpMessage, turn: Turn): Promise<string>
  close(): Promise<void>
}

/**
 * Messages wait for a free connection by priority, and projects have turns. A connection is replaced after a number of messages, or if it was
 * idle.
 */
function createPool(options: SmtpOptions, open: typeof openLine = openLine): SmtpPool {
  const idle: Array<{ line: SmtpLine; timer: NodeJS.Timeout }> = []
  /** Called with a connection, without one when there may be room for a new one, or with why there can't be any. */
  const waiting = createPriorityLine<(given?: SmtpLine | Error) => void>()
  let lines = 0
  let most = options.pool
  let fewerUntil = 0
  let closed = false

  /** A connection for one message, until it is given back or dropped. */
  async function take({ priority, projectId }: Turn): Promise<{ line: SmtpLine; used: boolean }> {
    for (;;) {
      for (let found = idle.pop(); found; found = idle.pop()) {
        clearTimeout(found.timer)
        if (found.line.isUsable()) return { line: found.line, used: true }
        lines--
      }
      if (Date.now() > fewerUntil) most = options.pool
      if (lines < most) {
        const line = await tryOpening()
        if (line) return { line, used: false }
      }
      const given = await new Promise<SmtpLine | Error | undefined>((resolve) =>
        waiting.add(resolve, priority, projectId),
      )
      if (given instanceof Error) throw given
      if (given) return { line: given, used: true }
    }
  }

  /**
   * Undefined if the server refuses further connections but serves the existing ones: then the message waits for one of
   * them.
   */
  async function tryOpening(): Promise<SmtpLine | undefined> {
    lines++
    try {
      return await open(options)
    } catch (error) {
      lines--
      if (lines === 0 && isOutage(error)) refuseWaiting(error as Error)
      if (lines === 0 || !(error instanceof SmtpError) || error.failure.code === 'EAUTH') {
        waiting.take()?.()
        throw error
      }
      most = lines
      fewerUntil = Date.now() + FEWER_FOR_MS
      return undefined
    }
  }

  /** The server is unavailable for every message. */
  function refuseWaiting(error: Error): void {
    most = options.pool
    for (const refuse of waiting.takeAll()) refuse(error)
  }

  function release(line: SmtpLine): void {
    if (closed || !line.isUsable() || line.sent >= options.messages) {
      drop(line)
      return
    }
    const next = waiting.take()
    if (next) next(line)
    else idle.push({ line, timer: setTimeout(() => retire(line), IDLE_MS).unref() })
  }

  function drop(line: SmtpLine): void {
    lines--
    if (lines === 0) most = options.pool
    if (line.isUsable()) line.quit()
    waiting.take()?.()
  }

  function retire(line: SmtpLine): void {
    const at = idle.findIndex((entry) => entry.line === line)
    if (at < 0) return
    idle.splice(at, 1)
    drop(line)
  }

  /** If the server closed one idle connection, it has probably closed the others too. */
  function dropIdle(): void {
    for (const { line, timer } of idle.splice(0)) {
      clearTimeout(timer)
      drop(line)
    }
  }

  async function send(message: SmtpMessage, turn: Turn): Promise<string> {
    const { line, used } = await take(turn)
    try {
      const response = await line.send(message)
      release(line)
      return response
    } catch (error) {
      const hasReply = error instanceof SmtpError && error.failure.responseCode !== undefined
      if (error instanceof SmtpError && isOurOwn(error.failure)) release(line)
      else if (line.isUsable() && hasReply && (await line.reset())) release(line)
      else {
        line.close()
        drop(line)
        if (used && !hasReply && error instanceof SmtpError && error.certainlyNotSent) {
          dropIdle()
          return send(message, turn)
        }
      }
      throw error
    }
  }

  return {
    send,
    async close() {
      closed = true
      dropIdle()
    },
  }
}
