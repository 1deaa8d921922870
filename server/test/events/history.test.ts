/** The import of past events: what it adds, what it skips, and that nothing reacts to it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { uploadFile } from '../uploads/upload.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  project = await createProject(app)
  for (const name of ['ada', 'grace']) await call('POST', '/contacts', { email: `${name}@example.org` })
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })
const importFile = (file: string, parts: Record<string, string> = {}) =>
  uploadFile(app, '/events/import', file, { key: project.secretKey, parts })
const line = (email: string, timestamp: string, more: object = {}) =>
  JSON.stringify({ email, event: 'purchase', timestamp, ...more })

const counts = (importedCount: number, existingCount = 0, failureCount = 0) => ({
  totalRows: importedCount + existingCount + failureCount,
  importedCount,
  existingCount,
  failureCount,
})

describe('POST /events/import', () => {
  it('adds the events of JSON Lines at their own times, once however often it is repeated', async () => {
    const file = [
      line('Ada@example.org', '2025-03-14T09:26:53Z', { data: { total: 49.5 } }),
      '',
      line('grace@example.org', '2025-03-15', { data: { total: 5 } }),
      line('ada@example.org', '2025-04-01T00:00:00+02:00'),
    ].join('\n')
    expect(await importFile(file)).toEqual({ status: 200, body: { ...counts(3), errors: [] } })
    expect((await importFile(file)).body).toEqual({ ...counts(0, 3), errors: [] })
    const { rows } = await app.pool.query('select act, details from audit_log where project_id = $1 order by id desc', [
      project.id,
    ])
    expect(rows[0]).toEqual({ act: 'events.imported', details: counts(0, 3) })
    const { body } = await call('GET', '/events?name=purchase')
    const found = body.data.map((event: Record<string, unknown>) => [event.createdAt, event.data])
    expect(found).toEqual([
      ['2025-03-31T22:00:00.000Z', {}],
      ['2025-03-15T00:00:00.000Z', { total: 5 }],
      ['2025-03-14T09:26:53.000Z', { total: 49.5 }],
    ])
    const { body: chart } = await call('GET', '/events/purchase/days?from=2025-03-14&to=2025-03-16')
    expect(chart.data).toEqual([
      { day: '2025-03-14', count: 1 },
      { day: '2025-03-15', count: 1 },
      { day: '2025-03-16', count: 0 },
    ])
    expect((await call('GET', '/events/stats?from=2025-03-01&to=2025-03-31')).body.data).toEqual([
      { name: 'purchase', count: 3, contacts: 2 },
    ])
  })

  it('reads CSV, with the types that the request names', async () => {
    const file = 'Event;Email;Timestamp;Total;Note\npurchase;ada@example.org;14.3.2025;1.234,50;first\n'
    expect((await importFile(file, { types: '{"total": "number"}' })).body).toEqual({ ...counts(1), errors: [] })
    const [event] = (await call('GET', '/events?name=purchase')).body.data
    expect(event).toMatchObject({ data: { total: 1234.5, note: 'first' }, createdAt: '2025-03-14T00:00:00.000Z' })
  })

  it('skips rows that it can not use, and says why', async () => {
    const later = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const file = [
      line('nobody@example.org', '2025-01-01'),
      line('ada@example.org', later),
      line('ada@example.org', 'yesterday'),
      JSON.stringify({ email: 'ada@example.org', event: 'email.opened', timestamp: '2025-01-01' }),
      line('ada', '2025-01-01'),
      '{"email": ',
      line('ada@example.org', '2025-01-01'),
      JSON.stringify({ email: 'ada@example.org', event: 'a\0', timestamp: '2025-01-01' }),
      JSON.stringify({ email: 'ada@example.org', event: 'a', timestamp: '2025-01-01', data: { '\ud800': 1 } }),
      JSON.stringify({ email: 'ada@example.org', event: '\\u0000 😀', timestamp: '2025-01-01' }),
    ].join('\n')
    const { body } = await importFile(file)
    expect(body).toMatchObject(counts(2, 0, 8))
    expect(body.errors.map(({ row, error }: { row: number; error: string }) => [row, error])).toEqual([
      [1, expect.stringContaining('no contact')],
      [2, expect.stringContaining('in the past')],
      [3, expect.stringContaining('such as')],
      [4, expect.stringContaining('reserved')],
      [5, expect.stringContaining('email address')],
      [6, expect.stringContaining('JSON')],
      [8, expect.stringContaining('stored')],
      [9, expect.stringContaining('stored')],
    ])
  })

  it('starts no workflow, and changes no contact', async () => {
    const { body: workflow } = await call('POST', '/workflows', { name: 'Thanks', eventName: 'purchase' })
    await call('POST', `/workflows/${workflow.id}/steps`, { type: 'EXIT', config: {} })
    await call('PATCH', `/workflows/${workflow.id}`, { triggerType: 'EVENT', enabled: true })
    const before = (await call('GET', '/contacts')).body
    await importFile(line('ada@example.org', '2025-01-01', { data: { plan: 'pro' } }))
    await app.drain()
    expect((await call('GET', '/contacts')).body).toEqual(before)
    expect((await call('GET', `/workflows/${workflow.id}/executions`)).body.data).toEqual([])
    await call('POST', '/events/track', { email: 'ada@example.org', event: 'purchase' })
    await app.drain()
    expect((await call('GET', `/workflows/${workflow.id}/executions`)).body.data).toHaveLength(1)
  })

  it('can be used by conditions at once', async () => {
    await importFile(line('ada@example.org', '2025-01-01'))
    const filters = [{ field: 'event.purchase', operator: 'triggered' }]
    const condition = { logic: 'AND', groups: [{ filters }] }
    const { body } = await call('POST', '/segments', { name: 'Buyers', condition })
    const members = (await call('GET', `/segments/${body.id}/contacts`)).body.data
    expect(members.map(({ email }: { email: string }) => email)).toEqual(['ada@example.org'])
  })

  it.each([
    ['a JSON array', '[{"email": "a@example.org"}]', {}, /JSON Lines/],
    ['a CSV file without times', 'email,event\na@example.org,x\n', {}, /"timestamp"/],
    ['unknown types', 'email,event,timestamp\n', { types: '{"a": "list"}' }, /JSON object/],
  ])('refuses %s', async (_what, file, parts, message) => {
    const { status, body } = await importFile(file, parts)
    expect(status).toBe(422)
    expect(body.error.errors[0].message).toMatch(message)
  })
})
