/** Templates over HTTP. */
import { type Caller, idOf, route } from '../../platform/http/route.ts'
import {
  ContentVersion,
  ContentVersionList,
  getVersion,
  listVersions,
  renameVersion,
  VersionChanges,
} from '../documents/versions.ts'
import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  getTemplateUsage,
  listTemplates,
  patchTemplate,
  restoreTemplate,
  upsertTemplate,
  versionsOf,
} from './actions.ts'
import { previewTemplate } from './preview.ts'
import {
  BareError,
  NewTemplate,
  Preview,
  PreviewRequest,
  Template,
  TemplateByName,
  TemplateChanges,
  TemplateListQuery,
  TemplatePage,
  TemplateUsage,
  templateNamed,
} from './schemas.ts'

const actorOf = ({ userId }: Caller) => userId ?? 'key'

const versionsShared = { access: 'project', tag: 'Templates', params: { id: idOf('template') } } as const
const oneVersion = { ...versionsShared, params: { id: idOf('template'), number: 'text' } } as const

export const templateRoutes = [
  route({
    method: 'GET',
    path: '/templates',
    replica: true,
    access: 'project',
    tag: 'Templates',
    summary: 'List templates',
    description: 'Newest first, unless `sort` and `dir` are set.',
    query: TemplateListQuery,
    replies: { 200: { description: 'A page of templates.', schema: TemplatePage } },
    handle: (ctx, { caller, query }) => listTemplates(ctx, caller.projectId, query),
  }),
  route({
    method: 'POST',
    path: '/templates',
    access: 'project',
    tag: 'Templates',
    summary: 'Create a template',
    description: 'Invalid Liquid is refused with its line and column.',
    body: NewTemplate,
    example: { name: 'Welcome', subject: 'Hello {{name}}', body: '<p>Hello {{name}}</p>', from: 'hello@example.com' },
    replies: {
      201: { description: 'The template.', schema: Template },
      400: {
        description: 'If `from` is missing, the body is only `{error}`; otherwise an error object.',
        schema: BareError,
      },
    },
    handle: (ctx, { caller, body }) => createTemplate(ctx, caller.projectId, body, actorOf(caller)),
  }),
  route({
    method: 'POST',
    path: '/templates/preview',
    access: 'project',
    readOnly: true,
    tag: 'Templates',
    summary: 'Preview a template',
    description:
      'Renders the template as it would be sent, but without tracking. Nothing is sent or stored. A template that exceeds the rendering limits is refused, because it would fail when sent.',
    body: PreviewRequest,
    example: { subject: 'Hello {{name}}', body: '<p>Hello {{name}}</p>', data: { name: 'Ada' } },
    replies: { 200: { description: 'The rendered email.', schema: Preview } },
    refusals: [404],
    handle: (ctx, { caller, body }) => previewTemplate(ctx, caller.projectId, body),
  }),
  route({
    method: 'GET',
    path: '/templates/{id}',
    access: 'project',
    tag: 'Templates',
    summary: 'Get a template',
    params: { id: idOf('template') },
    replies: { 200: { description: 'The template.', schema: Template } },
    handle: (ctx, { caller, params }) => getTemplate(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/templates/{id}',
    access: 'project',
    tag: 'Templates',
    summary: 'Update a template',
    description: 'Only the fields you send change. null clears `description`, `fromName` and `replyTo`.',
    params: { id: idOf('template') },
    body: TemplateChanges,
    example: { subject: 'Welcome, {{name}}', tags: ['onboarding'] },
    replies: { 200: { description: 'The template.', schema: Template } },
    handle: (ctx, { caller, params, body }) => patchTemplate(ctx, caller.projectId, params.id, body, actorOf(caller)),
  }),
  route({
    method: 'DELETE',
    path: '/templates/{id}',
    access: 'project',
    tag: 'Templates',
    summary: 'Delete a template',
    description: "Not possible while the template is used by a workflow step or by a campaign that hasn't completed.",
    params: { id: idOf('template') },
    replies: { 204: { description: 'Deleted.' } },
    refusals: [409],
    handle: (ctx, { caller, params }) => deleteTemplate(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'POST',
    path: '/templates/{id}/duplicate',
    access: 'project',
    tag: 'Templates',
    summary: 'Duplicate a template',
    description: 'The copy has the name of the original followed by " (Copy)".',
    params: { id: idOf('template') },
    replies: { 201: { description: 'The copy.', schema: Template } },
    handle: (ctx, { caller, params }) => duplicateTemplate(ctx, caller.projectId, params.id, actorOf(caller)),
  }),
  route({
    method: 'GET',
    path: '/templates/{id}/usage',
    access: 'project',
    tag: 'Templates',
    summary: 'Get usage of a template',
    params: { id: idOf('template') },
    replies: { 200: { description: 'The campaigns and workflow steps that use the template.', schema: TemplateUsage } },
    handle: (ctx, { caller, params }) => getTemplateUsage(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'PUT',
    path: '/templates/by-name/{name}',
    access: 'project',
    tag: 'Templates',
    summary: 'Create or update a template by name',
    description:
      'For templates that are kept in code. Creates the template, or replaces all fields of the one with that name. Repeating the request adds no version. If several templates have that name, the response is 409.',
    params: { name: 'text' },
    body: TemplateByName,
    example: { subject: 'Hello {{name}}', body: '<p>Hello {{name}}</p>', from: 'hello@example.com' },
    replies: {
      200: { description: 'The template.', schema: Template },
      400: {
        description: 'If `from` is missing, the body is only `{error}`; otherwise an error object.',
        schema: BareError,
      },
    },
    refusals: [409],
    handle: (ctx, { caller, params, body }) =>
      upsertTemplate(ctx, caller.projectId, templateNamed(params.name, body), actorOf(caller)),
  }),
  route({
    ...versionsShared,
    method: 'GET',
    path: '/templates/{id}/versions',
    summary: 'List versions of a template',
    description:
      'Newest first, without their contents. Every change to the subject, preheader or body adds one. The last 200 are kept; those without a name are deleted first.',
    replies: { 200: { description: 'The versions.', schema: ContentVersionList } },
    handle: async (ctx, { caller, params }) => listVersions(ctx, await versionsOf(ctx, caller.projectId, params.id)),
  }),
  route({
    ...oneVersion,
    method: 'GET',
    path: '/templates/{id}/versions/{number}',
    summary: 'Get a version of a template',
    replies: { 200: { description: 'The version.', schema: ContentVersion } },
    handle: async (ctx, { caller, params }) =>
      getVersion(ctx, await versionsOf(ctx, caller.projectId, params.id), params.number),
  }),
  route({
    ...oneVersion,
    method: 'PATCH',
    path: '/templates/{id}/versions/{number}',
    summary: 'Name a version of a template',
    body: VersionChanges,
    replies: { 200: { description: 'The version.', schema: ContentVersion } },
    handle: async (ctx, { caller, params, body }) =>
      renameVersion(ctx, await versionsOf(ctx, caller.projectId, params.id), params.number, body.name),
  }),
  route({
    ...oneVersion,
    method: 'POST',
    path: '/templates/{id}/versions/{number}/restore',
    summary: 'Restore a version of a template',
    description: 'Replaces the subject, preheader and body with those of the version, and adds a new version.',
    replies: { 200: { description: 'The template.', schema: Template } },
    handle: (ctx, { caller, params }) =>
      restoreTemplate(ctx, caller.projectId, params.id, params.number, actorOf(caller)),
  }),
]
