/** Previews an email with the renderer of emails that are sent. Stores nothing. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { applyDataRules } from '../../../kernel/contact-data.ts'
import { decodeEntitiesInLiquid } from '../../../kernel/content/liquid-parts.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { liquidProblem, refuseBrokenLiquid } from '../../../platform/rendering/renderer.ts'
import { TemplateError } from '../../../platform/rendering/template-error.ts'
import { blankNames } from '../../audience/contacts/actions.ts'
import { SAMPLE_CONTACT } from '../../audience/preferences/actions.ts'
import { withPreheader } from '../composing/additions.ts'
import { renderEmail, renderPreheader, renderSubject, scopeOf } from '../composing/compose.ts'
import { compileContent, documentSource } from '../documents/actions.ts'
import { readPreviewData } from './queries.ts'
import type { PreviewRequest } from './schemas.ts'

export async function previewTemplate(ctx: Context, projectId: string, input: z.output<typeof PreviewRequest>) {
  const { subject: subjectSource, preheader = null, text: textSource = null } = input
  await refuseBrokenLiquid(ctx.renderer, projectId, {
    subject: subjectSource,
    body: input.body,
    text: textSource ?? undefined,
    preheader: preheader ?? undefined,
  })
  const { body, document, mjml } = (await compileContent(ctx, projectId, input))!
  const sources = { subject: subjectSource, body: withPreheader(body, preheader) }
  const email = await emailOf(ctx, projectId, { ...input, ...sources })
  const subject = await inField('subject', renderSubject(ctx, email))
  const { html, text } = await inField('body', renderEmail(ctx, email))
  const scope = scopeOf(ctx, email)
  const missing = await Promise.all(
    [sources.subject, decodeEntitiesInLiquid(sources.body), textSource ?? ''].map((source) =>
      ctx.renderer.missingNames(projectId, source, scope),
    ),
  )
  const shown = preheader === null ? null : await inField('preheader', renderPreheader(ctx, email, preheader))
  const source = document ? await documentSource(ctx, projectId, document) : mjml
  const compiled = source ? { body, mjml: source } : {}
  return { subject, html, text, preheader: shown, ...compiled, missing: [...new Set(missing.flat())] }
}

/** The email that would be sent. Its links are not replaced, because there is no email whose clicks could be recorded. */
async function emailOf(
  ctx: Context,
  projectId: string,
  { subject, body, text = null, type, data = {}, contactId }: z.output<typeof PreviewRequest> & { body: string },
) {
  const change = applyDataRules(data)
  const found = await readPreviewData(ctx.db, projectId, contactId, { ...change, blanks: blankNames(change) })
  if (contactId !== undefined && found.contact_id === null) throw notFound('contact', contactId)
  return {
    id: SAMPLE_CONTACT.id,
    project_id: projectId,
    contact_id: found.contact_id,
    to_email: found.email ?? SAMPLE_CONTACT.email,
    to_name: null,
    from_email: '',
    from_name: null,
    reply_to: null,
    headers: {},
    variables: found.request_data,
    contact_data: found.contact_data,
    created_at: ctx.clock.now(),
    content_subject: subject,
    content_body: body,
    content_plain: text,
    content_type: type,
    attachments: [],
    source_type: 'TEST',
    campaign_id: null,
    template_id: null,
    tracking: 'DISABLED',
    language: found.language,
    project_name: found.project_name,
    branding: found.branding,
  }
}

async function inField<T>(field: 'subject' | 'preheader' | 'body', rendering: Promise<T>): Promise<T> {
  try {
    return await rendering
  } catch (error) {
    if (error instanceof TemplateError) throw invalid([liquidProblem(field, error)])
    throw error
  }
}
