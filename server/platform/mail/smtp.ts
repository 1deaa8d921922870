/**
 * Hands messages to a mail server or relay over pooled connections that take turns. What it accepted is delivered as far
 * as we can know. A connection that a server dropped while it was idle costs nobody a try.
 */
import type { SmtpOptions } from './mail-url.ts'
import { wireAddress } from './mime-encoding.ts'
import { openLine, type SmtpLine, type SmtpMessage } from './smtp-connection.ts'
import { isOurOwn, resultOf, SmtpError } from './smtp-wire.ts'
import type { MailResult, OutgoingMail, Transport } from './transport.ts'

export function smtpTransport(options: SmtpOptions): Transport {
  const pool = createPool(options)

  async function send({ sender, recipients, messageId, raw }: OutgoingMail): Promise<MailResult> {
    try {
      await pool.send({ sender: wireAddress(sender), recipient: wireAddress(recipients[0]!), raw })
      return { outcome: 'accepted', providerId: messageId, delivered: true }
    } catch (error) {
      if (error instanceof SmtpError) return resultOf(error.failure)
      throw error
    }
  }

  return { name: 'smtp', signing: 'on-send', send, close: () => pool.close() }
}

/** Servers hang up on the idle after a minute or more; better to be first. */
const IDLE_MS = 20_000
/** How long a server that refuses further connections is not asked for more. */
const CONTENT_WITH_FEWER_MS = 60_000

export interface SmtpPool {
  /** Returns the server's words; throws an `SmtpError`. */
  send(message: SmtpMessage): Promise<string>
  close(): Promise<void>
}

/**
 * A message waits for a free connection; a connection serves so many messages, or so long without any, and makes room
 * for a new one.
 */
export function createPool(options: SmtpOptions, open: typeof openLine = openLine): SmtpPool {
  const idle: Array<{ line: SmtpLine; timer: NodeJS.Timeout }> = []
  const waiting: Array<() => void> = []
  let lines = 0
  let most = options.pool
  let fewerUntil = 0
  let closed = false

  /** A connection of one's own until it is given back or dropped. */
  async function take(): Promise<{ line: SmtpLine; used: boolean }> {
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
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  /** Nothing when the server takes no further connection but serves those we have: then a free one is waited for. */
  async function tryOpening(): Promise<SmtpLine | undefined> {
    lines++
    try {
      return await open(options)
    } catch (error) {
      lines--
      if (lines === 0 || !(error instanceof SmtpError) || error.failure.code === 'EAUTH') {
        waiting.shift()?.()
        throw error
      }
      most = lines
      fewerUntil = Date.now() + CONTENT_WITH_FEWER_MS
      return undefined
    }
  }

  function giveBack(line: SmtpLine): void {
    if (closed || !line.isUsable() || line.sent >= options.messages) drop(line)
    else {
      idle.push({ line, timer: setTimeout(() => retire(line), IDLE_MS).unref() })
      waiting.shift()?.()
    }
  }

  function drop(line: SmtpLine): void {
    lines--
    if (line.isUsable()) line.quit()
    waiting.shift()?.()
  }

  function retire(line: SmtpLine): void {
    const at = idle.findIndex((entry) => entry.line === line)
    if (at < 0) return
    idle.splice(at, 1)
    drop(line)
  }

  /** One that was dropped unnoticed is seldom alone. */
  function dropIdle(): void {
    for (const { line, timer } of idle.splice(0)) {
      clearTimeout(timer)
      drop(line)
    }
  }

  async function send(message: SmtpMessage): Promise<string> {
    const { line, used } = await take()
    try {
      const words = await line.send(message)
      giveBack(line)
      return words
    } catch (error) {
      const answered = error instanceof SmtpError && error.failure.responseCode !== undefined
      if (error instanceof SmtpError && isOurOwn(error.failure)) giveBack(line)
      else if (line.isUsable() && answered && (await line.reset())) giveBack(line)
      else {
        line.close()
        drop(line)
        if (used && !answered && error instanceof SmtpError && error.certainlyNotSent) {
          dropIdle()
          return send(message)
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
