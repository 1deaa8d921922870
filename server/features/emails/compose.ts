/**
 * From a frozen content and its variables to the message on the wire. The same email gives the same bytes every time,
 * so a retry sends what the first try would have sent, and the ledger shows what was sent without keeping a copy.
 */
import { domainToASCII } from 'node:url'
import type { Context } from '../../context.ts'
import { domainOf } from '../../kernel/email-address.ts'
import { templateScope } from '../../kernel/liquid-scope.ts'
import { cleanSubject, composeMessage } from '../../platform/mail/mime.ts'
import { NO_LINKS, type PreferenceLinks, preferenceLinks } from '../contacts/actions.ts'
import type { StoredAttachment } from './attachments.ts'
import { withFooter, withUnsubscribeHeaders } from './footer.ts'
import type { ContentType } from './queries.ts'

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
  created_at: Date
  content_subject: string
}

export interface EmailBody {
  content_body: string
  content_type: string
  attachments: StoredAttachment[]
}

export interface RenderedEmail {
  subject: string
  html: string
}

/** What rendering stands on. */
export type RenderingContext = Pick<Context, 'renderer' | 'secrets' | 'baseUrl'>

/** Where the reader of this email decides about further ones. The same every time it is asked. */
export const linksOf = (ctx: RenderingContext, email: ComposableEmail): PreferenceLinks =>
  email.contact_id ? preferenceLinks(ctx.secrets, ctx.baseUrl, email.project_id, email.contact_id) : NO_LINKS

/** One for each rendering: a template may leave traces in its scope. */
const scopeOf = (email: ComposableEmail, links: PreferenceLinks) =>
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
  const options = { escape: false, now: email.created_at }
  return cleanSubject(await ctx.renderer.render(email.content_subject, scopeOf(email, links), options))
}

export async function renderEmail(ctx: RenderingContext, email: ComposableEmail & EmailBody): Promise<RenderedEmail> {
  const links = linksOf(ctx, email)
  const options = { escape: true, now: email.created_at }
  const html = ctx.renderer.render(email.content_body, scopeOf(email, links), options)
  const [subject, body] = await Promise.all([renderSubject(ctx, email, links), html])
  const locale = email.variables.locale ?? email.contact_data.locale
  return { subject, html: withFooter(body, email.content_type as ContentType, locale, links.unsubscribeUrl) }
}

/** Without angle brackets; the same over all tries. */
export const messageIdOf = (email: Pick<ComposableEmail, 'id' | 'from_email'>): string =>
  `${email.id}@${domainToASCII(domainOf(email.from_email))}`

export function composeEmail(
  ctx: RenderingContext,
  email: ComposableEmail & EmailBody,
  { subject, html }: RenderedEmail,
): Buffer {
  const { unsubscribeUrl } = linksOf(ctx, email)
  const headers = email.headers as Record<string, string>
  return composeMessage({
    messageId: `<${messageIdOf(email)}>`,
    date: email.created_at,
    from: address(email.from_email, email.from_name),
    to: [address(email.to_email, email.to_name)],
    subject,
    html,
    headers: withUnsubscribeHeaders(headers, email.content_type as ContentType, unsubscribeUrl),
    attachments: email.attachments,
    ...(email.reply_to ? { replyTo: email.reply_to } : {}),
  })
}

const address = (email: string, name: string | null) => (name ? { email, name } : { email })
