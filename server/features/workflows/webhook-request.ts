/**
 * The request that a WEBHOOK step makes: the configured one with its Liquid rendered, or the default payload. Signed as
 * Standard Webhooks asks (https://www.standardwebhooks.com), so that a receiver can tell who sent it and what is a repeat.
 */
import { createHmac } from 'node:crypto'
import type { OutsideRequest } from '../../platform/network/public-fetch.ts'
import type { Scene } from './step-kind.ts'
import { renderJson, renderText, templatingOf } from './templating.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export interface WebhookSettings {
  url: string
  method?: (typeof METHODS)[number] | null | undefined
  headers?: Record<string, string> | null | undefined
  body?: unknown
}

export async function webhookRequest(
  scene: Scene,
  settings: WebhookSettings,
  secrets: Buffer[],
): Promise<OutsideRequest> {
  const templating = templatingOf(scene)
  const method = settings.method ?? 'POST'
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(settings.headers ?? {}))
    headers[name] = await renderText(templating, value)

  const configured = settings.body !== undefined && settings.body !== null
  const payload = configured ? await renderJson(templating, settings.body) : defaultPayload(scene)
  const body = configured || (method !== 'GET' && method !== 'DELETE') ? JSON.stringify(payload) : undefined
  return {
    url: await renderText(templating, settings.url),
    method,
    headers,
    ownHeaders: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...signature(`${scene.execution.id}_${scene.step.id}`, scene.now, body ?? '', secrets),
    },
    body,
  }
}

const defaultPayload = ({ contact, workflow, execution }: Scene) => ({
  contact: { email: contact.email, subscribed: contact.subscribed, data: contact.data },
  workflow: { id: workflow.id, name: workflow.name },
  execution: { id: execution.id, startedAt: execution.startedAt },
  event: execution.event ?? {},
})

/** The id stays the same when the step is tried again by hand. */
function signature(id: string, at: Date, body: string, secrets: Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: Buffer) => createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}
