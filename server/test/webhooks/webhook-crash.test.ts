/** Real processes: an accepted event reaches its endpoint after everything was killed, and a hanging endpoint delays no other. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { dropDatabase } from '../test-databases.ts'

const EVENTS = 60
const home = mkdtempSync(path.join(tmpdir(), 'posthorn-webhooks-'))
const databaseName = `webhooks_${randomBytes(6).toString('hex')}`
const databaseUrl = inject('postgresUrl').replace(/\/[^/]*$/, `/${databaseName}`)
const received = new Map<string, number>()
let hanging = 0
let isOpen = false
let receiver: Server
let service: ServiceProcess

const start = () =>
  startService({
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: databaseUrl,
    PORT: '0',
    WORKERS: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
  })

beforeAll(async () => {
  receiver = createServer((request, reply) => {
    if (request.url === '/hanging') {
      hanging++ // never responds
      return
    }
    const id = String(request.headers['webhook-id'])
    request.resume().on('end', () => {
      if (isOpen) received.set(id, (received.get(id) ?? 0) + 1)
      if (isOpen) reply.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  await client.query(`create database ${databaseName}`)
  await client.end()
  service = await start()
})

afterAll(async () => {
  if (service?.isRunning()) await service.kill()
  receiver.closeAllConnections()
  receiver.close()
  await dropDatabase(inject('postgresUrl'), databaseName)
  rmSync(home, { recursive: true, force: true })
})

it('every accepted event reaches the endpoint after kill -9, whatever another endpoint does', async () => {
  const [, email, password] = /dashboard account\s+(\S+)\s+\/\s+(\S+)/.exec(service.stdout())!
  const login = await call(service, 'POST', '/auth/login', { body: { email, password } })
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!
  const { body: project } = await call(service, 'POST', '/users/@me/projects', { cookie, body: { name: 'Test' } })
  const key = project.secretKey
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  for (const hook of ['/hanging', '/hook']) {
    const { status } = await call(service, 'POST', '/webhook-endpoints', {
      key,
      body: { url: url + hook, eventTypes: ['signup'] },
    })
    expect(status).toBe(201)
  }
  const ids: string[] = []
  for (let i = 0; i < EVENTS; i++) {
    const body = { email: `p${i}@example.org`, event: 'signup' }
    const reply = await call(service, 'POST', '/v1/track', { key: project.publicKey, body })
    ids.push(reply.body.data.event)
  }
  await service.kill()
  isOpen = true
  service = await start()
  await eventually('every event has been received', 60_000, () => ids.every((id) => received.has(id)) && hanging > 0)
  expect(received.size).toBe(EVENTS)
})
