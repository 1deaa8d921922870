/**
 * The words that go before a message: from whom, to whom, and what the server has to know of it. What it can't take
 * is found out here, before anything is said, and no address can smuggle in a command.
 */
import { isAscii } from 'node:buffer'
import { SmtpError } from './smtp-error.ts'
import type { Offer } from './smtp-session.ts'

export interface SmtpMessage {
  sender: string
  recipient: string
  raw: Buffer
}

/** Each with its line end. */
export interface Envelope {
  mail: string
  rcpt: string
}

/** Spaces are fine inside quotes; controls and angle brackets, which end an address, are not fine anywhere. */
const ADDRESS = /^(?:"(?:[^"\\<>\p{Cc}]|\\[^<>\p{Cc}])*"|[^\s"<>\p{Cc}]+)@[^\s"<>\p{Cc}]+$/u

/** Throws an `SmtpError` that leaves the connection as it was. */
export function envelopeOf({ sender, recipient, raw }: SmtpMessage, offer: Offer): Envelope {
  if (sender !== '' && !ADDRESS.test(sender)) refuse('EENVELOPE', `Not a sender address: ${JSON.stringify(sender)}`)
  if (!ADDRESS.test(recipient)) refuse('EENVELOPE', `Not a recipient address: ${JSON.stringify(recipient)}`)
  if (offer.sizeMax > 0 && raw.length > offer.sizeMax) {
    refuse('EMESSAGE', `The message has ${raw.length} bytes; the mail server takes a size of ${offer.sizeMax}.`)
  }
  const isBeyondAscii = !isPlain(sender) || !isPlain(recipient)
  if (isBeyondAscii && !offer.smtpUtf8) {
    refuse('EENVELOPE', 'The mail server does not take addresses with letters beyond ASCII (SMTPUTF8).')
  }
  const isEightBit = !isAscii(raw)
  // A server without SMTPUTF8 gets such headers all the same: most pass them on, and refusing is up to it.
  const utf8 = offer.smtpUtf8 && (isBeyondAscii || (isEightBit && !isAscii(headersOf(raw)))) ? ' SMTPUTF8' : ''
  const body = isEightBit && offer.eightBit ? ' BODY=8BITMIME' : ''
  const size = offer.size ? ` SIZE=${raw.length}` : ''
  return { mail: `MAIL FROM:<${sender}>${utf8}${body}${size}\r\n`, rcpt: `RCPT TO:<${recipient}>\r\n` }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII is what is asked for
const isPlain = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

function headersOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n')
  return end < 0 ? raw : raw.subarray(0, end)
}

function refuse(code: string, message: string): never {
  throw new SmtpError({ message, code, command: 'MAIL FROM' }, true)
}
