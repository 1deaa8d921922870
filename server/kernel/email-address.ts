/**
 * What is accepted as an email address: RFC 5321 lengths, a dotted domain, letters of any script. Addresses are trimmed
 * and lower-cased everywhere, so that one address is one contact.
 */
import { domainToASCII } from 'node:url'
import { z } from 'zod'

const LOCAL_PART =
  /^(?:[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])+")$/u
const DOMAIN_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export const normalizeEmail = (text: string): string => text.trim().toLowerCase()

/** Its ASCII form, as in DNS. */
export const normalizeDomain = (text: string): string => domainToASCII(text.trim().toLowerCase().replace(/\.$/, ''))

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** The domain that must be verified for a sender address, as domains are stored. */
export const senderDomain = (email: string): string => normalizeDomain(domainOf(email))

export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || Buffer.byteLength(text) > 254 || Buffer.byteLength(text.slice(0, at)) > 64) return false
  return LOCAL_PART.test(text.slice(0, at)) && isDomainName(text.slice(at + 1))
}

/** A name with at least two labels that is valid in DNS; international names are checked in their ASCII form. */
export function isDomainName(text: string): boolean {
  if (/[\s@/\\:?#%[\]]/.test(text)) return false
  const ascii = domainToASCII(text)
  const labels = ascii.split('.')
  return (
    ascii.length <= 253 &&
    labels.length >= 2 &&
    labels.every((l) => DOMAIN_LABEL.test(l)) &&
    !/^\d+$/.test(labels.at(-1)!)
  )
}

/** An address in a response; it was validated when it was stored. */
export const storedEmail = z.string().meta({ format: 'email' })

export const emailAddress = z
  .string()
  .transform(normalizeEmail)
  .refine(isEmailAddress, { message: 'Must be an email address.', params: { code: 'invalid_string' } })
  .meta({ type: 'string', format: 'email' })

const MAILBOX_MAX = 1_000

/** A further recipient of a message. */
export interface Copy extends Mailbox {
  /** Shown in the header `To` instead of `Cc`. */
  inTo?: boolean
}

/** An address with the name of its owner. */
export interface Mailbox {
  email: string
  name?: string | undefined
}

/** `ada@example.org`, or with a name, such as `Ada Lovelace <ada@example.org>`; undefined if it is neither. */
export function parseMailbox(text: string): Mailbox | undefined {
  const given = text.trim()
  const start = given.lastIndexOf('<')
  if (!given.endsWith('>') || start === -1) {
    const email = normalizeEmail(given)
    return isEmailAddress(email) ? { email } : undefined
  }
  const email = normalizeEmail(given.slice(start + 1, -1))
  const name = given.length <= MAILBOX_MAX ? displayName(given.slice(0, start).trim()) : undefined
  if (name === undefined || !isEmailAddress(email)) return undefined
  return name === '' ? { email } : { email, name }
}

/** Without its quotes; undefined if it can't be a name. */
function displayName(text: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/su.exec(text)?.[1]
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/gsu, '$1')
  return /[<>"]/.test(text) ? undefined : text
}

const BEFORE_DOMAIN = String.raw`@(?=(?:[\p{L}\p{N}-]+\.)+\p{L}{2,})`
/** Not what is between two texts in JSON. */
const QUOTED = String.raw`\\"[^"\\]{1,64}\\"|"(?![:,\]}])[^"\\]{1,64}"`
const UNQUOTED = String.raw`[\p{L}\p{N}.!#$%&'*+/=?^_${'`'}{|}~-]{1,64}`
const ESCAPE = String.raw`\\(?:u[0-9a-f]{4}|.)`

/** The part of an email address before the @, or an escape of JSON. */
const ESCAPE_OR_LOCAL_PART = new RegExp(`(?:${QUOTED})${BEFORE_DOMAIN}|${ESCAPE}|${UNQUOTED}${BEFORE_DOMAIN}`, 'giu')

/** For texts that are stored or logged: shows only the domains of addresses, which is enough to find a problem. */
export const redactAddresses = (text: string): string =>
  text.includes('@') ? text.replaceAll(ESCAPE_OR_LOCAL_PART, (found) => (found.endsWith('@') ? '…@' : found)) : text
