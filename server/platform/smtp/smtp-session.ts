/**
 * Opens a session with a mail server: greeting, EHLO, TLS, EHLO again, and authentication by PLAIN, LOGIN or CRAM-MD5,
 * whichever the server offers first in this order.
 */
import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import type { SmtpOptions } from '../transports/mail-url.ts'
import { exchangeOne, isYes, type Reply, refusalOf, SmtpError, type Wire } from './smtp-wire.ts'

/** The extensions of the server. */
export interface Offer {
  pipelining: boolean
  eightBit: boolean
  smtpUtf8: boolean
  startTls: boolean
  /** The server accepts the SIZE parameter; and the maximum size, 0 if it gives none. */
  size: boolean
  sizeMax: number
  auth: string[]
}

/** Throws an `SmtpError`. */
export async function beginSession(wire: Wire, options: SmtpOptions, withinMs: number): Promise<Offer> {
  const greeting = await exchangeOne(wire, '')
  if (greeting.code !== 220) throw new SmtpError(refusalOf('EPROTOCOL', 'CONN', greeting), true)
  wire.setDeadline(withinMs)
  const name = ourName(options.name, wire.localAddress())
  let offer = await hello(wire, name, options.tls !== 'required')
  if (wantsTls(options.tls, offer)) {
    await startTls(wire)
    offer = await hello(wire, name, true)
  }
  if (options.auth) await authenticate(wire, offer.auth, options.auth)
  return offer
}

async function hello(wire: Wire, name: string, mayBeOld: boolean): Promise<Offer> {
  const reply = await exchangeOne(wire, `EHLO ${name}\r\n`)
  if (isYes(reply)) return offerOf(reply.text)
  if (reply.code < 500 || !mayBeOld) throw new SmtpError(refusalOf('ECONNECTION', 'EHLO', reply), true)
  const older = await exchangeOne(wire, `HELO ${name}\r\n`)
  if (!isYes(older)) throw new SmtpError(refusalOf('EPROTOCOL', 'HELO', older), true)
  return offerOf('')
}

function wantsTls(tls: SmtpOptions['tls'], offer: Offer): boolean {
  if (tls === 'required' && !offer.startTls) {
    const message = 'The mail server does not offer STARTTLS, but MAIL_URL requires encryption.'
    throw new SmtpError({ message, code: 'ETLS', command: 'STARTTLS' }, true)
  }
  return offer.startTls && (tls === 'required' || tls === 'preferred')
}

async function startTls(wire: Wire): Promise<void> {
  const reply = await exchangeOne(wire, 'STARTTLS\r\n')
  if (!isYes(reply)) throw new SmtpError(refusalOf('ETLS', 'STARTTLS', reply), true)
  if (!(await wire.secure())) throw new SmtpError({ ...wire.failure()!, command: 'STARTTLS' }, true)
}

/** A line for each extension, after one with the server's name. */
function offerOf(text: string): Offer {
  const offered = new Map<string, string[]>()
  for (const line of text.split('\n').slice(1)) {
    // `AUTH=LOGIN` is the syntax from before the standard.
    const [keyword = '', ...parameters] = line
      .slice(4)
      .trim()
      .toUpperCase()
      .split(/[\s=]+/)
    offered.set(keyword, [...(offered.get(keyword) ?? []), ...parameters])
  }
  const sizeMax = Number(offered.get('SIZE')?.[0] ?? 0)
  return {
    pipelining: offered.has('PIPELINING'),
    eightBit: offered.has('8BITMIME'),
    smtpUtf8: offered.has('SMTPUTF8'),
    startTls: offered.has('STARTTLS'),
    size: offered.has('SIZE'),
    sizeMax: Number.isFinite(sizeMax) ? sizeMax : 0,
    auth: offered.get('AUTH') ?? [],
  }
}

/** A name with a dot is used; otherwise the address. */
function ourName(given: string, address: string): string {
  const name = given.replace(/[^\x21-\x7e]/g, '')
  if (name !== '') return name
  if (/^[\w-]+(\.[\w-]+)*\.[a-z][\w-]*$/i.test(hostname())) return hostname()
  return isIPv6(address) ? `[IPv6:${address}]` : `[${address}]`
}

interface Credentials {
  user: string
  pass: string
}

type SendCommand = (command: string) => Promise<Reply>
/** Sends what the method requires and returns the reply to the last command. */
type Method = (sendCommand: SendCommand, credentials: Credentials) => Promise<Reply>

/** In order of preference. If the server offers none of them, the first is tried. */
const METHODS: Record<string, Method> = {
  PLAIN: async (sendCommand, { user, pass }) => {
    const response = base64(`\0${user}\0${pass}`)
    const reply = await sendCommand(`AUTH PLAIN ${response}`)
    return reply.code === 334 ? sendCommand(response) : reply
  },
  LOGIN: async (sendCommand, { user, pass }) => {
    for (const command of ['AUTH LOGIN', base64(user)]) {
      const reply = await sendCommand(command)
      if (reply.code !== 334) return reply
    }
    return sendCommand(base64(pass))
  },
  'CRAM-MD5': async (sendCommand, { user, pass }) => {
    const challenge = await sendCommand('AUTH CRAM-MD5')
    if (challenge.code !== 334) return challenge
    const question = Buffer.from(challenge.text.slice(4), 'base64')
    return sendCommand(base64(`${user} ${createHmac('md5', pass).update(question).digest('hex')}`))
  },
}

async function authenticate(wire: Wire, offered: readonly string[], credentials: Credentials): Promise<void> {
  if (credentials.pass === '') {
    throw new SmtpError({ message: 'MAIL_URL has a user but no password.', code: 'EAUTH', command: 'AUTH' }, true)
  }
  const name = Object.keys(METHODS).find((method) => offered.includes(method)) ?? 'PLAIN'
  const reply = await METHODS[name]!((command) => exchangeOne(wire, `${command}\r\n`), credentials)
  if (!isYes(reply)) throw new SmtpError(refusalOf('EAUTH', `AUTH ${name}`, reply), true)
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
