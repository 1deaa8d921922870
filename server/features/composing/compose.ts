/**
 * Renders a frozen content and its variables into the message that is sent. The same email always gives the same bytes,
 * so a retry sends what the first attempt would have sent, and Posthorn can show what was sent without storing a copy.
 */
import { domainToASCII } from 'node:url'
import type { Context } from '../../context.ts'
import type { Branding } from '../../kernel/branding.ts'
import { domainOf } from '../../kernel/email-address.ts'
import type { ContentType } from '../../kernel/mail-content.ts'
import { htmlToPlainText } from '../../platform/mail/html-to-plain-text.ts'
import { cleanSubject, composeMessage } from '../../platform/mail/mime.ts'
import type { StoredAttachment } from '../../platform/mail/mime-attachment.ts'
import { templateScope } from '../../platform/rendering/template.ts'
import { NO_LINKS, type PreferenceLinks, preferenceLinks, SAMPLE_CONTACT } from '../preferences/links.ts'
import { languageOf } from '../preferences/texts.ts'
import { withFooter, withUnsubscribeHeaders } from './footer.ts'
import { isTest, withTracking } from './links.ts'

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

/** The recipient's preference links. They are the same on every call. */
function linksOf(ctx: RenderingContext, email: ComposableEmail): PreferenceLinks {
  const contactId = email.contact_id ?? (isTest(email) ? SAMPLE_CONTACT.id : undefined)
  return contactId ? preferenceLinks(ctx.secrets, ctx.baseUrl, email.project_id, contactId) : NO_LINKS
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

export async function renderEmail(ctx: RenderingContext, email: ComposableEmail & EmailBody): Promise<RenderedEmail> {
  const links = linksOf(ctx, email)
  if (email.content_literal) return { ...literalContent(email), unsubscribeUrl: links.unsubscribeUrl }
  const options = { escape: true, now: email.created_at }
  const rendering = ctx.renderer.render(email.content_body, scopeOf(ctx, email, links), options)
  const [subject, body] = await Promise.all([renderSubject(ctx, email, links), rendering])
  const language = languageOf(email.variables.locale ?? email.contact_data.locale, email.language)
  const { unsubscribeUrl } = links
  const footer = { projectName: email.project_name, language, unsubscribeUrl, branding: email.branding }
  const whole = withFooter(body, email.content_type as ContentType, footer)
  const html = withTracking(ctx, email, whole)
  return { subject, html, text: htmlToPlainText(whole), unsubscribeUrl }
}

const literalContent = ({ content_subject, content_body, content_plain }: ComposableEmail & EmailBody) => ({
  subject: cleanSubject(content_subject),
  html: content_body,
  text: content_plain ?? htmlToPlainText(content_body),
})

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
