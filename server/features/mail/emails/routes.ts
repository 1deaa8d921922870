/** Emails over HTTP. */
import { longJson } from '../../../platform/http/bodies/long-json.ts'
import { EMAIL_POLICY, LINK_PAGE_HEADERS } from '../../../platform/http/link-pages.ts'
import { CustomResponse, idOf, NoBody, type RequestFacts, route } from '../../../platform/http/route.ts'
import { languageAsked } from '../../audience/preferences/actions.ts'
import { messagePage, preferencePolicy } from '../../audience/preferences/pages.ts'
import { actorOf } from '../../record/audit/actions.ts'
import type { Delivery } from '../delivery/deliver.ts'
import type { Tracking } from '../tracking/actions.ts'
import { type EmailView, getAttachment, getEmail, getRawEmail, resendEmail, viewEmail } from './actions.ts'
import { listEmails } from './list.ts'
import { cancelEmail, rescheduleEmail } from './scheduled.ts'
import { Email, EmailChanges, EmailListQuery, EmailPage, EmailWithContent, SimulateRequest } from './schemas.ts'
import { simulateOutcome } from './simulate.ts'
import { sunsetRoutes } from './sunset-routes.ts'

/** Attachments are untrusted: they are downloaded instead of displayed, and scripts in them don't run. */
const fileHeaders = ({ filename, contentType }: { filename: string; contentType: string }) => ({
  'content-type': contentType,
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed()).replace(/['()*]/g, hexOf)}`,
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
})

function showView(view: EmailView, facts: RequestFacts): CustomResponse {
  if ('html' in view) {
    return new CustomResponse(200, view.html, { ...LINK_PAGE_HEADERS, 'content-security-policy': EMAIL_POLICY })
  }
  const language = view.language ?? languageAsked(facts.headers['accept-language'])
  const headers = { ...LINK_PAGE_HEADERS, 'content-security-policy': preferencePolicy({}) }
  return new CustomResponse(404, messagePage(view.missing, language), headers)
}

const hexOf = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

export const emailRoutes = [
  route({
    method: 'GET',
    path: '/emails',
    client: 'emails.list',
    replica: true,
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
    client: 'emails.get',
    access: 'project',
    tag: 'Emails',
    summary: 'Get an email',
    params: { id: idOf('email') },
    replies: { 200: { description: 'The email with its content and timeline.', schema: EmailWithContent } },
    handle: async (ctx, { caller, params }) => longJson(await getEmail(ctx, caller.projectId, params.id)),
  }),
  route({
    method: 'GET',
    path: '/emails/{id}/raw',
    client: 'emails.raw',
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
    client: 'emails.attachment',
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
    client: 'emails.resend',
    delivers: true,
    access: 'project',
    tag: 'Emails',
    summary: 'Resend a failed or canceled email',
    description:
      'Sends the same email with the same Message-ID, starting over with the first attempt. Only for `FAILED` and `CANCELLED` emails whose content is still stored. 409 if the email was already sent or bounced, if the contact was deleted, if the address bounced for good, or, for marketing email, if the contact unsubscribed or the address is suppressed.',
    params: { id: idOf('email') },
    replies: { 200: { description: 'The email, waiting to be sent.', schema: Email } },
    refusals: [403, 409],
    handle: (ctx, { caller, params }) => resendEmail(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/emails/{id}',
    client: 'emails.reschedule',
    strict: true,
    access: 'project',
    tag: 'Emails',
    summary: 'Change when an email is sent',
    description: 'Only while the status is `SCHEDULED`; otherwise 409.',
    params: { id: idOf('email') },
    body: EmailChanges,
    example: { sendAt: '2026-12-01T09:00:00+01:00' },
    replies: { 200: { description: 'The email with its new time.', schema: Email } },
    refusals: [409],
    handle: (ctx, { caller: { projectId, ...caller }, params, body, facts }) =>
      rescheduleEmail(ctx, { projectId, emailId: params.id }, body.sendAt, actorOf(caller, facts)),
  }),
  route({
    method: 'POST',
    path: '/emails/{id}/cancel',
    client: 'emails.cancel',
    strict: true,
    access: 'project',
    tag: 'Emails',
    summary: 'Cancel a scheduled email',
    description:
      'Only while the status is `SCHEDULED`; otherwise 409. The email becomes `CANCELLED` and can be resent.',
    params: { id: idOf('email') },
    body: NoBody,
    replies: { 200: { description: 'The canceled email.', schema: Email } },
    refusals: [409],
    handle: (ctx, { caller: { projectId, ...caller }, params, facts }) =>
      cancelEmail(ctx, { projectId, emailId: params.id }, actorOf(caller, facts)),
  }),
  route({
    method: 'POST',
    path: '/emails/{id}/simulate',
    client: 'emails.simulate',
    access: 'project',
    tag: 'Emails',
    summary: 'Simulate a recipient action',
    description:
      'For development: simulates an open, click, bounce or complaint for a captured email, with all its effects. Only available while email is captured (`MAIL_URL=capture:`), and for emails that were sent with a test key; otherwise 404.',
    params: { id: idOf('email') },
    body: SimulateRequest,
    replies: { 200: { description: 'The email after the action.', schema: Email } },
    refusals: [409],
    handle: (ctx, { caller, params, body }, { tracking }: { tracking: Tracking }) =>
      simulateOutcome(ctx, tracking, caller.projectId, params.id, body),
  }),
  route({
    method: 'GET',
    path: '/view/{token}',
    access: 'open',
    limitedByNetwork: true,
    tag: 'Emails',
    summary: 'View an email in the browser',
    description:
      'The page that `{{viewInBrowserUrl}}` in an email links to: the email as it was sent to that recipient. Viewing it is not recorded as an open; its links are tracked as in the email.',
    params: { token: 'text' },
    replies: {
      200: { description: 'The email.', contentType: 'text/html' },
      404: {
        description: 'An error page: the link is invalid, or the content of the email is no longer stored.',
        contentType: 'text/html',
      },
    },
    handle: async (ctx, { params, facts }) => showView(await viewEmail(ctx, params.token), facts),
  }),
  ...sunsetRoutes,
]
