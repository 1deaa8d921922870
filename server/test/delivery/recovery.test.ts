/** Work of a process that exited is taken over or deleted. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { extendWatches } from '../../features/insight/activity/queries.ts'
import { createBreaker } from '../../features/mail/delivery/breaker.ts'
import { claimProbe, pauseTransport, releaseProbe } from '../../features/mail/delivery/queries.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { releaseJobsOfExited } from '../../platform/queue/claimed-jobs.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

/** To all contacts, of which this one is new. */
async function startCampaign(email: string): Promise<string> {
  await call('POST', '/contacts', { email, subscribed: true })
  const news = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }
  const { id } = (await call('POST', '/campaigns', news)).body
  await call('POST', `/campaigns/${id}/send`)
  return id
}

it('a campaign whose jobs were lost is sent after ten minutes', async () => {
  const id = await startCampaign('reader@example.org')
  await app.pool.query('delete from posthorn_queue.jobs')

  const runRecovery = () => app.jobs['recover-campaigns']({}, { attempt: 1, at: app.clock.now() })
  await runRecovery()
  await app.drain()
  expect((await call('GET', `/campaigns/${id}`)).body).toMatchObject({ status: 'SENDING', sentCount: 0 })
  app.clock.forward(11 * 60_000)
  await runRecovery()
  await app.drain()
  expect((await call('GET', `/campaigns/${id}`)).body).toMatchObject({ status: 'SENT', sentCount: 1 })
})

it.each([
  ['PENDING', 'FAILED'],
  ['SENDING', 'FAILED'],
  ['SENT', 'SENT'],
])(
  'an email that is %s when the process exits during the last attempt of its job ends as %s',
  async (before, after) => {
    const { body } = await app.request('POST', '/v1/send', {
      key: project.secretKey,
      body: { to: 'ada@example.org', from: 'us@example.com', subject: 'Hello', body: '<p>Hi</p>' },
    })
    const emailId = body.data.emails[0].email
    await app.pool.query('update emails set status = $2 where id = $1', [emailId, before])
    await app.pool.query('update posthorn_queue.jobs set attempts = max_attempts, locked_by = 1, locked_at = now()')
    expect(await releaseJobsOfExited(app.pool)).toBe(1)
    await expect(app.drain()).rejects.toThrow('exited during the last attempt')
    const email = (await app.request('GET', `/emails/${emailId}`, { key: project.secretKey })).body
    expect(email).toMatchObject({
      status: after,
      error: after === 'FAILED' ? expect.stringContaining('may have been sent') : null,
    })
    await app.pool.query('delete from posthorn_queue.jobs')
  },
)

const REFUSED = { reason: 'refused', credentialsRefused: false }
const ACCEPTED = { outcome: 'accepted', providerId: '1', delivered: true } as const

it('one process at a time tests whether a paused transport works again, and can release the test', async () => {
  const now = app.clock.now()
  await pauseTransport(app.db, 'smtp', REFUSED, now, { first: 1_000, longest: 1_000 })
  const later = new Date(now.getTime() + 2_000)
  const probe = { now: later, probeMs: 60_000, longestPauseMs: 1_000, prober: null }
  const take = () => claimProbe(app.db, 'smtp', probe)
  expect([await take(), await take()]).toEqual([true, false])
  await releaseProbe(app.db, 'smtp', 4711) // that of another process
  expect(await take()).toBe(false)
  await releaseProbe(app.db, 'smtp', null)
  expect([await take(), await take()]).toEqual([true, false])
  await app.pool.query(`update transport_pauses set probed_by = 4711`) // a process that has exited
  await expect.poll(take).toBe(true) // after a start of PostgreSQL, all count as running for seconds
})

it('one of many emails tests whether a paused transport works again, until it has an outcome', async () => {
  const transport = app.ctx.mail.id
  await pauseTransport(app.db, transport, REFUSED, app.clock.now(), { first: 1_000, longest: 1_000 })
  app.clock.forward(2_000)
  const breaker = createBreaker(app.ctx)
  const emails = ['a', 'b', 'c', 'd']
  const waits = await Promise.all(emails.map((email) => breaker.pausedUntil(email)))
  expect(waits.filter((wait) => !wait)).toHaveLength(1)
  const prober = emails[waits.indexOf(undefined)]!
  for (const other of emails) if (other !== prober) await breaker.releaseProbe(other)
  expect(await breaker.pausedUntil('e')).toMatchObject({ reason: expect.stringContaining('testing') })
  await breaker.releaseProbe(prober)
  expect(await breaker.pausedUntil('e')).toBeUndefined()
  await breaker.record(ACCEPTED)
  expect(await breaker.pausedUntil('a')).toBeUndefined()
})

it('a pause begins or ends even if the statement that records it fails at first', async () => {
  const rename = (from: string, to: string) => app.pool.query(`alter table ${from} rename to ${to}`)
  await pauseTransport(app.db, app.ctx.mail.id, REFUSED, app.clock.now(), { first: 1_000, longest: 1_000 })
  app.clock.forward(2_000)
  const breaker = createBreaker(app.ctx)
  expect(await breaker.pausedUntil('a')).toBeUndefined()
  const unavailable = { outcome: 'unavailable', reason: 'refused again' } as const
  for (const record of [() => breaker.record(unavailable), () => breaker.record(ACCEPTED)]) {
    await rename('transport_pauses', 'renamed_pauses')
    try {
      await expect(record()).rejects.toThrow('transport_pauses')
      expect(await breaker.pausedUntil('b'), 'while it is not recorded').toBeDefined()
    } finally {
      await rename('renamed_pauses', 'transport_pauses')
    }
    await record()
  }
  expect(await breaker.pausedUntil('b')).toBeUndefined()
  const { rows } = await app.pool.query('select from transport_pauses where transport = $1', [app.ctx.mail.id])
  expect(rows).toEqual([])
})

it('the emails of a slice that failed too often are sent one by one, and the campaign completes', async () => {
  const id = await startCampaign('unlucky@example.org')
  const ref = { projectId: project.id, campaignId: id, emailIds: [] }
  await app.jobs['send-campaign-slice'](ref, { attempt: 1, priority: PRIORITY.campaign, at: app.clock.now() })
  const { rows } = await app.pool.query('select id from emails where campaign_id = $1 order by id', [id])
  expect(rows.length).toBeGreaterThan(1)
  await app.pool.query('delete from posthorn_queue.jobs')
  await app.failedJobs['send-campaign-slice']!({ ...ref, emailIds: rows.map((row) => row.id) })
  const jobs = await app.pool.query(
    `select name, priority from posthorn_queue.jobs where payload->>'emailId' is not null`,
  )
  expect(jobs.rows).toEqual(rows.map(() => ({ name: 'deliver-email', priority: PRIORITY.campaign })))
  await app.failedJobs['deliver-email']!({ projectId: project.id, emailId: rows[0].id }) // one of them fails as well
  await app.drain()
  app.clock.forward(11 * 60_000)
  await app.jobs['recover-campaigns']({}, { attempt: 1, priority: PRIORITY.campaign, at: app.clock.now() })
  await app.drain()
  const after = await app.pool.query('select status from emails where campaign_id = $1 order by id', [id])
  expect(after.rows.map(({ status }) => status)).toEqual(['FAILED', ...rows.slice(1).map(() => 'DELIVERED')])
  expect((await call('GET', `/campaigns/${id}`)).body).toMatchObject({ status: 'SENT', sentCount: rows.length - 1 })
})

it('watched projects are deleted after an hour without an activity stream in any process', async () => {
  const other = await createProject(app)
  await app.pool.query(`insert into activity_watchers (project_id, until) values ($1, now() - interval '2 hours')`, [
    other.id,
  ])
  await extendWatches(app.db, [project.id], 60)
  const { rows } = await app.pool.query('select project_id from activity_watchers')
  expect(rows).toEqual([{ project_id: project.id }])
})
