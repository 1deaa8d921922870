/**
 * Tracked links and the pixel: which emails have them, and the tokens behind them. A token names the email, carries the
 * link itself and is signed over both: nothing is stored per link, nobody can forge one that leads elsewhere, and a
 * link works for as long as the email exists, even while the database is down.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { insertBeforeEnd, replaceLinks } from '../../platform/mail/html-reader.ts'
import type { Secrets } from '../../platform/secrets.ts'

export interface TrackableEmail {
  id: string
  project_id: string
  contact_id: string | null
  source_type: string
  template_id: string | null
  content_type: string
  /** The project's setting. */
  tracking: string
}

/**
 * Campaigns, workflows and template mail, as the project wishes. The body of a /v1/send request is the caller's own
 * and stays as it is; and where there is no contact there is nobody to follow.
 */
function isTracked(email: TrackableEmail): boolean {
  if (email.contact_id === null || (email.source_type === 'TRANSACTIONAL' && email.template_id === null)) return false
  return email.tracking === 'ENABLED' || (email.tracking === 'MARKETING_ONLY' && email.content_type !== 'TRANSACTIONAL')
}

/** Our own pages by which a reader leaves must not depend on anything; what leads over us already need not do so twice. */
const OWN_PAGES = ['/unsubscribe/', '/subscribe/', '/manage/', '/t/']

export function withTracking(
  { secrets, baseUrl }: { secrets: Secrets; baseUrl: string },
  email: TrackableEmail,
  html: string,
): string {
  if (!isTracked(email)) return html
  const tracked = { projectId: email.project_id, emailId: email.id }
  const urlOf = clickUrls(secrets, baseUrl, tracked)
  const known = new Map<string, string | undefined>()
  const body = replaceLinks(html, (link) => {
    if (known.has(link)) return known.get(link)
    const isOwn = link.startsWith(baseUrl) && OWN_PAGES.some((path) => link.startsWith(path, baseUrl.length))
    const url = isOwn ? undefined : urlOf(link)
    known.set(link, url)
    return url
  })
  const pixel = `<img src="${openUrl(secrets, baseUrl, tracked)}" width="1" height="1" alt="" style="display:block;border:0">`
  return insertBeforeEnd(body, pixel)
}

export interface TrackedEmail {
  projectId: string
  emailId: string
}

const OPEN = 'open'
const CLICK = 'click'
const IDS_BYTES = 32
const SIGNATURE_BYTES = 16
const LINK_START = IDS_BYTES + SIGNATURE_BYTES
/** Longer links stay as they are: some mail programs cut what is longer than our address for them would be. */
const LINK_CHARACTERS_MAX = 4_000
const OPEN_TOKEN = /^[\w-]{64}$/
const CLICK_TOKEN = /^[\w-]{70,20000}$/

const idsOf = ({ projectId, emailId }: TrackedEmail): string => (projectId + emailId).replaceAll('-', '')

export function openUrl(secrets: Secrets, baseUrl: string, email: TrackedEmail): string {
  const ids = idsOf(email)
  const signature = Buffer.from(secrets.sign(OPEN, ids), 'base64url')
  return `${baseUrl}/t/o/${Buffer.concat([Buffer.from(ids, 'hex'), signature]).toString('base64url')}.gif`
}

/** Makes the tracked address of each link of one email; nothing for a link that can't be tracked. */
export function clickUrls(secrets: Secrets, baseUrl: string, email: TrackedEmail) {
  const ids = idsOf(email)
  const key = secrets.sign(CLICK, ids)
  return (link: string): string | undefined => {
    if (!isWebLink(link)) return undefined
    scratch.write(ids, 0, 'hex')
    scratch.write(linkTag(key, link), IDS_BYTES, 'hex')
    const end = LINK_START + scratch.write(link, LINK_START, 'utf8')
    return `${baseUrl}/t/c/${scratch.toString('base64url', 0, end)}`
  }
}

/** Each use begins and ends within one call. Three bytes are the most that a character of a string takes. */
const scratch = Buffer.alloc(LINK_START + 3 * LINK_CHARACTERS_MAX)

/**
 * An email has a key of its own, and the link is hashed between two copies of it. That is as strong as an HMAC here,
 * and takes 1 µs where that takes 5: emails with twenty links are composed by the million.
 */
const linkTag = (key: string, link: string): string =>
  hash('sha256', `${key}\0${link}\0${key}`, 'hex').slice(0, 2 * SIGNATURE_BYTES)

/** Only what a browser opens as a page: never `javascript:`, `data:`, `mailto:`, a fragment or a relative path. */
const isWebLink = (link: string): boolean =>
  link.length <= LINK_CHARACTERS_MAX && /^https?:\/\//i.test(link) && URL.canParse(link)

/** Which email a pixel belongs to, or nothing when we did not make it. */
export function readOpenToken(secrets: Secrets, token: string): TrackedEmail | undefined {
  const text = token.endsWith('.gif') ? token.slice(0, -4) : token
  if (!OPEN_TOKEN.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const ids = bytes.toString('hex', 0, IDS_BYTES)
  if (!secrets.isSigned(OPEN, ids, bytes.toString('base64url', IDS_BYTES))) return undefined
  return emailOf(ids)
}

/** Which email a link was in and where it leads, or nothing when we did not make it. */
export function readClickToken(secrets: Secrets, token: string): (TrackedEmail & { link: string }) | undefined {
  if (!CLICK_TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.toString('base64url') !== token) return undefined // one link, one text
  const ids = bytes.toString('hex', 0, IDS_BYTES)
  const link = bytes.toString('utf8', LINK_START)
  const expected = Buffer.from(linkTag(secrets.sign(CLICK, ids), link), 'hex')
  if (!timingSafeEqual(bytes.subarray(IDS_BYTES, LINK_START), expected) || !isWebLink(link)) return undefined
  return { ...emailOf(ids), link }
}

const emailOf = (ids: string): TrackedEmail => ({ projectId: asId(ids.slice(0, 32)), emailId: asId(ids.slice(32)) })

const asId = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
