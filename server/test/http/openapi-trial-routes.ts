/**
 * Routes for the tests of the OpenAPI document and the reference page: one of each kind of access, body and response,
 * with schemas like those of features. They aren't served.
 */
import { z } from 'zod'
import { idOf, type Route, route } from '../../platform/http/route.ts'

const nothing = () => undefined

const contact = z
  .object({
    id: z.uuid(),
    email: z.email().meta({ description: 'Unique in the project.' }),
    subscribed: z.boolean(),
    data: z.record(z.string(), z.unknown()).nullable().meta({ description: 'Custom fields.' }),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Contact', description: 'A person a project writes to.' })

const filter = z
  .object({
    field: z.string().meta({ examples: ['data.plan'] }),
    operator: z.enum(['equals', 'notEquals', 'contains', 'exists', 'within']),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
    unit: z.enum(['minutes', 'hours', 'days']).optional().meta({ description: 'With the time operators.' }),
  })
  .meta({ id: 'Filter' })

const condition = z
  .object({
    logic: z.enum(['AND', 'OR']).default('AND').meta({ description: 'Joins the groups.' }),
    get groups() {
      return z.array(z.object({ filters: z.array(filter), conditions: condition.optional() })).min(1)
    },
  })
  .meta({ id: 'Condition', description: 'Which contacts match.' })

const segment = z
  .object({
    id: z.uuid(),
    name: z.string(),
    type: z.enum(['DYNAMIC', 'STATIC']),
    condition: condition.nullable(),
    memberCount: z.int(),
  })
  .meta({ id: 'Segment' })

const address = z.email().meta({ examples: ['ada@example.org'] })
const recipient = z.union([address, z.object({ name: z.string().optional(), email: address })])

const send = route({
  method: 'POST',
  path: '/v1/send',
  access: 'project',
  scope: 'send',
  tag: 'Sending',
  summary: 'Send an email',
  description:
    'Sends one email to each recipient and creates or updates their contacts.\n\nGive `subject` and `body`, or a `template`:\n\n- explicit fields win over the template\n- each recipient is rendered on their own',
  body: z
    .object({
      to: z.union([recipient, z.array(recipient).min(1)]),
      subject: z.string().min(1).max(998).optional(),
      body: z.string().min(1).optional().meta({ description: 'HTML; may contain `{{name}}` & friends <b>.' }),
      template: z.uuid().optional(),
      from: recipient.optional(),
      name: z.string().optional().meta({ deprecated: true, description: 'Use `from.name`.' }),
      headers: z.record(z.string(), z.string().max(998)).optional(),
      attachments: z
        .array(
          z.object({
            filename: z.string().regex(/^[^"\r\n]+$/),
            content: z.base64(),
            contentType: z.string(),
            disposition: z.enum(['attachment', 'inline']).default('attachment'),
          }),
        )
        .max(10)
        .optional(),
    })
    .meta({
      examples: [
        { to: 'ada@example.org', from: 'hello@example.com', subject: 'Hello', body: "<p>It's a <b>letter</b>.</p>" },
      ],
    }),
  replies: {
    200: {
      description: 'Every email is on its way.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({
          emails: z.array(z.object({ contact: z.object({ id: z.uuid(), email: z.email() }), email: z.uuid() })),
          timestamp: z.date(),
        }),
      }),
    },
  },
  refusals: [402, 409],
  handle: nothing,
})

const track = route({
  method: 'POST',
  path: '/v1/track',
  access: 'public-key',
  scope: 'track',
  tag: 'Sending',
  summary: 'Track an event',
  body: z.object({ email: z.email(), event: z.string().meta({ examples: ['signed-up'] }) }),
  replies: { 200: { description: 'Recorded.', schema: z.object({ success: z.literal(true) }) } },
  refusals: [409],
  handle: nothing,
})

const listContacts = route({
  method: 'GET',
  path: '/contacts',
  access: 'project',
  tag: 'Contacts',
  summary: 'List contacts',
  query: z.object({
    limit: z
      .unknown()
      .optional()
      .transform(Number)
      .meta({ type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'Contacts on a page.' }),
    cursor: z.string().optional().meta({ description: 'The `cursor` of the previous page.' }),
    subscribed: z.enum(['true', 'false']).optional(),
    sort: z.enum(['email', 'createdAt']).catch('createdAt'),
  }),
  replies: {
    200: {
      description: 'A page of contacts.',
      schema: z.object({ data: z.array(contact), cursor: z.string().nullable(), hasMore: z.boolean(), total: z.int() }),
    },
  },
  handle: nothing,
})

const contactBody = z.object({
  email: z.email(),
  subscribed: z.boolean().optional().meta({ description: 'New contacts are subscribed unless this is `false`.' }),
  data: z.record(z.string(), z.unknown()).optional(),
})

const saveContact = route({
  method: 'POST',
  path: '/contacts',
  access: 'project',
  tag: 'Contacts',
  summary: 'Create or update a contact',
  body: contactBody,
  replies: {
    201: {
      description: 'Created.',
      schema: z.intersection(contact, z.object({ _meta: z.object({ isNew: z.boolean(), isUpdate: z.boolean() }) })),
    },
    200: { description: 'Updated.', schema: contact },
  },
  handle: nothing,
})

const importContacts = route({
  method: 'POST',
  path: '/contacts/import',
  access: 'project',
  tag: 'Contacts',
  summary: 'Import contacts from a CSV file',
  body: z.object({ file: z.file() }),
  replies: { 202: { description: 'Queued.', schema: z.object({ jobId: z.uuid() }) } },
  handle: nothing,
})

const updateContact = route({
  method: 'PATCH',
  path: '/contacts/{id}',
  access: 'project',
  tag: 'Contacts',
  summary: 'Update a contact',
  params: { id: idOf('contact') },
  body: contactBody.partial(),
  replies: { 200: { description: 'The contact as it is now.', schema: contact } },
  refusals: [409],
  handle: nothing,
})

const deleteContact = route({
  method: 'DELETE',
  path: '/contacts/{id}',
  access: 'project',
  tag: 'Contacts',
  summary: 'Delete a contact permanently',
  params: { id: idOf('contact') },
  replies: { 204: { description: 'Gone.' } },
  handle: nothing,
})

const fieldValues = route({
  method: 'GET',
  path: '/contacts/fields/{field}/values',
  access: 'project',
  tag: 'Contacts',
  summary: 'List the values of a field',
  params: { field: 'text' },
  replies: {
    200: { description: 'Most frequent first.', schema: z.object({ field: z.string(), values: z.array(z.unknown()) }) },
  },
  handle: nothing,
})

const createSegment = route({
  method: 'POST',
  path: '/segments',
  access: 'project',
  tag: 'Segments',
  summary: 'Create a segment',
  body: z.discriminatedUnion('type', [
    z.object({ type: z.literal('DYNAMIC'), name: z.string().max(100), condition }),
    z.object({ type: z.literal('STATIC'), name: z.string().max(100), emails: z.array(z.email()).optional() }),
  ]),
  replies: {
    201: { description: 'The segment.', schema: segment },
    400: { description: 'A dynamic segment without a condition.', schema: z.object({ error: z.string() }) },
  },
  handle: nothing,
})

const inviteMember = route({
  method: 'POST',
  path: '/projects/{id}/members',
  access: 'own-project',
  role: 'ADMIN',
  tag: 'Projects',
  summary: 'Invite a member',
  params: { id: idOf('project') },
  body: z.object({ email: z.email(), role: z.enum(['ADMIN', 'MEMBER']).default('MEMBER') }),
  replies: { 201: { description: 'Invited.', schema: z.object({ userId: z.uuid(), role: z.string() }) } },
  handle: nothing,
})

const me = route({
  method: 'GET',
  path: '/users/@me',
  access: 'session',
  tag: 'Account',
  summary: 'Who am I?',
  replies: { 200: { description: 'The signed-in person.', schema: z.object({ id: z.uuid(), email: z.email() }) } },
  handle: nothing,
})

const unsubscribePage = route({
  method: 'GET',
  path: '/unsubscribe/{token}',
  access: 'open',
  tag: 'Account',
  summary: 'The page behind an unsubscribe link',
  params: { token: 'text' },
  replies: { 200: { description: 'A page.', contentType: 'text/html' } },
  handle: nothing,
})

export const trialRoutes: Route[] = [
  send,
  track,
  listContacts,
  saveContact,
  importContacts,
  updateContact,
  deleteContact,
  fieldValues,
  createSegment,
  inviteMember,
  me,
  unsubscribePage,
]
