/** The request of a delivery: its body, and its headers with the signature. */
import { signatureHeaders } from '../../../platform/network/webhook-signature.ts'

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
export const signedHeaders = (eventId: string, at: Date, body: string, secrets: Buffer[]): Record<string, string> => ({
  'content-type': 'application/json',
  ...signatureHeaders(eventId, at, body, secrets),
})
