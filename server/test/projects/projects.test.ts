/** Projects, their keys and their isolation: what the credentials of one project can read or change in another. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshFirstRun } from '../../commands/first-run.ts'
import { firstRunFile, readFirstRun, writeFirstRun } from '../../platform/first-run-file.ts'
import { createProject, databaseState, openTestApp, signUp, type TestApp, type TestRequest } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let mine: Project
let theirs: Project
let ids: { contact: string; email: string; domain: string }

beforeAll(async () => {
  app = await openTestApp()
  mine = await createProject(app, 'Mine')
  theirs = await createProject(app, 'Theirs')
  const key = theirs.secretKey
  const sent = await app.request('POST', '/v1/send', {
    key,
    body: { to: 'secret@example.org', from: 'a@example.com', subject: 'Private', body: 'b', data: { private: 1 } },
  })
  const { body: domains } = await app.request('GET', `/domains/project/${theirs.id}`, { key })
  const [entry] = sent.body.data.emails
  ids = { contact: entry.contact.id, email: entry.email, domain: domains[0].id }
})
afterAll(() => app.close())

async function addMember(project: Project, role: string) {
  const person = await signUp(app)
  await app.pool.query('insert into members (project_id, user_id, role, created_at) values ($1, $2, $3, now())', [
    project.id,
    person.id,
    role,
  ])
  return person
}

const regenerate = (project: Project, options: TestRequest) =>
  app.request('POST', `/users/@me/projects/${project.id}/regenerate-keys`, options)

const opens = async (keys: { secret: string; public: string }) => [
  (await app.request('GET', '/contacts', { key: keys.secret })).status,
  (await app.request('POST', '/v1/track', { key: keys.public, body: { email: 'k@example.org', event: 'e' } })).status,
]

describe('a project', () => {
  it('is created with two keys, which are returned in full only once', async () => {
    const { cookie } = await signUp(app)
    const { status, body } = await app.request('POST', '/users/@me/projects', { cookie, body: { name: '  Shop  ' } })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Shop',
      public: expect.stringMatching(/^pk_.{20,}/),
      secret: expect.stringMatching(/^sk_.{20,}/),
      publicKey: body.public,
      secretKey: body.secret,
      secretKeyHint: `sk_…${body.secret.slice(-4)}`,
      role: 'OWNER',
      disabled: false,
      disabledReason: null,
    })
    expect(await opens(body)).toEqual([200, 200])

    const list = await app.request('GET', '/users/@me/projects', { cookie })
    const { public: _public, secret, secretKey, ...shown } = body
    expect(list.body).toEqual([shown])
    expect(JSON.stringify(list.body)).not.toContain(secret)
  })

  it('has its keys in first-run.json after a first start, but no longer once they stop working', async () => {
    const { DATA_DIR } = app.ctx.settings
    const first = { email: 'e', password: 'p', publicKey: 'pk_1', domain: 'example.com', baseUrl: app.ctx.baseUrl }
    const write = (project: Project) =>
      writeFirstRun(DATA_DIR, { ...first, projectId: project.id, secretKey: project.secretKey })
    const [shop, other] = [await createProject(app), await createProject(app)]
    await write(shop)
    await regenerate(other, { key: other.secretKey })
    await refreshFirstRun(app.ctx)
    expect(await readFirstRun(DATA_DIR)).toMatchObject({ publicKey: 'pk_1', secretKey: shop.secretKey })

    await regenerate(shop, { key: shop.secretKey })
    const keyless = { email: 'e', publicKey: '', secretKey: '', note: expect.stringMatching(/no longer work/) }
    expect(await readFirstRun(DATA_DIR)).toMatchObject(keyless)

    await write(shop) // as if another process had replaced them
    await refreshFirstRun(app.ctx)
    expect(await readFirstRun(DATA_DIR)).toMatchObject(keyless)

    for (const text of ['not JSON', 'null', '{}', '{"projectId": "x", "secretKey": "y"}']) {
      await writeFile(firstRunFile(DATA_DIR), text)
      await expect(refreshFirstRun(app.ctx)).resolves.toBeUndefined()
    }
    await rm(firstRunFile(DATA_DIR))
  })

  it('stores no secret key in the database', async () => {
    const tables = ['projects', 'project_keys', 'sessions', 'members']
    const rows = await Promise.all(tables.map((table) => app.pool.query(`select t::text from ${table} t`)))
    expect(JSON.stringify(rows.map((result) => result.rows))).not.toContain(mine.secretKey.slice(3))
  })

  it.each([[''], ['   '], [undefined], [7], ['x'.repeat(101)]])("can't be named %j", async (name) => {
    const options = { cookie: mine.owner.cookie, body: { name } }
    expect((await app.request('POST', '/users/@me/projects', options)).status).toBe(422)
  })

  it('is listed for its members only, with their role', async () => {
    const member = await addMember(mine, 'MEMBER')
    const { body } = await app.request('GET', '/users/@me/projects', { cookie: member.cookie })
    expect(body).toMatchObject([{ id: mine.id, role: 'MEMBER' }])
  })
})

describe('new keys of a project', () => {
  it('are both created at once, and the old ones stop working with the next request', async () => {
    const project = await createProject(app)
    const old = { secret: project.secretKey, public: project.publicKey }
    const { status, body } = await regenerate(project, { key: project.secretKey })
    expect(status).toBe(200)
    expect(body.public).toMatch(/^pk_/)
    expect(body.secret).toMatch(/^sk_/)
    expect([body.public === old.public, body.secret === old.secret]).toEqual([false, false])
    expect([body.publicKey, body.secretKey]).toEqual([body.public, body.secret])
    expect(await opens(old)).toEqual([401, 401])
    expect(await opens(body)).toEqual([200, 200])
    const list = await app.request('GET', '/users/@me/projects', { cookie: project.owner.cookie })
    expect(list.body[0]).toMatchObject({ publicKey: body.public, secretKeyHint: `sk_…${body.secret.slice(-4)}` })
  })

  it('from concurrent requests leave exactly one pair that works', async () => {
    const project = await createProject(app)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => regenerate(project, { cookie: project.owner.cookie })),
    )
    expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200))
    const works = await Promise.all(replies.map((reply) => opens(reply.body)))
    expect(works.filter(([secret]) => secret === 200)).toHaveLength(1)
    expect(works.map(([secret, pub]) => secret === pub)).toEqual(Array(10).fill(true))
    const { rows } = await app.pool.query('select kind from project_keys where project_id = $1 order by 1', [
      project.id,
    ])
    expect(rows).toEqual([{ kind: 'public' }, { kind: 'secret' }])
    const current = replies[works.findIndex(([secret]) => secret === 200)]!.body
    const list = await app.request('GET', '/users/@me/projects', { cookie: project.owner.cookie })
    expect(list.body[0]).toMatchObject({ publicKey: current.public, secretKeyHint: current.secretKeyHint })
  })

  it('can be created by owners and admins', async () => {
    const project = await createProject(app)
    const member = await addMember(project, 'MEMBER')
    const admin = await addMember(project, 'ADMIN')
    expect(await regenerate(project, { cookie: member.cookie })).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    })
    expect(await opens({ secret: project.secretKey, public: project.publicKey })).toEqual([200, 200])
    expect(await regenerate(project, { cookie: admin.cookie })).toMatchObject({ status: 200, body: { role: 'ADMIN' } })
  })
})

describe('another project', () => {
  const FOREIGN: Array<[method: string, path: string, body?: object]> = [
    ['GET', '/contacts/{contact}'],
    ['PATCH', '/contacts/{contact}', { data: { stolen: 1 }, subscribed: true }],
    ['PATCH', '/contacts/{contact}', { email: 'secret@example.org' }],
    ['DELETE', '/contacts/{contact}'],
    ['GET', '/emails/{email}'],
    ['GET', '/emails/{email}/raw'],
    ['GET', '/emails?contactId={contact}'],
    ['GET', '/domains/{domain}/verify'],
    ['DELETE', '/domains/{domain}'],
    ['GET', '/domains/project/{project}'],
    ['POST', '/domains', { domain: 'stolen.com', projectId: '{project}' }],
    ['POST', '/users/@me/projects/{project}/regenerate-keys'],
  ]

  const credentials = (): Array<[string, TestRequest]> => [
    ['key', { key: mine.secretKey }],
    ['session', { cookie: mine.owner.cookie, projectId: mine.id }],
  ]

  const fill = (text: string, given: Record<string, string>) =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => given[name] ?? whole)

  const everything = () => databaseState(app)

  it.each(FOREIGN)('is not found by %s %s, like an unknown id', async (method, path, body) => {
    const before = await everything()
    for (const [, who] of credentials()) {
      const answers = []
      for (const given of [
        { ...ids, project: theirs.id },
        { contact: randomUUID(), email: randomUUID(), domain: randomUUID(), project: randomUUID() },
      ]) {
        const options = { ...who, ...(body && { body: JSON.parse(fill(JSON.stringify(body), given)) }) }
        const reply = await app.request(method, fill(path, given), options)
        expect(reply.status).toBe(404)
        const known = Object.values(given).reduce((text, id) => text.replaceAll(id, 'ID'), JSON.stringify(reply.body))
        answers.push(known.replaceAll(reply.body.error.requestId, 'REQUEST'))
      }
      expect(answers[0]).toBe(answers[1])
    }
    expect(await everything()).toEqual(before)
  })

  it('is in no list', async () => {
    for (const [, who] of credentials()) {
      for (const path of [
        '/contacts?search=secret',
        '/contacts?email=secret@example.org',
        '/emails?search=private',
        '/events',
      ]) {
        const { body } = await app.request('GET', path, who)
        expect(body.data.filter((row: { contactId?: string }) => row.contactId === ids.contact)).toEqual([])
        expect(JSON.stringify(body)).not.toContain('secret@example.org')
      }
    }
  })

  it('can have a contact with the same address', async () => {
    const body = { email: 'shared@example.org', data: { a: 1 } }
    const [one, two] = [
      await app.request('POST', '/contacts', { key: mine.secretKey, body }),
      await app.request('POST', '/contacts', { key: theirs.secretKey, body }),
    ]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body.id).not.toBe(two.body.id)
  })

  it('does not accept cursors of this one', async () => {
    for (let i = 0; i < 3; i++)
      await app.request('POST', '/contacts', { key: theirs.secretKey, body: { email: `c${i}@example.org` } })
    const { body } = await app.request('GET', '/contacts?limit=1', { key: theirs.secretKey })
    const reply = await app.request('GET', `/contacts?cursor=${body.cursor}`, { key: mine.secretKey })
    expect(JSON.stringify(reply.body)).not.toContain('c1@example.org')
  })
})

describe('a session with a project', () => {
  const list = (options: TestRequest) => app.request('GET', '/contacts', { cookie: mine.owner.cookie, ...options })

  it('must name the project', async () => {
    expect(await list({})).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } })
    expect((await list({ projectId: mine.id })).status).toBe(200)
  })

  it.each(['theirs', 'nobody', 'not-an-id'])('is refused if it names %s', async (which) => {
    const projectId = { theirs: theirs.id, nobody: randomUUID() }[which] ?? which
    expect(await list({ projectId })).toMatchObject({ status: 403, body: { error: { code: 'PROJECT_ACCESS_DENIED' } } })
  })

  it('ends with the next request after the user is removed', async () => {
    const member = await addMember(mine, 'MEMBER')
    expect((await list({ cookie: member.cookie, projectId: mine.id })).status).toBe(200)
    await app.pool.query('delete from members where user_id = $1', [member.id])
    expect((await list({ cookie: member.cookie, projectId: mine.id })).status).toBe(403)
  })

  it('is ignored if there is a key, even an invalid one', async () => {
    expect((await list({ projectId: mine.id, key: 'sk_wrong' })).body.error.code).toBe('INVALID_API_KEY')
    expect((await list({ key: theirs.secretKey, projectId: mine.id })).body.total).toBeGreaterThan(0)
  })

  it("can't track, which requires the public key", async () => {
    const options = { cookie: mine.owner.cookie, projectId: mine.id, body: { email: 'a@example.org', event: 'x' } }
    expect(await app.request('POST', '/v1/track', options)).toMatchObject({
      status: 401,
      body: { error: { code: 'MISSING_AUTH' } },
    })
    expect((await app.request('POST', '/events/track', options)).status).toBe(200)
  })
})

describe('a disabled project', () => {
  it('can be read but not changed, by key and by session', async () => {
    const project = await createProject(app)
    const { body: contact } = await app.request('POST', '/contacts', {
      key: project.secretKey,
      body: { email: 'd@example.org' },
    })
    await app.pool.query('update projects set disabled_at = now() where id = $1', [project.id])
    const refused = { status: 403, body: { success: false, error: { code: 'PROJECT_DISABLED', statusCode: 403 } } }
    const email = { to: 'd@example.org', from: 'a@example.com', subject: 's', body: 'b' }
    for (const who of [{ key: project.secretKey }, { cookie: project.owner.cookie, projectId: project.id }]) {
      for (const path of [
        '/contacts',
        `/contacts/${contact.id}`,
        '/events',
        '/emails',
        `/domains/project/${project.id}`,
      ]) {
        expect((await app.request('GET', path, who)).status).toBe(200)
      }
      expect(await app.request('POST', '/v1/send', { ...who, body: email })).toMatchObject(refused)
      expect(await app.request('PATCH', `/contacts/${contact.id}`, { ...who, body: {} })).toMatchObject(refused)
      expect(await app.request('DELETE', `/contacts/${contact.id}`, who)).toMatchObject(refused)
      expect(await app.request('POST', '/domains', { ...who, body: { domain: 'd.com' } })).toMatchObject(refused)
    }
    const body = { email: 'd@example.org', event: 'x' }
    expect(await app.request('POST', '/v1/track', { key: project.publicKey, body })).toMatchObject(refused)
  })
})
