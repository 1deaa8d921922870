/** Previews an email with the same rendering as emails that are sent. Stores nothing. */
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { applyDataRules } from '../../kernel/contact-data.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { htmlToPlainText } from '../../platform/mail/html-to-plain-text.ts'
import { cleanSubject } from '../../platform/mail/mime.ts'
import { liquidProblem, refuseBrokenLiquid } from '../../platform/rendering/renderer.ts'
import { type Scope, templateScope } from '../../platform/rendering/template.ts'
import { TemplateError } from '../../platform/rendering/template-error.ts'
import { blankNames } from '../contacts/actions.ts'
import { NO_LINKS, preferenceLinks } from '../preferences/actions.ts'
import { readPreviewData } from './queries.ts'
import type { PreviewRequest } from './schemas.ts'

const SAMPLE_CONTACT = { id: '', email: 'contact@example.com' }

export async function previewTemplate(ctx: Context, projectId: string, input: z.output<typeof PreviewRequest>) {
  const { subject, body } = input
  await refuseBrokenLiquid(ctx.renderer, { subject, body })
  const scope = await scopeFor(ctx, projectId, input)
  const [line, html] = await Promise.all([render(ctx, 'subject', subject, scope), render(ctx, 'body', body, scope)])
  const missing = await Promise.all([subject, body].map((source) => ctx.renderer.missingNames(source, scope)))
  return { subject: cleanSubject(line), html, text: htmlToPlainText(html), missing: [...new Set(missing.flat())] }
}

async function scopeFor(
  ctx: Context,
  projectId: string,
  { data = {}, contactId }: z.output<typeof PreviewRequest>,
): Promise<Scope> {
  const change = applyDataRules(data)
  const found = await readPreviewData(ctx.db, projectId, contactId, { ...change, blanks: blankNames(change) })
  if (contactId !== undefined && found.contact_id === null) throw notFound('contact', contactId)
  const { contact_id: id, email } = found
  return templateScope({
    requestData: found.request_data,
    contactData: found.contact_data,
    contact: id !== null && email !== null ? { id, email } : SAMPLE_CONTACT,
    links: id === null ? NO_LINKS : preferenceLinks(ctx.secrets, ctx.baseUrl, projectId, id),
  })
}

async function render(ctx: Context, field: 'subject' | 'body', source: string, scope: Scope): Promise<string> {
  try {
    return await ctx.renderer.render(source, scope, { escape: field === 'body', now: ctx.clock.now() })
  } catch (error) {
    if (error instanceof TemplateError) throw invalid([liquidProblem(field, error)])
    throw error
  }
}
