/**
 * Turns a request of POST /v1/send into what is stored, and the outcome into the response. Everything is checked before
 * anything is written.
 */
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { applyDataRules } from '../../../kernel/contact-data.ts'
import { type Copy, senderDomain } from '../../../kernel/email-address.ts'
import { billingLimitExceeded, invalid, invalidField, senderNotVerified } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { readSendTime } from '../../../kernel/sending/send-time.ts'
import { SUBSCRIBED_IF_NEW } from '../../../kernel/subscription.ts'
import { decodedBytes } from '../../../platform/mime/mime-attachment.ts'
import { refuseBrokenLiquid } from '../../../platform/rendering/renderer.ts'
import { isStatic } from '../../../platform/rendering/template.ts'
import { blankNames, newPerson } from '../../audience/contacts/actions.ts'
import { readDecisions } from '../../audience/contacts/topics.ts'
import { withPreheader } from '../../content/composing/additions.ts'
import { getTemplateForSending, type SendableTemplate, type TemplateRef } from '../../content/templates/actions.ts'
import type { Acceptance, EmailsToAccept } from './accept-queries.ts'
import type { SendOptions } from './option-queries.ts'
import type { SendInput } from './schemas.ts'

const MEGABYTE = 1024 * 1024

/** A message that was composed by another program is sent unchanged, with its own text part if it has one. */
export interface PreparedMessage {
  plain: string | null
  /** It has no HTML part; the body of the request is not used. */
  isTextOnly?: boolean
}

/** What a message can have that a request to POST /v1/send can't. */
export interface MessageExtras {
  prepared?: PreparedMessage | undefined
  /** How many of the first recipients in `cc` are shown in the header `To`. */
  shownInTo?: number | undefined
}

export interface SendMode extends MessageExtras {
  /** The request has a test key. */
  test?: boolean | undefined
  /** Who sends: emails show it, and consent records if the request changes subscriptions. */
  cause?: ConsentCause | undefined
  /** How the request was made, if not over HTTP. */
  via?: 'smtp' | undefined
}

const UNKNOWN: ConsentCause = { source: 'api' }

export type FindTemplate = (ref: TemplateRef) => Promise<SendableTemplate>

export const templateFinder =
  (ctx: Context, projectId: string): FindTemplate =>
  (ref) =>
    getTemplateForSending(ctx, projectId, ref)

export type PreparedRequest = Omit<EmailsToAccept, 'idempotencyKey' | 'priority' | 'traceparent'>

export async function prepareRequest(
  ctx: Context,
  projectId: string,
  input: SendInput,
  findTemplate: FindTemplate,
  { prepared, shownInTo = 0, test = false, cause = UNKNOWN, via }: SendMode = {},
): Promise<PreparedRequest> {
  const change = applyDataRules(input.data)
  refuseLargeAttachments(ctx, input.attachments ?? [])
  const { content, sender, preheader, template } = await contentOf(input, findTemplate)
  const { subject, body, plain: text } = content
  if (shownInTo > 0 && content.type !== 'TRANSACTIONAL') throw sharedMarketing()
  if (!prepared)
    await refuseBrokenLiquid(ctx.renderer, projectId, { preheader, subject, body, text: text ?? undefined })

  const topics = await readDecisions(ctx, projectId, input.topics)
  const now = ctx.clock.now()
  const recipients = input.to.map((to) => ({ emailId: newId(now), email: to.email, name: to.name ?? null }))
  const people = [...new Set(recipients.map((r) => r.email))].map((email) => ({
    // Subscribing a contact can start a workflow, which sends real email.
    ...newPerson(now, email, change.patch, test ? undefined : input.subscribed),
    topics: test ? undefined : topics,
  }))
  return {
    upsert: { projectId, now, people, subscribedByDefault: SUBSCRIBED_IF_NEW.send, removed: change.removed, cause },
    content: {
      id: newId(now),
      ...content,
      body: prepared?.isTextOnly ? '' : withPreheader(body, preheader ?? null),
      attachments: input.attachments ?? [],
      literal: prepared !== undefined,
      plain: prepared ? prepared.plain : text,
    },
    envelope: {
      ...sender,
      headers: input.headers ?? {},
      variables: change.visible,
      blanks: blankNames(change),
      subject: prepared || isStatic(subject) ? subject : null,
      templateId: template?.id ?? null,
    },
    recipients,
    origin: {
      via: via ?? (cause.source === 'dashboard' ? 'dashboard' : 'api'),
      keyId: cause.by?.type === 'key' ? cause.by.id : null,
    },
    options: { ...optionsOf(input, now, shownInTo), test: test || undefined },
  }
}

/** Its unsubscribe link is that of one contact, and the others may have opted out. */
const sharedMarketing = () =>
  invalidField('to', 'A template of marketing email can have only one recipient in a message. Send a message to each.')

function optionsOf(
  { tags = {}, reply, sendAt, to, cc = [], bcc = [] }: SendInput,
  now: Date,
  shownInTo: number,
): SendOptions {
  const known = new Set(to.map(({ email }) => email))
  const shown = cc.map((mailbox, i) => (i < shownInTo ? { ...mailbox, inTo: true } : mailbox))
  return {
    ...copiesOf(known, { cc: shown, bcc }),
    tags: Object.keys(tags).length > 0 ? tags : undefined,
    replyToName: reply?.name,
    sendAt: sendAt === undefined ? undefined : readSendTime(sendAt, now),
  }
}

/** An address that occurs several times gets the message once, in the first place where it is. */
function copiesOf(known: Set<string>, given: { cc: Copy[]; bcc: Copy[] }): Pick<SendOptions, 'cc' | 'bcc'> {
  const distinct = (mailboxes: Copy[]) => {
    const added = mailboxes.flatMap(({ email, name, inTo }): Copy[] => {
      if (known.has(email)) return []
      known.add(email)
      return [{ email, ...(name && { name }), ...(inTo && { inTo }) }]
    })
    return added.length > 0 ? added : undefined
  }
  return { cc: distinct(given.cc), bcc: distinct(given.bcc) }
}

/** Subject, body and sender from the request, or from the template if the request has none. */
async function contentOf(input: SendInput, findTemplate: FindTemplate) {
  const template = input.template === undefined ? undefined : await findTemplate(input.template)
  const from = input.from ?? { email: template!.from, name: template!.fromName ?? undefined }
  const preheader = (input.preheader === undefined ? template?.preheader : input.preheader) ?? undefined
  return {
    template,
    preheader,
    content: {
      subject: input.subject ?? template!.subject,
      body: input.body ?? template!.body,
      plain: textOf(input, template),
      type: template?.type ?? ('TRANSACTIONAL' as const),
      topic: template?.topic ?? null,
    },
    sender: {
      fromEmail: from.email,
      fromDomain: senderDomain(from.email),
      fromName: from.name || (input.from?.plain ? input.name : undefined) || null,
      replyTo: input.reply?.email ?? template?.replyTo ?? null,
    },
  }
}

/** The text of a template belongs to its body, so it isn't used beside another body. */
function textOf({ text, body }: SendInput, template: SendableTemplate | undefined): string | null {
  if (text !== undefined) return text
  return body === undefined ? (template?.text ?? null) : null
}

function refuseLargeAttachments(ctx: Context, attachments: Array<{ content: string }>): void {
  const bytes = attachments.reduce((sum, attachment) => sum + decodedBytes(attachment.content), 0)
  const max = ctx.settings.ATTACHMENT_MAX_MB
  if (bytes > max * MEGABYTE)
    throw invalidField('attachments', `The attachments exceed the maximum total size of ${max} MB.`, 'too_big')
}

/** The emails in the form of the response, or the reason why there are none. */
export function acceptedEmails(outcome: Acceptance, input: SendInput, { envelope, content }: PreparedRequest) {
  if ('unverified' in outcome) throw senderNotVerified(envelope.fromDomain)
  if ('optedOut' in outcome) throw optedOut(outcome.optedOut, input, content.topic)
  if ('overLimit' in outcome) throw billingLimitExceeded('transactional', outcome.overLimit)
  return outcome.accepted.map((row) => ({ contact: { id: row.contactId, email: row.email }, email: row.emailId }))
}

const optedOut = (emails: string[], input: SendInput, topic: number | null | undefined) =>
  invalid(
    input.to.flatMap((to, i) =>
      emails.includes(to.email)
        ? [
            {
              field: input.to.length > 1 ? `to.${i}` : 'to',
              message: topic
                ? `${to.email} is not subscribed to the topic of this email.`
                : `${to.email} has unsubscribed from marketing email.`,
              code: 'unsubscribed',
            },
          ]
        : [],
    ),
  )
