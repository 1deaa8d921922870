/** Sending over HTTP. */
import { route } from '../../../platform/http/route.ts'
import type { Outbox } from './actions.ts'
import { SendReply, SendRequest, TestReply, TestRequest } from './schemas.ts'
import { sendTestDraft } from './test-email.ts'

export const outboxRoutes = [
  route({
    method: 'POST',
    path: '/v1/send',
    client: 'emails.send',
    access: 'project',
    idempotent: true,
    tag: 'Emails',
    summary: 'Send an email',
    description:
      'Sends an email to one or more recipients. Each recipient becomes a contact (not subscribed unless `subscribed` is true) and receives a separate email. The response is sent once all emails are stored; they are then sent in the background.',
    body: SendRequest,
    example: {
      to: 'ada@example.org',
      subject: 'Hello {{name}}',
      body: '<p>Hello {{name}}</p>',
      from: 'hello@example.com',
      data: { name: 'Ada' },
    },
    bodyLimitBytes: (ctx) => Math.floor(ctx.settings.MESSAGE_MAX_MB * 1024 * 1024),
    replies: { 200: { description: 'Accepted. One entry per recipient, in order.', schema: SendReply } },
    refusals: [402, 403, 404, 409],
    handle: (_ctx, { caller, body }, { outbox }: { outbox: Outbox }) =>
      outbox.send(caller.projectId, body, caller.idempotencyKey),
  }),
  route({
    method: 'POST',
    path: '/templates/test',
    client: 'templates.test',
    access: 'project',
    expensive: true,
    tag: 'Templates',
    summary: 'Send a test of a draft',
    description:
      'Sends the content to one address, with the footer, unsubscribe link and tracking of its type. The subject starts with `[TEST]`. A suppressed address is refused unless the type is TRANSACTIONAL. No contact is created, and the email is not included in statistics. It is rendered with the data of the contact `contactId` or, by default, of the contact with that address. A project can send 20 tests per minute.',
    body: TestRequest,
    example: {
      email: 'ada@example.org',
      subject: 'Hello {{name}}',
      body: '<p>Hello {{name}}</p>',
      from: 'hello@example.com',
    },
    replies: { 200: { description: 'The test email was queued.', schema: TestReply } },
    refusals: [402, 403, 404, 409],
    handle: async (ctx, { caller, body: { email, contactId, ...content } }) => {
      const emailId = await sendTestDraft(ctx, caller.projectId, content, { email, contactId })
      return { success: true as const, message: `A test email was queued for ${email}.`, emailId }
    },
  }),
]
