/** The tools that a model can use, one for each thing that people ask for, and one for the rest of the API. */
import { z } from 'zod'
import { explainTools } from './explain.ts'
import { LIST, segment, type Tool, ToolError, tool } from './tool.ts'

const id = z.uuid()
const limit = z.number().int().min(1).max(100).optional()
const address = z.string().max(320)
const values = z.record(z.string(), z.unknown())
const confirm = z.boolean().optional().describe('Must be true. Ask the person first.')

/** Properties that don't become fields of the contact. */
const eventOnly = (properties: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value, persistent: false }]))

const emails: Tool[] = [
  tool({
    name: 'send_email',
    description:
      'Send an email now or at a time. Give body, subject and from, or the name of a template. Liquid variables such as {{ name }} come from data. More than one recipient needs confirm.',
    input: {
      to: z.union([address, z.array(address).min(1).max(100)]),
      from: address.optional(),
      subject: z.string().optional(),
      body: z.string().optional().describe('HTML'),
      template: z.string().optional().describe('Name of a template'),
      data: values.optional(),
      sendAt: z.string().optional().describe('ISO 8601 with an offset'),
      confirm: confirm.describe('Needed for more than one recipient. Ask the person first.'),
    },
    result: { emails: 'array', timestamp: 'string' },
    scopes: ['send'],
    effect: 'adds',
    run: async (api, { confirm, template, ...email }) => {
      const to = [email.to].flat()
      if (to.length > 1 && !confirm) {
        throw new ToolError(`This sends ${to.length} emails. Ask the person, then repeat the call with confirm: true.`)
      }
      const body = { ...email, to: to.length === 1 ? to[0] : to, ...(template ? { template: { name: template } } : {}) }
      return (await api.send('POST', '/v1/send', body)).data
    },
  }),
  tool({
    name: 'list_emails',
    description:
      'Sent, scheduled and failed emails, newest first. Filter by status (PENDING, SCHEDULED, SENT, DELIVERED, BOUNCED, FAILED, CANCELLED), recipient or subject (search), or tag (name:value).',
    input: { status: z.string().optional(), search: z.string().optional(), tag: z.string().optional(), limit },
    result: LIST,
    scopes: ['emails:read'],
    run: (api, query) => api.get('/emails', query),
  }),
  tool({
    name: 'get_email',
    description: 'One email with its content and its timeline.',
    input: { id },
    result: { id: 'string', status: 'string', timeline: 'array' },
    scopes: ['emails:read'],
    run: (api, { id }) => api.get(`/emails/${id}`),
  }),
  tool({
    name: 'cancel_email',
    description: 'Cancel an email that is scheduled.',
    input: { id },
    result: { id: 'string', status: 'string' },
    scopes: ['emails:write'],
    effect: 'destroys',
    run: (api, { id }) => api.send('POST', `/emails/${id}/cancel`),
  }),
]

const contacts: Tool[] = [
  tool({
    name: 'find_contacts',
    description: 'Contacts by their exact address (email) or by a part of it (search).',
    input: { email: address.optional(), search: z.string().optional(), limit },
    result: LIST,
    scopes: ['contacts:read'],
    run: (api, query) => api.get('/contacts', query),
  }),
  tool({
    name: 'contact_timeline',
    description: 'Events and emails of a contact, newest first.',
    input: { id, limit },
    result: LIST,
    scopes: ['contacts:read'],
    run: (api, { id, ...query }) => api.get(`/contacts/${id}/timeline`, query),
  }),
  tool({
    name: 'save_contact',
    description: 'Create a contact, or change the one with this address. data is merged; null removes a field.',
    input: { email: address, subscribed: z.boolean().optional(), data: values.optional() },
    result: { id: 'string', email: 'string', subscribed: 'boolean' },
    scopes: ['contacts:write'],
    effect: 'adds',
    run: (api, contact) => api.send('POST', '/contacts', contact),
  }),
  tool({
    name: 'delete_contact',
    description: 'Delete a contact for good.',
    input: { id, confirm },
    result: { deleted: 'string' },
    scopes: ['contacts:write'],
    effect: 'destroys',
    run: async (api, { id, confirm }) => {
      if (!confirm) throw new ToolError('Deleting is final. Ask the person, then repeat the call with confirm: true.')
      await api.send('DELETE', `/contacts/${id}`)
      return { deleted: id }
    },
  }),
  tool({
    name: 'list_suppressions',
    description: 'Addresses that get no marketing email because they bounced, complained or were added.',
    input: { search: z.string().optional(), limit },
    result: LIST,
    scopes: ['suppressions:read'],
    run: (api, query) => api.get('/suppressions', query),
  }),
  tool({
    name: 'track_event',
    description: 'Record an event of a contact, such as "signed-up". It can start workflows, which can send email.',
    input: {
      email: address,
      event: z.string().min(1).max(255),
      data: values.optional().describe('Properties of the event'),
      saveToContact: z.boolean().optional().describe('true also stores the properties as fields of the contact'),
    },
    result: { contact: 'string', event: 'string' },
    scopes: ['track'],
    effect: 'adds',
    run: async (api, { saveToContact, data, ...event }) => {
      const tracked = { ...event, data: saveToContact ? data : eventOnly(data) }
      return (await api.send('POST', '/events/track', tracked)).data
    },
  }),
  tool({
    name: 'list_events',
    description: 'Recorded events, newest first, of one name or of all.',
    input: { name: z.string().optional(), limit },
    result: LIST,
    scopes: ['events:read'],
    run: (api, query) => api.get('/events', query),
  }),
]

const templates: Tool[] = [
  tool({
    name: 'list_templates',
    description: 'Templates, by a part of their name or subject.',
    input: { search: z.string().optional() },
    result: LIST,
    scopes: ['templates:read'],
    run: (api, query) => api.get('/templates', { pageSize: 50, ...query }),
  }),
  tool({
    name: 'preview_template',
    description:
      'Render HTML with Liquid as an email, with data or with the data of a contact. Sends and stores nothing.',
    input: { subject: z.string(), body: z.string(), data: values.optional(), contactId: id.optional() },
    result: { subject: 'string', html: 'string', text: 'string', missing: 'array' },
    scopes: ['templates:read'],
    run: (api, draft) => api.send('POST', '/templates/preview', draft),
  }),
  tool({
    name: 'save_template',
    description:
      'Create a template, or replace the content of the one with this name. Earlier content stays as a version.',
    input: {
      name: z.string(),
      subject: z.string(),
      body: z.string().describe('HTML with Liquid'),
      from: address,
      type: z.enum(['TRANSACTIONAL', 'MARKETING', 'HEADLESS']),
    },
    result: { id: 'string', name: 'string', version: 'integer' },
    scopes: ['templates:write'],
    effect: 'adds',
    run: (api, { name, ...fields }) => api.send('PUT', `/templates/by-name/${segment(name)}`, fields),
  }),
]

const campaigns: Tool[] = [
  tool({
    name: 'list_segments',
    description: 'Segments with the number of their members.',
    input: {},
    result: { data: 'array' },
    scopes: ['segments:read'],
    run: async (api) => ({ data: Object.values(await api.get('/segments')) }),
  }),
  tool({
    name: 'audience_size',
    description: 'How many contacts a campaign would reach: ALL, a segment, or FILTERED by a condition.',
    input: {
      audienceType: z.enum(['ALL', 'SEGMENT', 'FILTERED']),
      segmentId: id.optional(),
      audienceCondition: values.optional(),
    },
    result: { count: 'integer', total: 'integer', reasons: 'array' },
    scopes: ['campaigns:read'],
    run: (api, audience) => api.send('POST', '/campaigns/audience-preview', audience),
  }),
  tool({
    name: 'list_campaigns',
    description: 'Campaigns, newest first, with their counts.',
    input: {
      status: z.string().optional().describe('Such as DRAFT, SCHEDULED, SENDING, SENT'),
      search: z.string().optional(),
    },
    result: LIST,
    scopes: ['campaigns:read'],
    run: async (api, query) => {
      const { data, total } = await api.get('/campaigns', { pageSize: 25, ...query })
      const shown = (data as Record<string, unknown>[]).map(
        ({ body: _b, document: _d, mjml: _m, text: _t, ...rest }) => rest,
      )
      return { data: shown, total }
    },
  }),
  tool({
    name: 'campaign_report',
    description: 'Results of a campaign: counts and rates, opens and clicks over time, links, bounces by reason.',
    input: { id },
    result: { stats: 'object', report: 'object' },
    scopes: ['campaigns:read'],
    run: async (api, { id }) => ({
      stats: await api.get(`/campaigns/${id}/stats`),
      report: await api.get(`/campaigns/${id}/report`),
    }),
  }),
  tool({
    name: 'create_campaign',
    description: 'Create a draft of a campaign. Nothing is sent.',
    input: {
      name: z.string(),
      subject: z.string(),
      body: z.string().describe('HTML with Liquid'),
      from: address,
      audienceType: z.enum(['ALL', 'SEGMENT']),
      segmentId: id.optional(),
    },
    result: { id: 'string', status: 'string' },
    scopes: ['campaigns:write'],
    effect: 'adds',
    run: (api, campaign) => api.send('POST', '/campaigns', { type: 'MARKETING', ...campaign }),
  }),
  tool({
    name: 'send_campaign',
    description: 'Send a campaign to its whole audience, now or at scheduledFor. It cannot be taken back.',
    input: { id, scheduledFor: z.string().optional(), confirm },
    result: { id: 'string', status: 'string' },
    scopes: ['campaigns:write'],
    effect: 'destroys',
    run: (api, { id, scheduledFor, confirm }) => {
      if (!confirm) {
        throw new ToolError(
          'This sends to everyone in the audience. Ask the person, then repeat the call with confirm: true.',
        )
      }
      return api.send('POST', `/campaigns/${id}/send`, scheduledFor ? { scheduledFor } : undefined)
    },
  }),
]

const workflows: Tool[] = [
  tool({
    name: 'list_workflows',
    description: 'Workflows with their trigger and whether they are enabled.',
    input: { search: z.string().optional() },
    result: LIST,
    scopes: ['workflows:read'],
    run: (api, query) => api.get('/workflows', { pageSize: 50, ...query }),
  }),
  tool({
    name: 'simulate_workflow',
    description: 'What a workflow would do for a contact. Sends and changes nothing.',
    input: { id, contactId: id },
    result: { status: 'string', path: 'array' },
    scopes: ['workflows:read'],
    run: (api, { id, contactId }) => api.send('POST', `/workflows/${id}/simulate`, { contactId }),
  }),
  tool({
    name: 'workflow_failures',
    description: 'What failed in workflows in the last 24 hours, by workflow and step.',
    input: {},
    result: { data: 'array' },
    scopes: ['workflows:read'],
    run: async (api) => ({ data: Object.values(await api.get('/workflows/failures')) }),
  }),
]

const insight: Tool[] = [
  tool({
    name: 'check_domain',
    description: 'Look up the DNS records of a sender domain now: which are right, and what to set.',
    input: { id },
    result: { verified: 'boolean', status: 'string', records: 'array' },
    scopes: ['domains:read'],
    run: (api, { id }) => api.get(`/domains/${id}/verify`),
  }),
  tool({
    name: 'list_domains',
    description: 'Sender domains and their state.',
    input: {},
    result: { data: 'array' },
    scopes: ['domains:read'],
    run: async (api) => {
      const { project } = await api.get('/me')
      return { data: Object.values(await api.get(`/domains/project/${(project as { id: string }).id}`)) }
    },
  }),
  tool({
    name: 'recent_activity',
    description:
      'What happened in the project, newest first. types are separated by commas, such as email.bounce,email.complaint.',
    input: { types: z.string().optional(), limit },
    result: LIST,
    scopes: ['analytics:read'],
    run: (api, query) => api.get('/activity', query),
  }),
  tool({
    name: 'statistics',
    description: 'Totals and rates of the last 30 days, or from and to a date.',
    input: { from: z.string().optional(), to: z.string().optional() },
    result: { totals: 'object', deliveryRate: 'number', openRate: 'number', clickRate: 'number' },
    scopes: ['analytics:read'],
    run: (api, query) => api.get('/activity/stats', query),
  }),
  tool({
    name: 'webhook_deliveries',
    description: 'The log of a webhook endpoint; without id, the endpoints.',
    input: { id: id.optional(), status: z.enum(['pending', 'succeeded', 'failed']).optional(), limit },
    result: LIST,
    scopes: ['webhooks:read'],
    run: (api, { id, ...query }) =>
      id ? api.get(`/webhook-endpoints/${id}/deliveries`, query) : api.get('/webhook-endpoints'),
  }),
]

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Every other endpoint. It counts as a change unless it can only read. */
export const callApi = (allowWrites: boolean): Tool => ({
  ...tool({
    name: 'call_api',
    description: `Call any endpoint of the API as /openapi.json describes it${allowWrites ? '. Anything but GET needs confirm' : ', with GET'}. Prefer the other tools.`,
    input: {
      method: z.enum(allowWrites ? METHODS : ['GET']),
      path: z.string().startsWith('/').max(2_000).describe('With its IDs, without the query'),
      query: values.optional(),
      ...(allowWrites ? { body: values.optional(), confirm } : {}),
    },
    run: async (api, { method, path, query, ...rest }) => {
      const { body, confirm } = rest as { body?: unknown; confirm?: boolean }
      if (method !== 'GET' && !confirm) {
        throw new ToolError('This can change something. Ask the person, then repeat the call with confirm: true.')
      }
      if (/[?#\s\\]|\/\.{1,2}(\/|$)/.test(path))
        throw new ToolError('path must not have a query, spaces or dots as a part.')
      if (method === 'GET') return api.get(path, query)
      return (await api.send(method, path, body)) ?? {}
    },
  }),
  readOnly: !allowWrites,
  destructive: allowWrites,
})

export const TOOLS: Tool[] = [
  ...emails,
  ...explainTools,
  ...contacts,
  ...templates,
  ...campaigns,
  ...workflows,
  ...insight,
]
