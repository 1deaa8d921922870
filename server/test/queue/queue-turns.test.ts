/** Projects share the slots of a worker: one that has more jobs than there are slots doesn't delay the others. */
import { expect, test } from 'vitest'
import { enqueue, enqueueMany } from '../../platform/queue/job-table.ts'
import { type DeliverEmail, eventually, gate, handlersWith, setUpQueueFixture } from './queue-fixture.ts'

const fixture = setUpQueueFixture()

test.each([2, 4, 10])('a project whose jobs use all of %i slots delays no other project', async (concurrency) => {
  const { opened, open } = gate()
  const started: string[] = []
  const hog = Array.from({ length: 500 }, (_, i) => ({ projectId: 'hog', emailId: `hog ${i}` }))
  await enqueueMany(fixture.db, 'deliver-email', hog)
  const deliver: DeliverEmail = async ({ projectId, emailId }) => {
    started.push(emailId)
    if (projectId === 'hog') await opened
  }
  await fixture.work(deliver, { concurrency, pace: { handlersMs: 0 } })
  await eventually(() => started.length >= concurrency, 'the hog uses every slot')
  for (const projectId of ['a', 'b', 'z']) {
    await enqueue(fixture.db, 'deliver-email', { projectId, emailId: projectId })
    await eventually(() => started.includes(projectId), `project ${projectId} has its turn`)
  }
  expect(started.filter((id) => id.startsWith('hog'))).toHaveLength(concurrency)
  open()
})

test.each([1, 3, 20])(
  '%i slots are enough for each of twelve projects with a backlog to have its turn',
  async (concurrency) => {
    const projects = Array.from({ length: 12 }, (_, i) => `project ${i}`)
    const order: string[] = []
    for (const projectId of projects) {
      const jobs = Array.from({ length: 100 }, (_, i) => ({ projectId, emailId: `${projectId} ${i}` }))
      await enqueueMany(fixture.db, 'deliver-email', jobs)
    }
    const deliver: DeliverEmail = async ({ projectId }) => {
      order.push(projectId)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await fixture.work(deliver, { concurrency, pace: { handlersMs: 0 } })
    await eventually(() => projects.every((project) => order.includes(project)), 'every project has its turn')
    expect(order.length).toBeLessThan(900) // in the order of arrival, the last project would be the 1,101st
  },
)

test('jobs of no project have turns as well, and a job that is due later is not claimed early', async () => {
  const { opened, open } = gate()
  const started: string[] = []
  const hog = Array.from({ length: 100 }, (_, i) => ({ projectId: 'hog', emailId: `hog ${i}` }))
  await enqueueMany(fixture.db, 'deliver-email', hog)
  const deliver: DeliverEmail = async ({ projectId, emailId }) => {
    started.push(emailId)
    if (projectId === 'hog') await opened
  }
  const handlers = handlersWith(deliver, { 'send-account-mail': async ({ email }) => void started.push(email) })
  await fixture.work(deliver, { concurrency: 5, handlers, pace: { handlersMs: 0 } })
  await eventually(() => started.length >= 5, 'the hog uses every slot')
  const later = new Date(Date.now() + 3_600_000)
  await enqueue(fixture.db, 'deliver-email', { projectId: 'a', emailId: 'later' }, { runAt: later })
  await enqueue(fixture.db, 'send-account-mail', { purpose: 'VERIFY_EMAIL', email: 'account' })
  await eventually(() => started.includes('account'), 'the job of no project has its turn')
  expect(started).not.toContain('later')
  open()
})

test('the project of a job is found in payloads of any form', async () => {
  const payloads = [
    '{"projectId":"a","odd":"\\u0000"}',
    '{"emailId" : "e", "projectId" : "b"}',
    '{"text":"\\"projectId\\":\\"c\\""}',
  ]
  await fixture.database.pool.query(
    `insert into posthorn_queue.jobs (name, payload, priority, max_attempts)
     select 'deliver-email', payload::json, 0, 25 from unnest($1::text[]) as payload`,
    [payloads],
  )
  const found = async (busy: string[]) => {
    const { rows } = await fixture.database.pool.query(
      `select payload::text from posthorn_queue.jobs
       where id in (select posthorn_queue.find_in_turn(array['deliver-email'], 0::smallint, $1, 'a', 1, 10))`,
      [busy],
    )
    return rows.map(({ payload }) => payloads.indexOf(payload)).sort()
  }
  expect(await found([])).toEqual([0, 1, 2])
  expect(await found(['a'])).toEqual([1, 2])
  expect(await found(['a', 'b'])).toEqual([2])
  expect(await found(['a', 'b', '-'])).toEqual([])
})
