/**
 * A mail server for inbound email and submission: TLS, size limits, timeouts, connection limits, and a shutdown that
 * lets messages in progress finish. Handlers process messages and refuse them by throwing an `SmtpRefusal`. A message
 * is accepted only after its handler has returned.
 */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import type { SMTPServer, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { within } from '../../kernel/clock.ts'
import { isDatabaseUnavailable } from '../database/connection/transaction.ts'
import type { Log } from '../log.ts'
import { networkOf } from '../network/public-address.ts'
import type { Certificate } from './certificate.ts'
import { connectionCaps, isLoopback } from './connection-caps.ts'
import { createRoom, readMessage } from './read-message.ts'
import { SmtpRefusal, SmtpStartProblem } from './refusal.ts'

export interface SmtpSession<User> {
  /** The client's address. */
  address: string
  /** The client's HELO name. */
  helo: string
  /** Empty for a report (`<>`). */
  sender: string
  recipients: string[]
  /** The authenticated user, if authentication is required. */
  user: User
}

export interface SmtpHandlers<User> {
  /** Absent if there is no authentication. */
  signIn?(login: { user: string; password: string }, address: string): Promise<User>
  /** If users have projects, these share the memory for messages; otherwise client networks do. */
  projectOf?(user: User): string
  sender(address: string, session: SmtpSession<User>): Promise<void>
  recipient(address: string, session: SmtpSession<User>): Promise<void>
  /** Returns the text of the reply, once the message is stored. */
  message(raw: Buffer, session: SmtpSession<User>): Promise<string>
}

export interface MailServerOptions<User> {
  /** The setting of the port, for the error message if it is not available. */
  setting: string
  host: string
  port: number
  /** The server's host name. */
  name: string
  certificate: Certificate
  /** Implicit TLS instead of STARTTLS. */
  implicitTls?: boolean
  maxBytes: number
  log: Log
  handlers: SmtpHandlers<User>
}

export interface SmtpListener {
  port: number
  /** Applies to new connections. */
  useCertificate(certificate: Certificate): void
  stop(): Promise<void>
}

const CLIENTS_MAX = 200
const CLIENTS_PER_ADDRESS_MAX = 50
const RECIPIENTS_MAX = 100
const IDLE_MS = 120_000
const MESSAGE_WITHIN_MS = 10 * 60_000
const STOP_WITHIN_MS = 2_000
/** All messages in progress in one server share this room. */
const ROOM_BYTES = 256 * 1024 * 1024

export async function listenForMail<User>(options: MailServerOptions<User>): Promise<SmtpListener> {
  const { SMTPServer } = await import('smtp-server') // most installations open no mail port
  const busy = new Set<string>()
  const server: SMTPServer = new SMTPServer({
    ...options.certificate,
    secure: options.implicitTls ?? false,
    name: options.name,
    banner: 'Posthorn',
    size: options.maxBytes,
    maxRecipients: RECIPIENTS_MAX,
    maxClients: CLIENTS_MAX,
    socketTimeout: IDLE_MS,
    closeTimeout: STOP_WITHIN_MS,
    disableReverseLookup: true,
    logger: false,
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true, // decided per connection: see onConnect
    authRequiredMessage: '5.7.0 Authentication required: username posthorn, password your secret key.',
    disabledCommands: options.handlers.signIn ? [] : ['AUTH'],
    ...connectionEvents(options.handlers),
    ...mailEvents(options, busy, (sessionId) => {
      for (const connection of server.connections) if (connection.id === sessionId) connection.close()
    }),
  })
  server.on('error', (error) => options.log.debug({ reason: error.message }, 'an SMTP connection was lost'))
  await startListening(server.server, options)
  return {
    port: (server.server.address() as AddressInfo).port,
    useCertificate: (certificate) => server.updateSecureContext({ ...certificate }),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(resolve))
      for (const connection of server.connections) {
        if (!busy.has(connection.id)) connection.send(421, '4.3.2 The server is shutting down. Try again later.')
      }
      await within(STOP_WITHIN_MS + 500, closed)
    },
  }
}

type Events = Pick<
  SMTPServerOptions,
  'onConnect' | 'onSecure' | 'onClose' | 'onAuth' | 'onMailFrom' | 'onRcptTo' | 'onData'
>

/** Which clients can connect, and which can authenticate: only over a private connection. */
function connectionEvents({ signIn }: Pick<SmtpHandlers<unknown>, 'signIn'>): Events {
  const caps = connectionCaps(CLIENTS_PER_ADDRESS_MAX)
  return {
    onConnect(session, done) {
      if (!caps.enter(session.id, session.remoteAddress)) {
        return done(new SmtpRefusal(421, '4.7.0 Too many connections from your address. Try again in a minute.'))
      }
      if (signIn && !session.secure && !isLoopback(session.remoteAddress)) session.disabledCommands = ['AUTH']
      done()
    },
    onSecure(_socket, session, done) {
      if (signIn) session.disabledCommands = []
      done()
    },
    onClose: (session) => caps.leave(session.id),
  }
}

/** The commands of a connection, handled by the handlers. `busy` has the sessions that wait for our reply. */
function mailEvents<User>(
  { handlers, maxBytes, log }: MailServerOptions<User>,
  busy: Set<string>,
  disconnect: (sessionId: string) => void,
): Events {
  const room = createRoom(ROOM_BYTES, maxBytes)

  function answer<T>(
    session: SMTPServerSession,
    work: Promise<T>,
    done: (error: Error | null, result?: T) => void,
  ): void {
    busy.add(session.id)
    work
      .then(
        (result) => done(null, result),
        (error: unknown) => {
          const refusal = refusalFor(error, log)
          done(refusal)
          if (refusal.disconnect) disconnect(session.id)
        },
      )
      .finally(() => busy.delete(session.id))
  }

  const senderOf = (session: SMTPServerSession): string =>
    handlers.projectOf?.(session.user as User) ?? networkOf(session.remoteAddress)

  async function receiveMessage(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const tooSlow = setTimeout(() => disconnect(session.id), MESSAGE_WITHIN_MS)
    const { raw, release } = await readMessage(stream, maxBytes, room, senderOf(session)).finally(() =>
      clearTimeout(tooSlow),
    )
    try {
      return await handlers.message(raw, sessionOf(session))
    } finally {
      release()
    }
  }

  const signedIn = async (session: SMTPServerSession) => {
    if (handlers.signIn && !session.user) throw new SmtpRefusal(530, '5.7.0 Start TLS and authenticate first.')
  }
  return {
    onAuth({ username = '', password }, session, done) {
      const login = { user: username, password: password ?? '' }
      const reply = (error: Error | null, user?: User) => done(error, user === undefined ? undefined : { user })
      answer(session, handlers.signIn!(login, session.remoteAddress), reply)
    },
    onMailFrom({ address }, session, done) {
      const work = signedIn(session).then(() => handlers.sender(address, sessionOf(session)))
      answer(session, work, (error) => done(error))
    },
    onRcptTo: ({ address }, session, done) =>
      answer(session, handlers.recipient(address, sessionOf(session)), (error) => done(error)),
    onData: (stream, session, done) => answer(session, receiveMessage(stream, session), done),
  }
}

/** Errors other than refusals are our fault, so the client can retry. */
function refusalFor(error: unknown, log: Log): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error
  if (isCutOff(error)) return new SmtpRefusal(451, '4.4.2 The connection was lost.')
  if (isDatabaseUnavailable(error)) {
    log.warn({ reason: String(error) }, 'the database is unavailable; incoming messages are deferred')
    return new SmtpRefusal(451, '4.3.0 The database is currently unavailable. Try again later.')
  }
  log.error({ err: error }, 'a message could not be processed')
  return new SmtpRefusal(451, '4.3.0 An internal error occurred. Try again later.')
}

async function startListening(server: Server, options: { setting: string; host: string; port: number }) {
  server.listen(options.port, options.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new SmtpStartProblem(
      `Posthorn can't start: it can't listen on the port set in ${options.setting} (${(error as Error).message}).`,
    )
  }
}

function sessionOf<User>(session: SMTPServerSession): SmtpSession<User> {
  const { mailFrom, rcptTo } = session.envelope
  return {
    address: session.remoteAddress,
    helo: session.hostNameAppearsAs,
    sender: mailFrom ? mailFrom.address : '',
    recipients: rcptTo.map(({ address }) => address),
    user: session.user as User,
  }
}

const isCutOff = (error: unknown): boolean =>
  ['ECONNECTION', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes(String((error as NodeJS.ErrnoException).code))
