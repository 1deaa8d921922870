/** Sending over HTTP. */
import { setImmediate } from 'node:timers/promises'
import { causeOf } from '../../../kernel/consent/cause.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { route, validate } from '../../../platform/http/route.ts'
import { findUnknownFields } from '../../../platform/http/unknown-fields.ts'
import type { Outbox } from './actions.ts'
import type { ReadMessage } from './batch.ts'
import { BatchReply, BatchRequest, SendReply, SendRequest, TestReply, TestRequest } from './schemas.ts'
import { sendTestDraft } from './test-email.ts'

const MEGABYTE = 1024 * 1024
/** The request as it is sent: attachments are a third longer in base64. */
const BATCH_MAX_MB = 40
/** A batch of messages with a hundred values each. */
const BATCH_VALUES_MAX = 250_000
/** So many messages are checked in a few milliseconds. Other requests are served in between. */
const READ_AT_ONCE = 20

async function readMessages(messages: unknown[]): Promise<ReadMessage[]> {
  const read: ReadMessage[] = []
  for (const [index, message] of messages.entries()) {
    if (index % READ_AT_ONCE === 0) await setImmediate()
    read.push(readMessage(message))
  }
  return read
}

function readMessage(message: unknown): ReadMessage {
  try {
    return {
      input: validate(
        SendRequest,
        message,
        findUnknownFields({ schema: SendRequest, isStrict: true }, message).refused,
      ),
    }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error }
    throw error
  }
}

export const outboxRoutes = [
  route({
    method: 'POST',
    path: '/v1/send',
    client: 'emails.send',
    access: 'project',
    scope: 'send',
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
    bodyLimitBytes: (ctx) => Math.floor(ctx.settings.MESSAGE_MAX_MB * MEGABYTE),
    replies: { 200: { description: 'Accepted. One entry per recipient, in order.', schema: SendReply } },
    refusals: [402, 403, 404, 409],
    handle: (_ctx, { caller, body, facts }, { outbox }: { outbox: Outbox }) =>
      outbox.send(caller.projectId, body, caller.idempotencyKey, {
        test: caller.key?.test,
        cause: causeOf({ caller, facts }),
      }),
  }),
  route({
    method: 'POST',
    path: '/v1/send/batch',
    client: 'emails.sendBatch',
    scope: 'send',
    strict: true,
    access: 'project',
    idempotent: true,
    tag: 'Emails',
    summary: 'Send a batch of emails',
    description:
      'Sends up to 500 messages, each with the fields and rules of `POST /v1/send`. Each is accepted or refused on its own, unless `atomic` is true. All accepted messages are stored in one transaction before the response is sent. A batch counts as one request against the rate limit, one `Idempotency-Key` covers all of it, and the request can have up to 40 MB.',
    body: BatchRequest,
    example: {
      messages: [
        { to: 'ada@example.org', subject: 'Hello Ada', body: '<p>Hello</p>', from: 'hello@example.com' },
        { to: 'bob@example.org', subject: 'Hello Bob', body: '<p>Hello</p>', from: 'hello@example.com' },
      ],
    },
    bodyLimitBytes: () => BATCH_MAX_MB * MEGABYTE,
    bodyValuesMax: BATCH_VALUES_MAX,
    replies: { 200: { description: 'What happened to each message, in order.', schema: BatchReply } },
    refusals: [402, 403, 404, 409],
    handle: async (_ctx, { caller, body: { messages, atomic }, facts }, { outbox }: { outbox: Outbox }) => {
      const mode = { test: caller.key?.test, cause: causeOf({ caller, facts }) }
      return outbox.sendBatch(
        caller.projectId,
        { messages: await readMessages(messages), atomic, ...mode },
        caller.idempotencyKey,
      )
    },
  }),
  route({
    method: 'POST',
    path: '/templates/test',
    client: 'templates.test',
    delivers: true,
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
