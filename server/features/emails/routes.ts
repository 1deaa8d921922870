/** Emails over HTTP. */
import { CustomResponse, idOf, route } from '../../platform/http/route.ts'
import type { Delivery } from '../delivery/deliver.ts'
import type { Tracking } from '../tracking/actions.ts'
import { getAttachment, getEmail, getRawEmail, listEmails, resendEmail } from './actions.ts'
import { Email, EmailListQuery, EmailPage, EmailWithContent, SimulateRequest } from './schemas.ts'
import { simulateOutcome } from './simulate.ts'

/** Attachments are untrusted: they are downloaded instead of displayed, and scripts in them don't run. */
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
    replies: { 200: { description: 'A page of emails.', schema: EmailPage } },
    refusals: [400, 404],
    handle: (ctx, { caller, query }) => listEmails(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/emails/{id}',
    access: 'project',
    tag: 'Emails',
    summary: 'Get an email',
    params: { id: idOf('email') },
    replies: { 200: { description: 'The email with its content and timeline.', schema: EmailWithContent } },
    handle: (ctx, { caller, params }) => getEmail(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'GET',
    path: '/emails/{id}/raw',
    access: 'project',
    tag: 'Emails',
    summary: 'Get the raw message',
    params: { id: idOf('email') },
    replies: { 200: { description: 'The message in MIME format.', contentType: 'message/rfc822' } },
    refusals: [400],
    handle: async (ctx, { caller, params }, { delivery }: { delivery: Delivery }) => {
      const raw = await getRawEmail(ctx, delivery, caller.projectId, params.id)
      return new CustomResponse(200, raw, { 'content-type': 'message/rfc822' })
    },
  }),
  route({
    method: 'GET',
    path: '/emails/{id}/attachments/{n}',
    access: 'project',
    tag: 'Emails',
    summary: 'Download an attachment',
    description:
      'The attachment is identified by its position in `attachments`, starting at 0. Works for sent and received emails.',
    params: { id: idOf('email'), n: 'text' },
    replies: { 200: { description: 'The file.', contentType: 'application/octet-stream' } },
    refusals: [404],
    handle: async (ctx, { caller, params }) => {
      const file = await getAttachment(ctx, caller.projectId, params.id, params.n)
      return new CustomResponse(200, file.bytes, fileHeaders(file))
    },
  }),
  route({
    method: 'POST',
    path: '/emails/{id}/resend',
    access: 'project',
    tag: 'Emails',
    summary: 'Resend a failed or canceled email',
    description:
      'Sends the same email with the same Message-ID, starting over with the first attempt. Only for `FAILED` and `CANCELLED` emails whose content is still stored. 409 if the email was already sent or bounced, if the contact was deleted, or, for marketing email, if the contact unsubscribed or the address is suppressed.',
    params: { id: idOf('email') },
    replies: { 200: { description: 'The email, waiting to be sent.', schema: Email } },
    refusals: [403, 409],
    handle: (ctx, { caller, params }) => resendEmail(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'POST',
    path: '/emails/{id}/simulate',
    access: 'project',
    tag: 'Emails',
    summary: 'Simulate a recipient action',
    description:
      'For development: simulates an open, click, bounce or complaint for a captured email, with all its effects. Only available while email is captured (`MAIL_URL=capture:`); otherwise 404.',
    params: { id: idOf('email') },
    body: SimulateRequest,
    replies: { 200: { description: 'The email after the action.', schema: Email } },
    refusals: [409],
    handle: (ctx, { caller, params, body }, { tracking }: { tracking: Tracking }) =>
      simulateOutcome(ctx, tracking, caller.projectId, params.id, body),
  }),
]
