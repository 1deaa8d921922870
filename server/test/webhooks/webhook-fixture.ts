/** A project with its key, a receiver on 127.0.0.1, and requests to the API. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProject, openTestApp, type TestReply } from '../harness.ts'

export interface Received {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any
}

export async function openWebhooks(env: Record<string, string> = {}) {
  const app = await openTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', ...env })
  const project = await createProject(app)
  const received: Received[] = []
  let respond = (reply: ServerResponse, _request: Received): unknown => reply.end('ok')
  const server = createServer((request, reply) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      const one = { headers: request.headers, text, body: JSON.parse(text) }
      received.push(one)
      respond(reply, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const ask = (method: string, path: string, body?: unknown, key = project.secretKey): Promise<TestReply> =>
    app.request(method, path, { key, body })
  return {
    app,
    project,
    url,
    received,
    ask,
    respondWith: (how: typeof respond) => {
      respond = how
    },
    track: (email: string, event: string, data = {}) =>
      app.request('POST', '/v1/track', { key: project.publicKey, body: { email, event, data } }),
    async createEndpoint(eventTypes: string[], more: object = {}) {
      const { body, status } = await ask('POST', '/webhook-endpoints', { url, eventTypes, ...more })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return { ...body, path: `/webhook-endpoints/${body.id}` }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await app.close()
    },
  }
}

/** As a receiver verifies it: the documented HMAC, with any of the signatures. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}
