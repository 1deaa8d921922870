/** Sends emails, lists them and shows their status. */
import type { Call } from './call.ts'
import { everyItem, withoutEnvelope } from './pages.ts'
import type { Body, Item, Query } from './shapes.ts'

export interface SendOptions {
  /** Makes it safe to repeat the call yourself within 24 hours. By default, each call gets its own key. */
  idempotencyKey?: string
  /** If the request with this key was already accepted, returns its response again instead of an error. */
  replay?: boolean
}

const keyOf = ({ idempotencyKey = crypto.randomUUID(), replay }: SendOptions) => ({ idempotencyKey, replay })

export const emails = (call: Call) => ({
  /** Retried after connection errors with the same Idempotency-Key, so the email is sent once. */
  send: (email: Body<'POST /v1/send'>, options: SendOptions = {}) =>
    withoutEnvelope(call('POST /v1/send', { body: email, ...keyOf(options) })),
  /** Up to 500 messages in one request, retried like `send`. The result of each is in `results`, in order. */
  sendBatch: (batch: Body<'POST /v1/send/batch'>, options: SendOptions = {}) =>
    withoutEnvelope(call('POST /v1/send/batch', { body: batch, ...keyOf(options) })),
  list: (query?: Query<'GET /emails'>) => call('GET /emails', { query }),
  all: (query?: Query<'GET /emails'>) =>
    everyItem<Item<'GET /emails'>>((cursor) => call('GET /emails', { query: { limit: 100, ...query, cursor } })),
  /** With its timeline, HTML and text. */
  get: (id: string) => call('GET /emails/{id}', { path: { id } }),
  /** The raw message in MIME format. */
  raw: (id: string) => call('GET /emails/{id}/raw', { path: { id }, as: 'text' }),
  attachment: (id: string, n: number) =>
    call('GET /emails/{id}/attachments/{n}', { path: { id, n: String(n) }, as: 'blob' }),
  /** Changes when a scheduled email is sent; null sends it now. */
  reschedule: (id: string, sendAt: string | null) => call('PATCH /emails/{id}', { path: { id }, body: { sendAt } }),
  /** Cancels a scheduled email. */
  cancel: (id: string) => call('POST /emails/{id}/cancel', { path: { id } }),
  resend: (id: string) => call('POST /emails/{id}/resend', { path: { id } }),
  /** Simulates an open, click, bounce or complaint for a captured email. */
  simulate: (id: string, outcome: Body<'POST /emails/{id}/simulate'>) =>
    call('POST /emails/{id}/simulate', { path: { id }, body: outcome }),
})

/** Checks whether an address can receive email. */
export const verification = (call: Call) => ({
  verify: (email: string) => withoutEnvelope(call('POST /v1/verify', { body: { email }, repeatable: true })),
})
