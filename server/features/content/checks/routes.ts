/** The checks over HTTP. */
import { route } from '../../../platform/http/route.ts'
import { type Checker, checkContent } from './actions.ts'
import { CheckRequest, Checks } from './schemas.ts'

export const checkRoutes = [
  route({
    method: 'POST',
    path: '/templates/check',
    client: 'templates.check',
    access: 'project',
    readOnly: true,
    expensive: true,
    tag: 'Templates',
    summary: 'Check an email',
    description:
      "Finds mistakes before the email is sent: broken or unencrypted links, images without alternative text, features that mail clients don't support, low contrast, long subjects, phrases that spam filters look for, and variables that recipients have no value for. Nothing is sent, fetched or stored.",
    body: CheckRequest,
    example: { subject: 'Hello {{name}}', body: '<p>Hello {{name}}</p>', type: 'MARKETING' },
    replies: { 200: { description: 'The findings.', schema: Checks } },
    refusals: [404],
    handle: (ctx, { caller, body }, { checks }: { checks: Checker }) =>
      checkContent(ctx, checks, caller.projectId, body),
  }),
]
