/** The ledger over HTTP. */
import { Answer, idOf, route } from '../../platform/http/route.ts'
import type { Delivery } from '../delivery/deliver.ts'
import type { Tracking } from '../tracking/actions.ts'
import { getAttachment, getEmail, getRawEmail, listEmails, resendEmail } from './actions.ts'
import { Email, EmailListQuery, EmailPage, EmailWithContent, SimulateRequest } from './schemas.ts'
import { simulateOutcome } from './simulate.ts'

/** Somebody else's file: it is saved and not shown, and no script in it runs here. */
const fileHeaders = ({ filename, contentType }: { filename: string; contentType: string }) => ({
  'content-type': contentType,
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed()).replace(/['()*]/g, hexOf)}`,
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
})

const hexOf = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

export const emailRoutes = [
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
    handle: async (ctx, { caller, params }, { delivery }: { delivery: Delivery }) => {
      const raw = await getRawEmail(ctx, delivery, caller.projectId, params.id)
      return new Answer(200, raw, { 'content-type': 'message/rfc822' })
    },
  }),
  route({
    method: 'GET',
    path: '/emails/{id}/attachments/{n}',
    access: 'project',
    tag: 'Emails',
    summary: 'Get one file of an email',
    description: 'By its place in `attachments`, from 0. Of emails that were sent and of those that arrived.',
    params: { id: idOf('email'), n: 'text' },
    replies: { 200: { description: 'The file', contentType: 'application/octet-stream' } },
    refusals: [404],
    handle: async (ctx, { caller, params }) => {
      const file = await getAttachment(ctx, caller.projectId, params.id, params.n)
      return new Answer(200, file.bytes, fileHeaders(file))
    },
  }),
  route({
    method: 'POST',
    path: '/emails/{id}/resend',
    access: 'project',
    tag: 'Emails',
    summary: 'Send a failed or canceled email again',
    description:
      'Sends the same email with the same Message-ID, starting over with the first attempt. Only for `FAILED` and `CANCELLED` emails whose content is still kept. 409 if the email was already sent or bounced, if the contact was deleted, or, for bulk email, if the contact unsubscribed or the address is suppressed.',
    params: { id: idOf('email') },
    replies: { 200: { description: 'The email, waiting to be sent', schema: Email } },
    refusals: [403, 409],
    handle: (ctx, { caller, params }) => resendEmail(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'POST',
    path: '/emails/{id}/simulate',
    access: 'project',
    tag: 'Emails',
    summary: 'Play the reader of a captured email',
    description:
      'For development: makes an open, a click, a bounce or a complaint happen, with everything that follows from it. Only while mail is captured (`MAIL_URL=capture:`), else 404.',
    params: { id: idOf('email') },
    body: SimulateRequest,
    replies: { 200: { description: 'The email as it is then', schema: Email } },
    refusals: [409],
    handle: (ctx, { caller, params, body }, { tracking }: { tracking: Tracking }) =>
      simulateOutcome(ctx, tracking, caller.projectId, params.id, body),
  }),
]
