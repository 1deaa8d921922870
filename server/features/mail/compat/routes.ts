/** The endpoints that clients of other email services call. */

import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { parseMailbox } from '../../../kernel/email-address.ts'
import { notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { FormFields } from '../../../platform/http/bodies/read-form.ts'
import { CustomResponse, idOf, route } from '../../../platform/http/route.ts'
import { messageIdOf } from '../../content/composing/compose.ts'
import { actorOf } from '../../record/audit/actions.ts'
import { sendersAreVerified } from '../../tenants/domains/actions.ts'
import { getEmail } from '../emails/actions.ts'
import { cancelEmail, rescheduleEmail } from '../emails/scheduled.ts'
import type { Outbox } from '../outbox/actions.ts'
import {
  checkMessages,
  type Reader,
  readMessages,
  type Sender,
  STORED_MAX_MB,
  sendAll,
  sendBatch,
  sendMessage,
} from './actions.ts'
import { usualError } from './errors.ts'
import { MailgunError, MailgunForm, MailgunReply, mailgunKey, readMailgun } from './mailgun.ts'
import type { CompatMessage } from './message.ts'
import { renamed } from './message.ts'
import {
  envelopeOf,
  POSTMARK_NAMES,
  POSTMARK_TEST_KEY,
  PostmarkBatch,
  PostmarkBatchReply,
  PostmarkEmail,
  PostmarkError,
  PostmarkReply,
  PostmarkTemplateBatch,
  PostmarkTemplateEmail,
  postmarkItemError,
  postmarkKey,
  postmarkReply,
  readPostmark,
  readPostmarkTemplate,
} from './postmark.ts'
import {
  RESEND_NAMES,
  ResendBatch,
  ResendBatchReply,
  ResendChanged,
  ResendChanges,
  ResendEmail,
  ResendError,
  ResendId,
  ResendShown,
  readResend,
  replayResend,
  replayResendBatch,
  resendBatchReply,
  showResend,
} from './resend.ts'
import { resendTime } from './schedule.ts'
import { readSendgrid, SendgridErrors, SendgridMail } from './sendgrid.ts'

type Services = { outbox: Outbox }

const MEGABYTE = 1024 * 1024
const BATCH_VALUES_MAX = 250_000
const oneMessage = (ctx: Context) => Math.floor(ctx.settings.MESSAGE_MAX_MB * MEGABYTE)
const severalMessages = () => STORED_MAX_MB * MEGABYTE

const FROM = 'Acme <hello@example.com>'
const TEXTS = { subject: 'Hello', html: '<p>Hello</p>' }
const RESEND_EXAMPLE = { from: FROM, to: ['ada@example.org'], ...TEXTS }
const POSTMARK_EXAMPLE = { From: FROM, To: 'ada@example.org', Subject: 'Hello', HtmlBody: '<p>Hello</p>' }
const POSTMARK_TEMPLATE_EXAMPLE = {
  From: FROM,
  To: 'ada@example.org',
  TemplateAlias: 'Receipt',
  TemplateModel: { total: '12.00' },
}

/** What all of them share. */
const common = { access: 'project', scope: 'send', strict: true, tag: 'Compatible endpoints' } as const
const resend = { ...common, errors: ResendError }
const postmark = { ...common, errors: PostmarkError, findKey: postmarkKey, testKey: POSTMARK_TEST_KEY }

const TEST_ACCEPTED = 'Test job accepted'

async function sendPostmark<B extends Parameters<typeof postmarkReply>[0]>(
  ctx: Context,
  outbox: Outbox,
  sender: Sender,
  body: B,
  message: CompatMessage,
) {
  const outgoing = { message, names: POSTMARK_NAMES }
  const now = ctx.clock.now()
  if (sender.projectId !== '') return postmarkReply(body, await sendMessage(outbox, sender, outgoing), now)
  await checkMessages(outbox, '', [outgoing])
  return postmarkReply(body, newId(now), now, TEST_ACCEPTED)
}

async function sendPostmarkBatch<S extends z.ZodType>(
  ctx: Context,
  outbox: Outbox,
  sender: Sender,
  items: unknown[],
  reader: Omit<Reader<S>, 'names'>,
) {
  const messages = await readMessages(items, { ...reader, names: POSTMARK_NAMES })
  const now = ctx.clock.now()
  if (sender.projectId === '') {
    return messages.map((message, i) =>
      'refusal' in message
        ? postmarkItemError(usualError(message.refusal))
        : postmarkReply(envelopeOf(items[i]), newId(now), now, TEST_ACCEPTED),
    )
  }
  const results = await sendBatch(outbox, sender, messages, { atomic: false, names: POSTMARK_NAMES })
  return results.map((result) =>
    result.success
      ? postmarkReply(envelopeOf(items[result.index]), result.emails[0]!.email, now)
      : postmarkItemError(result.error),
  )
}

const isPermissive = (header: string | string[] | undefined) => header === 'permissive'

export const compatRoutes = [
  route({
    ...resend,
    method: 'POST',
    path: '/compat/resend/emails',
    idempotent: true,
    replay: replayResend,
    summary: 'Send an email as with Resend',
    description:
      'For clients of Resend, with `/compat/resend` as their base URL and a key of Posthorn. All recipients in `to` get one message. A repeated request with its `Idempotency-Key` gets the first response.',
    body: ResendEmail,
    example: RESEND_EXAMPLE,
    bodyLimitBytes: oneMessage,
    replies: { 200: { description: 'Accepted.', schema: ResendId } },
    handle: async (ctx, { caller, body }, { outbox }: Services) => {
      const outgoing = { message: readResend(ctx)(body), names: RESEND_NAMES }
      return { id: await sendMessage(outbox, caller, outgoing, caller.idempotencyKey) }
    },
  }),
  route({
    ...resend,
    method: 'POST',
    path: '/compat/resend/emails/batch',
    idempotent: true,
    replay: replayResendBatch,
    summary: 'Send a batch of emails as with Resend',
    description:
      'Accepts all emails or none, unless the header `x-batch-validation` is `permissive`: then each is accepted or refused on its own.',
    body: ResendBatch,
    example: [RESEND_EXAMPLE],
    bodyLimitBytes: severalMessages,
    bodyValuesMax: BATCH_VALUES_MAX,
    replies: { 200: { description: 'Accepted.', schema: ResendBatchReply } },
    handle: async (ctx, { caller, body, facts }, { outbox }: Services) => {
      const permissive = isPermissive(facts.headers['x-batch-validation'])
      const messages = await readMessages(body, { schema: ResendEmail, read: readResend(ctx), names: RESEND_NAMES })
      const { idempotencyKey } = caller
      const options = { atomic: !permissive, names: RESEND_NAMES, ...(idempotencyKey && { idempotencyKey }) }
      return resendBatchReply(await sendBatch(outbox, caller, messages, options), permissive)
    },
  }),
  route({
    ...resend,
    method: 'GET',
    path: '/compat/resend/emails/{id}',
    scope: 'emails:read',
    summary: 'Get an email as with Resend',
    params: { id: idOf('email') },
    replies: { 200: { description: 'The email.', schema: ResendShown } },
    handle: async (ctx, { caller, params }) => showResend(await getEmail(ctx, caller.projectId, params.id)),
  }),
  route({
    ...resend,
    method: 'PATCH',
    path: '/compat/resend/emails/{id}',
    scope: 'emails:write',
    summary: 'Reschedule an email as with Resend',
    params: { id: idOf('email') },
    body: ResendChanges,
    example: { scheduled_at: 'in 1 hour' },
    replies: { 200: { description: 'Rescheduled.', schema: ResendChanged } },
    handle: async (ctx, { caller, params, body, facts }) => {
      const at = resendTime(body.scheduled_at, ctx.clock.now(), 'scheduled_at')
      try {
        const { id } = await rescheduleEmail(
          ctx,
          { projectId: caller.projectId, emailId: params.id },
          at,
          actorOf(caller, facts),
        )
        return { object: 'email' as const, id }
      } catch (error) {
        throw renamed(error, RESEND_NAMES)
      }
    },
  }),
  route({
    ...resend,
    method: 'POST',
    path: '/compat/resend/emails/{id}/cancel',
    scope: 'emails:write',
    summary: 'Cancel a scheduled email as with Resend',
    params: { id: idOf('email') },
    replies: { 200: { description: 'Canceled.', schema: ResendChanged } },
    handle: async (ctx, { caller, params, facts }) => {
      const { id } = await cancelEmail(ctx, { projectId: caller.projectId, emailId: params.id }, actorOf(caller, facts))
      return { object: 'email' as const, id }
    },
  }),
  route({
    ...postmark,
    method: 'POST',
    path: '/compat/postmark/email',
    summary: 'Send an email as with Postmark',
    description:
      'For clients of Postmark, with `/compat/postmark` as their base URL and a key of Posthorn in `X-Postmark-Server-Token`. With `POSTMARK_API_TEST` as the key, nothing is sent.',
    body: PostmarkEmail,
    example: POSTMARK_EXAMPLE,
    bodyLimitBytes: oneMessage,
    replies: { 200: { description: 'Accepted.', schema: PostmarkReply } },
    handle: (ctx, { caller, body }, { outbox }: Services) =>
      sendPostmark(ctx, outbox, caller, body, readPostmark(body)),
  }),
  route({
    ...postmark,
    method: 'POST',
    path: '/compat/postmark/email/withTemplate',
    summary: 'Send a template as with Postmark',
    description: '`TemplateAlias` is the ID or the name of a template.',
    body: PostmarkTemplateEmail,
    example: POSTMARK_TEMPLATE_EXAMPLE,
    bodyLimitBytes: oneMessage,
    replies: { 200: { description: 'Accepted.', schema: PostmarkReply } },
    handle: (ctx, { caller, body }, { outbox }: Services) =>
      sendPostmark(ctx, outbox, caller, body, readPostmarkTemplate(body)),
  }),
  route({
    ...postmark,
    method: 'POST',
    path: '/compat/postmark/email/batch',
    summary: 'Send a batch of emails as with Postmark',
    description: 'Each message is accepted or refused on its own.',
    body: PostmarkBatch,
    example: [POSTMARK_EXAMPLE],
    bodyLimitBytes: severalMessages,
    bodyValuesMax: BATCH_VALUES_MAX,
    replies: { 200: { description: 'What happened to each message, in order.', schema: PostmarkBatchReply } },
    handle: (ctx, { caller, body }, { outbox }: Services) =>
      sendPostmarkBatch(ctx, outbox, caller, body, { schema: PostmarkEmail, read: readPostmark }),
  }),
  route({
    ...postmark,
    method: 'POST',
    path: '/compat/postmark/email/batchWithTemplates',
    summary: 'Send a batch of templates as with Postmark',
    description: 'Each message is accepted or refused on its own.',
    body: PostmarkTemplateBatch,
    example: { Messages: [POSTMARK_TEMPLATE_EXAMPLE] },
    bodyLimitBytes: severalMessages,
    bodyValuesMax: BATCH_VALUES_MAX,
    replies: { 200: { description: 'What happened to each message, in order.', schema: PostmarkBatchReply } },
    handle: (ctx, { caller, body }, { outbox }: Services) =>
      sendPostmarkBatch(ctx, outbox, caller, body.Messages, {
        schema: PostmarkTemplateEmail,
        read: readPostmarkTemplate,
      }),
  }),
  route({
    ...common,
    errors: SendgridErrors,
    method: 'POST',
    path: '/compat/sendgrid/v3/mail/send',
    summary: 'Send emails as with SendGrid',
    description:
      'For clients of SendGrid, with `/compat/sendgrid` as their base URL and a key of Posthorn. Each personalization is a message; all of them are accepted, or none. The header `X-Message-Id` of the response is the ID of the first email. With `mail_settings.sandbox_mode`, nothing is sent, and the status is 200.',
    body: SendgridMail,
    example: {
      personalizations: [{ to: [{ email: 'ada@example.org' }] }],
      from: { email: 'hello@example.com', name: 'Acme' },
      subject: 'Hello',
      content: [{ type: 'text/html', value: '<p>Hello</p>' }],
    },
    bodyLimitBytes: oneMessage,
    replies: { 202: { description: 'Accepted.' }, 200: { description: 'The request is valid. Nothing was sent.' } },
    handle: async (ctx, { caller, body }, { outbox }: Services) => {
      const { outgoing, isSandbox } = await readSendgrid(ctx, body)
      if (isSandbox) {
        await checkMessages(outbox, caller.projectId, outgoing)
        return new CustomResponse(200, undefined)
      }
      const [first] = await sendAll(outbox, caller, outgoing)
      return new CustomResponse(202, undefined, { 'x-message-id': first! })
    },
  }),
  route({
    ...common,
    errors: MailgunError,
    method: 'POST',
    path: '/compat/mailgun/v3/{domain}/messages',
    findKey: mailgunKey,
    form: 'files',
    summary: 'Send emails as with Mailgun',
    description:
      'For clients of Mailgun, with `/compat/mailgun` as their base URL and a key of Posthorn as the password of the user `api`. Accepts multipart/form-data and application/x-www-form-urlencoded. With `o:testmode`, nothing is sent.',
    params: { domain: 'text' },
    body: MailgunForm,
    bodyLimitBytes: oneMessage,
    replies: { 200: { description: 'Accepted.', schema: MailgunReply } },
    handle: async (ctx, { caller, params, body }, { outbox }: Services) => {
      const { projectId } = caller
      const { outgoing, from, isTest } = readMailgun(ctx, (body ?? {}) as unknown as FormFields)
      await requireDomain(ctx, projectId, params.domain)
      if (isTest) await checkMessages(outbox, projectId, outgoing)
      const [first] = isTest ? [newId(ctx.clock.now())] : await sendAll(outbox, caller, outgoing)
      const id = messageIdOf({ id: first!, from_email: parseMailbox(from)!.email })
      return { id: `<${id}>`, message: 'Queued. Thank you.' }
    },
  }),
]

async function requireDomain(ctx: Context, projectId: string, domain: string): Promise<void> {
  const [isVerified] = await sendersAreVerified(ctx, [{ projectId, address: `postmaster@${domain}` }])
  if (!isVerified) throw notFound('domain', domain, `Domain not found: ${domain.slice(0, 255)}`)
}
