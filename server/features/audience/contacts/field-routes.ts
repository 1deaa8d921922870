/** Contact fields over HTTP, and looking up addresses. */
import { z } from 'zod'
import { sizeParam } from '../../../kernel/pages.ts'
import { route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import { deleteField, getFieldUsage, listFields, listFieldValues, lookUpEmails } from './fields/fields.ts'

const LOOKUP_MAX = 500

const Reference = z.object({ id: z.uuid(), name: z.string() })

const FieldList = z.object({
  fields: z.array(
    z.object({
      field: z.string().meta({ description: 'Standard fields by name, custom fields prefixed with `data.`.' }),
      type: z.enum(['string', 'number', 'boolean', 'date']),
      isCustom: z.boolean(),
      coverage: z
        .number()
        .min(0)
        .max(1)
        .meta({ description: 'Share of contacts that have a value for this field, from 0 to 1.' }),
    }),
  ),
})

const fieldParams = { field: 'text' } as const

export const contactFieldRoutes = [
  route({
    method: 'POST',
    path: '/contacts/lookup',
    client: 'contacts.lookup',
    access: 'project',
    readOnly: true,
    tag: 'Contacts',
    summary: 'Look up contacts by email address',
    body: z.object({
      emails: z
        .array(z.string())
        .min(1, 'Must contain at least one address.')
        .max(LOOKUP_MAX, `Must contain at most ${LOOKUP_MAX} addresses.`),
    }),
    example: { emails: ['ada@example.org'] },
    replies: {
      200: {
        description: 'The addresses as you sent them, split into two lists.',
        schema: z.object({ found: z.array(z.string()), notFound: z.array(z.string()) }),
      },
    },
    handle: (ctx, { caller, body }) => lookUpEmails(ctx, caller.projectId, body.emails),
  }),
  route({
    method: 'GET',
    path: '/contacts/fields',
    client: 'contacts.fields.list',
    replica: true,
    access: 'project',
    tag: 'Contacts',
    summary: 'List contact fields',
    description:
      'The type of a custom field is that of its first value. For nested objects, each leaf is listed. At most 2,000 custom fields, those that most contacts have.',
    replies: { 200: { description: 'Standard fields first, then custom fields by name.', schema: FieldList } },
    handle: (ctx, { caller }) => listFields(ctx, caller.projectId),
  }),
  route({
    method: 'GET',
    path: '/contacts/fields/{field}/values',
    client: 'contacts.fields.values',
    replica: true,
    expensive: true,
    access: 'project',
    tag: 'Contacts',
    summary: 'List values of a contact field',
    description: 'Distinct values, most frequent first. The field is given as `data.plan` or `plan`, percent-encoded.',
    params: fieldParams,
    query: z.object({ limit: sizeParam(200, 100) }),
    replies: {
      200: {
        description: 'The distinct values.',
        schema: z.object({
          field: z.string(),
          values: z.array(z.unknown()),
          count: z.number().int().meta({ description: 'Number of distinct values.' }),
        }),
      },
    },
    handle: (ctx, { caller, params, query }) => listFieldValues(ctx, caller.projectId, params.field, query.limit),
  }),
  route({
    method: 'GET',
    path: '/contacts/fields/{field}/usage',
    client: 'contacts.fields.usage',
    access: 'project',
    tag: 'Contacts',
    summary: 'Get usage of a contact field',
    params: fieldParams,
    replies: {
      200: {
        description: 'What uses the field, and how many contacts have it.',
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
    client: 'contacts.fields.delete',
    expensive: true,
    access: 'project',
    tag: 'Contacts',
    summary: 'Delete a custom field',
    description:
      'Removes the field from every contact, including all values nested in it. Segments and other resources that use the field are kept, but no longer match on it.',
    params: fieldParams,
    replies: {
      200: {
        description: 'The number of contacts it was removed from.',
        schema: z.object({ deletedFrom: z.number().int() }),
      },
    },
    refusals: [422],
    handle: (ctx, { caller, params, facts }) =>
      deleteField(ctx, caller.projectId, params.field, actorOf(caller, facts)),
  }),
]
