/** The jobs of events that one statement records. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countRows, type Fixture, openFixture } from '../workflows/workflow-fixture.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.app.close())

const jobsOfEvents = () => countRows(fixture.app, 'posthorn_queue.jobs', `name = 'dispatch-event'`)

it('an event of a process of the previous version, which adds no job itself, gets one job, as does one of this version', async () => {
  const workflow = await fixture.createWorkflow({ eventName: 'upgraded' }, [['EXIT', {}]])
  const { body } = await fixture.track('old@example.org', 'something')
  await fixture.app.pool.query(
    `insert into events (project_id, id, name, contact_id, created_at) values ($1, gen_random_uuid(), 'upgraded', $2, now())`,
    [fixture.project.id, body.data.contact],
  )
  expect(await jobsOfEvents()).toBe(1)
  await fixture.track('new@example.org', 'upgraded')
  expect(await jobsOfEvents()).toBe(2)
  await fixture.app.drain()
  expect((await fixture.executions(workflow)).map(({ status }) => status)).toEqual(['EXITED', 'EXITED'])
})

it('101 events of one statement that start a workflow share two jobs', async () => {
  await fixture.createWorkflow({ eventName: 'segment.many.entry' }, [['EXIT', {}]])
  const emails = Array.from({ length: 101 }, (_, i) => `many${i}@example.org`)
  const { body: segment } = await fixture.ask('POST', '/segments', {
    name: 'Many',
    type: 'STATIC',
    trackMembership: true,
  })
  await fixture.ask('POST', `/segments/${segment.id}/members`, { emails, createMissing: true })
  const { rows } = await fixture.app.pool.query(
    `select json_array_length(payload -> 'eventIds') as events from posthorn_queue.jobs where name = 'dispatch-event' order by 1 desc`,
  )
  expect(rows).toEqual([{ events: 100 }, { events: 1 }])
  await fixture.app.drain()
})
