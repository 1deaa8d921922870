/** Members of a project, and invitations. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailsTo, newestEmailTo } from '../captured-mail.ts'
import { createProject, databaseState, openTestApp, signUp, type TestApp, type TestRequest } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let project: Project
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app, 'The "Shop"')
})
afterAll(() => app.close())

const newAddress = () => `guest-${++counter}@example.org`
const owner = (): TestRequest => ({ cookie: project.owner.cookie })
const members = (options: TestRequest, id = project.id) => app.request('GET', `/projects/${id}/members`, options)
const add = (body: unknown, options: TestRequest = owner(), id = project.id) =>
  app.request('POST', `/projects/${id}/members`, { ...options, body })
const change = (userId: string, role: unknown, options: TestRequest = owner()) =>
  app.request('PATCH', `/projects/${project.id}/members/${userId}`, { ...options, body: { role } })
const remove = (userId: string, options: TestRequest = owner()) =>
  app.request('DELETE', `/projects/${project.id}/members/${userId}`, options)
const invite = (body: unknown, options: TestRequest = owner(), id = project.id) =>
  app.request('POST', `/projects/${id}/invitations`, { ...options, body })
const accept = (token: unknown, cookie: string) =>
  app.request('POST', '/invitations/accept', { cookie, body: { token } })
const forbidden = { status: 403, body: { error: { code: 'FORBIDDEN' } } }

async function newMember(role = 'MEMBER') {
  const person = await signUp(app)
  expect((await add({ email: person.email, role })).status).toBe(201)
  return person
}

describe('the members of a project', () => {
  it('start with the owner, and are visible to every member', async () => {
    const own = await createProject(app)
    const options = { cookie: own.owner.cookie }
    expect((await members(options, own.id)).body).toEqual({
      data: [{ userId: own.owner.id, email: own.owner.email, role: 'OWNER', createdAt: app.clock.now().toISOString() }],
    })
    const person = await signUp(app)
    await add({ email: person.email, role: 'MEMBER' }, options, own.id)
    const { body } = await members({ cookie: person.cookie }, own.id)
    expect(body.data.map((one: { role: string }) => one.role)).toEqual(['OWNER', 'MEMBER'])
    expect((await members({ key: own.secretKey }, own.id)).body).toEqual(body)
  })

  it('are added by address, notified by email, and have access with their next request', async () => {
    const person = await signUp(app)
    const contacts = () => app.request('GET', '/contacts', { cookie: person.cookie, projectId: project.id })
    expect((await contacts()).status).toBe(403)
    const reply = await add({ email: ` ${person.email.toUpperCase()}`, role: 'ADMIN' })
    expect(reply).toMatchObject({ status: 201, body: { userId: person.id, email: person.email, role: 'ADMIN' } })
    expect((await contacts()).status).toBe(200)
    expect((await newestEmailTo(app, person.email)).text).toContain('The "Shop"')
    expect((await add({ email: person.email, role: 'MEMBER' })).status).toBe(409)
    expect((await members(owner())).body.data.find((one: { userId: string }) => one.userId === person.id).role).toBe(
      'ADMIN',
    )
  })

  it('can be added with a key', async () => {
    const person = await signUp(app)
    expect((await add({ email: person.email, role: 'MEMBER' }, { key: project.secretKey })).status).toBe(201)
  })

  it('must have an account; otherwise they are invited', async () => {
    const reply = await add({ email: newAddress(), role: 'MEMBER' })
    expect(reply).toMatchObject({ status: 404, body: { error: { code: 'RESOURCE_NOT_FOUND' } } })
    expect(reply.body.error.suggestion).toContain('invitations')
  })

  it.each([
    [{ role: 'MEMBER' }, 'email', 'invalid_type'],
    [{ email: 'nope', role: 'MEMBER' }, 'email', 'invalid_string'],
    [{ email: 'a@example.org', role: 'KING' }, 'role', 'invalid_enum_value'],
    [{ email: 'a@example.org', role: 7 }, 'role', 'invalid_type'],
  ])("can't be added with %j", async (body, field, code) => {
    for (const reply of [await add(body), await invite(body)]) {
      expect(reply).toMatchObject({ status: 422, body: { error: { errors: [{ field, code }] } } })
    }
  })

  it('are not added by an address that the account has not confirmed, if mail is really sent', async () => {
    const real = await openTestApp({ MAIL_URL: 'smtp://127.0.0.1:9' })
    try {
      const shop = await createProject(real)
      const unconfirmed = await signUp(real, 'colleague@example.org')
      const addUnconfirmed = () =>
        real.request('POST', `/projects/${shop.id}/members`, {
          cookie: shop.owner.cookie,
          body: { email: unconfirmed.email, role: 'ADMIN' },
        })
      const before = await databaseState(real)
      const refused = await addUnconfirmed()
      expect(refused).toMatchObject({ status: 404, body: { error: { code: 'RESOURCE_NOT_FOUND' } } })
      expect(refused.body.error.suggestion).toContain('invitations')
      expect(await databaseState(real)).toBe(before)
      await real.pool.query('update users set email_verified_at = now() where id = $1', [unconfirmed.id])
      expect((await addUnconfirmed()).status).toBe(201)
    } finally {
      await real.close()
    }
  })

  it('are added once by concurrent requests', async () => {
    const person = await signUp(app)
    const replies = await Promise.all(Array.from({ length: 4 }, () => add({ email: person.email, role: 'MEMBER' })))
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409])
  })

  it('can change their role', async () => {
    const person = await newMember()
    expect(await change(person.id, 'ADMIN')).toMatchObject({ status: 200, body: { userId: person.id, role: 'ADMIN' } })
    expect((await add({ email: newAddress(), role: 'MEMBER' }, { cookie: person.cookie })).status).toBe(404)
    expect((await change(person.id, 'MEMBER')).body.role).toBe('MEMBER')
    expect(await add({ email: newAddress(), role: 'MEMBER' }, { cookie: person.cookie })).toMatchObject(forbidden)
    expect((await change(person.id, 'KING')).status).toBe(422)
  })

  it('lose access with the next request after they are removed', async () => {
    const person = await newMember('ADMIN')
    const contacts = () => app.request('GET', '/contacts', { cookie: person.cookie, projectId: project.id })
    expect((await contacts()).status).toBe(200)
    expect((await remove(person.id)).status).toBe(204)
    expect(await contacts()).toMatchObject({ status: 403, body: { error: { code: 'PROJECT_ACCESS_DENIED' } } })
    expect((await members({ cookie: person.cookie })).status).toBe(404)
    expect((await remove(person.id)).status).toBe(404)
    expect((await change(person.id, 'ADMIN')).status).toBe(404)
  })

  it("can't change or remove the owner", async () => {
    const admin = await newMember('ADMIN')
    for (const options of [owner(), { cookie: admin.cookie }, { key: project.secretKey }]) {
      expect(await change(project.owner.id, 'MEMBER', options)).toMatchObject(forbidden)
      expect(await remove(project.owner.id, options)).toMatchObject(forbidden)
      expect(await change(admin.id, 'OWNER', options)).toMatchObject(forbidden)
      expect(await add({ email: newAddress(), role: 'OWNER' }, options)).toMatchObject(forbidden)
      expect(await invite({ email: newAddress(), role: 'OWNER' }, options)).toMatchObject(forbidden)
    }
  })

  it("can't remove themselves", async () => {
    const admin = await newMember('ADMIN')
    expect(await remove(admin.id.toUpperCase(), { cookie: admin.cookie })).toMatchObject(forbidden)
    const other = await newMember('ADMIN')
    expect((await remove(admin.id, { cookie: other.cookie })).status).toBe(204)
  })

  it('give the same response if their ID is unknown, invalid or of another project', async () => {
    const other = await createProject(app)
    for (const id of [other.owner.id, randomUUID(), 'nonsense']) {
      for (const reply of [await change(id, 'ADMIN'), await remove(id)]) {
        expect(reply).toMatchObject({
          status: 404,
          body: { error: { code: 'RESOURCE_NOT_FOUND', details: { resource: 'member', id } } },
        })
      }
    }
  })
})

it('an owner gets an email when an API key makes someone an admin, and only then', async () => {
  const shop = await createProject(app)
  const key = { key: shop.secretKey }
  const [added, changed] = [await signUp(app), await signUp(app)]
  await add({ email: changed.email, role: 'MEMBER' }, key, shop.id)
  await app.request('PATCH', `/projects/${shop.id}/members/${changed.id}`, { ...key, body: { role: 'ADMIN' } })
  await add({ email: added.email, role: 'ADMIN' }, key, shop.id)
  await invite({ email: 'invited@example.org', role: 'ADMIN' }, key, shop.id)
  const byPerson = { email: 'invited-by-person@example.org', role: 'ADMIN' }
  const { body: invitation } = await invite(byPerson, { cookie: shop.owner.cookie }, shop.id)
  await app.drain()
  expect(
    await emailsTo(app, shop.owner.email).then((emails) =>
      emails.filter(({ subject }) => subject.includes(byPerson.email)),
    ),
  ).toEqual([])
  await app.request('POST', `/projects/${shop.id}/invitations/${invitation.id}/link`, key)
  await app.drain()
  const subjects = (await emailsTo(app, shop.owner.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('is now an admin')).sort()).toEqual(
    [added.email, changed.email, 'invited@example.org', byPerson.email]
      .sort()
      .map((email) => `${email} is now an admin of the project “Test project”`),
  )
})

describe('an invitation to a project', () => {
  const list = async (id = project.id) =>
    (await app.request('GET', `/projects/${id}/invitations`, { key: project.secretKey })).body.data

  it('lets a person without an account sign up and join', async () => {
    const email = newAddress()
    const reply = await invite({ email, role: 'ADMIN' })
    expect(reply).toMatchObject({ status: 201, body: { email, role: 'ADMIN', invitedBy: project.owner.email } })
    expect((await list())[0]).toEqual(reply.body)
    const letter = await newestEmailTo(app, email)
    expect(letter.link).toMatch(/^http:\/\/posthorn\.test\/app\/accept-invitation\?token=[\w-]{43}$/)
    expect(letter.text).toContain(project.owner.email)

    const seen = await app.request('POST', '/invitations/preview', { body: { token: letter.token } })
    expect(seen.body).toMatchObject({ email, role: 'ADMIN', projectName: 'The "Shop"' })
    expect(seen.body, 'it does not show who has an account').not.toHaveProperty('hasAccount')
    const body = { email, password: 'correct horse', invitation: letter.token }
    const signedUp = await app.request('POST', '/auth/signup', { body })
    expect(signedUp).toMatchObject({ status: 201, body: { data: { email, emailVerified: true } } })
    const cookie = String(signedUp.headers['set-cookie']).split(';')[0]!
    const { body: projects } = await app.request('GET', '/users/@me/projects', { cookie })
    expect(projects).toMatchObject([{ id: project.id, role: 'ADMIN' }])
    expect((await list()).map((one: { email: string }) => one.email)).not.toContain(email)
    expect(await emailsTo(app, email), 'no second mail to confirm the address').toHaveLength(1)
  })

  it('can be accepted once by an existing account, and verifies the address', async () => {
    const person = await signUp(app)
    await invite({ email: person.email })
    const { token } = await newestEmailTo(app, person.email)
    const replies = await Promise.all(Array.from({ length: 4 }, () => accept(token, person.cookie)))
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400, 400, 400])
    expect(replies.find((reply) => reply.status === 200)!.body).toEqual({ projectId: project.id, role: 'MEMBER' })
    expect((await app.request('GET', '/users/@me', { cookie: person.cookie })).body.emailVerified).toBe(true)
  })

  it('works only for the address it was sent to', async () => {
    const [person, otherPerson] = [await signUp(app), await signUp(app)]
    await invite({ email: person.email, role: 'ADMIN' })
    const { token } = await newestEmailTo(app, person.email)
    expect(await accept(token, otherPerson.cookie)).toMatchObject(forbidden)
    const body = { email: newAddress(), password: 'correct horse', invitation: token }
    expect(await app.request('POST', '/auth/signup', { body })).toMatchObject(forbidden)
    const { rowCount } = await app.pool.query('select from users where email = $1', [body.email])
    expect(rowCount, 'no account is left behind').toBe(0)
    expect((await accept(token, person.cookie)).status).toBe(200)
  })

  it('is replaced by the next one for the same address', async () => {
    const person = await signUp(app)
    await invite({ email: person.email, role: 'ADMIN' })
    const first = (await newestEmailTo(app, person.email)).token
    await invite({ email: person.email, role: 'MEMBER' })
    const second = (await newestEmailTo(app, person.email)).token
    expect((await list()).filter((one: { email: string }) => one.email === person.email)).toHaveLength(1)
    expect((await accept(first, person.cookie)).status).toBe(400)
    expect((await accept(second, person.cookie)).body.role).toBe('MEMBER')
  })

  it('can be withdrawn, and expires after a week', async () => {
    const person = await signUp(app)
    const { body } = await invite({ email: person.email })
    const { token } = await newestEmailTo(app, person.email)
    const path = `/projects/${project.id}/invitations`
    expect((await app.request('DELETE', `${path}/${body.id}`, owner())).status).toBe(204)
    expect((await app.request('DELETE', `${path}/${body.id}`, owner())).status).toBe(404)
    expect((await app.request('DELETE', `${path}/nonsense`, owner())).status).toBe(404)
    expect((await accept(token, person.cookie)).status).toBe(400)

    await invite({ email: person.email })
    const late = (await newestEmailTo(app, person.email)).token
    app.clock.forward(7 * 24 * 3600_000 - 1000)
    const cookie = String(
      (await app.request('POST', '/auth/login', { body: { email: person.email, password: 'correct horse' } })).headers[
        'set-cookie'
      ],
    ).split(';')[0]!
    app.clock.forward(1000)
    expect((await accept(late, cookie)).status).toBe(400)
    expect((await app.request('POST', '/invitations/preview', { body: { token: late } })).status).toBe(400)
    expect(await list()).toEqual([])
  })

  it('to a member is a conflict; adding the person makes it invalid', async () => {
    const fresh = await createProject(app)
    const options = { key: fresh.secretKey }
    const person = await signUp(app)
    await invite({ email: person.email }, options, fresh.id)
    const { token } = await newestEmailTo(app, person.email)
    await add({ email: person.email, role: 'MEMBER' }, options, fresh.id)
    expect((await invite({ email: person.email }, options, fresh.id)).status).toBe(409)
    expect((await accept(token, person.cookie)).status).toBe(400)
  })

  it('allows signing up even if sign-up is disabled', async () => {
    const closed = await openTestApp({ DISABLE_SIGNUPS: 'false' })
    const own = await createProject(closed)
    Object.assign(closed.ctx, { settings: { ...closed.ctx.settings, DISABLE_SIGNUPS: true } })
    const email = newAddress()
    await closed.request('POST', `/projects/${own.id}/invitations`, { key: own.secretKey, body: { email } })
    const { token } = await newestEmailTo(closed, email)
    const signUpWith = (invitation?: string) =>
      closed.request('POST', '/auth/signup', { body: { email, password: 'correct horse', invitation } })
    const replies = [await signUpWith(), await signUpWith('made up'), await signUpWith(token)]
    await closed.close()
    expect(replies.map((reply) => reply.status)).toEqual([403, 400, 201])
  })
})

describe('an invitation link that an admin copies', () => {
  // Earlier tests move the clock past the end of sessions.
  beforeAll(async () => {
    project = await createProject(app)
  })

  const createLink = (id: string, options: TestRequest = owner(), projectId = project.id) =>
    app.request('POST', `/projects/${projectId}/invitations/${id}/link`, options)
  const tokenOf = (url: string) => new URL(url).searchParams.get('token')!
  const isVerified = async (cookie: string) => (await app.request('GET', '/users/@me', { cookie })).body.emailVerified

  it('replaces the link in the email, and does not confirm the address', async () => {
    const email = newAddress()
    const { body: invitation } = await invite({ email, role: 'MEMBER' })
    const sent = (await newestEmailTo(app, email)).token!
    const { status, body } = await createLink(invitation.id)
    expect(status).toBe(200)
    const person = await signUp(app, email)
    expect((await accept(sent, person.cookie)).status).toBe(400)
    expect((await accept(tokenOf(body.url), person.cookie)).status).toBe(200)
    expect(await isVerified(person.cookie)).toBe(false)
    expect((await members({ cookie: person.cookie })).status).toBe(200)
  })

  it('lets a new person sign up without confirming the address', async () => {
    const email = newAddress()
    const { body: invitation } = await invite({ email, role: 'MEMBER' })
    const { body } = await createLink(invitation.id)
    const account = { email, password: 'correct horse', invitation: tokenOf(body.url) }
    const { status, body: signedUp } = await app.request('POST', '/auth/signup', { body: account })
    expect({ status, verified: signedUp.data.emailVerified }).toEqual({ status: 201, verified: false })
  })

  it('confirms the address again if the invitation is sent again', async () => {
    const email = newAddress()
    const { body: invitation } = await invite({ email, role: 'MEMBER' })
    await createLink(invitation.id)
    await invite({ email, role: 'MEMBER' })
    const person = await signUp(app, email)
    expect((await accept((await newestEmailTo(app, email)).token, person.cookie)).status).toBe(200)
    expect(await isVerified(person.cookie)).toBe(true)
  })

  it('is refused to members, to other projects and for unknown invitations', async () => {
    const { body: invitation } = await invite({ email: newAddress(), role: 'MEMBER' })
    const member = await newMember()
    expect(await createLink(invitation.id, { cookie: member.cookie })).toMatchObject(forbidden)
    const other = await createProject(app)
    expect((await createLink(invitation.id, { cookie: other.owner.cookie }, other.id)).status).toBe(404)
    expect((await createLink(invitation.id, { key: other.secretKey }, project.id)).status).toBe(404)
    expect((await createLink(randomUUID())).status).toBe(404)
  })
})

describe('POST /projects/{id}/editing', () => {
  const ID = '0198c0de-0000-7000-8000-000000000001'
  const report = (options: TestRequest, body: object = { kind: 'templates', id: ID }, id = project.id) =>
    app.request('POST', `/projects/${id}/editing`, { ...options, body })

  it('names the other members who edit the same, until they stop reporting', async () => {
    const person = await newMember()
    expect((await report(owner())).body).toEqual({ others: [] })
    expect((await report({ cookie: person.cookie })).body).toEqual({
      others: [{ id: expect.any(String), email: project.owner.email }],
    })
    const another = { kind: 'campaigns', id: ID }
    expect((await report({ cookie: person.cookie }, another)).body).toEqual({ others: [] })
    await report({ cookie: person.cookie })
    app.clock.forward(46_000)
    expect((await report(owner())).body).toEqual({ others: [] })
  })

  it('tells a key who edits, and is hidden from other people', async () => {
    const stranger = await signUp(app)
    await report(owner())
    expect((await report({ key: project.secretKey })).body.others).toHaveLength(1)
    expect((await report({ cookie: stranger.cookie })).status).toBe(404)
  })
})
