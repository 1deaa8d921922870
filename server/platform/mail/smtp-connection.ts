/**
 * One connection to a mail server, with promises: opened with greeting, TLS and password; then message after message.
 * The protocol is nodemailer's (it pipelines where the server offers it); what it makes of a failure is ours.
 */
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SmtpOptions } from './mail-url.ts'
import type { SmtpFailure } from './smtp-reply.ts'

const CONNECT_WITHIN_MS = 15_000
/** Whatever a server does to keep us waiting, a message is given up in time for its lease. */
const MESSAGE_WITHIN_MS = 45_000

export class SmtpError extends Error {
  readonly failure: SmtpFailure
  /** The message cannot have been taken: the server had not asked for it yet. */
  readonly certainlyNotSent: boolean

  constructor(failure: SmtpFailure, certainlyNotSent: boolean) {
    super(failure.message)
    this.failure = failure
    this.certainlyNotSent = certainlyNotSent
  }
}

export interface SmtpMessage {
  sender: string
  recipient: string
  raw: Buffer
}

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

export async function openLine(options: SmtpOptions): Promise<SmtpLine> {
  const connection = new SMTPConnection({
    host: options.host,
    port: options.port,
    secure: options.tls === 'implicit',
    requireTLS: options.tls === 'required',
    ignoreTLS: options.tls === 'off',
    tls: { rejectUnauthorized: options.verify },
    connectionTimeout: Math.min(CONNECT_WITHIN_MS, options.timeoutMs),
    greetingTimeout: Math.min(CONNECT_WITHIN_MS, options.timeoutMs),
    socketTimeout: options.timeoutMs,
    ...(options.name ? { name: options.name } : {}),
  })
  // A failure reaches whoever waits for an answer; while nobody does, the line is simply not used again.
  let failed: ((error: Error) => void) | undefined
  connection.on('error', (error) => failed?.(error))

  const asked = <T>(ask: (done: (error?: Error | null, answer?: T) => void) => void): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      failed = reject
      ask((error, answer) => (error ? reject(error) : resolve(answer)))
    })

  try {
    await asked((done) => connection.connect(done))
    if (options.auth) await asked((done) => connection.login({ ...options.auth }, done))
  } catch (error) {
    connection.close()
    throw new SmtpError({ ...failureOf(error), beforeMessage: true }, true)
  }

  /** A server asks for the message with a 3xx answer; whatever was said last tells whether it did. */
  const hasAskedForMessage = () => /^3/.test(connection.lastServerResponse || '')

  async function send({ sender, recipient, raw }: SmtpMessage): Promise<string> {
    const late = setTimeout(() => {
      failed?.(Object.assign(new Error('The mail server took too long.'), { code: 'ETIMEDOUT' }))
      connection.close()
    }, MESSAGE_WITHIN_MS)
    try {
      const envelope = { from: sender, to: [recipient], size: raw.length }
      const info = await asked<{ response: string }>((done) => connection.send(envelope, raw, done))
      line.sent++
      return info!.response
    } catch (error) {
      throw new SmtpError(failureOf(error), !hasAskedForMessage())
    } finally {
      clearTimeout(late)
    }
  }

  const line: SmtpLine = {
    sent: 0,
    isUsable: () => !connection.destroyed,
    send,
    reset: () =>
      asked((done) => connection.reset(done)).then(
        () => true,
        () => false,
      ),
    quit: () => connection.quit(),
    close: () => connection.close(),
  }
  return line
}

function failureOf(error: unknown): SmtpFailure {
  const { message, code, response, responseCode, command } = error as SmtpFailure
  return { message, code, response, responseCode, command }
}
