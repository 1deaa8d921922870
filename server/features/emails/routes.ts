/** Sending, and the ledger. */
import { Answer, idOf, route } from '../../platform/http/route.ts'
import { sendEmails } from './actions.ts'
import { getEmail, getRawEmail, listEmails } from './ledger.ts'
import { EmailListQuery, EmailPage, EmailWithContent, SendReply, SendRequest } from './schemas.ts'

export const emailRoutes = [
  route({
    method: 'POST',
    path: '/v1/send',
    access: 'project',
    idempotent: true,
    tag: 'Emails',
    summary: 'Send an email to one or more recipients',
    description:
      'Each recipient becomes a contact (not subscribed unless you say so) and gets an email of its own. The reply comes when all are safely stored; a worker sends them.',
    body: SendRequest,
    bodyLimitBytes: (ctx) => Math.floor(ctx.settings.MESSAGE_MAX_MB * 1024 * 1024),
    replies: { 200: { description: 'Accepted, one entry per recipient in order', schema: SendReply } },
    refusals: [403, 404, 409],
    handle: (ctx, { caller, body }) => sendEmails(ctx, caller.projectId, body, caller.idempotencyKey),
  }),
  route({
    method: 'GET',
    path: '/emails',
    access: 'project',
    tag: 'Emails',
    summary: 'List emails',
    description: 'Newest first.',
    query: EmailListQuery,
    replies: { 200: { description: 'A page of emails', schema: EmailPage } },
    refusals: [400, 404],
    handle: (ctx, { caller, query }) => listEmails(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/emails/{id}',
    access: 'project',
    tag: 'Emails',
    summary: 'Get an email with its content and timeline',
    params: { id: idOf('email') },
    replies: { 200: { description: 'The email', schema: EmailWithContent } },
    handle: (ctx, { caller, params }) => getEmail(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'GET',
    path: '/emails/{id}/raw',
    access: 'project',
    tag: 'Emails',
    summary: 'Get the message as it goes over the wire',
    params: { id: idOf('email') },
    replies: { 200: { description: 'The message in MIME', contentType: 'message/rfc822' } },
    refusals: [400],
    handle: async (ctx, { caller, params }) =>
      new Answer(200, await getRawEmail(ctx, caller.projectId, params.id), { 'content-type': 'message/rfc822' }),
  }),
]
