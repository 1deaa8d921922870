/**
 * Mail addresses in headers. International domains are written as A-labels, so that every server can route them; a
 * local part beyond ASCII stays as it is and needs SMTPUTF8. What is not one address is refused, never passed on.
 */
import { domainToASCII } from 'node:url'
import { encodedWords, foldHeader, isPrintableAscii, refuseLineBreaks } from './mime-header.ts'

export interface Address {
  name?: string
  email: string
}

/** RFC 5321: 64 for the local part, 255 for the domain, and the sign between. */
const ADDRESS_BYTES_MAX = 320

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u00a1-\\u2027\\u202a-\\ufefe\\uff00-\\uffff-]+"
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`)
const QUOTED_STRING = /^"(?:[^"\\]|\\.)*"$/
const ASCII_DOMAIN = /^[A-Za-z0-9._-]+$/
const DOMAIN_LITERAL = /^\[[A-Za-z0-9.:-]+\]$/
/** The URL parser behind domainToASCII would cut the domain at these instead of refusing it. */
const NOT_IN_DOMAIN = /[\s/\\?#%@:<>()[\],;"]/

/** The address as it goes over the wire, in headers and in the envelope alike. */
export function wireAddress(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = at > 0 ? wireDomain(email.slice(at + 1)) : ''
  if (domain === '' || /\p{Cc}/u.test(email)) throw new Error(`Not an email address: ${JSON.stringify(email)}`)
  const local = email.slice(0, at)
  const isReady = DOT_ATOM.test(local) || QUOTED_STRING.test(local)
  const address = `${isReady ? local : quote(local)}@${domain}`
  if (Buffer.byteLength(address) > ADDRESS_BYTES_MAX) throw new Error(`Too long for an email address: ${address}`)
  return address
}

function wireDomain(domain: string): string {
  if (ASCII_DOMAIN.test(domain) || DOMAIN_LITERAL.test(domain)) return domain
  if (NOT_IN_DOMAIN.test(domain)) return ''
  const ascii = domainToASCII(domain)
  return ASCII_DOMAIN.test(ascii) ? ascii : ''
}

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

export function addressHeader(header: string, addresses: Address[]): string {
  const pieces: string[] = []
  addresses.forEach(({ name, email }, index) => {
    const comma = index < addresses.length - 1 ? ',' : ''
    const words = displayName(name ?? '')
    for (const word of words) pieces.push(` ${word}`)
    const address = wireAddress(email)
    pieces.push(words.length > 0 ? ` <${address}>${comma}` : ` ${address}${comma}`)
  })
  return foldHeader(header, pieces)
}

/** Plain words; in quotes where they hold anything special; encoded where they hold more than ASCII or get long. */
function displayName(given: string): string[] {
  refuseLineBreaks(given, 'a display name')
  const name = given.trim()
  if (name === '') return []
  if (!isPrintableAscii(name) || name.includes('=?') || name.length > 60) return encodedWords(name, 60)
  const isPlain = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+$/.test(name) && !name.includes('  ')
  return [isPlain ? name : quote(name)]
}
