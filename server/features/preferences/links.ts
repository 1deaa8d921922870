/**
 * Preference links in emails, which need no password. A link contains the contact and is signed, so it can't be forged
 * for another contact, and it never expires.
 */
import type { Secrets } from '../../platform/secrets.ts'

export interface PreferenceLinks {
  unsubscribeUrl: string
  subscribeUrl: string
  manageUrl: string
}

/**
 * The contact in the links of previews and test emails. The pages behind them look like those of a real contact and
 * change nothing.
 */
export const SAMPLE_CONTACT = { id: '00000000-0000-0000-0000-000000000000', email: 'contact@example.com' }

/** For an email without a contact. */
export const NO_LINKS: PreferenceLinks = { unsubscribeUrl: '', subscribeUrl: '', manageUrl: '' }

export function preferenceLinks(
  secrets: Secrets,
  baseUrl: string,
  projectId: string,
  contactId: string,
): PreferenceLinks {
  const token = preferenceToken(secrets, projectId, contactId)
  return {
    unsubscribeUrl: `${baseUrl}/unsubscribe/${token}`,
    subscribeUrl: `${baseUrl}/subscribe/${token}`,
    manageUrl: `${baseUrl}/manage/${token}`,
  }
}

const PURPOSE = 'preferences'
/** 16 bytes each for project, contact and signature: a multiple of three, so every bit of the text counts. */
const TOKEN = /^[\w-]{64}$/

export function preferenceToken(secrets: Secrets, projectId: string, contactId: string): string {
  const ids = (projectId + contactId).replaceAll('-', '')
  const signature = Buffer.from(secrets.sign(PURPOSE, ids), 'base64url')
  return Buffer.concat([Buffer.from(ids, 'hex'), signature]).toString('base64url')
}

export interface PreferenceSubject {
  projectId: string
  contactId: string
}

/** The contact of a token, or undefined if it is invalid. */
export function readPreferenceToken(secrets: Secrets, token: string): PreferenceSubject | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const ids = bytes.toString('hex', 0, 32)
  if (!secrets.isSigned(PURPOSE, ids, bytes.toString('base64url', 32))) return undefined
  return { projectId: asId(ids.slice(0, 32)), contactId: asId(ids.slice(32)) }
}

const asId = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
