/**
 * Renders a frozen content and its variables into the message that is sent. The same email always gives the same bytes,
 * so a retry sends what the first attempt would have sent, and Posthorn can show what was sent without storing a copy.
 */
import { domainToASCII } from 'node:url'
import type { Context } from '../../../context.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import { type ContentType, isTest } from '../../../kernel/content/mail-content.ts'
import { type Copy, domainOf, type Mailbox } from '../../../kernel/email-address.ts'
import { replaceLinks } from '../../../platform/html/html-reader.ts'
import { cleanSubject } from '../../../platform/mime/mime.ts'
import type { StoredAttachment } from '../../../platform/mime/mime-attachment.ts'
import { templateScope } from '../../../platform/rendering/template.ts'
import {
  type Language,
  languageOf,
  NO_LINKS,
  type PreferenceLinks,
  preferenceLinks,
  SAMPLE_CONTACT,
} from '../../audience/preferences/actions.ts'
import { type Footer, hasOwnFooter, withFooter, withTextFooter, withUnsubscribeHeaders } from './additions.ts'
import { clickUrls, isOwnPage, openUrl, viewUrl } from './links.ts'
import { type BodySteps, type ComposedBody, composePrepared } from './prepared.ts'
import { addUtm, type UtmValues, utmParameters } from './utm.ts'

export interface ComposableEmail {
  id: string
  project_id: string
  contact_id: string | null
  to_email: string
  to_name: string | null
  /** Shown in the header. Absent or null if there are none. */
  cc?: unknown
  skipped?: unknown
  from_email: string
  from_name: string | null
  reply_to: string | null
  reply_to_name?: string | null
  headers: Record<string, unknown>
  variables: Record<string, unknown>
  contact_data: Record<string, unknown>
  source_type: string
  campaign_id: string | null
  created_at: Date
  /** When an email that was to be sent later was queued. */
  queued_at?: Date | null
  content_subject: string
  /** The content is not a template: subject and body are used unchanged. */
  content_literal?: boolean | null
  /** The number of its topic, if it has one: its unsubscribe link ends that topic. */
  content_topic?: number | null
  /** What all emails with this content have in their templates. */
  content_data?: Record<string, unknown> | null
}

export interface EmailBody {
  content_body: string
  content_type: string
  /** The text part, if the author wrote one. It is a template like the body. */
  content_plain?: string | null
  template_id: string | null
  /** The project's settings when the email was first claimed. */
  tracking: string
  language: string
  project_name: string
  branding: Branding
  /** What is added to its links: of its campaign, or else of the project. */
  utm?: Partial<UtmValues> | null
  campaign_name?: string | null
}

export interface RenderedEmail {
  subject: string
  html: string
  /** Generated before links are replaced, so that the plain text shows their targets. */
  text: string
  /** HTML and text are printable ASCII. Absent if that isn't known. */
  isPrintable?: boolean
  /** Empty for an email without a contact. */
  unsubscribeUrl: string
}

/** What rendering depends on. */
export type RenderingContext = Pick<Context, 'renderer' | 'secrets' | 'baseUrl'>

type EmailLinks = PreferenceLinks & { viewInBrowserUrl: string }

/** The recipient's preference links, and the email's own page. They are the same on every call. */
function linksOf(ctx: RenderingContext, email: ComposableEmail): EmailLinks {
  const contactId = email.contact_id ?? (isTest(email) ? SAMPLE_CONTACT.id : undefined)
  const links = contactId
    ? preferenceLinks(ctx.secrets, ctx.baseUrl, email.project_id, contactId, email.content_topic)
    : NO_LINKS
  const viewInBrowserUrl = viewUrl(ctx.secrets, ctx.baseUrl, { projectId: email.project_id, emailId: email.id })
  return { ...links, viewInBrowserUrl }
}

/** The time that templates and the header have. */
const timeOf = ({ queued_at, created_at }: ComposableEmail): Date => queued_at ?? created_at

/** One per rendering, because a template can change its scope. */
export const scopeOf = (ctx: RenderingContext, email: ComposableEmail, links = linksOf(ctx, email)) =>
  templateScope({
    contentData: email.content_data ?? null,
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
  const options = { escape: false, now: timeOf(email) }
  return cleanSubject(
    await ctx.renderer.render(email.project_id, email.content_subject, scopeOf(ctx, email, links), options),
  )
}

/** Returns the preheader as inboxes show it. */
export async function renderPreheader(ctx: RenderingContext, email: ComposableEmail, source: string): Promise<string> {
  const options = { escape: false, now: timeOf(email) }
  return cleanSubject(await ctx.renderer.render(email.project_id, source, scopeOf(ctx, email), options))
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
    const text = plain ?? (await ctx.renderer.plainText(email.project_id, html))
    return { subject: cleanSubject(email.content_subject), html, text, unsubscribeUrl: links.unsubscribeUrl }
  }
  const options = { escape: true, now: timeOf(email) }
  const scope = scopeOf(ctx, email, links)
  const rendering = ctx.renderer.renderInParts(email.project_id, email.content_body, scope, options)
  const [subject, body] = await Promise.all([renderSubject(ctx, email, links), rendering])
  const language = recipientLanguage(email)
  const { unsubscribeUrl } = links
  const footer = { projectName: email.project_name, language, unsubscribeUrl, branding: email.branding }
  const utm = email.utm ? await renderUtm(ctx, email, links) : ''
  const steps = stepsOf(ctx, email, { body: body.text, footer, utm, withPixel: pixel })
  const composed = composePrepared(body, steps) ?? (await composeBody(ctx, email, body.text, steps))
  const text = await renderText(ctx, email, links, footer)
  return text === undefined
    ? { subject, ...composed, unsubscribeUrl }
    : { subject, html: composed.html, text, unsubscribeUrl }
}

/** How a rendered body becomes the HTML and the text of an email. */
function stepsOf(
  { secrets, baseUrl }: RenderingContext,
  email: ComposableEmail & EmailBody,
  { body, footer, utm, withPixel }: { body: string; footer: Footer; utm: string; withPixel: boolean },
): BodySteps {
  const type = email.content_type as ContentType
  const { projectName, language, branding, unsubscribeUrl } = footer
  const tracked = { projectId: email.project_id, emailId: email.id }
  const isWithPixel = isTracked(email) && withPixel
  const hasFooter = hasOwnFooter(body, unsubscribeUrl)
  const hasText = !email.content_plain
  const conditions = [type, unsubscribeUrl === '', hasFooter, hasText, isTracked(email), isWithPixel]
  const urlOf = isTracked(email) ? clickUrls(secrets, baseUrl, tracked) : undefined
  const isOwn = (link: string) => isOwnPage(baseUrl, link)
  return {
    key: JSON.stringify([baseUrl, projectName, language, branding, utm, ...conditions]),
    unsubscribeUrl,
    complete(html, url) {
      const footed = withFooter(html, type, { ...footer, unsubscribeUrl: url }, hasFooter)
      return footed.length > TRACKED_CHARACTERS_MAX ? footed : addUtm(baseUrl, footed, utm)
    },
    changesLinks: utm !== '',
    isOwnPage: isOwn,
    trackedUrl: urlOf && ((link) => (isOwn(link) ? undefined : urlOf(link))),
    pixel: (url) =>
      isWithPixel ? `<img src="${url}" width="1" height="1" alt="" style="display:block;border:0">` : '',
    pixelUrl: () => openUrl(secrets, baseUrl, tracked),
    hasText,
  }
}

async function composeBody(
  { renderer }: RenderingContext,
  email: ComposableEmail,
  body: string,
  steps: BodySteps,
): Promise<ComposedBody> {
  const whole = steps.complete(body, steps.unsubscribeUrl)
  const text = steps.hasText ? await renderer.plainText(email.project_id, whole) : ''
  return { html: withTracking(whole, steps), text }
}

/** The UTM parameters of the links of marketing email, whether or not clicks are tracked. */
async function renderUtm(
  { renderer, ...ctx }: RenderingContext,
  email: ComposableEmail & EmailBody,
  links: EmailLinks,
): Promise<string> {
  if (email.content_type === 'TRANSACTIONAL' || !isOurs(email)) return ''
  const render = (template: string) => {
    const campaign = { name: email.campaign_name ?? '' }
    const scope = Object.assign(scopeOf({ renderer, ...ctx }, email, links), { campaign })
    return renderer.render(email.project_id, template, scope, { escape: false, now: timeOf(email) })
  }
  return utmParameters(email.utm ?? {}, render)
}

/** Undefined if the author wrote no text part. */
async function renderText(
  ctx: RenderingContext,
  email: ComposableEmail & EmailBody,
  links: EmailLinks,
  footer: Footer,
): Promise<string | undefined> {
  if (!email.content_plain) return undefined
  const options = { escape: false, now: timeOf(email) }
  const text = await ctx.renderer.render(email.project_id, email.content_plain, scopeOf(ctx, email, links), options)
  return withTextFooter(text, email.content_type as ContentType, footer)
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
  { composer }: Pick<Context, 'composer'>,
  email: ComposableEmail & EmailBody & { attachments: StoredAttachment[] },
  { subject, html, text, isPrintable = false, unsubscribeUrl }: RenderedEmail,
): Promise<Buffer> {
  const headers = email.headers as Record<string, string>
  const copies = shownCopies(email)
  return composer.compose(email.project_id, {
    messageId: `<${messageIdOf(email)}>`,
    date: timeOf(email),
    from: address(email.from_email, email.from_name),
    to: [address(email.to_email, email.to_name), ...copies.filter(({ inTo }) => inTo)],
    cc: copies.filter(({ inTo }) => !inTo),
    subject,
    html,
    text,
    isPrintable,
    headers: withUnsubscribeHeaders(headers, email.content_type as ContentType, unsubscribeUrl),
    attachments: email.attachments,
    ...(email.reply_to ? { replyTo: address(email.reply_to, email.reply_to_name ?? null) } : {}),
  })
}

/** Those that were left out are not shown either. */
function shownCopies({ cc, skipped }: ComposableEmail): Copy[] {
  const leftOut = new Set(((skipped ?? []) as Mailbox[]).map(({ email }) => email))
  return ((cc ?? []) as Copy[]).filter(({ email }) => !leftOut.has(email))
}

const address = (email: string, name: string | null) => (name ? { email, name } : { email })

// Tracked links and the open pixel: which emails have them.

/**
 * Campaigns, workflows and template emails. The links in the body of a /v1/send request are not changed, nor those of
 * emails without a contact, except tests.
 */
function isOurs(email: ComposableEmail & EmailBody): boolean {
  if (email.contact_id === null && !isTest(email)) return false
  return email.source_type !== 'TRANSACTIONAL' || email.template_id !== null
}

/** Depending on the project's setting. */
function isTracked(email: ComposableEmail & EmailBody): boolean {
  if (!isOurs(email)) return false
  return email.tracking === 'ENABLED' || (email.tracking === 'MARKETING_ONLY' && email.content_type !== 'TRANSACTIONAL')
}

/**
 * Replacing the links of longer HTML would delay other emails. Mail clients cut emails off before that, Gmail after 102
 * KB.
 */
const TRACKED_CHARACTERS_MAX = 300_000

function withTracking(html: string, { trackedUrl, pixel, pixelUrl }: BodySteps): string {
  if (!trackedUrl || html.length > TRACKED_CHARACTERS_MAX) return html
  const known = new Map<string, string | undefined>()
  const replace = (link: string) => {
    if (!known.has(link)) known.set(link, trackedUrl(link))
    return known.get(link)
  }
  return replaceLinks(html, replace, pixel(pixelUrl()))
}
