/** The audit log: who did what to a project, when, and from where. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldAuditEntries, recordAuditEntry } from '../../features/record/audit/actions.ts'
import { transaction } from '../../platform/database/connection/transaction.ts'
import { newestEmailTo } from '../captured-mail.ts'
import { createProject, openTestApp, signUp, type TestApp } from '../harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

type Project = Awaited<ReturnType<typeof createProject>>

const log = async (project: Project, query = '') =>
  (await app.request('GET', `/projects/${project.id}/audit-log${query}`, { key: project.secretKey })).body
const actsOf = async (project: Project) => (await log(project)).data.map((entry: { act: string }) => entry.act)

describe('the audit log', () => {
  it('starts with the creation of the project, with actor and IP address', async () => {
    const project = await createProject(app, 'Shop')
    const { data, total } = await log(project, '?act=project.created')
    expect(total).toBe(1)
    expect(data).toEqual([
      {
        id: expect.any(String),
        act: 'project.created',
        actor: {
          type: 'user',
          id: project.owner.id,
          name: project.owner.email,
          userId: project.owner.id,
          email: project.owner.email,
        },
        details: { name: 'Shop' },
        ip: '127.0.0.1',
        createdAt: app.clock.now().toISOString(),
      },
    ])
  })

  it('has every action on members, invitations and keys, newest first, and only those that happened', async () => {
    const project = await createProject(app)
    const { cookie } = project.owner
    const [person, guest] = [await signUp(app), await signUp(app)]
    const path = `/projects/${project.id}`
    const call = (method: string, rest: string, body?: unknown) =>
      app.request(method, `${path}${rest}`, { cookie, ...(body !== undefined && { body }) })
    await call('POST', '/members', { email: person.email, role: 'MEMBER' })
    await call('POST', '/members', { email: person.email, role: 'MEMBER' })
    await call('PATCH', `/members/${person.id}`, { role: 'ADMIN' })
    await call('PATCH', `/members/${person.id}`, { role: 'ADMIN' })
    await call('DELETE', `/members/${person.id}`)
    await call('DELETE', `/members/${project.owner.id}`)
    const { body: withdrawn } = await call('POST', '/invitations', { email: 'x@example.org' })
    await call('DELETE', `/invitations/${withdrawn.id}`)
    await call('POST', '/invitations', { email: guest.email })
    const { token } = await newestEmailTo(app, guest.email)
    await app.request('POST', '/invitations/accept', { cookie: guest.cookie, body: { token } })
    const { data } = (await call('GET', '/audit-log')).body
    const members = data.filter((entry: { act: string }) => !entry.act.startsWith('domain.'))
    expect(members).toMatchObject([
      { act: 'invitation.accepted', actor: { userId: guest.id }, details: { email: guest.email, role: 'MEMBER' } },
      { act: 'invitation.made', actor: { userId: project.owner.id }, details: { email: guest.email } },
      { act: 'invitation.withdrawn', details: { email: 'x@example.org' } },
      { act: 'invitation.made', details: { email: 'x@example.org', role: 'MEMBER' } },
      { act: 'member.removed', details: { userId: person.id, role: 'ADMIN' } },
      { act: 'member.role-changed', details: { userId: person.id, from: 'MEMBER', to: 'ADMIN' } },
      { act: 'member.added', details: { userId: person.id, email: person.email, role: 'MEMBER' } },
      { act: 'project.created' },
    ])
    expect(JSON.stringify(data)).not.toContain(token)

    const keys = await app.request('POST', `/users/@me/projects/${project.id}/regenerate-keys`, {
      key: project.secretKey,
    })
    const after = (await app.request('GET', `${path}/audit-log?limit=1`, { key: keys.body.secretKey })).body.data
    expect(after).toMatchObject([
      { act: 'keys.regenerated', actor: { type: 'key', id: null, name: 'Secret key', userId: null }, details: {} },
    ])
    expect(JSON.stringify(after)).not.toContain(keys.body.secretKey)
  })

  it('has pages and a filter by action', async () => {
    const project = await createProject(app)
    const before = (await actsOf(project)).length
    for (let i = 0; i < 5; i++) {
      await recordAuditEntry(app.ctx, app.ctx.db, {
        projectId: project.id,
        actor: 'system',
        act: 'project.changed',
        details: { i },
      })
    }
    const first = await log(project, '?limit=3')
    expect(first).toMatchObject({ hasMore: true, total: before + 5 })
    expect(first.data.map((entry: { details: { i: number } }) => entry.details.i)).toEqual([4, 3, 2])
    const second = await log(project, `?limit=100&cursor=${first.cursor}`)
    expect(second).toMatchObject({ hasMore: false, cursor: null, total: 0 })
    expect(second.data).toHaveLength(before + 2)
    const filtered = await log(project, '?act=project.changed&limit=2')
    expect(filtered).toMatchObject({ total: 5, data: [{ actor: { type: 'system', id: null, name: 'Posthorn' } }, {}] })
    for (const [query, status] of [
      ['?cursor=nonsense', 400],
      ['?act=nonsense', 422],
    ] as const) {
      const reply = await app.request('GET', `/projects/${project.id}/audit-log${query}`, { key: project.secretKey })
      expect(reply.status).toBe(status)
    }
  })

  it('has no entry for an action that was rolled back', async () => {
    const project = await createProject(app)
    const before = await actsOf(project)
    const failing = transaction(app.ctx.db, async (tx) => {
      await recordAuditEntry(app.ctx, tx, { projectId: project.id, actor: project.owner.id, act: 'project.reset' })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await actsOf(project)).toEqual(before)
  })

  it("is separate from the activity of contacts, and other projects don't see it", async () => {
    const [mine, theirs] = [await createProject(app), await createProject(app)]
    const reply = await app.request('GET', `/projects/${theirs.id}/audit-log`, { key: mine.secretKey })
    expect(reply.status).toBe(404)
    const { body } = await app.request('GET', '/events', { key: mine.secretKey })
    expect(JSON.stringify(body)).not.toContain('project.created')
  })

  it('keeps entries for two years', async () => {
    const project = await createProject(app)
    const start = app.clock.now()
    app.clock.forward(729 * 24 * 3600_000)
    await deleteOldAuditEntries(app.ctx)
    expect(await actsOf(project)).toContain('project.created')
    app.clock.forward(2 * 24 * 3600_000)
    await deleteOldAuditEntries(app.ctx)
    expect(await actsOf(project)).not.toContain('project.created')
    app.clock.set(start)
  })
})
