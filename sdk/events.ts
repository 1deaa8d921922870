/** Tracks and lists events, returns activity and statistics, and manages and verifies webhooks. */
import type { Call, Result } from './call.ts'
import { fileForm } from './contacts.ts'
import { everyItem, withoutEnvelope } from './pages.ts'
import type { Answer, Body, Item, Query } from './shapes.ts'

type TrackedEvent = Answer<'POST /v1/track'>['data']
type Tracked = Pick<TrackedEvent, 'timestamp'> & Partial<TrackedEvent>

/**
 * Properties of an event that don't become fields of the contact: `data: eventOnly({ total: 49.5 })`. Without it, the values of
 * `data` are stored with the event and in the contact.
 */
export const eventOnly = (properties: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value, persistent: false }]))

export const events = (call: Call, tracksWithKey: boolean) => {
  const trackWithPublicKey = (
    event: Body<'POST /v1/track'>,
    options: { idempotencyKey?: string } = {},
  ): Promise<Result<Tracked>> =>
    withoutEnvelope(
      call('POST /v1/track', { body: event, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }),
    )

  return {
    /** With a public key or an API key, it is `trackWithPublicKey`. */
    track: (event: Body<'POST /v1/track'>, options: { idempotencyKey?: string } = {}): Promise<Result<Tracked>> =>
      tracksWithKey ? trackWithPublicKey(event, options) : withoutEnvelope(call('POST /events/track', { body: event })),
    /**
     * Retried after connection errors with the same Idempotency-Key, so the event is recorded once. If only the response
     * was lost, the result has a timestamp and no IDs.
     */
    trackWithPublicKey,
    /** Adds events of the past to contacts that exist, from JSON Lines or CSV. `types` are those of CSV columns. */
    import: (
      file: Blob | string,
      filename = 'events.jsonl',
      types?: Record<string, 'string' | 'number' | 'boolean' | 'date'>,
    ) =>
      call('POST /events/import', {
        form: fileForm('file', file, filename, types ? { types: JSON.stringify(types) } : {}),
      }),
    list: (query?: Query<'GET /events'>) => call('GET /events', { query }),
    all: (query?: Query<'GET /events'>) =>
      everyItem<Item<'GET /events'>>((cursor) => call('GET /events', { query: { limit: 100, ...query, cursor } })),
    ofContact: (contactId: string, query?: Query<'GET /events/contact/{contactId}'>) =>
      call('GET /events/contact/{contactId}', { path: { contactId }, query }),
    stats: (query?: Query<'GET /events/stats'>) => call('GET /events/stats', { query }),
    names: () => call('GET /events/names'),
    /** The properties in the data of recent events with this name, and their types. */
    fields: (eventName: string) => call('GET /events/{eventName}/fields', { path: { eventName } }),
    /** How often it was recorded on each day. */
    days: (eventName: string, query?: Query<'GET /events/{eventName}/days'>) =>
      call('GET /events/{eventName}/days', { path: { eventName }, query }),
    usage: (eventName: string) => call('GET /events/{eventName}/usage', { path: { eventName } }),
    /** Deletes all events with this name. */
    delete: (eventName: string) => call('DELETE /events/{eventName}', { path: { eventName } }),
  }
}

export const activity = (call: Call) => ({
  list: (query?: Query<'GET /activity'>) => call('GET /activity', { query }),
  all: (query?: Query<'GET /activity'>) =>
    everyItem<Item<'GET /activity'>>((cursor) => call('GET /activity', { query: { limit: 100, ...query, cursor } })),
  stats: (query?: Query<'GET /activity/stats'>) => call('GET /activity/stats', { query }),
  recentCount: (query?: Query<'GET /activity/recent-count'>) => call('GET /activity/recent-count', { query }),
  types: () => call('GET /activity/types'),
  upcoming: (query?: Query<'GET /activity/upcoming'>) => call('GET /activity/upcoming', { query }),
})

export const analytics = (call: Call) => ({
  timeseries: (query?: Query<'GET /analytics/timeseries'>) => call('GET /analytics/timeseries', { query }),
  topCampaigns: (query?: Query<'GET /analytics/top-campaigns'>) => call('GET /analytics/top-campaigns', { query }),
  campaignStats: (query?: Query<'GET /analytics/campaign-stats'>) => call('GET /analytics/campaign-stats', { query }),
  /** Emails by campaign, template, workflow or recipient domain. */
  breakdown: (query: Query<'GET /analytics/breakdown'>) => call('GET /analytics/breakdown', { query }),
  /** Double opt-in: who was asked and who confirmed, by day. */
  confirmations: (query?: Query<'GET /analytics/confirmations'>) => call('GET /analytics/confirmations', { query }),
  topEvents: (query?: Query<'GET /analytics/top-events'>) => call('GET /analytics/top-events', { query }),
})

export const webhookEndpoints = (call: Call) => ({
  list: (query?: Query<'GET /webhook-endpoints'>) => call('GET /webhook-endpoints', { query }),
  get: (id: string) => call('GET /webhook-endpoints/{id}', { path: { id } }),
  /** The result has the secret. */
  create: (endpoint: Body<'POST /webhook-endpoints'>) => call('POST /webhook-endpoints', { body: endpoint }),
  update: (id: string, changes: Body<'PATCH /webhook-endpoints/{id}'>) =>
    call('PATCH /webhook-endpoints/{id}', { path: { id }, body: changes }),
  delete: (id: string) => call('DELETE /webhook-endpoints/{id}', { path: { id } }),
  eventTypes: () => call('GET /webhook-endpoints/event-types'),
  secret: (id: string) => call('GET /webhook-endpoints/{id}/secret', { path: { id } }),
  rotateSecret: (id: string, options: Body<'POST /webhook-endpoints/{id}/rotate-secret'> = {}) =>
    call('POST /webhook-endpoints/{id}/rotate-secret', { path: { id }, body: options }),
  test: (id: string, options: Body<'POST /webhook-endpoints/{id}/test'> = {}) =>
    call('POST /webhook-endpoints/{id}/test', { path: { id }, body: options }),
  deliveries: (id: string, query?: Query<'GET /webhook-endpoints/{id}/deliveries'>) =>
    call('GET /webhook-endpoints/{id}/deliveries', { path: { id }, query }),
  allDeliveries: (id: string, query?: Query<'GET /webhook-endpoints/{id}/deliveries'>) =>
    everyItem<Item<'GET /webhook-endpoints/{id}/deliveries'>>((cursor) =>
      call('GET /webhook-endpoints/{id}/deliveries', { path: { id }, query: { limit: 100, ...query, cursor } }),
    ),
  delivery: (id: string, deliveryId: string) =>
    call('GET /webhook-endpoints/{id}/deliveries/{deliveryId}', { path: { id, deliveryId } }),
  replayDelivery: (id: string, deliveryId: string) =>
    call('POST /webhook-endpoints/{id}/deliveries/{deliveryId}/replay', { path: { id, deliveryId } }),
  replay: (id: string, range: Body<'POST /webhook-endpoints/{id}/replay'>) =>
    call('POST /webhook-endpoints/{id}/replay', { path: { id }, body: range }),
})

export interface WebhookPayload {
  type: string
  timestamp: string
  data: {
    id: string
    project: string
    contact: { id: string; email: string; subscribed: boolean } | null
    email: Record<string, unknown> | null
    data: Record<string, unknown>
  }
}

/** Requests are refused if they are older, or from a clock that is further ahead. */
const TOLERANCE_SECONDS = 300

type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * Checks the signature of a request and returns its payload; throws an error if it is not from Posthorn. `body` is the text
 * as it was received, before it is parsed. Works wherever there is Web Crypto: Node.js, Deno, Bun, edge functions.
 */
export async function verifyWebhook(body: string, headers: WebhookHeaders, secret: string): Promise<WebhookPayload> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headerIn(headers, name)
    if (!value) throw new Error(`The header ${name} is missing.`)
    return value
  }
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  const age = Date.now() / 1000 - Number(timestamp)
  if (!(Math.abs(age) <= TOLERANCE_SECONDS)) throw new Error('The timestamp of the webhook is too old or too new.')
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures.split(' ')) {
    const [version, encoded = ''] = signature.split(',')
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, fromBase64(encoded), signed)))
      return JSON.parse(body)
  }
  throw new Error('The signature of the webhook is invalid.')
}

function headerIn(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found[0] : found
}

/** Malformed signatures match nothing. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
