/**
 * The TypeScript client for Posthorn. Use `new Posthorn('sk_…', { baseUrl })` or a key with scopes (`phk_…`) on a server,
 * `new Posthorn('pk_…', { baseUrl })` to track events from a web page, and `new Posthorn({ baseUrl, projectId })` for a signed-in user in a browser.
 */
import { auth, service } from './auth.ts'
import { type Call, type ClientOptions, createCall } from './call.ts'
import { campaigns, segments, tags } from './campaigns.ts'
import { contacts, forms, suppressions, topics, uploads } from './contacts.ts'
import { emails, verification } from './emails.ts'
import { activity, analytics, events, webhookEndpoints } from './events.ts'
import { apiKeys, domains, projects, requests } from './projects.ts'
import { layouts, savedBlocks, templates } from './templates.ts'
import { workflows } from './workflows.ts'

export type { ClientOptions, Input, Result, Unchanged } from './call.ts'
export type { BulkContacts, ColumnMapping, ImportOptions } from './contacts.ts'
export { type PosthornError, PosthornFailure } from './errors.ts'
export { eventOnly, verifyWebhook, type WebhookPayload } from './events.ts'
export { unwrap } from './pages.ts'
export type { Answer, Body, Place, Query, Schemas } from './shapes.ts'

export class Posthorn {
  /** Calls any endpoint by its method and path: `request('GET /contacts/{id}', { path: { id } })`. */
  readonly request: Call
  readonly emails: ReturnType<typeof emails>
  readonly contacts: ReturnType<typeof contacts>
  readonly topics: ReturnType<typeof topics>
  readonly forms: ReturnType<typeof forms>
  readonly suppressions: ReturnType<typeof suppressions>
  readonly events: ReturnType<typeof events>
  readonly templates: ReturnType<typeof templates>
  readonly layouts: ReturnType<typeof layouts>
  readonly savedBlocks: ReturnType<typeof savedBlocks>
  readonly segments: ReturnType<typeof segments>
  readonly campaigns: ReturnType<typeof campaigns>
  readonly workflows: ReturnType<typeof workflows>
  readonly webhookEndpoints: ReturnType<typeof webhookEndpoints>
  readonly tags: ReturnType<typeof tags>
  readonly apiKeys: ReturnType<typeof apiKeys>
  readonly requests: ReturnType<typeof requests>
  readonly domains: ReturnType<typeof domains>
  readonly projects: ReturnType<typeof projects>
  readonly activity: ReturnType<typeof activity>
  readonly analytics: ReturnType<typeof analytics>
  readonly uploads: ReturnType<typeof uploads>
  readonly verification: ReturnType<typeof verification>
  readonly auth: ReturnType<typeof auth>
  readonly service: ReturnType<typeof service>

  constructor(key: string, options?: ClientOptions)
  constructor(options?: ClientOptions)
  constructor(keyOrOptions?: string | ClientOptions, more: ClientOptions = {}) {
    const key = typeof keyOrOptions === 'string' ? keyOrOptions : undefined
    const call = createCall(key, typeof keyOrOptions === 'object' ? keyOrOptions : more)
    this.request = call
    this.emails = emails(call)
    this.contacts = contacts(call)
    this.topics = topics(call)
    this.forms = forms(call)
    this.suppressions = suppressions(call)
    this.events = events(call, /^(pk|phk)_/.test(key ?? ''))
    this.templates = templates(call)
    this.layouts = layouts(call)
    this.savedBlocks = savedBlocks(call)
    this.segments = segments(call)
    this.campaigns = campaigns(call)
    this.workflows = workflows(call)
    this.webhookEndpoints = webhookEndpoints(call)
    this.tags = tags(call)
    this.apiKeys = apiKeys(call)
    this.requests = requests(call)
    this.domains = domains(call)
    this.projects = projects(call)
    this.activity = activity(call)
    this.analytics = analytics(call)
    this.uploads = uploads(call)
    this.verification = verification(call)
    this.auth = auth(call)
    this.service = service(call)
  }
}
