/** Features that load modules on demand, in the built service: webhooks, received email and images. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../platform/database/embedded/postmaster.ts'
import { startDnsServer } from '../dns-server.ts'
import { startMigratedService } from '../migrated-service.ts'
import { call, eventually, type ServiceProcess } from '../service-process.ts'

let folder: string
let service: ServiceProcess
let inboundPort: number
let dns: Awaited<ReturnType<typeof startDnsServer>>
let key: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-built-'))
  dns = await startDnsServer()
  inboundPort = await freePort()
  const dataDir = path.join(folder, 'data')
  service = await startMigratedService({
    DATA_DIR: dataDir,
    PORT: '0',
    INBOUND_SMTP_PORT: String(inboundPort),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DNS_SERVERS: dns.address,
  })
  key = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')).secretKey
})

afterAll(async () => {
  await service?.stop()
  await dns?.close()
  await rm(folder, { recursive: true, force: true })
})

const post = async (url: string, body: object) => (await call(service, 'POST', url, { key, body })).body

describe('the built service', () => {
  it('calls webhooks', async () => {
    const receiver = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const called = once(receiver, 'request') as Promise<[IncomingMessage]>
    const { port } = receiver.address() as AddressInfo
    const { id } = await post('/workflows', { name: 'Orders', eventName: 'ordered' })
    await post(`/workflows/${id}/steps`, { type: 'WEBHOOK', config: { url: `http://127.0.0.1:${port}/orders` } })
    await call(service, 'PATCH', `/workflows/${id}`, { key, body: { enabled: true } })
    await post('/events/track', { email: 'ada@example.org', event: 'ordered' })
    const [request] = await called
    expect({ method: request.method, url: request.url }).toEqual({ method: 'POST', url: '/orders' })
    receiver.close()
  })

  it('receives email over an encrypted connection and checks its sender', async () => {
    const client = createTransport({
      host: '127.0.0.1',
      port: inboundPort,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    })
    await client.sendMail({ from: 'ada@example.org', to: 'hello@example.com', subject: 'Hi', text: 'Hello' })
    const [event] = await eventually('the event of the received email', 120_000, async () => {
      const { body } = await call(service, 'GET', '/events?name=email.received', { key })
      return body.data.length > 0 && body.data
    })
    expect(event.data).toMatchObject({ subject: 'Hi', spfVerdict: 'GRAY', dkimVerdict: 'GRAY', dmarcVerdict: 'GRAY' })
  })

  it('accepts images', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const form = new FormData()
    form.set('image', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'pixel.png')
    const url = `${service.baseUrl}/uploads/image`
    const reply = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form })
    expect(reply.status).toBe(201)
  })
})
