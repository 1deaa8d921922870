/**
 * SEND_EMAIL: adds an email made from a template to the outbox, in the transaction that records the step, so it is
 * added exactly once. Marketing email to a contact that is not subscribed is skipped and the execution continues.
 */
import { z } from 'zod'
import { isEmailAddress, normalizeEmail } from '../../../kernel/email-address.ts'
import { countOf, invalidField, notFound } from '../../../kernel/errors.ts'
import { firstIdAt, isId, newId } from '../../../kernel/ids.ts'
import { exclusionOf, type TopicRule } from '../../../kernel/subscription.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { isStatic, templateScope } from '../../../platform/rendering/template.ts'
import { findReader } from '../../audience/contacts/actions.ts'
import { NO_LINKS, preferenceLinks } from '../../audience/preferences/actions.ts'
import { isSuppressed } from '../../audience/suppressions/actions.ts'
import { findTopicRule } from '../../audience/topics/actions.ts'
import { withPreheader } from '../../content/composing/additions.ts'
import { getTemplate } from '../../content/templates/actions.ts'
import { requireVerifiedSender } from '../../tenants/domains/actions.ts'
import { insertWorkflowEmail, lockTemplate } from './queries.ts'
import { openingOf, windowField } from './schedule.ts'
import { defineStep, type GivenStep, type Outcome, type StepInput } from './step.ts'
import { renderText, templatingOf, textsIn } from './templating.ts'

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

const config = z.object({ recipient: recipient.nullish(), window: windowField.nullish() })

type Config = z.output<typeof config>

interface WorkflowMessage {
  template: Awaited<ReturnType<typeof getTemplate>>
  topic: TopicRule | undefined
  /** Null for an address that is not a contact. */
  contactId: string | null
  to: string
  /** Take precedence over the contact's data. */
  variables: Record<string, unknown>
}

export const sendEmailStep = defineStep({
  type: 'SEND_EMAIL',
  config,
  liquid: ({ recipient }) => textsIn({ customEmail: recipient?.customEmail }, 'recipient'),
  prepare: async (_config, given, { tx, projectId }) => ({ template_id: await requireTemplate(tx, projectId, given) }),
  run: sendInWindow,
  /** The window may have closed again before a worker noticed that it opened. A wait without an end was skipped. */
  async resume(input, config, { until }) {
    if (until !== null && until > input.now) return { kind: 'wait', until }
    const outcome = await (until === null ? send : sendInWindow)(input, config)
    return outcome.kind === 'continue' ? { ...outcome, seenUpTo: firstIdAt(until ?? input.now) } : outcome
  },
  waitUntil: ({ window }, { contact, now }) => openingOf(window, contact, now),
  async simulate(input, config) {
    const message = await messageFor(input, config)
    if ('kind' in message) return message
    const { template, to } = message
    const { id: templateId, version: templateVersion, from } = template
    const subject = await subjectOf(input, message)
    const opens = openingOf(config.window, input.contact, input.now)
    const waits = opens > input.now ? { until: opens } : {}
    return { kind: 'continue', output: { to, templateId, templateVersion, from, subject, ...waits } }
  },
})

async function sendInWindow(input: StepInput, config: Config): Promise<Outcome> {
  const opens = openingOf(config.window, input.contact, input.now)
  return opens > input.now ? { kind: 'wait', until: opens } : send(input, config)
}

async function send(input: StepInput, config: Config): Promise<Outcome> {
  const message = await messageFor(input, config)
  if ('kind' in message) return message
  const { template, topic, contactId, to, variables } = message
  const { ctx, db, projectId, execution, contact, now } = input
  const id = newId(now)
  const email = {
    id,
    executionId: execution.id,
    contactId,
    to,
    variables,
    contactData: contact.data,
    template: { ...template, body: withPreheader(template.body, template.preheader), topic: topic?.number ?? null },
    subject: isStatic(template.subject) ? template.subject : null,
  }
  const overLimit = await insertWorkflowEmail(db, ctx.secrets, projectId, email, ctx.clock.now())
  if (overLimit !== null) return { kind: 'fail', error: overLimitMessage(overLimit) }
  return { kind: 'continue', output: { emailId: id, to, templateId: template.id, templateVersion: template.version } }
}

async function requireTemplate(tx: Tx, projectId: string, { config, templateId }: GivenStep): Promise<string> {
  const field = templateId ? 'templateId' : 'config.templateId'
  const id = templateId ?? config.templateId
  if (id === undefined || id === null) throw invalidField('templateId', 'This field is required.', 'invalid_type')
  if (typeof id !== 'string') throw invalidField(field, 'Must be a template ID.', 'invalid_type')
  if (!isId(id)) throw invalidField(field, 'Must be a template ID.', 'invalid_string')
  if (!(await lockTemplate(tx, projectId, id))) throw notFound('template', id)
  return id
}

/** The message to send, or the outcome if nothing is sent. */
async function messageFor(input: StepInput, { recipient }: Config): Promise<WorkflowMessage | Outcome> {
  const { ctx, db, projectId, contact, execution, step } = input
  if (step.templateId === null) return { kind: 'fail', error: 'The step has no template.' }
  const template = await getTemplate(ctx, projectId, step.templateId, db)
  const custom = recipient?.type === 'CUSTOM'
  const to = custom ? normalizeEmail(await renderText(templatingOf(input), recipient.customEmail ?? '')) : contact.email
  if (!isEmailAddress(to)) return { kind: 'fail', error: `"${to.slice(0, 200)}" is not an email address.` }

  const topic = template.topicId ? await findTopicRule(db, projectId, template.topicId) : undefined
  if (template.type !== 'TRANSACTIONAL') {
    const reader = custom ? undefined : await findReader(db, projectId, contact.id)
    const exclusion = reader && exclusionOf(reader, { by: 'audience', topic, now: ctx.clock.now() })
    if (exclusion) return skipped(to, SKIPPED[exclusion])
    if (await isSuppressed(db, projectId, to)) return skipped(to, 'The address is suppressed.')
  }
  await requireVerifiedSender(ctx, projectId, template.from, db)
  // An email to somebody else is about the contact, so `{{email}}` stays the contact's address.
  const about = custom ? { id: contact.id, email: contact.email } : {}
  return { template, topic, to, contactId: custom ? null : contact.id, variables: { ...execution.context, ...about } }
}

const SKIPPED = {
  unsubscribed: 'The contact is not subscribed.',
  paused: 'The contact has paused marketing email.',
  topic: 'The contact is not subscribed to the topic.',
} as const

const overLimitMessage = (limit: number) =>
  `Not sent: the project has reached its limit of ${countOf(limit, 'workflow email')} per month.`

const skipped = (to: string, reason: string): Outcome => ({ kind: 'continue', skipped: true, output: { to, reason } })

function subjectOf(
  { ctx, projectId, contact, now }: StepInput,
  { template, topic, contactId, to, variables }: WorkflowMessage,
): Promise<string> {
  const links = contactId ? preferenceLinks(ctx.secrets, ctx.baseUrl, projectId, contactId, topic?.number) : NO_LINKS
  const scope = templateScope({
    requestData: variables,
    contactData: contact.data,
    contact: { id: contactId ?? '', email: to },
    links,
  })
  return ctx.renderer.render(projectId, template.subject, scope, { escape: false, now })
}
