/**
 * A whole installation on an external PostgreSQL, as an ordinary role that owns an empty database: first start, email, event,
 * campaign, workflow, and all of it again after a restart. `npm run test:databases` runs it on every supported version.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { dropDatabase, onServer } from '../test-databases.ts'

const TAKES_MS = 120_000
const name = `external_${randomBytes(6).toString('hex')}`
const serverUrl = inject('postgresUrl')
const databaseUrl = serverUrl.replace(/\/[^/]*$/, `/${name}`)
const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-external-'))
const dataDir = path.join(folder, 'data')
let service: ServiceProcess | undefined

const start = async () => {
  service = await startService({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, PORT: '0' })
}

beforeAll(async () => {
  await onServer(serverUrl, (client) => client.query(`create database ${name}`))
  await start()
}, TAKES_MS)

afterAll(async () => {
  await service?.stop()
  await dropDatabase(serverUrl, name)
  rmSync(folder, { recursive: true, force: true })
})

async function request(method: string, url: string, body?: object) {
  const { secretKey } = JSON.parse(readFileSync(path.join(dataDir, 'first-run.json'), 'utf8'))
  const reply = await call(service!, method, url, { key: secretKey, body })
  expect(reply.status, `${method} ${url}: ${JSON.stringify(reply.body)}`).toBeLessThan(300)
  return reply.body
}

const deliveredTo = (address: string) =>
  eventually(`an email to ${address} is delivered`, TAKES_MS, async () => {
    const { data } = await request('GET', `/emails?search=${encodeURIComponent(address)}`)
    return data.find((email: { status: string }) => email.status === 'DELIVERED')
  })

const content = { from: 'hello@example.com', subject: 'Hello {{name}}', body: '<p>It works.</p>' }

async function sendInEveryWay(person: string): Promise<void> {
  await request('POST', '/v1/send', { ...content, to: `${person}@example.org`, data: { name: person } })
  await deliveredTo(`${person}@example.org`)

  await request('POST', '/contacts', { email: `reader-${person}@example.org`, subscribed: true })
  const field = { field: 'email', operator: 'equals', value: `reader-${person}@example.org` }
  const audience = { logic: 'AND', groups: [{ filters: [field] }] }
  const campaign = { ...content, name: person, audienceType: 'FILTERED', audienceCondition: audience }
  const { data } = await request('POST', '/campaigns', campaign)
  await request('POST', `/campaigns/${data.id}/send`)
  await deliveredTo(`reader-${person}@example.org`)

  const template = await request('POST', '/templates', { ...content, name: person, type: 'TRANSACTIONAL' })
  const workflow = await request('POST', '/workflows', { name: person, eventName: `hello-${person}` })
  await request('POST', `/workflows/${workflow.id}/steps`, { type: 'SEND_EMAIL', config: { templateId: template.id } })
  await request('PATCH', `/workflows/${workflow.id}`, { enabled: true })
  await request('POST', '/events/track', { email: `visitor-${person}@example.org`, event: `hello-${person}` })
  await deliveredTo(`visitor-${person}@example.org`)
}

describe('an installation on an external database', () => {
  it(
    'delivers emails, campaigns and workflows after the first start and after a restart',
    async () => {
      await sendInEveryWay('ada')
      expect((await request('GET', '/ready')).degraded).toEqual([])
      expect((await service!.stop()).code).toBe(0)
      await start()
      await sendInEveryWay('grace')
      const { data } = await request('GET', '/emails?search=example.org')
      expect(data).toHaveLength(6)
    },
    3 * TAKES_MS,
  )
})
