/** The request log of a project: what is recorded, what isn't, and how it is filtered and deleted. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { createProject, openTestApp, signUp, type TestApp } from '../harness.ts'

const DAY_MS = 24 * 3_600_000

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })

/** As the dashboard reads it, so that reading it adds nothing. */
async function log(query = '') {
  await app.services.requestLog.flush()
  const { owner, id } = project
  const reply = await app.request('GET', `/requests${query}`, { cookie: owner.cookie, projectId: id })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

const paths = async (query?: string) => (await log(query)).data.map((entry: { path: string }) => entry.path)

describe('the request log', () => {
  it('has each request with its key, and no query, body or whole address', async () => {
    await call('POST', '/contacts', { email: 'ada@example.org', nickname: 'secret value' })
    const refused = await call('POST', '/contacts', { email: 'nobody' })
    await call('GET', '/suppressions?email=ada@example.org')
    await call('DELETE', '/suppressions/bob@example.org')
    await call('POST', '/v1/track', { email: 'ada@example.org', event: 'signup' }, project.publicKey)
    const { data, total, hasMore } = await log()
    expect(data).toMatchObject([
      { method: 'POST', path: '/v1/track', status: 200, key: { type: 'public', id: null, name: 'Public key' } },
      { method: 'DELETE', path: '/suppressions/{email}', status: 404, code: 'RESOURCE_NOT_FOUND' },
      { method: 'GET', path: '/suppressions', status: 200, code: null, error: null },
      {
        id: refused.body.error.requestId,
        status: 422,
        code: 'VALIDATION_ERROR',
        key: { type: 'secret', id: null, name: 'Secret key' },
        ip: '127.0.0.0/24',
        error: { errors: [{ field: 'email', code: 'invalid_string' }], docsUrl: refused.body.error.docsUrl },
      },
      { path: '/contacts', status: 201, ignoredFields: ['nickname'], error: null },
    ])
    expect([total, hasMore]).toEqual([5, false])
    expect(JSON.stringify(data)).not.toMatch(/ada@|bob@|nobody|secret value/)
  })

  it('has requests that the gate refused, with the name of the API key', async () => {
    const { body: key } = await call('POST', '/api-keys', { name: 'Web shop', scopes: ['send'] })
    await call('GET', '/contacts', undefined, key.key)
    await call('GET', '/contacts', undefined, 'phk_unknown')
    const { data } = await log(`?keyId=${key.id}`)
    expect(data).toMatchObject([{ status: 403, code: 'FORBIDDEN', key: { type: 'api', id: key.id, name: 'Web shop' } }])
  })

  it('has requests that were refused before their key was looked up', async () => {
    await call('PUT', '/v1/send', {})
    await call('GET', '/nowhere')
    await call('POST', '/v1/track', { email: 'ada@example.org', event: 'signup' })
    await call('GET', '/nowhere', undefined, 'sk_unknown')
    await expect.poll(() => paths()).toHaveLength(3)
    const { data } = await log()
    const shown = data.map(({ path, status, code }: Record<string, unknown>) => `${status} ${code} ${path}`)
    expect(shown.sort()).toEqual([
      '401 INVALID_API_KEY /v1/track',
      '404 RESOURCE_NOT_FOUND /nowhere',
      '404 RESOURCE_NOT_FOUND /v1/send',
    ])
  })

  it('has errors without the address of the client and without the quoted part of an email address', async () => {
    const { body: key } = await call('POST', '/api-keys', {
      name: 'Office',
      scopes: ['full'],
      allowedIps: ['203.0.113.7'],
    })
    await call('GET', '/contacts', undefined, key.key)
    await call('DELETE', `/suppressions/${encodeURIComponent('"some user"@example.org')}`)
    const [unknown, elsewhere] = (await log()).data
    expect(elsewhere.error.message).toContain('127.0.0.0/24')
    expect(unknown.error.message).toContain('…@example.org')
    expect(JSON.stringify([unknown, elsewhere])).not.toMatch(/127\.0\.0\.1|some user/)
  })

  it('has no requests of the dashboard or of other projects', async () => {
    const other = await createProject(app)
    await call('GET', '/contacts', undefined, other.secretKey)
    await log()
    const { data } = await log()
    expect(data).toEqual([])
    await call('GET', '/contacts')
    const [entry] = (await log()).data
    expect((await call('GET', `/requests/${entry.id}`)).body).toEqual(entry)
    expect((await call('GET', `/requests/${entry.id}`, undefined, other.secretKey)).status).toBe(404)
    const guest = await signUp(app)
    const reply = await app.request('GET', '/requests', { cookie: guest.cookie, projectId: project.id })
    expect(reply.status).toBe(403)
  })

  it('is filtered by method, path, status, code, key and time, with a cursor', async () => {
    await call('GET', '/contacts')
    await call('GET', '/contacts/fields')
    await call('GET', '/templates')
    await call('POST', '/contacts', {})
    app.clock.forward(60_000)
    await call('GET', '/segments')
    expect(await paths('?method=post')).toEqual(['/contacts'])
    expect(await paths('?path=/templates')).toEqual(['/templates'])
    expect(await paths('?path=/contacts*&method=GET')).toEqual(['/contacts/fields', '/contacts'])
    expect(await paths('?status=422')).toEqual(['/contacts'])
    expect(await paths('?status=4XX&code=VALIDATION_ERROR')).toEqual(['/contacts'])
    expect(await paths('?status=2xx&method=GET&path=/s*')).toEqual(['/segments'])
    expect(await paths('?keyId=public')).toEqual([])
    const minute = app.clock.now().toISOString()
    expect(await paths(`?from=${minute}`)).toEqual(['/segments'])
    const first = await log('?keyId=secret&limit=4')
    expect([first.data.length, first.total, first.hasMore]).toEqual([4, 5, true])
    expect((await log(`?keyId=secret&limit=4&cursor=${first.cursor}`)).data).toMatchObject([{ path: '/contacts' }])
    for (const query of ['status=9xx', 'method=LOOK', 'path=contacts', 'keyId=x'])
      expect((await call('GET', `/requests?${query}`)).status, query).toBe(422)
    for (const query of ['from=x', 'cursor=x', 'from=2026-02-01&to=2026-01-01'])
      expect((await call('GET', `/requests?${query}`)).status, query).toBe(400)
  })

  it('keeps the order of requests that began in the same second, across pages', async () => {
    const { body: key } = await call('POST', '/api-keys', { name: 'Web shop', scopes: ['full'] })
    await log()
    const sent: string[] = []
    for (let i = 0; i < 6; i++) {
      const [method, path] = i % 2 === 0 ? ['GET', '/contacts'] : ['DELETE', '/suppressions/a,b@example.org']
      const { headers } = await call(method!, path!, undefined, i % 3 === 0 ? key.key : project.secretKey)
      sent.unshift(headers['x-request-id'] as string)
    }
    const { data } = await log('?limit=6')
    expect(data.map((entry: { id: string }) => entry.id)).toEqual(sent)
    expect(data[0].path).toBe('/suppressions/{email}')
    const seen: string[] = []
    let page = await log('?limit=2&path=/*')
    for (; seen.length < 6; page = await log(`?limit=2&path=/*&cursor=${page.cursor}`)) {
      seen.push(...page.data.map((entry: { id: string }) => entry.id))
    }
    expect(seen.slice(0, 6)).toEqual(sent)
  })

  it('shows seven days, after which requests are deleted', async () => {
    const { body } = await call('POST', '/contacts', {})
    app.clock.forward(7 * DAY_MS + 1)
    await call('GET', '/segments')
    await app.services.requestLog.flush()
    expect((await call('GET', '/requests')).body.data).toMatchObject([{ path: '/segments' }])
    expect((await call('GET', `/requests/${body.error.requestId}`)).status).toBe(404)
    await app.services.requestLog.flush()
    await app.jobs['delete-expired']({}, { attempt: 1, at: app.clock.now() })
    const { rows } = await app.pool.query(
      'select paths from api_requests where project_id = $1 order by second, first_id',
      [project.id],
    )
    expect(rows[0]).toEqual({ paths: ['/segments'] })
  })

  it('loses requests that it can not write in time, and counts them', async () => {
    const dropped = async () =>
      Number(/^posthorn_request_log_dropped_total\{.*\} (\d+)/m.exec((await app.request('GET', '/metrics')).body)?.[1])
    const before = await dropped()
    const key = { type: 'secret' as const, id: null, name: 'Secret key' }
    const entry = { projectId: project.id, key, method: 'GET', url: '/x', status: 200, durationMs: 1, ip: '::1' }
    for (let i = 0; i < 10_005; i++) {
      const id = `01900000-0000-7000-8000-${String(i).padStart(12, '0')}`
      app.services.requestLog.record({ ...entry, id })
    }
    expect((await dropped()) - before).toBe(5)
    await app.services.requestLog.flush()
  })

  it('has a few of the requests beyond the rate limit, of which there can be any number', async () => {
    const key = { type: 'public' as const, id: null, name: 'Public key' }
    const error = {
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'The rate limit of 1,000 requests per minute has been reached.',
    }
    await app.services.requestLog.flush()
    for (let i = 0; i < 500; i++) {
      const id = newId(app.clock.now())
      const entry = { projectId: project.id, key, id, method: 'POST', url: '/v1/track', durationMs: 1, ip: '::1' }
      app.services.requestLog.record({ ...entry, status: 429, error })
    }
    expect((await log()).data.map((entry: { error: object }) => entry.error)).toMatchObject(Array(20).fill(error))
  })
})
