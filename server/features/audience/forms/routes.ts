/** Forms over HTTP. Their public pages are in `public-routes.ts`. */
import { idOf, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import * as actions from './actions.ts'
import * as schemas from './schemas.ts'

const common = { access: 'project', tag: 'Forms' } as const
const one = { ...common, params: { id: idOf('form') } } as const

export const formRoutes = [
  route({
    ...common,
    method: 'GET',
    path: '/forms',
    client: 'forms.list',
    replica: true,
    summary: 'List forms',
    description: 'Newest first.',
    query: schemas.FormQuery,
    replies: { 200: { description: 'A page of forms.', schema: schemas.FormPage } },
    refusals: [400],
    handle: (ctx, { caller, query }) => actions.listForms(ctx, caller.projectId, query),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/forms',
    client: 'forms.create',
    strict: true,
    summary: 'Create a form',
    description:
      'The field `email` is added if it is missing. Put the form on a website with the script in `links`, or link to its page.',
    body: schemas.NewForm,
    example: {
      name: 'Newsletter',
      fields: [
        { key: 'email', label: 'Email', type: 'email', required: true },
        { key: 'firstName', label: 'First name' },
      ],
      consentText: 'We send you our newsletter once a month. You can unsubscribe at any time.',
    },
    replies: { 201: { description: 'The form.', schema: schemas.Form } },
    handle: (ctx, { caller, body, facts }) => actions.createForm(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/forms/preview',
    client: 'forms.preview',
    strict: true,
    readOnly: true,
    expensive: true,
    summary: 'Preview a form',
    description: 'The page of a form, without saving it.',
    body: schemas.NewForm,
    example: { name: 'Newsletter' },
    replies: { 200: { description: 'The page.', schema: schemas.FormHtml } },
    handle: (ctx, { caller, body }) => actions.previewForm(ctx, caller.projectId, body),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/forms/{id}',
    client: 'forms.get',
    summary: 'Get a form',
    replies: { 200: { description: 'The form.', schema: schemas.Form } },
    handle: (ctx, { caller, params }) => actions.getForm(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/forms/{id}',
    client: 'forms.update',
    strict: true,
    summary: 'Update a form',
    description: 'Only the fields you send change. `fields` and `topics` replace the earlier ones.',
    body: schemas.FormChanges,
    example: { successMessage: 'See you soon!' },
    replies: { 200: { description: 'The form.', schema: schemas.Form } },
    handle: (ctx, { caller, params, body, facts }) =>
      actions.changeForm(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/forms/{id}',
    client: 'forms.delete',
    summary: 'Delete a form',
    description: 'Also deletes its numbers. Contacts who signed up stay.',
    replies: { 204: { description: 'The form was deleted.' } },
    handle: (ctx, { caller, params, facts }) =>
      actions.deleteForm(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/forms/{id}/html',
    client: 'forms.html',
    summary: 'Get a form as HTML',
    description: 'Plain HTML for a website, without scripts. Copy it again after you change the form.',
    replies: { 200: { description: 'The HTML.', schema: schemas.FormHtml } },
    handle: (ctx, { caller, params }) => actions.getHtml(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/forms/{id}/stats',
    client: 'forms.stats',
    replica: true,
    summary: 'Get the numbers of a form',
    description:
      'How often it was shown, submitted and confirmed, by day (UTC). By default the last 30 days; at most 366.',
    query: schemas.FormStatsQuery,
    replies: { 200: { description: 'The numbers, oldest day first.', schema: schemas.FormStats } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => actions.getStats(ctx, caller.projectId, params.id, query),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/forms/{id}/spam',
    client: 'forms.spam',
    replica: true,
    summary: 'List spam submissions',
    description:
      'Submissions that were refused as spam in the last 30 days, newest first, at most 1,000. They changed nothing.',
    query: schemas.SpamQuery,
    replies: { 200: { description: 'A page of submissions.', schema: schemas.FormSpamPage } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => actions.listSpam(ctx, caller.projectId, params.id, query),
  }),
]
