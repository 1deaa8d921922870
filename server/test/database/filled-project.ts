/** A project with data of every kind, and all rows of a database to compare: for tests that move a whole database. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect } from 'vitest'
import { listTables, readRows, setTextFormat } from '../../platform/database/schema/copy-tables.ts'
import { createProject, type TestApp } from '../harness.ts'
import { png } from '../uploads/images.ts'
import { uploadFile } from '../uploads/upload.ts'

const TEMPLATE = { name: 'T', subject: 's', body: 'b', from: 'a@example.com', type: 'TRANSACTIONAL' }
const ODD = {
  text: 'é😀 "quoted" \\ back\tslash\n{a,b} NULL \\N',
  list: [1, null, 'x', { a: [] }],
  deep: { none: null },
  n: 1e21,
}

/** Some emails are sent; others, a campaign and a workflow execution are waiting. */
export async function fillProject(app: TestApp) {
  const project = await createProject(app)
  const key = project.secretKey
  const post = async (url: string, body: object) => {
    const reply = await app.request('POST', url, { key, body })
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
    return reply.body
  }
  await post('/contacts', { email: 'odd@example.org', data: ODD })
  const template = await post('/templates', { ...TEMPLATE, name: 'x'.repeat(80) })
  const attachment = { filename: 'a.bin', content: randomBytes(200_000).toString('base64'), contentType: 'a/b' }
  const email = { to: 'odd@example.org', from: 'a@example.com', subject: 's', body: 'b' }
  await post('/v1/send', { ...email, attachments: [attachment] })
  const workflow = await post('/workflows', { name: 'W', eventName: 'signup' })
  const wait = await post(`/workflows/${workflow.id}/steps`, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
  const mail = await post(`/workflows/${workflow.id}/steps`, {
    type: 'SEND_EMAIL',
    config: {},
    templateId: template.id,
  })
  await post(`/workflows/${workflow.id}/transitions`, { fromStepId: wait.id, toStepId: mail.id })
  await app.request('PATCH', `/workflows/${workflow.id}`, { key, body: { enabled: true } })
  await post('/events/track', { email: 'odd@example.org', event: 'signup' })
  await app.drain()
  const campaign = { name: 'C', subject: 's', body: 'b', from: 'a@example.com', audienceType: 'ALL' }
  const [now, later] = [await post('/campaigns', campaign), await post('/campaigns', campaign)]
  await post(`/campaigns/${now.id}/send`, {})
  await post(`/campaigns/${later.id}/send`, { scheduledFor: new Date(Date.now() + 86_400_000).toISOString() })
  await post('/v1/send', email)
  const image = await uploadFile(app, '/uploads/image', png(), { key, field: 'image' })
  expect(image.status).toBe(201)
  await app.services.requestLog.flush()
  return project
}

/** All rows of all tables of these schemas, as text. */
export async function contentsOf(url: string, schemas = ['public']): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await setTextFormat(client)
  await client.query('begin')
  const contents: Record<string, string[]> = {}
  for (const schema of schemas) {
    for (const table of await listTables(client, schema)) {
      const rows: string[] = []
      for await (const batch of readRows(client, table)) rows.push(...batch.map((row) => JSON.stringify(row)))
      contents[table.table] = rows.sort()
    }
  }
  await client.end()
  return contents
}
