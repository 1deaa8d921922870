/**
 * Sends messages to a mail server or relay over pooled connections. A message that the server accepted counts as
 * delivered. If a server closed a connection while it was idle, the message is sent over another one.
 */
import { createLane, type LaneTurn } from '../../kernel/flow/lane.ts'
import { withSpan } from '../../kernel/tracing.ts'
import { wireAddress } from '../mime/mime-encoding.ts'
import { openConnection, type SmtpAcceptance, type SmtpConnection, type SmtpMessage } from '../smtp/smtp-connection.ts'
import { isOurOwn, resultOf, SmtpError, type SmtpFailure } from '../smtp/smtp-wire.ts'
import type { SmtpOptions } from './mail-url.ts'
import type { MailResult, OpenTransport, OutgoingMail, RecipientResult } from './transport.ts'

/** The connection was lost between the end of the message and the reply. */
const OUTCOME_UNKNOWN = '(The server may have accepted the message. A retry has the same Message-ID.)'

export function smtpTransport(options: SmtpOptions): OpenTransport {
  const pool = createPool(options)

  const attributes = { 'server.address': options.host, 'server.port': options.port }
  const send = ({ sender, recipients, messageId, raw, ...turn }: OutgoingMail) =>
    withSpan('SMTP transaction', { kind: 'client', attributes }, async (span): Promise<MailResult> => {
      try {
        const message = { sender: wireAddress(sender), recipients: recipients.map(wireAddress), raw }
        const { response, refused } = await pool.send(message, turn)
        span?.set({ 'smtp.reply_code': Number.parseInt(response, 10) })
        const first = refused.get(0)
        const accepted = { outcome: 'accepted', providerId: messageId, delivered: true } as const
        return { ...(first ? resultOf(first) : accepted), ...eachOf(recipients, refused) }
      } catch (error) {
        if (!(error instanceof SmtpError)) throw error
        const { failure } = error
        span?.set({ 'smtp.reply_code': failure.responseCode })
        span?.fail(failure.code ?? 'unknown')
        const result = resultOf(failure)
        const isUnknown = !error.certainlyNotSent && failure.responseCode === undefined
        if (isUnknown) return { ...result, reason: `${result.reason} ${OUTCOME_UNKNOWN}` }
        return error.refused.size > 0 ? { ...result, ...eachOf(recipients, error.refused) } : result
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

/** The result of each recipient, if there are several. */
function eachOf(recipients: string[], refused: Map<number, SmtpFailure>): Pick<MailResult, 'recipients'> {
  if (recipients.length === 1) return {}
  const results = recipients.map((email, at): RecipientResult => {
    const failure = refused.get(at)
    if (!failure) return { email, outcome: 'accepted' }
    const { outcome, reason } = resultOf(failure)
    return { email, outcome: outcome === 'rejected' ? 'rejected' : 'later', reason }
  })
  return { recipients: results }
}

/** Servers close idle connections after a minute or more; ours are closed before that. */
const IDLE_MS = 20_000
/** How long no further connections are opened after the server refused one. */
const FEWER_FOR_MS = 60_000

/** No connection is possible. A server that replies may only be limiting their number. */
const isOutage = (error: unknown): boolean =>
  error instanceof SmtpError && (error.failure.responseCode === undefined || error.failure.code === 'EAUTH')

/**
 * Messages wait for one of the connections in a lane. A connection is replaced after a number of messages, or if it was
 * idle.
 */
function createPool(options: SmtpOptions) {
  const idle: Array<{ connection: SmtpConnection; timer: NodeJS.Timeout }> = []
  let connections = 0
  let connectionsMax = options.pool
  let fewerUntil = 0
  let closed = false
  const lane = createLane({ places: () => (Date.now() > fewerUntil ? options.pool : connectionsMax) })

  function takeIdle(): SmtpConnection | undefined {
    for (let found = idle.pop(); found; found = idle.pop()) {
      clearTimeout(found.timer)
      if (found.connection.isUsable()) return found.connection
      connections--
    }
    return undefined
  }

  /**
   * Undefined if the server refuses further connections but serves the existing ones: then the message waits for one of
   * them.
   */
  async function open(): Promise<SmtpConnection | undefined> {
    connections++
    try {
      return await openConnection(options)
    } catch (error) {
      connections--
      if (connections === 0) fewerUntil = 0
      if (connections === 0 && isOutage(error)) lane.refuseWaiting(error as Error)
      if (connections === 0 || !(error instanceof SmtpError) || error.failure.code === 'EAUTH') throw error
      connectionsMax = connections
      fewerUntil = Date.now() + FEWER_FOR_MS
      return undefined
    }
  }

  function release(connection: SmtpConnection): void {
    if (closed || !connection.isUsable() || connection.sent >= options.messages) drop(connection)
    else idle.push({ connection, timer: setTimeout(retire, IDLE_MS, connection).unref() })
  }

  function drop(connection: SmtpConnection): void {
    connections--
    if (connections === 0) fewerUntil = 0
    if (connection.isUsable()) connection.quit()
  }

  function retire(connection: SmtpConnection): void {
    const at = idle.findIndex((entry) => entry.connection === connection)
    if (at < 0) return
    idle.splice(at, 1)
    drop(connection)
  }

  function dropIdle(): void {
    for (const { connection, timer } of idle.splice(0)) {
      clearTimeout(timer)
      drop(connection)
    }
  }

  async function sendOver(connection: SmtpConnection, message: SmtpMessage): Promise<SmtpAcceptance> {
    try {
      const acceptance = await connection.send(message)
      release(connection)
      return acceptance
    } catch (error) {
      const hasReply = error instanceof SmtpError && error.failure.responseCode !== undefined
      const isUsable = error instanceof SmtpError && isOurOwn(error.failure)
      if (isUsable || (connection.isUsable() && hasReply && (await connection.reset()))) release(connection)
      else {
        connection.close()
        drop(connection)
      }
      throw error
    }
  }

  /** Undefined if the message must wait for another connection. */
  async function sendInPlace(message: SmtpMessage): Promise<SmtpAcceptance | undefined> {
    for (let used = takeIdle(); used; used = takeIdle()) {
      try {
        return await sendOver(used, message)
      } catch (error) {
        const wasClosed =
          error instanceof SmtpError && error.certainlyNotSent && error.failure.responseCode === undefined
        if (!wasClosed || isOurOwn(error.failure)) throw error
        dropIdle() // if the server closed one idle connection, it has probably closed the others too
      }
    }
    const opened = await open()
    return opened && sendOver(opened, message)
  }

  return {
    /** Throws an `SmtpError`. */
    async send(message: SmtpMessage, turn: LaneTurn): Promise<SmtpAcceptance> {
      for (;;) {
        const acceptance = await lane.run(turn, () => sendInPlace(message))
        if (acceptance) return acceptance
      }
    },
    async close(): Promise<void> {
      closed = true
      dropIdle()
    },
  }
}
