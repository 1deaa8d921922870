/**
 * SEND_EMAIL: puts an email made from a template into the outbox, in the same transaction as the record of the step, so
 * it is there once. Bulk mail to someone who is not subscribed is skipped, and the workflow goes on.
 */
import { z } from 'zod'
import { isEmailAddress, normalizeEmail } from '../../kernel/email-address.ts'
import { newId } from '../../kernel/ids.ts'
import { templateScope } from '../../platform/rendering/scope.ts'
import { isStatic } from '../../platform/rendering/template.ts'
import { requireVerifiedSender } from '../domains/actions.ts'
import { NO_LINKS, preferenceLinks } from '../preferences/links.ts'
import { getTemplate } from '../templates/actions.ts'
import { type Outcome, type Scene, stepKind } from './step-kind.ts'
import { insertWorkflowEmail, isSuppressed } from './step-send-email-queries.ts'
import { renderText, templatingOf, textsIn } from './templating.ts'

interface Settings {
  recipient?: { type: 'CONTACT' | 'CUSTOM'; customEmail?: string | null | undefined } | null | undefined
}

const recipient = z
  .object({ type: z.enum(['CONTACT', 'CUSTOM']), customEmail: z.string().trim().max(1_000).nullish() })
  .superRefine(({ type, customEmail }, ctx) => {
    if (type !== 'CUSTOM') return
    const refuse = (message: string, code: string) =>
      ctx.addIssue({ code: 'custom', path: ['customEmail'], message, params: { code } })
    if (!customEmail) refuse('This field is required.', 'invalid_type')
    else if (isStatic(customEmail) && !isEmailAddress(normalizeEmail(customEmail))) {
      refuse('Must be an email address.', 'invalid_string')
    }
  })

type Template = Awaited<ReturnType<typeof getTemplate>>

interface Letter {
  template: Template
  /** Null for an address that is no contact. */
  contactId: string | null
  to: string
  /** Over the contact's data. */
  variables: Record<string, unknown>
}

export const sendEmailStep = stepKind<Settings>({
  type: 'SEND_EMAIL',
  config: z.object({ recipient: recipient.nullish() }),
  templates: ({ recipient }) => textsIn({ customEmail: recipient?.customEmail }, 'recipient'),
  async run(scene, settings) {
    const letter = await letterOf(scene, settings)
    if ('kind' in letter) return letter
    const { template, contactId, to, variables } = letter
    const { ctx, projectId, execution, contact, now } = scene
    const id = newId(now)
    const email = {
      id,
      executionId: execution.id,
      contactId,
      to,
      variables,
      contactData: contact.data,
      template,
      subject: isStatic(template.subject) ? template.subject : null,
    }
    const overLimit = await insertWorkflowEmail(ctx.db, projectId, email, ctx.clock.now())
    if (overLimit !== null) return { kind: 'fails', error: overLimitWords(overLimit) }
    return { kind: 'goes on', output: { emailId: id, to, templateId: template.id } }
  },
  async simulate(scene, settings) {
    const letter = await letterOf(scene, settings)
    if ('kind' in letter) return letter
    const { template, to } = letter
    return {
      kind: 'goes on',
      output: { to, templateId: template.id, from: template.from, subject: await subjectOf(scene, letter) },
    }
  },
})

/** What would be sent to whom, or why nothing is. */
async function letterOf(scene: Scene, { recipient }: Settings): Promise<Letter | Outcome> {
  const { ctx, projectId, contact, execution, step } = scene
  if (step.templateId === null) return { kind: 'fails', error: 'The step has no template.' }
  const template = await getTemplate(ctx, projectId, step.templateId)
  const custom = recipient?.type === 'CUSTOM'
  const to = custom ? normalizeEmail(await renderText(templatingOf(scene), recipient.customEmail ?? '')) : contact.email
  if (!isEmailAddress(to)) return { kind: 'fails', error: `"${to.slice(0, 200)}" is not an email address.` }

  if (template.type !== 'TRANSACTIONAL') {
    if (!custom && !contact.subscribed) return skipped(to, 'The contact is not subscribed.')
    if (await isSuppressed(ctx.db, projectId, to)) return skipped(to, 'The address is suppressed.')
  }
  await requireVerifiedSender(ctx, projectId, template.from)
  // Someone else reads about the contact: `{{email}}` is still the contact's.
  const about = custom ? { id: contact.id, email: contact.email } : {}
  return { template, to, contactId: custom ? null : contact.id, variables: { ...execution.context, ...about } }
}

const overLimitWords = (limit: number) =>
  `Not sent: the project's limit of ${limit} emails of workflows in a month is reached.`

const skipped = (to: string, reason: string): Outcome => ({ kind: 'goes on', skipped: true, output: { to, reason } })

function subjectOf(
  { ctx, projectId, contact, now }: Scene,
  { template, contactId, to, variables }: Letter,
): Promise<string> {
  const links = contactId ? preferenceLinks(ctx.secrets, ctx.baseUrl, projectId, contactId) : NO_LINKS
  const scope = templateScope({
    requestData: variables,
    contactData: contact.data,
    contact: { id: contactId ?? '', email: to },
    links,
  })
  return ctx.renderer.render(template.subject, scope, { escape: false, now })
}
