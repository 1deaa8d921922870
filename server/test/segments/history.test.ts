/** The size of segments by day: what is recorded and when, what GET /segments/{id}/history returns, and when it is deleted. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteOldSegmentSizes } from '../../features/audience/segments/actions.ts'
import { recordSegmentSizes } from '../../features/audience/segments/history/sizes.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const DAY = 86_400_000

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(new Date('2026-11-18T10:00:00Z'))
  project = await createProject(app)
})

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })
const PRO = { logic: 'AND', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] }
const add = (name: string, plan: string) => call('POST', '/contacts', { email: `${name}@example.org`, data: { plan } })
const create = async (body: object): Promise<string> =>
  (await call('POST', '/segments', { name: 'S', condition: PRO, ...body })).body.id
const record = () => recordSegmentSizes(app.ctx)
const history = async (id: string, query = '') => (await call('GET', `/segments/${id}/history${query}`)).body.data

describe('the history of a segment', () => {
  it('has a day after it was recorded, with the share of all contacts, and keeps the first size of a day', async () => {
    for (const [name, plan] of [
      ['a', 'pro'],
      ['b', 'free'],
      ['c', 'free'],
      ['d', 'free'],
    ])
      await add(name!, plan!)
    const dynamic = await create({})
    const fixed = await create({ type: 'STATIC' })
    await call('POST', `/segments/${fixed}/members`, { emails: ['a@example.org', 'b@example.org'] })
    const tracked = await create({ trackMembership: true })
    await call('POST', `/segments/${tracked}/compute`)
    expect(await history(dynamic)).toEqual([])
    await record()
    const first = { day: '2026-11-18', contacts: 1, total: 4, share: 0.25 }
    expect(await history(dynamic)).toEqual([first])
    expect(await history(tracked)).toEqual([first])
    expect(await history(fixed)).toEqual([{ ...first, contacts: 2, share: 0.5 }])
    await add('e', 'pro')
    await record()
    expect(await history(dynamic)).toEqual([first])
    app.clock.forward(2 * DAY)
    await record()
    expect(await history(dynamic)).toEqual([first, { day: '2026-11-20', contacts: 2, total: 5, share: 0.4 }])
    expect(await history(dynamic, '?from=2026-11-19&to=2026-11-20')).toHaveLength(1)
  })

  it('is empty for a project without contacts only in its share', async () => {
    const id = await create({})
    await record()
    expect(await history(id)).toEqual([{ day: '2026-11-18', contacts: 0, total: 0, share: 0 }])
  })

  it('is not recorded while the project is disabled', async () => {
    const id = await create({})
    await app.pool.query('update projects set disabled_at = now() where id = $1', [project.id])
    await record()
    await app.pool.query('update projects set disabled_at = null where id = $1', [project.id])
    expect(await history(id)).toEqual([])
  })

  it('is deleted with its segment, and after two years', async () => {
    const [kept, deleted] = [await create({}), await create({})]
    await record()
    await call('DELETE', `/segments/${deleted}`)
    const days = async () =>
      (await app.pool.query('select segment_id from segment_sizes where project_id = $1', [project.id])).rows
    expect(await days()).toEqual([{ segment_id: kept }])
    app.clock.forward(732 * DAY)
    await deleteOldSegmentSizes(app.ctx)
    expect(await days()).toHaveLength(1)
    app.clock.forward(DAY)
    await deleteOldSegmentSizes(app.ctx)
    expect(await days()).toEqual([])
  })

  it('is only readable with a key of its project', async () => {
    const id = await create({})
    const other = await createProject(app)
    expect((await call('GET', `/segments/${id}/history`, undefined, other.secretKey)).status).toBe(404)
  })

  it('returns 400 for a range of more than 366 days', async () => {
    const id = await create({})
    expect((await call('GET', `/segments/${id}/history?from=2024-01-01`)).status).toBe(400)
  })
})
