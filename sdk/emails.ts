/** Sending, and the ledger of what was sent. */
import type { Call } from './call.ts'
import { everyItem, withoutEnvelope } from './pages.ts'
import type { Body, Item, Query } from './shapes.ts'

export interface SendOptions {
  /** Makes a repetition of yours harmless too, for 24 hours; without it each call gets one of its own. */
  idempotencyKey?: string
}

export const emails = (call: Call) => ({
  /** Repeated after trouble on the way under one Idempotency-Key: it goes out once. */
  send: (email: Body<'POST /v1/send'>, options: SendOptions = {}) =>
    withoutEnvelope(
      call('POST /v1/send', { body: email, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }),
    ),
  list: (query?: Query<'GET /emails'>) => call('GET /emails', { query }),
  all: (query?: Query<'GET /emails'>) =>
    everyItem<Item<'GET /emails'>>((cursor) => call('GET /emails', { query: { limit: 100, ...query, cursor } })),
  /** With its timeline, HTML and text. */
  get: (id: string) => call('GET /emails/{id}', { path: { id } }),
  /** The message as it goes over the wire. */
  raw: (id: string) => call('GET /emails/{id}/raw', { path: { id }, as: 'text' }),
  attachment: (id: string, n: number) =>
    call('GET /emails/{id}/attachments/{n}', { path: { id, n: String(n) }, as: 'blob' }),
  resend: (id: string) => call('POST /emails/{id}/resend', { path: { id } }),
  /** Plays what could happen to a captured email: an open, a click, a bounce. */
  simulate: (id: string, outcome: Body<'POST /emails/{id}/simulate'>) =>
    call('POST /emails/{id}/simulate', { path: { id }, body: outcome }),
})

/** Is this address worth writing to? */
export const verification = (call: Call) => ({
  verify: (email: string) => withoutEnvelope(call('POST /v1/verify', { body: { email }, repeatable: true })),
})
