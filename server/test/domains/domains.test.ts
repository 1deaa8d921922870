/** Sender domains: adding, verifying and deleting them, and who is allowed to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, signUp, type TestApp, type TestRequest } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const newDomain = () => `shop-${++counter}.example.com`
const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })
const add = (domain: unknown, rest: object = {}) => call('POST', '/domains', { domain, ...rest })
const list = async () => (await call('GET', `/domains/project/${project.id}`)).body as Array<{ domain: string }>
const sendFrom = async (from: unknown) =>
  (await call('POST', '/v1/send', { to: 'a@example.org', from, subject: 's', body: 'b' })).status

describe('a sender domain', () => {
  it('is in the pages of GET /domains, newest first', async () => {
    const { secretKey: key } = await createProject(app)
    await app.request('POST', '/domains', { key, body: { domain: 'later.example.com' } })
    const { body: first } = await app.request('GET', '/domains?limit=1', { key })
    expect([first.data[0].domain, first.hasMore, first.total]).toEqual(['later.example.com', true, 2])
    const { body: second } = await app.request('GET', `/domains?limit=1&cursor=${first.cursor}`, { key })
    expect([second.data[0].domain, second.hasMore, second.cursor]).toEqual(['example.com', false, null])
  })

  it('is added as pending with the records to set, each with a purpose', async () => {
    const domain = newDomain()
    const { status, body } = await add(domain)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      domain,
      projectId: project.id,
      verified: false,
      status: 'PENDING',
      lastCheckedAt: null,
    })
    expect(Object.keys(body).sort()).toEqual(
      [
        'id',
        'domain',
        'projectId',
        'verified',
        'status',
        'records',
        'ed25519',
        'warmUp',
        'lastCheckedAt',
        'createdAt',
        'updatedAt',
      ].sort(),
    )
    const records: Array<{
      purpose: string
      type: string
      name: string
      value: string
      verified: boolean
      priority?: number
    }> = body.records
    expect(records.map((record) => record.purpose).sort()).toEqual(['dkim', 'dmarc', 'ownership', 'spf'])
    expect(Object.keys(records[0]!).sort()).toEqual(['name', 'purpose', 'type', 'value', 'verified'])
    for (const record of records) {
      expect(record.name === domain || record.name.endsWith(`.${domain}`)).toBe(true)
      expect(record.verified).toBe(false)
      expect(record.priority === undefined).toBe(record.type !== 'MX')
    }
    const dkim = records.find((record) => record.purpose === 'dkim')!
    const key = Buffer.from(/p=(.+)$/.exec(dkim.value)![1]!, 'base64')
    expect(key.length, 'a public key of 2048 bits').toBe(294)
  })

  it('never exposes its private key, which is stored encrypted', async () => {
    const { body } = await add(newDomain())
    expect(JSON.stringify(body)).not.toMatch(/private/i)
    const { rows } = await app.pool.query('select dkim_private_key from domains where id = $1', [body.id])
    expect(rows[0].dkim_private_key.toString('latin1')).not.toContain('PRIVATE KEY')
  })

  it('can send once it is verified, and not before or after', async () => {
    const domain = newDomain()
    const { body } = await add(` ${domain.toUpperCase()}. `)
    expect(body.domain).toBe(domain)
    expect(await sendFrom(`a@${domain}`)).toBe(403)
    const asImage = { headers: { 'sec-fetch-dest': 'image' }, key: project.secretKey }
    expect((await app.request('GET', `/domains/${body.id}/verify`, asImage)).status).toBe(403)
    const verified = await call('GET', `/domains/${body.id}/verify`)
    expect(verified.body).toMatchObject({
      id: body.id,
      verified: true,
      status: 'VERIFIED',
      lastCheckedAt: app.clock.now().toISOString(),
    })
    expect(await sendFrom({ name: 'A', email: `a@${domain.toUpperCase()}` })).toBe(200)
    expect(await sendFrom(`a@sub.${domain}`)).toBe(403)
    expect(await call('DELETE', `/domains/${body.id}`)).toMatchObject({ status: 204, body: '' })
    expect(await sendFrom(`a@${domain}`)).toBe(403)
  })

  it('is listed in a bare array with the pending ones, and not after it was deleted', async () => {
    const domain = newDomain()
    const { body } = await add(domain)
    expect((await list()).find((entry) => entry.domain === domain)).toEqual(body)
    await call('DELETE', `/domains/${body.id}`)
    expect((await list()).map((entry) => entry.domain)).not.toContain(domain)
    expect((await call('DELETE', `/domains/${body.id}`)).status).toBe(404)
    expect((await call('GET', `/domains/${body.id}/verify`)).status).toBe(404)
  })

  it('is added to a project once, even by concurrent requests', async () => {
    const domain = newDomain()
    const replies = await Promise.all([add(domain), add(domain.toUpperCase()), add(domain)])
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409])
    expect((await add(domain)).body.error.code).toBe('CONFLICT')
  })

  it('can be in several projects, each with its own record', async () => {
    const other = await createProject(app)
    const domain = newDomain()
    const first = (await add(domain)).body
    await call('GET', `/domains/${first.id}/verify`)
    const second = await app.request('POST', '/domains', { key: other.secretKey, body: { domain } })
    expect(second).toMatchObject({ status: 201, body: { verified: false } })
    const proof = (body: { records: Array<{ purpose: string; value: string }> }, purpose: string) =>
      body.records.find((record) => record.purpose === purpose)!.value
    expect(proof(second.body, 'ownership')).not.toBe(proof(first, 'ownership'))
    expect(proof(second.body, 'dkim')).not.toBe(proof(first, 'dkim'))
    const email = { to: 'a@example.org', from: `a@${domain}`, subject: 's', body: 'b' }
    expect((await app.request('POST', '/v1/send', { key: other.secretKey, body: email })).status).toBe(403)
  })

  it.each([
    ['', 'invalid_string'],
    ['com', 'invalid_string'],
    ['co.uk', 'invalid_string'],
    ['127.0.0.1', 'invalid_string'],
    ['exa mple.com', 'invalid_string'],
    ['a@example.com', 'invalid_string'],
    ['https://example.com', 'invalid_string'],
    ['*.example.com', 'invalid_string'],
    ['-bad.example.com', 'invalid_string'],
    [`${'a'.repeat(64)}.com`, 'invalid_string'],
    [`${'a.'.repeat(200)}com`, 'invalid_string'],
    ['new-1.com\n.evil.com', 'invalid_string'],
    ['new-2\t.com', 'invalid_string'],
    ['new-3.com/path', 'invalid_string'],
    ['new-4.com:25', 'invalid_string'],
    ['new-5.com?x', 'invalid_string'],
    ['new-6.com#x', 'invalid_string'],
    ['new-7%2ecom', 'invalid_string'],
    [undefined, 'invalid_type'],
    [null, 'invalid_type'],
    [5, 'invalid_type'],
    [['example.com'], 'invalid_type'],
  ])("can't be %j", async (domain, code) => {
    const before = await list()
    expect(await add(domain)).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'domain', code }] } } })
    expect(await list()).toEqual(before)
  })
})

describe('managing domains', () => {
  const session = (cookie: string, rest: Partial<TestRequest> = {}): TestRequest => ({ cookie, ...rest })

  it('is allowed for an owner with a session that names the project in the header or the body', async () => {
    const { cookie } = project.owner
    const byHeader = await app.request(
      'POST',
      '/domains',
      session(cookie, { projectId: project.id, body: { domain: newDomain() } }),
    )
    const byBody = await app.request(
      'POST',
      '/domains',
      session(cookie, { body: { domain: newDomain(), projectId: project.id } }),
    )
    expect([byHeader.status, byBody.status]).toEqual([201, 201])
    expect((await app.request('GET', `/domains/${byBody.body.id}/verify`, session(cookie))).status).toBe(200)
    expect((await app.request('GET', `/domains/project/${project.id}`, session(cookie))).status).toBe(200)
    expect((await app.request('DELETE', `/domains/${byBody.body.id}`, session(cookie))).status).toBe(204)
  })

  it('is allowed for a key that names its own project in the body in any case', async () => {
    expect((await add(newDomain(), { projectId: project.id })).status).toBe(201)
    expect((await add(newDomain(), { projectId: project.id.toUpperCase() })).status).toBe(201)
  })

  it('is refused for a session that names no project', async () => {
    const reply = await app.request(
      'POST',
      '/domains',
      session(project.owner.cookie, { body: { domain: newDomain() } }),
    )
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } })
  })

  it.each(['key', 'session'])(
    'is refused for a %s with an invalid project ID, with 422 if it is in the body',
    async (kind) => {
      const who = kind === 'key' ? { key: project.secretKey } : { cookie: project.owner.cookie }
      const reply = await app.request('POST', '/domains', { ...who, body: { domain: newDomain(), projectId: 'seven' } })
      expect(reply).toMatchObject({
        status: 422,
        body: { error: { errors: [{ field: 'projectId', code: 'invalid_string' }] } },
      })
    },
  )

  it('is refused for a member, who can only read', async () => {
    const person = await signUp(app)
    await app.pool.query(
      "insert into members (project_id, user_id, role, created_at) values ($1, $2, 'MEMBER', now())",
      [project.id, person.id],
    )
    const { body: domain } = await add(newDomain())
    const who = session(person.cookie, { projectId: project.id })
    expect((await app.request('POST', '/domains', { ...who, body: { domain: newDomain() } })).body.error.code).toBe(
      'FORBIDDEN',
    )
    expect((await app.request('DELETE', `/domains/${domain.id}`, who)).status).toBe(403)
    expect((await app.request('GET', `/domains/project/${project.id}`, who)).status).toBe(200)
  })

  it('returns 404 for a user of another project', async () => {
    const otherUser = await signUp(app)
    const { body: domain } = await add(newDomain())
    for (const [method, path] of [
      ['GET', `/domains/project/${project.id}`],
      ['GET', `/domains/${domain.id}/verify`],
      ['DELETE', `/domains/${domain.id}`],
    ]) {
      for (const projectId of [undefined, project.id]) {
        const reply = await app.request(method!, path!, session(otherUser.cookie, projectId ? { projectId } : {}))
        expect(reply).toMatchObject({ status: 404, body: { error: { code: 'RESOURCE_NOT_FOUND' } } })
      }
    }
  })

  it("is refused without credentials, even if the body can't be read", async () => {
    expect((await app.request('POST', '/domains', { body: { domain: newDomain() } })).status).toBe(401)
    expect((await app.request('POST', '/domains', { text: '{"domain": ' })).status).toBe(401)
  })
})

it('a project can have 100 domains, and the next one is refused, even by concurrent requests', async () => {
  const shop = await createProject(app)
  await app.pool.query(
    `insert into domains select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'domain', n || '.example'))).*
     from domains d, generate_series(1, 98) as n where d.project_id = $1`,
    [shop.id],
  )
  const addTo = (domain: string) => app.request('POST', '/domains', { key: shop.secretKey, body: { domain } })
  const concurrent = await Promise.all(['a', 'b', 'c', 'd'].map((name) => addTo(`${name}.example`)))
  expect(concurrent.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  expect(await addTo('one-more.example')).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT', message: 'A project can have at most 100 domains.' } },
  })
  expect((await app.request('GET', `/domains/project/${shop.id}`, { key: shop.secretKey })).body).toHaveLength(100)
})

describe('an email that was accepted before the domain of its sender', () => {
  async function acceptedFrom(domain: string) {
    const { body } = await add(domain)
    await call('GET', `/domains/${body.id}/verify`)
    const email = { to: `reader@${domain}`, from: `a@${domain}`, subject: 's', body: 'b' }
    const reply = await call('POST', '/v1/send', email)
    return { domainId: body.id as string, emailId: reply.body.data.emails[0].email as string }
  }
  const receivedAt = async (domain: string) =>
    (await app.captured()).filter(({ recipients }) => recipients.includes(`reader@${domain}`)).length

  it('was deleted fails with the reason in its timeline, and is not sent without a signature', async () => {
    const domain = newDomain()
    const { domainId, emailId } = await acceptedFrom(domain)
    expect((await call('DELETE', `/domains/${domainId}`)).status).toBe(204)
    await app.drain()
    const reason = 'The domain of the sender was deleted before this email was sent.'
    const { body } = await call('GET', `/emails/${emailId}`)
    expect(body).toMatchObject({ status: 'FAILED', error: reason })
    expect(body.timeline.at(-1)).toMatchObject({ event: 'failed', words: reason })
    expect(await receivedAt(domain)).toBe(0)
    expect((await call('POST', `/emails/${emailId}/resend`)).status).toBe(403)

    const again = (await add(domain)).body
    await call('GET', `/domains/${again.id}/verify`)
    expect((await call('POST', `/emails/${emailId}/resend`)).status).toBe(200)
    await app.drain()
    expect((await call('GET', `/emails/${emailId}`)).body.status).toBe('DELIVERED')
    expect(await receivedAt(domain)).toBe(1)
  })

  it('lost its verification is sent', async () => {
    const domain = newDomain()
    const { domainId, emailId } = await acceptedFrom(domain)
    await app.pool.query(`update domains set status = 'PENDING' where id = $1`, [domainId])
    await app.drain()
    expect((await call('GET', `/emails/${emailId}`)).body.status).toBe('DELIVERED')
    expect(await receivedAt(domain)).toBe(1)
  })
})
