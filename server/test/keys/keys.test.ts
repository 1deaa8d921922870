/** API keys: creating, listing, changing and replacing them, and what their limits refuse. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { createProject, databaseState } from '../harness.ts'
import { HOUR_MS, useKeys } from './use-keys.ts'

const { app, project, inHours, create, change, rotate, list, find, use } = useKeys()

const from = (address: string) => ({ 'x-forwarded-for': address })

describe('POST /api-keys', () => {
  it('returns the key once, and lists never contain it', async () => {
    const created = await create({ name: ' Shop ', scopes: ['send', 'contacts:read', 'send'] })
    expect(created).toEqual({
      id: expect.any(String),
      name: 'Shop',
      scopes: ['send', 'contacts:read'],
      expiresAt: null,
      allowedIps: [],
      test: false,
      prefix: created.key.slice(0, 12),
      previousKeyExpiresAt: null,
      lastUsedAt: null,
      lastUsedIp: null,
      createdBy: { type: 'key', id: null, name: 'Secret key' },
      createdAt: app().clock.now().toISOString(),
      updatedAt: app().clock.now().toISOString(),
      key: expect.stringMatching(/^phk_[0-9a-f]{48}$/),
    })
    const { key, ...shown } = created
    expect(await find(created.id)).toEqual(shown)
    expect(await use(key)).toBe(200)
  })

  it('names the user or the key that created it', async () => {
    const body = { name: 'By a person', scopes: ['full'] }
    const { cookie, id, email } = project().owner
    const byPerson = await app().request('POST', '/api-keys', { cookie, projectId: project().id, body })
    expect(byPerson.body.createdBy).toEqual({ type: 'user', id, name: email })
    const byKey = await create({}, byPerson.body.key)
    expect(byKey.createdBy).toEqual({ type: 'key', id: byPerson.body.id, name: 'By a person' })
  })

  it('stores addresses in one form, without repetitions', async () => {
    const allowedIps = ['203.0.113.9/24', '203.0.113.0/24', '::ffff:198.51.100.1', '2001:DB8::1']
    expect((await create({ allowedIps })).allowedIps).toEqual(['203.0.113.0/24', '198.51.100.1', '2001:db8::1'])
    expect((await create({ allowedIps: [] })).allowedIps).toEqual([])
    expect((await create({ allowedIps: null, expiresAt: null })).allowedIps).toEqual([])
  })

  it.each<[field: string, body: object, code?: string]>([
    ['name', { name: undefined }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: undefined }],
    ['scopes', { scopes: 'full' }],
    ['scopes.1', { scopes: ['send', 'contact:read'] }, 'invalid_enum_value'],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['expiresAt', { expiresAt: '2099-01-01T00:00:00' }],
    ['expiresAt', { expiresAt: 4_070_908_800 }],
    ['allowedIps', { allowedIps: '203.0.113.1' }],
    ['allowedIps.0', { allowedIps: ['example.org'] }, 'invalid_string'],
    ['allowedIps.1', { allowedIps: ['203.0.113.1', '203.0.113.1/33'] }, 'invalid_string'],
    ['allowedIps', { allowedIps: Array.from({ length: 51 }, (_, i) => `203.0.113.${i}`) }],
    ['expires_at', { expires_at: '2099-01-01T00:00:00Z' }, 'unknown_field'],
    ['testing', { testing: true }, 'unknown_field'],
    ['test', { test: 'yes' }, 'invalid_type'],
  ])('returns 422 about %s for %j and creates nothing', async (field, body, code) => {
    const before = await databaseState(app())
    const { status, body: refused } = await app().request('POST', '/api-keys', {
      key: project().secretKey,
      body: { name: 'Shop', scopes: ['send'], ...body },
    })
    expect([status, refused.error.errors[0].field]).toEqual([422, field])
    if (code) expect(refused.error.errors[0].code).toBe(code)
    expect(await databaseState(app())).toBe(before)
  })

  it('names an unknown scope', async () => {
    const body = { name: 'Shop', scopes: ['contact:read'] }
    const reply = await app().request('POST', '/api-keys', { key: project().secretKey, body })
    expect(reply.body.error.errors[0].received).toBe('contact:read')
  })

  it('returns 409 for the 101st key, also if several are created at once', async () => {
    const crowded = await createProject(app())
    await app().pool.query(
      `insert into api_keys (project_id, id, name, prefix, scopes, created_by_type, created_by_name, created_at, updated_at)
       select $1, gen_random_uuid(), 'A key', 'phk_', '{send}', 'key', 'Secret key', now(), now() from generate_series(1, 98)`,
      [crowded.id],
    )
    const body = { name: 'One more', scopes: ['send'] }
    const tries = Array.from({ length: 5 }, () =>
      app()
        .request('POST', '/api-keys', { key: crowded.secretKey, body })
        .then(({ status }) => status),
    )
    expect((await Promise.all(tries)).sort()).toEqual([201, 201, 409, 409, 409])
    expect(await list(crowded)).toHaveLength(100)
  })
})

describe('GET /api-keys', () => {
  it('lists the keys of the project with a cursor, newest first, without the two project keys', async () => {
    const [mine, theirs] = [await createProject(app()), await createProject(app())]
    const names = ['one', 'two', 'three']
    for (const name of names) {
      await create({ name }, mine.secretKey)
      app().clock.forward(1)
    }
    await create({ name: 'foreign' }, theirs.secretKey)
    const first = (await app().request('GET', '/api-keys?limit=2', { key: mine.secretKey })).body
    expect(first).toMatchObject({ data: [{ name: 'three' }, { name: 'two' }], hasMore: true, total: 3 })
    const rest = (await app().request('GET', `/api-keys?limit=2&cursor=${first.cursor}`, { key: mine.secretKey })).body
    expect(rest).toMatchObject({ data: [{ name: 'one' }], hasMore: false, cursor: null })
  })
})

describe('PATCH /api-keys/{id}', () => {
  it('changes only what it names, and applies from the next request on', async () => {
    const { id, key } = await create({ expiresAt: inHours(1), allowedIps: ['127.0.0.1'] })
    expect((await change(id, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      scopes: ['contacts:read'],
      expiresAt: inHours(1),
      allowedIps: ['127.0.0.1'],
    })
    expect((await change(id, { scopes: ['segments:read'] })).body.scopes).toEqual(['segments:read'])
    expect(await use(key)).toBe(403)
    const cleared = await change(id, { scopes: ['contacts:write'], expiresAt: null, allowedIps: null })
    expect(cleared.body).toMatchObject({ expiresAt: null, allowedIps: [] })
    expect((await change(id, {})).body).toEqual(cleared.body)
    expect(await use(key)).toBe(200)
  })

  it.each([
    ['key', { key: 'phk_mine' }, 'unknown_field'],
    ['prefix', { prefix: 'phk_' }, 'unknown_field'],
    ['name', { name: null }, 'invalid_type'],
    ['scopes', { scopes: null }, 'invalid_type'],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }, 'custom'],
  ])('returns 422 about %s for %j', async (field, body, code) => {
    const { id } = await create({})
    const { status, body: refused } = await change(id, body)
    expect([status, refused.error.errors]).toMatchObject([422, [{ field, code }]])
  })

  it('makes an expired key work again', async () => {
    const { id, key } = await create({ expiresAt: inHours(1) })
    app().clock.forward(HOUR_MS)
    expect(await use(key)).toBe(401)
    expect((await change(id, { expiresAt: inHours(1) })).status).toBe(200)
    expect(await use(key)).toBe(200)
  })
})

describe('a key', () => {
  it('is refused with 401 once it has expired, was deleted, or is unknown', async () => {
    const [expiring, deleted] = [await create({ expiresAt: inHours(1) }), await create({})]
    app().clock.forward(HOUR_MS)
    expect((await app().request('DELETE', `/api-keys/${deleted.id}`, { key: project().secretKey })).status).toBe(204)
    for (const key of [
      expiring.key,
      deleted.key,
      `phk_${'0'.repeat(48)}`,
      expiring.prefix,
      'phk_',
      'abc_1',
      'constructor_1',
    ]) {
      const { status, body } = await app().request('GET', '/contacts', { key })
      expect([status, body.error.code]).toEqual([401, 'INVALID_API_KEY'])
    }
    expect(await find(deleted.id)).toBeUndefined()
  })

  it('is not found if it belongs to another project', async () => {
    const theirs = await create({}, (await createProject(app())).secretKey)
    for (const id of [theirs.id, randomUUID(), 'x']) {
      expect([(await change(id, { name: 'Mine' })).status, (await rotate(id)).status]).toEqual([404, 404])
      expect((await app().request('DELETE', `/api-keys/${id}`, { key: project().secretKey })).status).toBe(404)
    }
    expect(await use(theirs.key)).toBe(200)
  })

  it('can only be used from its addresses, as the trusted proxy reports them', async () => {
    const { key } = await create({ allowedIps: ['203.0.113.0/24', '2001:db8::/32'] })
    expect(await use(key, from('203.0.113.9'))).toBe(200)
    expect(await use(key, from('2001:db8:1::9'))).toBe(200)
    expect(await use(key, from('::ffff:203.0.113.9'))).toBe(200)
    const outside = await app().request('GET', '/contacts', { key, headers: from('198.51.100.1') })
    expect([outside.status, outside.body.error.code, outside.body.error.details]).toEqual([403, 'FORBIDDEN', undefined])
    expect(await use(key, from('203.0.113.9, 198.51.100.1'))).toBe(403)
    expect(await use(key)).toBe(403)
  })

  it('without the scope is refused with the narrowest scope that would do', async () => {
    const { key } = await create({})
    const { status, body } = await app().request('POST', '/contacts', { key, body: { email: 'a@example.org' } })
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      { requiredScope: 'contacts:write' },
    ])
  })

  it('shows when and from which network it was last used', async () => {
    const { id, key } = await create({})
    await use(key, from('203.0.113.77'))
    const used = { lastUsedAt: app().clock.now().toISOString(), lastUsedIp: '203.0.113.0/24' }
    await vi.waitFor(async () => expect(await find(id)).toMatchObject(used))
    app().clock.forward(60_000)
    await use(key, from('2001:db8:1:2::3'))
    const later = { lastUsedAt: app().clock.now().toISOString(), lastUsedIp: '2001:db8:1::/48' }
    await vi.waitFor(async () => expect(await find(id)).toMatchObject(later))
  })
})

describe('POST /api-keys/{id}/rotate', () => {
  it('keeps the old key for 24 hours, and returns a new one', async () => {
    const { id, key: old } = await create({})
    const { status, body } = await rotate(id)
    expect([status, body.prefix, body.previousKeyExpiresAt]).toEqual([200, body.key.slice(0, 12), inHours(24)])
    expect([await use(old), await use(body.key)]).toEqual([200, 200])
    app().clock.forward(24 * HOUR_MS)
    expect([await use(old), await use(body.key)]).toEqual([401, 200])
    expect((await find(id)).previousKeyExpiresAt).toBeNull()
  })

  it('ends the old key at once with 0, and after a fraction of an hour', async () => {
    const { id, key: first } = await create({})
    const { key: second } = (await rotate(id, { overlapHours: 0 })).body
    expect([await use(first), await use(second)]).toEqual([401, 200])
    const { key: third } = (await rotate(id, { overlapHours: 0.5 })).body
    app().clock.forward(HOUR_MS / 2 - 1)
    expect([await use(second), await use(third)]).toEqual([200, 200])
    app().clock.forward(1)
    expect([await use(second), await use(third)]).toEqual([401, 200])
  })

  it('gives each old key its own overlap, and 0 ends all of them', async () => {
    const { id, key: first } = await create({})
    const { key: second } = (await rotate(id, { overlapHours: 2 })).body
    const { key: third } = (await rotate(id, { overlapHours: 1 })).body
    app().clock.forward(HOUR_MS)
    expect([await use(first), await use(second), await use(third)]).toEqual([200, 401, 200])
    const { key: fourth } = (await rotate(id, { overlapHours: 0 })).body
    expect([await use(first), await use(third), await use(fourth)]).toEqual([401, 401, 200])
  })

  it('works several times at once', async () => {
    const { id, key } = await create({})
    const replies = await Promise.all(Array.from({ length: 5 }, () => rotate(id, { overlapHours: 1 })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const each of [key, ...replies.map(({ body }) => body.key)]) expect(await use(each)).toBe(200)
    const { rows } = await app().pool.query('select from api_key_secrets where key_id = $1 and expires_at is null', [
      id,
    ])
    expect(rows).toHaveLength(1)
  })

  it.each([-1, 168.1, '1', true])('returns 422 for overlapHours %j', async (overlapHours) => {
    const { id, key } = await create({})
    const { status, body } = await rotate(id, { overlapHours })
    expect([status, body.error.errors[0].field]).toEqual([422, 'overlapHours'])
    expect(await use(key)).toBe(200)
    expect((await rotate(id, { overlap: 1 })).status).toBe(422)
  })

  it('returns 409 for an expired key', async () => {
    const { id } = await create({ expiresAt: inHours(1) })
    app().clock.forward(HOUR_MS)
    expect((await rotate(id)).status).toBe(409)
  })

  it('doesn’t extend the expiry of the key', async () => {
    const { id, key } = await create({ expiresAt: inHours(1) })
    const { key: next, previousKeyExpiresAt } = (await rotate(id, { overlapHours: 168 })).body
    expect(previousKeyExpiresAt).toBe(inHours(1))
    app().clock.forward(HOUR_MS)
    expect([await use(key), await use(next)]).toEqual([401, 401])
  })
})
