/**
 * From a frozen content and its variables to the message on the wire. The same email gives the same bytes every time,
 * so a retry sends what the first try would have sent, and the ledger shows what was sent without keeping a copy.
 */
import { domainToASCII } from 'node:url'
import { domainOf } from '../../kernel/email-address.ts'
import { templateScope } from '../../kernel/liquid-scope.ts'
import { cleanSubject, composeMessage } from '../../platform/mail/mime.ts'
import type { Renderer } from '../../platform/rendering/renderer.ts'
import type { StoredAttachment } from './attachments.ts'

export interface ComposableEmail {
  id: string
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
  attachments: StoredAttachment[]
}

export interface RenderedEmail {
  subject: string
  html: string
}

const scopeOf = (email: ComposableEmail) =>
  templateScope({
    requestData: email.variables,
    contactData: email.contact_data,
    contact: { id: email.contact_id ?? '', email: email.to_email },
    links: { unsubscribeUrl: '', subscribeUrl: '', manageUrl: '' },
  })

export async function renderSubject(renderer: Renderer, email: ComposableEmail): Promise<string> {
  const text = await renderer.render(email.content_subject, scopeOf(email), { escape: false, now: email.created_at })
  return cleanSubject(text)
}

export async function renderEmail(renderer: Renderer, email: ComposableEmail & EmailBody): Promise<RenderedEmail> {
  const html = renderer.render(email.content_body, scopeOf(email), { escape: true, now: email.created_at })
  const [subject, body] = await Promise.all([renderSubject(renderer, email), html])
  return { subject, html: body }
}

/** Without angle brackets; the same over all tries. */
export const messageIdOf = (email: Pick<ComposableEmail, 'id' | 'from_email'>): string =>
  `${email.id}@${domainToASCII(domainOf(email.from_email))}`

export function composeEmail(email: ComposableEmail & EmailBody, { subject, html }: RenderedEmail): Buffer {
  return composeMessage({
    messageId: `<${messageIdOf(email)}>`,
    date: email.created_at,
    from: address(email.from_email, email.from_name),
    to: [address(email.to_email, email.to_name)],
    subject,
    html,
    headers: email.headers as Record<string, string>,
    attachments: email.attachments,
    ...(email.reply_to ? { replyTo: email.reply_to } : {}),
  })
}

const address = (email: string, name: string | null) => (name ? { email, name } : { email })
