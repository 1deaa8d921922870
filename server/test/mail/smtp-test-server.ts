/**
 * A real mail server on loopback. It stores the messages it receives; a test sets its replies to recipients and
 * messages.
 */
import type { AddressInfo, Server } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface TakenMessage {
  session: string
  sender: string
  recipients: string[]
  raw: string
  secure: boolean
  user: string | undefined
}

export interface SmtpTestServerOptions {
  /** `550 5.1.1 No such user` refuses this recipient. */
  answerRecipient?: (address: string) => string | undefined
  /** The same for the message, once it has been read. */
  answerMessage?: (raw: string) => string | undefined
  answerSender?: (address: string) => string | undefined
  users?: Record<string, string>
  /** Any free port if omitted. */
  port?: number
  server?: SMTPServerOptions
}

export type SmtpTestServer = Awaited<ReturnType<typeof openSmtpTestServer>>

export async function openSmtpTestServer(options: SmtpTestServerOptions = {}) {
  const taken: TakenMessage[] = []
  const sessions = new Set<string>()
  const { users } = options
  const server = new SMTPServer({
    authOptional: !users,
    hideSTARTTLS: true,
    closeTimeout: 100,
    onConnect(session, done) {
      sessions.add(session.id)
      done()
    },
    onAuth({ username, password }, _session, done) {
      if (users && users[username ?? ''] === password) done(null, { user: username })
      else done(answerOf('535 5.7.8 Wrong user or password'))
    },
    onMailFrom: ({ address }, _session, done) => done(answerOf(options.answerSender?.(address))),
    onRcptTo: ({ address }, _session, done) => done(answerOf(options.answerRecipient?.(address))),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const refusal = answerOf(options.answerMessage?.(raw))
        if (!refusal) {
          const { mailFrom, rcptTo } = session.envelope
          taken.push({
            session: session.id,
            sender: mailFrom ? mailFrom.address : '',
            recipients: rcptTo.map(({ address }) => address),
            raw,
            secure: session.secure,
            user: session.user,
          })
        }
        done(refusal)
      })
    },
    ...options.server,
  })
  server.on('error', () => undefined) // for clients that close the connection on purpose
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = (server.server as Server).address() as AddressInfo
  return {
    port,
    taken,
    /** The number of connections so far. */
    sessions,
    options,
    /** Closes every open connection. */
    disconnect() {
      for (const connection of server.connections) connection.close()
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The library requires the code and the text separately. */
function answerOf(line: string | undefined): Error | null {
  if (line === undefined) return null
  return Object.assign(new Error(line.slice(4)), { responseCode: Number(line.slice(0, 3)) })
}
