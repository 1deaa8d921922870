/**
 * Renders a frozen content and its variables into the message that is sent. The same email always gives the same bytes,
 * so a retry sends what the first attempt would have sent, and Posthorn can show what was sent without storing a copy.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Context } from '../../context.ts'
import type { Branding } from '../../kernel/branding.ts'
import { domainOf } from '../../kernel/email-address.ts'
import type { ContentType } from '../../kernel/mail-content.ts'
import { insertBeforeEnd, replaceLinks } from '../../platform/mail/html-reader.ts'
import { cleanSubject, composeMessage } from '../../platform/mail/mime.ts'
import type { StoredAttachment } from '../../platform/mail/mime-attachment.ts'
import { templateScope } from '../../platform/rendering/template.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  type Language,
  languageOf,
  NO_LINKS,
  type PreferenceLinks,
  preferenceLinks,
  SAMPLE_CONTACT,
} from '../preferences/actions.ts'
import { withFooter, withUnsubscribeHeaders } from './additions.ts'

export interface ComposableEmail {
  id: string
  project_id: string
  contact_id: string | null
  to_email: string
  to_name: string | null
  from_email: string
  from_name: string | null
  reply_to: string | null
  headers: Record<string, unknown>
  variables: Record<string, unknown>
  contact_data: Record<string, unknown>
  source_type: string
  campaign_id: string | null
  created_at: Date
  content_subject: string
  /** The content is not a template: subject and body are used unchanged. */
  content_literal?: boolean | null
}

export interface EmailBody {
  content_body: string
  content_type: string
  /** The text part of a message that was submitted complete. */
  content_plain?: string | null
  attachments: StoredAttachment[]
  template_id: string | null
  /** The project's settings when the email was first claimed. */
  tracking: string
  language: string
  project_name: string
  branding: Branding
}

export interface RenderedEmail {
  subject: string
  html: string
  /** Generated before links are replaced, so that the plain text shows their targets. */
  text: string
  /** Empty for an email without a contact. */
  unsubscribeUrl: string
}

/** What rendering depends on. */
export type RenderingContext = Pick<Context, 'renderer' | 'secrets' | 'baseUrl'>

type EmailLinks = PreferenceLinks & { viewInBrowserUrl: string }

/** The recipient's preference links, and the email's own page. They are the same on every call. */
function linksOf(ctx: RenderingContext, email: ComposableEmail): EmailLinks {
  const contactId = email.contact_id ?? (isTest(email) ? SAMPLE_CONTACT.id : undefined)
  const links = contactId ? preferenceLinks(ctx.secrets, ctx.baseUrl, email.project_id, contactId) : NO_LINKS
  const viewInBrowserUrl = viewUrl(ctx.secrets, ctx.baseUrl, { projectId: email.project_id, emailId: email.id })
  return { ...links, viewInBrowserUrl }
}

/** One per rendering, because a template can change its scope. */
export const scopeOf = (ctx: RenderingContext, email: ComposableEmail, links = linksOf(ctx, email)) =>
  templateScope({
    requestData: email.variables,
    contactData: email.contact_data,
    contact: { id: email.contact_id ?? '', email: email.to_email },
    links,
  })

export async function renderSubject(
  ctx: RenderingContext,
  email: ComposableEmail,
  links = linksOf(ctx, email),
): Promise<string> {
  if (email.content_literal) return cleanSubject(email.content_subject)
  const options = { escape: false, now: email.created_at }
  return cleanSubject(await ctx.renderer.render(email.content_subject, scopeOf(ctx, email, links), options))
}

/** As inboxes show it. */
export async function renderPreheader(ctx: RenderingContext, email: ComposableEmail, source: string): Promise<string> {
  const options = { escape: false, now: email.created_at }
  return cleanSubject(await ctx.renderer.render(source, scopeOf(ctx, email), options))
}

/** Without the pixel, the email can be shown in a browser without counting as opened once more. */
export async function renderEmail(
  ctx: RenderingContext,
  email: ComposableEmail & EmailBody,
  { pixel = true } = {},
): Promise<RenderedEmail> {
  const links = linksOf(ctx, email)
  if (email.content_literal) {
    const { content_body: html, content_plain: plain } = email
    const text = plain ?? (await ctx.renderer.plainText(html))
    return { subject: cleanSubject(email.content_subject), html, text, unsubscribeUrl: links.unsubscribeUrl }
  }
  const options = { escape: true, now: email.created_at }
  const rendering = ctx.renderer.render(email.content_body, scopeOf(ctx, email, links), options)
  const [subject, body] = await Promise.all([renderSubject(ctx, email, links), rendering])
  const language = recipientLanguage(email)
  const { unsubscribeUrl } = links
  const footer = { projectName: email.project_name, language, unsubscribeUrl, branding: email.branding }
  const whole = withFooter(body, email.content_type as ContentType, footer)
  const html = withTracking(ctx, email, whole, pixel)
  return { subject, html, text: await ctx.renderer.plainText(whole), unsubscribeUrl }
}

/** The language of the recipient, or else of the project. */
export const recipientLanguage = ({
  variables,
  contact_data,
  language,
}: Pick<ComposableEmail & EmailBody, 'variables' | 'contact_data' | 'language'>): Language =>
  languageOf(variables.locale ?? contact_data.locale, language)

/** Without angle brackets; the same for all attempts. */
export const messageIdOf = (email: Pick<ComposableEmail, 'id' | 'from_email'>): string =>
  `${email.id}@${domainToASCII(domainOf(email.from_email))}`

export function composeEmail(
  email: ComposableEmail & EmailBody,
  { subject, html, text, unsubscribeUrl }: RenderedEmail,
): Buffer {
  const headers = email.headers as Record<string, string>
  return composeMessage({
    messageId: `<${messageIdOf(email)}>`,
    date: email.created_at,
    from: address(email.from_email, email.from_name),
    to: [address(email.to_email, email.to_name)],
    subject,
    html,
    text,
    headers: withUnsubscribeHeaders(headers, email.content_type as ContentType, unsubscribeUrl),
    attachments: email.attachments,
    ...(email.reply_to ? { replyTo: email.reply_to } : {}),
  })
}

const address = (email: string, name: string | null) => (name ? { email, name } : { email })

// Tracked links and the open pixel: which emails have them, and their tokens. A token contains the email and the link
// and is signed, so nothing is stored per link, links can't be forged, and a link works as long as the email exists,
// even if the database is down.

/** Test emails and previews: they belong to no contact, and otherwise look like the emails of a campaign. */
export const isTest = (email: Pick<ComposableEmail, 'contact_id' | 'source_type' | 'campaign_id'>): boolean =>
  email.contact_id === null && email.source_type === 'CAMPAIGN' && email.campaign_id === null

/**
 * Campaigns, workflows and template emails, depending on the project's setting. The body of a /v1/send request is not
 * changed, and emails without a contact are not tracked, except tests.
 */
function isTracked(email: ComposableEmail & EmailBody): boolean {
  if (email.contact_id === null && !isTest(email)) return false
  if (email.source_type === 'TRANSACTIONAL' && email.template_id === null) return false
  return email.tracking === 'ENABLED' || (email.tracking === 'MARKETING_ONLY' && email.content_type !== 'TRANSACTIONAL')
}

/**
 * Replacing the links of longer HTML would delay other emails. Mail clients cut emails off before that, Gmail after 102
 * KB.
 */
const TRACKED_CHARACTERS_MAX = 300_000

/** Our own pages must work without a redirect; links that are already tracked are not replaced again. */
const OWN_PAGES = ['/unsubscribe/', '/subscribe/', '/manage/', '/view/', '/t/']

function withTracking(
  { secrets, baseUrl }: RenderingContext,
  email: ComposableEmail & EmailBody,
  html: string,
  withPixel: boolean,
): string {
  if (!isTracked(email) || html.length > TRACKED_CHARACTERS_MAX) return html
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
  if (!withPixel) return body
  const pixel = `<img src="${openUrl(secrets, baseUrl, tracked)}" width="1" height="1" alt="" style="display:block;border:0">`
  return insertBeforeEnd(body, pixel)
}

interface TrackedEmail {
  projectId: string
  emailId: string
}

const OPEN = 'open'
const VIEW = 'view'
const CLICK = 'click'
const IDS_BYTES = 32
const SIGNATURE_BYTES = 16
const LINK_START = IDS_BYTES + SIGNATURE_BYTES
/** Longer links are not replaced, because some mail clients cut off the longer tracked URL. */
const LINK_CHARACTERS_MAX = 4_000
const EMAIL_TOKEN = /^[\w-]{64}$/
const CLICK_TOKEN = /^[\w-]{70,20000}$/

const idsOf = ({ projectId, emailId }: TrackedEmail): string => (projectId + emailId).replaceAll('-', '')

/** A token of an email, for one purpose. */
function emailToken(secrets: Secrets, purpose: string, email: TrackedEmail): string {
  const ids = idsOf(email)
  const signature = Buffer.from(secrets.sign(purpose, ids), 'base64url')
  return Buffer.concat([Buffer.from(ids, 'hex'), signature]).toString('base64url')
}

export const openUrl = (secrets: Secrets, baseUrl: string, email: TrackedEmail): string =>
  `${baseUrl}/t/o/${emailToken(secrets, OPEN, email)}.gif`

/** The page that shows the email as it was sent. */
export const viewUrl = (secrets: Secrets, baseUrl: string, email: TrackedEmail): string =>
  `${baseUrl}/view/${emailToken(secrets, VIEW, email)}`

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
export const readOpenToken = (secrets: Secrets, token: string): TrackedEmail | undefined =>
  readEmailToken(secrets, OPEN, token.endsWith('.gif') ? token.slice(0, -4) : token)

/** The email of a page, or undefined if the token is invalid. */
export const readViewToken = (secrets: Secrets, token: string): TrackedEmail | undefined =>
  readEmailToken(secrets, VIEW, token)

function readEmailToken(secrets: Secrets, purpose: string, token: string): TrackedEmail | undefined {
  if (!EMAIL_TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const ids = bytes.toString('hex', 0, IDS_BYTES)
  if (!secrets.isSigned(purpose, ids, bytes.toString('base64url', IDS_BYTES))) return undefined
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
