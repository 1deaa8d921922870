/**
 * A valid body for each route that accepts one: the tests of the gate start with it and then change it. Words in
 * braces, such as `{contact}`, are replaced by existing IDs.
 */
import { COMPAT_EXAMPLES } from './gate-compat.ts'
import { WORKFLOW_EXAMPLES } from './gate-workflows.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

function without(example: Json, left: string): Json {
  return Object.fromEntries(Object.entries(example as object).filter(([key]) => key !== left))
}

export const EMAIL: Json = {
  to: ['a@example.org', { name: 'B', email: 'b@example.org' }],
  from: { name: 'Acme', email: 'hello@example.com' },
  name: 'Acme',
  subject: 'Hello {{name}}',
  body: '<p>{{name}}</p>',
  text: 'Hello {{name}}',
  reply: 'reply@example.org',
  tags: { category: 'welcome' },
  subscribed: true,
  data: { name: 'Ada', nested: [{ x: 'y' }], once: { value: 'v', persistent: false } },
  headers: { 'X-One': 'two' },
  attachments: [
    { filename: 'a.png', content: 'aGk=', contentType: 'image/png', contentId: 'a', disposition: 'inline' },
  ],
}
export const TEMPLATE: Json = {
  name: 'Welcome',
  description: 'The first mail',
  subject: 'Hello {{name}}',
  body: '<p>{{name}}</p>',
  from: 'hello@example.com',
  fromName: 'Acme',
  replyTo: 'reply@example.org',
  type: 'TRANSACTIONAL',
}
const SEGMENT = {
  name: 'Pros',
  description: 'Who pays',
  type: 'DYNAMIC',
  condition: {
    logic: 'AND',
    groups: [
      {
        filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }],
        conditions: {
          logic: 'OR',
          groups: [{ filters: [{ field: 'event.signup', operator: 'triggeredWithin', value: 30, unit: 'days' }] }],
        },
      },
    ],
  },
  trackMembership: true,
}
const BLOCK: Json = {
  id: 'a',
  type: 'text',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }],
}
export const LAYOUT: Json = { name: 'Standard', header: [BLOCK], footer: [{ id: 'b', type: 'footer' }] }
export const SAVED_BLOCKS: Json = { name: 'Signature', blocks: [BLOCK] }
export const CAMPAIGN: Json = {
  name: 'News',
  description: 'Once a month',
  subject: 'Hello {{name}}',
  body: '<p>{{name}}</p>',
  from: 'hello@example.com',
  fromName: 'Acme',
  replyTo: 'reply@example.org',
  type: 'MARKETING',
  audienceType: 'FILTERED',
  audienceCondition: SEGMENT.condition,
}
const EVENT: Json = { email: 'a@example.org', event: 'signup', subscribed: true, data: { plan: 'pro', n: { m: 1 } } }

const FORM: Json = {
  name: 'Newsletter',
  fields: [
    { key: 'email', label: 'Email', type: 'email', required: true },
    { key: 'plan', label: 'Plan', type: 'select', options: ['free', 'pro'] },
  ],
  chooseTopics: true,
  doubleOptIn: false,
  consentText: 'We write once a month.',
  eventName: 'signed-up',
  captcha: { provider: 'turnstile', siteKey: 'site', secretKey: 'secret of turnstile', endpoint: 'http://127.0.0.1:9' },
}

/** A valid body for each route that accepts one. */
export const EXAMPLES: Record<string, Json> = {
  ...COMPAT_EXAMPLES,
  'POST /v1/send': EMAIL,
  'POST /v1/send/batch': { messages: [EMAIL], atomic: false },
  'POST /v1/track': EVENT,
  'POST /emails/{id}/cancel': {},
  'PATCH /emails/{id}': { sendAt: null },
  'POST /emails/{id}/simulate': { outcome: 'click', link: 'https://example.org/' },
  'POST /api-keys': {
    name: 'Web shop',
    scopes: ['send', 'contacts:write'],
    expiresAt: '2099-01-31T09:00:00Z',
    allowedIps: ['203.0.113.0/24', '2001:db8::1'],
  },
  'PATCH /api-keys/{id}': { name: 'Shop', scopes: ['send'], expiresAt: null, allowedIps: [] },
  'POST /api-keys/{id}/rotate': { overlapHours: 1.5 },
  'POST /v1/verify': { email: 'a@example.org' },
  'POST /events/track': { email: 'a@example.org', event: 'signup' },
  'POST /contacts': { email: 'a@example.org', subscribed: true, data: { plan: 'pro', n: { m: [1] } } },
  'PATCH /contacts/{id}': { email: 'c@example.org', subscribed: false, data: { plan: 'pro' } },
  'POST /topics': {
    key: 'news',
    name: 'News',
    description: 'Every month',
    defaultSubscribed: false,
    isPublic: true,
    position: 1,
  },
  'PATCH /topics/{id}': { name: 'Offers', description: null, position: 2 },
  'PUT /contacts/{id}/topics': { topics: {} },
  'POST /forms': FORM,
  'POST /forms/preview': FORM,
  'PATCH /forms/{id}': { name: 'Footer', topics: [], captcha: null, redirectUrl: 'https://example.org/thanks' },
  'POST /f/{id}': { email: 'a@example.org' },
  'POST /suppressions': { email: 'a@example.org', reason: 'MANUAL' },
  'POST /suppressions/delete': { filter: { reason: 'MANUAL' } },
  'POST /contacts/transfer': {
    source: 'listmonk',
    dryRun: true,
    suppressions: [{ email: 'gone@example.org', reason: 'BOUNCE' }],
    contacts: [
      {
        email: 'a@example.org',
        subscribed: true,
        data: { plan: 'pro' },
        topics: { news: true },
        consent: { at: '2024-03-01', ip: '192.0.2.1', text: 'Form' },
      },
    ],
  },
  'POST /contacts/bulk-subscribe': { contactIds: ['01a1dd1f-5566-7386-9343-5429898a495c'] },
  'POST /contacts/bulk-unsubscribe': { contactIds: ['01a1dd1f-5566-7386-9343-5429898a495c'] },
  'POST /contacts/bulk-add-to-segment': {
    contactIds: ['01a1dd1f-5566-7386-9343-5429898a495c'],
    segmentId: '{segment}',
  },
  'POST /contacts/bulk-topics': { contactIds: ['01a1dd1f-5566-7386-9343-5429898a495c'], topics: { marked: true } },
  'POST /contacts/bulk-start-workflow': {
    contactIds: ['01a1dd1f-5566-7386-9343-5429898a495c'],
    workflowId: '{workflow}',
  },
  'POST /contacts/bulk-delete': { contactIds: ['01a1dd1f-5566-7386-9343-5429898a495c'] },
  'POST /contacts/objections/lookup': { email: 'a@example.org' },
  'POST /contacts/lookup': { emails: ['a@example.org', 'b@example.org'] },
  'POST /campaigns': CAMPAIGN,
  'PUT /campaigns/{id}': CAMPAIGN,
  'PATCH /campaigns/{id}': { tags: ['news'] },
  'POST /campaigns/audience-preview': {
    type: 'MARKETING',
    audienceType: 'FILTERED',
    audienceCondition: SEGMENT.condition,
  },
  'POST /campaigns/{id}/send': { scheduledFor: new Date(Date.now() + 86_400_000).toISOString() },
  'PUT /campaigns/{id}/experiment': {
    variants: [
      { name: 'A', subject: 'Hello {{name}}' },
      { name: 'B', from: 'us@example.com', body: '<p>{{name}}</p>' },
    ],
    share: 20,
    metric: 'conversions',
    conversionEvent: 'purchase',
    waitMinutes: 60,
    winner: 'manual',
  },
  'POST /campaigns/{id}/experiment/winner': { variant: 'A' },
  'PUT /campaigns/{id}/recurrence': { every: 'week', weekdays: [1, 4], time: '09:00', timezone: 'Europe/Berlin' },
  'POST /campaigns/feed-preview': { url: 'http://127.0.0.1/feed.xml', format: 'rss', maxItems: 5 },
  'POST /campaigns/{id}/test': { email: 'author@example.org' },
  'POST /campaigns/{id}/follow-up': { recipients: 'NOT_OPENED' },
  'POST /templates': TEMPLATE,
  'PATCH /templates/{id}': TEMPLATE,
  'PUT /templates/by-name/{name}': without(TEMPLATE, 'name'),
  'PATCH /templates/{id}/versions/{number}': { name: 'Approved' },
  'PATCH /campaigns/{id}/versions/{number}': { name: 'Approved' },
  'POST /templates/preview': {
    subject: 'Hello',
    body: '<p>{{name}}</p>',
    data: { name: 'Ada' },
    contactId: '{contact}',
  },
  'POST /templates/test': {
    email: 'ada@example.org',
    subject: 'Hello',
    body: '<p>Hello</p>',
    from: 'us@example.com',
  },
  'POST /templates/check': {
    subject: 'Hello',
    preheader: 'Something new',
    body: '<p>{{name}}</p>',
    data: { name: 'Ada' },
    type: 'MARKETING',
    audience: { audienceType: 'FILTERED', audienceCondition: SEGMENT.condition },
  },
  'POST /layouts': LAYOUT,
  'PATCH /layouts/{id}': LAYOUT,
  'PATCH /uploads/images/{id}': { name: 'Logo', folder: 'Brand', alt: 'Acme' },
  'POST /saved-blocks': SAVED_BLOCKS,
  'PATCH /saved-blocks/{id}': SAVED_BLOCKS,
  'POST /webhook-endpoints': {
    url: 'http://127.0.0.1:9/hook', // a port that is never called
    eventTypes: ['email.*', 'signup'],
    description: 'Billing',
    enabled: false,
  },
  'PATCH /webhook-endpoints/{id}': { eventTypes: ['email.bounce'], description: null, enabled: false },
  'POST /webhook-endpoints/{id}/rotate-secret': { overlapHours: 1.5 },
  'POST /webhook-endpoints/{id}/test': { eventType: 'email.bounce' },
  'POST /webhook-endpoints/{id}/deliveries/{deliveryId}/replay': {},
  'POST /webhook-endpoints/{id}/replay': { since: '2026-01-01T00:00:00Z', status: 'all', eventType: 'signup' },
  'POST /segments': SEGMENT,
  'PATCH /segments/{id}': without(SEGMENT, 'type'),
  'POST /segments/preview': { condition: SEGMENT.condition },
  'POST /segments/{id}/members': { emails: ['a@example.org', 'B@example.org'], createMissing: true, subscribed: false },
  'DELETE /segments/{id}/members': { emails: ['a@example.org'] },
  ...WORKFLOW_EXAMPLES,
  'POST /domains': { domain: 'sender.example.org', projectId: '{project}' },
  'PATCH /domains/{id}': { warmUp: { startedOn: '2026-12-01', perDay: 50, growth: 1.5 } },
  'POST /auth/signup': { email: 'new@example.org', password: 'correct horse' },
  'POST /auth/login': { email: 'new@example.org', password: 'correct horse' },
  'POST /auth/request-verification': { email: 'new@example.org' },
  'POST /auth/verify-email': { token: '{verification}' },
  'POST /auth/request-password-reset': { email: 'new@example.org' },
  'POST /auth/reset-password': { token: '{reset}', password: 'correct horse' },
  'POST /auth/change-password': { password: 'correct horse', newPassword: 'correct horse' },
  'POST /auth/two-factor': { password: 'correct horse' },
  'POST /auth/two-factor/confirm': { code: '{code}' },
  'POST /auth/two-factor/recovery-codes': { password: 'correct horse', code: '{code}' },
  'POST /auth/two-factor/disable': { password: 'correct horse', code: '{code}' },
  'POST /invitations/preview': { token: '{invitation}' },
  'POST /invitations/accept': { token: '{invitation}' },
  'POST /projects/{id}/editing': { kind: 'templates', id: '{template}' },
  'POST /projects/{id}/members': { email: '{guest}', role: 'ADMIN' },
  'PATCH /projects/{id}/members/{userId}': { role: 'ADMIN' },
  'POST /projects/{id}/invitations': { email: 'guest@example.org', role: 'MEMBER' },
  'PATCH /users/@me': { language: 'de' },
  'POST /users/@me/projects': { name: 'Shop' },
  'PATCH /users/@me/projects/{id}': {
    name: 'Shop',
    tracking: 'MARKETING_ONLY',
    language: 'en',
    emailStyle: { font: 'serif', textColor: '#111111' },
    socialLinks: [{ network: 'github', url: 'https://github.com/acme' }],
  },
  'POST /users/@me/projects/{id}/reset': { confirm: 'Shop' },
  'PUT /users/@me/projects/{id}/billing-limits': {
    transactional: 1_000_000,
    campaigns: { limit: 1_000_000 },
    workflows: null,
    inbound: 5,
  },
}
