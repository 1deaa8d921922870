/** What an account can make the installation send to other people, and how many projects it can have. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameInEmail } from '../../features/record/notices/names.ts'
import { addedNotice, invitationNotice } from '../../features/tenants/members/notices.ts'
import { emailsTo } from '../captured-mail.ts'
import { createProject, openTestApp, signUp, type TestApp } from '../harness.ts'

const DAY_MS = 86_400_000
let app: TestApp
let counter = 0

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: '1000', PROJECTS_PER_ACCOUNT: '12' })
})
afterAll(() => app.close())

const newAddress = () => `guest-${++counter}@example.org`
type Project = Awaited<ReturnType<typeof createProject>>

const invite = (project: Project, email: string, as: object = { key: project.secretKey }) =>
  app.request('POST', `/projects/${project.id}/invitations`, { ...as, body: { email, role: 'MEMBER' } })
const add = (project: Project, email: string, as: object = { key: project.secretKey }) =>
  app.request('POST', `/projects/${project.id}/members`, { ...as, body: { email, role: 'MEMBER' } })
const create = (cookie: string) => app.request('POST', '/users/@me/projects', { cookie, body: { name: 'Another' } })

/** Another project of the same owner. */
async function anotherProject({ owner }: Project): Promise<Project> {
  const { body } = await create(owner.cookie)
  return { id: body.id, publicKey: body.public, secretKey: body.secret, owner }
}

const tooMany = { status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } }

describe('invitations', () => {
  it('are limited to 20 a day by account, over all its projects, with a key and with a session', async () => {
    const first = await createProject(app)
    const second = await anotherProject(first)
    for (let i = 0; i < 10; i++) expect((await invite(first, newAddress())).status).toBe(201)
    for (let i = 0; i < 10; i++) expect((await invite(second, newAddress(), first.owner)).status).toBe(201)
    for (const project of [first, second]) {
      const refused = await invite(project, newAddress())
      expect(refused).toMatchObject(tooMany)
      expect(Number(refused.headers['retry-after'])).toBe(DAY_MS / 1000)
    }
    const pending = await app.request('GET', `/projects/${first.id}/invitations`, { key: first.secretKey })
    expect(pending.body.data, 'a refused invitation is not stored').toHaveLength(10)
    app.clock.forward(DAY_MS)
    expect((await invite(first, newAddress())).status).toBe(201)
  })

  it('are limited to 3 a day for a recipient, from all accounts', async () => {
    const victim = newAddress()
    const projects = [await createProject(app), await createProject(app), await createProject(app)]
    for (const project of projects) expect((await invite(project, victim)).status).toBe(201)
    expect(await invite(await createProject(app), victim.toUpperCase())).toMatchObject(tooMany)
    expect(await emailsTo(app, victim)).toHaveLength(3)
    expect((await invite(projects[0]!, newAddress())).status).toBe(201)
  })

  it('are counted one after the other', async () => {
    const victim = newAddress()
    const projects = await Promise.all(Array.from({ length: 6 }, () => createProject(app)))
    const replies = await Promise.all(projects.map((project) => invite(project, victim)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429])
  })

  it('need a confirmed address of the account, also with the key of its project', async () => {
    const real = await openTestApp({ MAIL_URL: 'smtp://127.0.0.1:9' })
    try {
      const project = await createProject(real)
      const send = (as: object) =>
        real.request('POST', `/projects/${project.id}/invitations`, {
          ...as,
          body: { email: newAddress(), role: 'MEMBER' },
        })
      for (const as of [{ key: project.secretKey }, { cookie: project.owner.cookie }]) {
        expect(await send(as)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
      }
      const colleague = await signUp(real)
      await real.pool.query('update users set email_verified_at = now() where id = $1', [colleague.id])
      const added = await real.request('POST', `/projects/${project.id}/members`, {
        key: project.secretKey,
        body: { email: colleague.email, role: 'MEMBER' },
      })
      expect(added.status).toBe(201)
      const notices = () => real.pool.query("select from posthorn_queue.jobs where name = 'send-notice'")
      expect((await notices()).rowCount, 'nobody gets an email').toBe(0)
      await real.pool.query('update users set email_verified_at = now() where id = $1', [project.owner.id])
      expect((await send({ key: project.secretKey })).status).toBe(201)
      expect((await notices()).rowCount).toBe(1)
    } finally {
      await real.close()
    }
  })
})

describe('adding members', () => {
  it('counts as an invitation; beyond the limit the person is added without an email', async () => {
    const person = await signUp(app)
    const projects = await Promise.all(Array.from({ length: 4 }, () => createProject(app)))
    for (const project of projects) expect((await add(project, person.email)).status).toBe(201)
    expect(await emailsTo(app, person.email)).toHaveLength(3)
  })

  it('by addresses without an account is limited, and then no longer shows who has one', async () => {
    const project = await createProject(app)
    for (let i = 0; i < 20; i++) expect((await add(project, newAddress())).status).toBe(404)
    const known = await signUp(app)
    for (const email of [newAddress(), known.email]) expect(await add(project, email)).toMatchObject(tooMany)
    app.clock.forward(DAY_MS)
    expect((await add(project, known.email)).status).toBe(201)
  })

  it('is limited by network', async () => {
    const limited = await openTestApp({ RATE_LIMIT_PER_MINUTE: '20' })
    try {
      const statuses = []
      for (let i = 0; i < 6; i++) {
        const project = await createProject(limited)
        for (let j = 0; j < 2; j++) {
          const path = `/projects/${project.id}/members`
          const options = { key: project.secretKey, body: { email: newAddress(), role: 'MEMBER' } }
          statuses.push((await limited.request('POST', path, options)).status)
        }
      }
      expect(statuses).toEqual([...Array(10).fill(404), 429, 429])
    } finally {
      await limited.close()
    }
  })
})

describe('projects', () => {
  it('can be created ten times a minute by an account', async () => {
    const { cookie } = await signUp(app)
    const replies = await Promise.all(Array.from({ length: 11 }, () => create(cookie)))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 429])
    const refused = await create(cookie)
    expect(refused).toMatchObject(tooMany)
    expect(Number(refused.headers['retry-after'])).toBe(60)
    expect((await create((await signUp(app)).cookie)).status, 'another account').toBe(201)
    app.clock.forward(60_000)
    expect((await create(cookie)).status).toBe(201)
  })

  it('are limited by PROJECTS_PER_ACCOUNT; deleting one makes room', async () => {
    const { cookie } = await signUp(app)
    const ids: string[] = []
    for (let i = 0; i < 12; i++) {
      if (i === 10) app.clock.forward(60_000)
      const { status, body } = await create(cookie)
      expect(status).toBe(201)
      ids.push(body.id)
    }
    const refused = await create(cookie)
    expect(refused).toMatchObject(tooMany)
    expect(refused.headers['retry-after']).toBeDefined()
    expect((await app.request('DELETE', `/users/@me/projects/${ids[0]}`, { cookie })).status).toBe(204)
    expect((await create(cookie)).status).toBe(201)
  })
})

describe('requests with a session that concern no project', () => {
  it('are limited by account', async () => {
    const limited = await openTestApp({ RATE_LIMIT_PER_MINUTE: '5' })
    try {
      const [person, other] = [await signUp(limited), await signUp(limited)]
      const me = (cookie: string, path = '/users/@me') => limited.request('GET', path, { cookie })
      for (let i = 0; i < 5; i++) expect((await me(person.cookie)).status).toBe(200)
      const refused = await me(person.cookie, '/auth/sessions')
      expect(refused).toMatchObject(tooMany)
      expect(refused.headers['retry-after']).toBeDefined()
      expect((await me(other.cookie)).status).toBe(200)
      limited.clock.forward(60_000)
      expect((await me(person.cookie)).status).toBe(200)
    } finally {
      await limited.close()
    }
  })

  it('and requests for projects of others count too', async () => {
    const limited = await openTestApp({ RATE_LIMIT_PER_MINUTE: '5' })
    try {
      const { id: projectId } = await createProject(limited)
      const { cookie } = await signUp(limited)
      const guess = () => limited.request('GET', '/contacts', { cookie, projectId })
      for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(403)
      expect(await guess()).toMatchObject(tooMany)
    } finally {
      await limited.close()
    }
  })
})

describe('the name of a project in an email to someone else', () => {
  it.each([
    ['Acme', 'the project “Acme”'],
    ['Müller & Söhne', 'the project “Müller & Söhne”'],
    ['Shop 2.0', 'the project “Shop …”'],
    [
      'Your account is locked, unlock it at https://evil.test/0 now',
      'the project “Your account is locked, unlock it at … now”',
    ],
    ['evil.test', 'a project'],
    ['go to evil.test/path or www.evil', 'the project “go to … or …”'],
    ['HTTPS://EVIL pay', 'the project “… pay”'],
    ['fullwidth ｅｖｉｌ．ｔｅｓｔ', 'the project “fullwidth …”'],
    ['evil。test', 'a project'],
    ['mailto:a@b now', 'the project “… now”'],
    ['hidden evil\u200b.\u200btest', 'the project “hidden …”'],
    ['turned \u202Etset.live', 'the project “turned …”'],
    ['call +1 (800) 555-0100', 'the project “call …”'],
    ['two\r\nlines', 'the project “two lines”'],
    ['x'.repeat(100), `the project “${'x'.repeat(60)}…”`],
  ])('%j is %j', (name, shown) => {
    expect(nameInEmail('project', name)).toBe(shown)
  })

  it('is shown like that in the subject and the text', () => {
    const project = 'Win at https://evil.test'
    const facts = { to: 'a@example.org', role: 'MEMBER', project, baseUrl: 'https://own.test' }
    const added = addedNotice(facts)
    const invited = invitationNotice({ ...facts, invitedBy: null, link: 'https://own.test/x', days: 7 })
    for (const { subject, text } of [added, invited]) expect(subject + text).not.toMatch(/evil/)
  })
})
