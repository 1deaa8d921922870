/** When API keys were last used. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

type Project = Awaited<ReturnType<typeof createProject>>

const usesOf = async ({ id, secretKey }: Project) => {
  const { status, body } = await app.request('GET', `/projects/${id}/keys`, { key: secretKey })
  expect(status).toBe(200)
  return Object.fromEntries(body.map(({ type, lastUsedAt }: Record<string, string>) => [type, lastUsedAt]))
}
/** Recorded after the response, so the test waits for it. */
const expectUses = (project: Project, expected: object) =>
  vi.waitFor(async () => expect(await usesOf(project)).toEqual(expected))
const track = ({ publicKey }: Project) =>
  app.request('POST', '/v1/track', { key: publicKey, body: { event: 'signup', email: 'ada@example.org' } })
const now = () => app.clock.now().toISOString()

it('each key shows when it was last used, and null before', async () => {
  const project = await createProject(app)
  const created = now()
  await expectUses(project, { SECRET: created, PUBLIC: null })
  app.clock.forward(60_000)
  expect((await track(project)).status).toBe(200)
  await expectUses(project, { SECRET: now(), PUBLIC: now() })
})

it('a use within a minute of the last one is not written', async () => {
  const project = await createProject(app)
  const first = now()
  await expectUses(project, { SECRET: first, PUBLIC: null })
  const written = async () =>
    (await app.pool.query('select xmin::text from key_uses where project_id = $1', [project.id])).rows
  const before = await written()
  app.clock.forward(59_000)
  for (let i = 0; i < 5; i++) await usesOf(project)
  await app.pool.query('select 1')
  expect(await usesOf(project)).toEqual({ SECRET: first, PUBLIC: null })
  expect(await written()).toEqual(before)
})

it('new keys have not been used', async () => {
  const project = await createProject(app)
  await track(project)
  await expectUses(project, { SECRET: now(), PUBLIC: now() })
  const { body } = await app.request('POST', `/users/@me/projects/${project.id}/regenerate-keys`, {
    key: project.secretKey,
  })
  await expectUses({ ...project, secretKey: body.secret }, { SECRET: now(), PUBLIC: null })
})

it('the keys of another project are not found', async () => {
  const [mine, theirs] = [await createProject(app), await createProject(app)]
  expect((await app.request('GET', `/projects/${theirs.id}/keys`, { key: mine.secretKey })).status).toBe(404)
})
