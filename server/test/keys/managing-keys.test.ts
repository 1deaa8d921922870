/** API keys that manage keys, the end of keys with their project, and the audit log. */
import { describe, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { useKeys } from './use-keys.ts'

const { app, project, inHours, create, change, rotate, use } = useKeys()

describe('a key that manages keys', () => {
  it('can do all of it with full access, and nothing with less', async () => {
    const [full, most] = [
      (await create({ scopes: ['full'] })).key,
      (await create({ scopes: ['project:write', 'contacts:write', 'send'] })).key,
    ]
    const { id } = await create({}, full)
    expect([(await change(id, { name: 'Other' }, full)).status, (await rotate(id, {}, full)).status]).toEqual([
      200, 200,
    ])
    for (const { status, body } of [
      await change(id, { name: 'Mine' }, most),
      await rotate(id, {}, most),
      await app().request('DELETE', `/api-keys/${id}`, { key: most }),
      await app().request('POST', '/api-keys', { key: most, body: { name: 'Mine', scopes: ['send'] } }),
      await app().request('POST', `/users/@me/projects/${project().id}/regenerate-keys`, { key: most }),
    ]) {
      expect([status, body.error.details]).toEqual([403, { requiredScope: 'full' }])
    }
    expect((await app().request('DELETE', `/api-keys/${id}`, { key: full })).status).toBe(204)
  })

  it('can’t create or change a key that expires later or has more addresses', async () => {
    const limits = { scopes: ['full'], expiresAt: inHours(2), allowedIps: ['127.0.0.0/8'] }
    const { key, id } = await create(limits)
    const wider = await create({ scopes: ['full'] })
    const make = (more: object) =>
      app().request('POST', '/api-keys', { key, body: { name: 'A key', ...limits, ...more } })
    for (const more of [
      { expiresAt: inHours(3) },
      { expiresAt: null },
      { allowedIps: [] },
      { allowedIps: ['10.0.0.1'] },
    ]) {
      expect([more, (await make(more)).status, (await change(id, more, key)).status]).toEqual([more, 403, 403])
    }
    expect([(await change(wider.id, { name: 'Mine' }, key)).status, (await rotate(wider.id, {}, key)).status]).toEqual([
      403, 403,
    ])
    const path = `/users/@me/projects/${project().id}/regenerate-keys`
    expect((await app().request('POST', path, { key })).status).toBe(403)
    expect((await make({ scopes: ['send'], expiresAt: inHours(1), allowedIps: ['127.0.0.1'] })).status).toBe(201)
    expect((await rotate(id, {}, key)).status).toBe(200)
  })

  it('makes someone an admin only if it has no limits at all', async () => {
    const path = `/projects/${project().id}/invitations`
    const inviteWith = async (limits: object, role: string) => {
      const { key } = await create(limits)
      return app().request('POST', path, { key, body: { email: `${role}-${key.slice(-6)}@example.org`, role } })
    }
    for (const limits of [
      { scopes: ['project:write'] },
      { scopes: ['full'], expiresAt: inHours(1) },
      { scopes: ['full'], allowedIps: ['127.0.0.0/8'] },
    ]) {
      expect([limits, (await inviteWith(limits, 'ADMIN')).status]).toEqual([limits, 403])
      expect([limits, (await inviteWith(limits, 'MEMBER')).status]).toEqual([limits, 201])
    }
    expect((await inviteWith({ scopes: ['full'] }, 'ADMIN')).status).toBe(201)
    expect((await inviteWith({ scopes: ['full'], test: true }, 'MEMBER')).status).toBe(403)
    const { key } = await create({ scopes: ['project:write'] })
    const invitations = (await app().request('GET', path, { key })).body.data
    const { id } = invitations.find(({ role }: { role: string }) => role === 'ADMIN')
    expect((await app().request('POST', `${path}/${id}/link`, { key })).status).toBe(403)
  })

  it('can’t outlive its replacement: an old key manages no keys that live longer', async () => {
    const { key: old, id } = await create({ scopes: ['full'] })
    await rotate(id, { overlapHours: 1 })
    const body = { name: 'A key', scopes: ['full'] }
    expect((await app().request('POST', '/api-keys', { key: old, body })).status).toBe(403)
    expect((await rotate(id, {}, old)).status).toBe(403)
    expect(
      (await app().request('POST', '/api-keys', { key: old, body: { ...body, expiresAt: inHours(1) } })).status,
    ).toBe(201)
  })
})

it('new project keys leave API keys as they are, and an API key with full access can make them', async () => {
  const mine = await createProject(app())
  const { key } = await create({ scopes: ['full'] }, mine.secretKey)
  const { status, body } = await app().request('POST', `/users/@me/projects/${mine.id}/regenerate-keys`, { key })
  expect([status, await use(mine.secretKey), await use(body.secret), await use(key)]).toEqual([200, 401, 200, 200])
})

it('a deleted project takes its keys with it', async () => {
  const mine = await createProject(app())
  const { key } = await create({ scopes: ['full'] }, mine.secretKey)
  expect((await app().request('DELETE', `/users/@me/projects/${mine.id}`, { key })).status).toBe(204)
  expect(await use(key)).toBe(401)
  await app().drain()
  const { rows } = await app().pool.query('select from api_key_secrets where project_id = $1', [mine.id])
  expect(rows).toEqual([])
})

it('the audit log names the key, and has every change of keys without the keys', async () => {
  const mine = await createProject(app())
  const { id, key } = await create({ name: 'Deploy', scopes: ['full'] }, mine.secretKey)
  const made = await create({ name: 'Shop' }, key)
  await change(made.id, { name: 'Web shop', scopes: ['send'] }, key)
  await change(made.id, {}, key)
  const { key: next } = (await rotate(made.id, { overlapHours: 1.5 }, key)).body
  await app().request('DELETE', `/api-keys/${made.id}`, { cookie: mine.owner.cookie, projectId: mine.id })
  const log = (await app().request('GET', `/projects/${mine.id}/audit-log`, { key: mine.secretKey })).body
  const by = { type: 'key', id, name: 'Deploy', userId: null, email: null }
  const shop = { keyId: made.id, name: 'Shop' }
  const { id: ownerId, email } = mine.owner
  expect(log.data.slice(0, 5)).toMatchObject([
    {
      act: 'key.deleted',
      actor: { type: 'user', id: ownerId, name: email, userId: ownerId, email },
      details: { keyId: made.id, name: 'Web shop' },
    },
    { act: 'key.rotated', actor: by, details: { keyId: made.id, name: 'Web shop', overlapHours: 1.5 } },
    {
      act: 'key.changed',
      actor: by,
      details: {
        keyId: made.id,
        name: 'Web shop',
        scopes: ['send'],
        before: { name: 'Shop', scopes: ['contacts:read'] },
      },
    },
    { act: 'key.created', actor: by, details: { ...shop, scopes: ['contacts:read'], expiresAt: null, allowedIps: [] } },
    {
      act: 'key.created',
      actor: { type: 'key', id: null, name: 'Secret key' },
      details: { keyId: id, name: 'Deploy' },
    },
  ])
  for (const secret of [key, made.key, next]) expect(JSON.stringify(log)).not.toContain(secret)
})
