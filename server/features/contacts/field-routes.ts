/** The fields of contacts over HTTP, and the look-up of addresses. */
import { z } from 'zod'
import { sizeParam } from '../../kernel/pages.ts'
import { route } from '../../platform/http/route.ts'
import { deleteField, getFieldUsage, listFields, listFieldValues, lookUpEmails } from './fields.ts'

const LOOKUP_MAX = 500

const Reference = z.object({ id: z.uuid(), name: z.string() })

const FieldList = z.object({
  fields: z.array(
    z.object({
      field: z.string().meta({ description: 'Standard fields plain, custom ones with `data.` before them.' }),
      type: z.enum(['string', 'number', 'boolean', 'date']),
      isCustom: z.boolean(),
      coverage: z.number().min(0).max(1).meta({ description: 'Share of the contacts that have it.' }),
    }),
  ),
})

const fieldParams = { field: 'text' } as const

export const contactFieldRoutes = [
  route({
    method: 'POST',
    path: '/contacts/lookup',
    access: 'project',
    readOnly: true,
    tag: 'Contacts',
    summary: 'Tell which addresses are contacts',
    body: z.object({
      emails: z
        .array(z.string())
        .min(1, 'Name at least one address.')
        .max(LOOKUP_MAX, `Must be at most ${LOOKUP_MAX} addresses.`),
    }),
    replies: {
      200: {
        description: 'Your own strings, sorted into two lists',
        schema: z.object({ found: z.array(z.string()), notFound: z.array(z.string()) }),
      },
    },
    handle: (ctx, { caller, body }) => lookUpEmails(ctx, caller.projectId, body.emails),
  }),
  route({
    method: 'GET',
    path: '/contacts/fields',
    access: 'project',
    tag: 'Contacts',
    summary: 'List the fields that contacts have',
    description:
      'The type of a custom field is that of the first value ever seen. Nested objects are listed by their leaves.',
    replies: { 200: { description: 'Standard fields first, then custom ones by name', schema: FieldList } },
    handle: (ctx, { caller }) => listFields(ctx, caller.projectId),
  }),
  route({
    method: 'GET',
    path: '/contacts/fields/{field}/values',
    access: 'project',
    tag: 'Contacts',
    summary: 'List the distinct values of a field',
    description: 'Most frequent first. The field is named `data.plan` or `plan`, percent-encoded.',
    params: fieldParams,
    query: z.object({ limit: sizeParam(200, 100) }),
    replies: {
      200: {
        description: 'The values',
        schema: z.object({
          field: z.string(),
          values: z.array(z.unknown()),
          count: z.number().int().meta({ description: 'How many distinct values there are.' }),
        }),
      },
    },
    handle: (ctx, { caller, params, query }) => listFieldValues(ctx, caller.projectId, params.field, query.limit),
  }),
  route({
    method: 'GET',
    path: '/contacts/fields/{field}/usage',
    access: 'project',
    tag: 'Contacts',
    summary: 'Tell who refers to a field',
    params: fieldParams,
    replies: {
      200: {
        description: 'What refers to it, and how many contacts have it',
        schema: z.object({
          usedInSegments: z.array(Reference),
          usedInCampaigns: z.array(Reference),
          usedInWorkflows: z.array(Reference),
          contactCount: z.number().int(),
        }),
      },
    },
    handle: (ctx, { caller, params }) => getFieldUsage(ctx, caller.projectId, params.field),
  }),
  route({
    method: 'DELETE',
    path: '/contacts/fields/{field}',
    access: 'project',
    tag: 'Contacts',
    summary: 'Remove a custom field from every contact',
    description:
      'A nested object goes with all that it holds. What refers to the field remains and stops matching on it.',
    params: fieldParams,
    replies: { 200: { description: 'From how many contacts', schema: z.object({ deletedFrom: z.number().int() }) } },
    refusals: [422],
    handle: (ctx, { caller, params }) => deleteField(ctx, caller.projectId, params.field),
  }),
]
