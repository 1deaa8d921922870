/** Sending over HTTP. */
import { route } from '../../platform/http/route.ts'
import { type Outbox, SendReply, SendRequest } from './actions.ts'

export const outboxRoutes = [
  route({
    method: 'POST',
    path: '/v1/send',
    access: 'project',
    idempotent: true,
    tag: 'Emails',
    summary: 'Send an email',
    description:
      'Sends an email to one or more recipients. Each recipient becomes a contact (not subscribed unless `subscribed` is true) and receives a separate email. The response is sent once all emails are stored; they are then sent in the background.',
    body: SendRequest,
    bodyLimitBytes: (ctx) => Math.floor(ctx.settings.MESSAGE_MAX_MB * 1024 * 1024),
    replies: { 200: { description: 'Accepted. One entry per recipient, in order.', schema: SendReply } },
    refusals: [402, 403, 404, 409],
    handle: (_ctx, { caller, body }, { outbox }: { outbox: Outbox }) =>
      outbox.send(caller.projectId, body, caller.idempotencyKey),
  }),
]
