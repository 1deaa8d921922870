/** The request of a delivery: its body, and its signature as Standard Webhooks specifies (https://www.standardwebhooks.com). */
import { createHmac } from 'node:crypto'

/** What an event is about, as the body shows it. */
export interface Facts {
  contact: { id: string; email: string; subscribed: boolean } | null
  email: Record<string, unknown> | null
  data: Record<string, unknown>
}

export interface Announced {
  projectId: string
  eventId: string
  eventType: string
  eventAt: Date
}

/** Erased facts leave an event without a contact, an email and data. */
export const payloadOf = ({ projectId, eventId, eventType, eventAt }: Announced, facts: Facts | null) => ({
  type: eventType,
  timestamp: eventAt.toISOString(),
  data: {
    id: eventId,
    project: projectId,
    contact: facts?.contact ?? null,
    email: facts?.email ?? null,
    data: facts?.data ?? {},
  },
})

/** The same event has the same id in every attempt and for every endpoint. */
export function signedHeaders(eventId: string, at: Date, body: string, secrets: Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: Buffer) =>
    `v1,${createHmac('sha256', secret).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`
  return {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
