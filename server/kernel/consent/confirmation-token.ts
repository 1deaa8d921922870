/**
 * The token of a confirmation link: it names the contact and the time of the request, and is signed, so it can't be forged
 * for another contact.
 */

export interface ConfirmationSubject {
  projectId: string
  contactId: string
  /** When the confirmation was requested. */
  requestedAt: Date
}

interface Signer {
  sign(purpose: string, text: string): string
  isSigned(purpose: string, text: string, tag: string): boolean
}

const PURPOSE = 'confirmation'

/** 16 bytes each for project and contact, 6 for the time and 16 for the signature: a multiple of three, so every bit of the text counts. */
const TOKEN = /^[\w-]{72}$/
const ID_BYTES = 16
const FACTS_BYTES = 2 * ID_BYTES + 6

export function confirmationToken(secrets: Signer, { projectId, contactId, requestedAt }: ConfirmationSubject): string {
  const time = requestedAt.getTime().toString(16).padStart(12, '0')
  const facts = (projectId + contactId).replaceAll('-', '') + time
  const signature = Buffer.from(secrets.sign(PURPOSE, facts), 'base64url')
  return Buffer.concat([Buffer.from(facts, 'hex'), signature]).toString('base64url')
}

/** Undefined for a token that isn't ours. */
export function readConfirmationToken(secrets: Signer, token: string): ConfirmationSubject | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const facts = bytes.toString('hex', 0, FACTS_BYTES)
  if (!secrets.isSigned(PURPOSE, facts, bytes.toString('base64url', FACTS_BYTES))) return undefined
  return {
    projectId: asId(facts.slice(0, 2 * ID_BYTES)),
    contactId: asId(facts.slice(2 * ID_BYTES, 4 * ID_BYTES)),
    requestedAt: new Date(Number.parseInt(facts.slice(4 * ID_BYTES), 16)),
  }
}

const asId = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
