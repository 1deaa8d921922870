/**
 * Tracked links and the open pixel: which emails have them, and their tokens. A token contains the email and the link
 * and is signed, so nothing is stored per link, links can't be forged, and a link works as long as the email exists,
 * even if the database is down.
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
 * Campaigns, workflows and template emails, depending on the project's setting. The body of a /v1/send request is not
 * changed, and emails without a contact are not tracked.
 */
function isTracked(email: TrackableEmail): boolean {
  if (email.contact_id === null || (email.source_type === 'TRANSACTIONAL' && email.template_id === null)) return false
  return email.tracking === 'ENABLED' || (email.tracking === 'MARKETING_ONLY' && email.content_type !== 'TRANSACTIONAL')
}

/** Our preference pages must work without a redirect; links that are already tracked are not replaced again. */
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
/** Longer links are not replaced, because some mail clients cut off the longer tracked URL. */
const LINK_CHARACTERS_MAX = 4_000
const OPEN_TOKEN = /^[\w-]{64}$/
const CLICK_TOKEN = /^[\w-]{70,20000}$/

const idsOf = ({ projectId, emailId }: TrackedEmail): string => (projectId + emailId).replaceAll('-', '')

export function openUrl(secrets: Secrets, baseUrl: string, email: TrackedEmail): string {
  const ids = idsOf(email)
  const signature = Buffer.from(secrets.sign(OPEN, ids), 'base64url')
  return `${baseUrl}/t/o/${Buffer.concat([Buffer.from(ids, 'hex'), signature]).toString('base64url')}.gif`
}

/** Creates the tracked URL of each link of one email; undefined for a link that can't be tracked. */
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

/** Used within one synchronous call only. A UTF-16 code unit takes at most three bytes. */
const scratch = Buffer.alloc(LINK_START + 3 * LINK_CHARACTERS_MAX)

/**
 * Each email has its own key, and the link is hashed between two copies of it. This is as strong as an HMAC here and
 * takes 1 µs instead of 5, which matters for millions of emails with twenty links.
 */
const linkTag = (key: string, link: string): string =>
  hash('sha256', `${key}\0${link}\0${key}`, 'hex').slice(0, 2 * SIGNATURE_BYTES)

/** Only links that browsers open as a page: not `javascript:`, `data:`, `mailto:`, fragments or relative paths. */
const isWebLink = (link: string): boolean =>
  link.length <= LINK_CHARACTERS_MAX && /^https?:\/\//i.test(link) && URL.canParse(link)

/** The email of a pixel, or undefined if the token is invalid. */
export function readOpenToken(secrets: Secrets, token: string): TrackedEmail | undefined {
  const text = token.endsWith('.gif') ? token.slice(0, -4) : token
  if (!OPEN_TOKEN.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const ids = bytes.toString('hex', 0, IDS_BYTES)
  if (!secrets.isSigned(OPEN, ids, bytes.toString('base64url', IDS_BYTES))) return undefined
  return emailOf(ids)
}

/** The email and the target of a link, or undefined if the token is invalid. */
export function readClickToken(secrets: Secrets, token: string): (TrackedEmail & { link: string }) | undefined {
  if (!CLICK_TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.toString('base64url') !== token) return undefined // one link, one text
  const ids = bytes.toString('hex', 0, IDS_BYTES)
  const link = bytes.toString('utf8', LINK_START)
  const given = bytes.subarray(IDS_BYTES, LINK_START)
  const isSigned = secrets
    .validTags(CLICK, ids)
    .some((key) => timingSafeEqual(given, Buffer.from(linkTag(key, link), 'hex')))
  if (!isSigned || !isWebLink(link)) return undefined
  return { ...emailOf(ids), link }
}

const emailOf = (ids: string): TrackedEmail => ({ projectId: asId(ids.slice(0, 32)), emailId: asId(ids.slice(32)) })

const asId = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
