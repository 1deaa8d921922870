/**
 * Emails are claimed in batches, and each is claimed, canceled or left independently of the others. A claim whose reply is
 * lost is released.
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServices } from '../../app.ts'
import { claimEmails, resolveUnclaimed } from '../../features/mail/delivery/claim-queries.ts'
import { openDatabase } from '../../platform/database/connection/connect.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { holdLock } from '../../platform/queue/process-lock.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { openProxy } from '../tcp-proxy.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let project: Project
let other: Project

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  other = await createProject(app)
})
afterAll(() => app.close())

async function send({ id, secretKey }: Project, to: string[], subject: string) {
  const body = { to, from: 'shop@example.com', subject, body: `<p>${subject}</p>` }
  const reply = await app.request('POST', '/v1/send', { key: secretKey, body })
  expect(reply.status).toBe(200)
  return reply.body.data.emails.map(({ email }: { email: string }) => ({
    projectId: id,
    emailId: email,
    takeOver: false,
  }))
}

const rowOf = async (emailId: string) =>
  (await app.pool.query('select status, attempts, error from emails where id = $1', [emailId])).rows[0]

it('claims emails that can be sent, cancels those that can no longer be sent, and returns why the others must wait', async () => {
  const shared = await send(project, ['a@example.org', 'b@example.org'], 'To both')
  const [alone] = await send(project, ['c@example.org'], 'To one')
  const [withoutContent] = await send(project, ['d@example.org'], 'Without content')
  const [leased] = await send(project, ['e@example.org'], 'Leased')
  const [done] = await send(project, ['f@example.org'], 'Done')
  const [disabled] = await send(other, ['a@example.org'], 'Of another project')
  const until = new Date(app.clock.now().getTime() + 60_000)
  await app.pool.query('delete from email_contents where id = (select content_id from emails where id = $1)', [
    withoutContent.emailId,
  ])
  await app.pool.query(`update emails set status = 'SENDING', lease_until = $2 where id = $1`, [leased.emailId, until])
  await app.pool.query(`update emails set status = 'DELIVERED' where id = $1`, [done.emailId])
  await app.pool.query('update projects set disabled_at = now() where id = $1', [other.id])

  const refs = [disabled, shared[1], withoutContent, alone, leased, done, shared[0]]
  const lease = { now: app.clock.now(), until, holder: null, durable: false }
  const claimed = await claimEmails(app.ctx.db, refs, lease)
  const both = { content_subject: 'To both', content_body: '<p>To both</p>', attempts: 1 }
  expect(claimed).toEqual([
    undefined,
    expect.objectContaining({ ...both, to_email: 'b@example.org' }),
    undefined,
    expect.objectContaining({ to_email: 'c@example.org', content_subject: 'To one' }),
    undefined,
    undefined,
    expect.objectContaining({ ...both, to_email: 'a@example.org' }),
  ])

  expect(await resolveUnclaimed(app.ctx.db, [disabled, withoutContent, leased, done], lease)).toEqual([
    { reason: 'the project is disabled', until: null },
    undefined,
    { leasedUntil: until },
    undefined,
  ])
  expect(await rowOf(withoutContent.emailId)).toEqual({
    status: 'CANCELLED',
    attempts: 0,
    error: 'Not sent: its content is no longer stored.',
  })
  expect(await rowOf(disabled.emailId)).toMatchObject({ status: 'PENDING', attempts: 0 })
  expect(await rowOf(leased.emailId)).toMatchObject({ status: 'SENDING', attempts: 0 })
})

it('an email whose claim is committed but whose reply is lost can be sent by another worker at once', async () => {
  const [first, lost] = await send(project, ['g@example.org', 'h@example.org'], 'Lost reply')
  const proxy = await openProxy(() => Number(new URL(app.url).port))
  const url = new URL(app.url)
  url.port = String(proxy.port)
  const throughProxy = openDatabase({ url: url.href, poolSize: 1, log: app.ctx.log })
  const locks = new pg.Client({ connectionString: app.url })
  await locks.connect()
  for (const lockNumber of [1, 2]) await holdLock(locks, lockNumber)
  const priority = PRIORITY.transactional
  const worker = buildServices({ ...app.ctx, db: throughProxy.db, workerLock: 1 }).delivery
  const other = buildServices({ ...app.ctx, workerLock: 2 }).delivery
  try {
    await worker.deliverEmail({ ...first, priority })
    proxy.loseReplyTo('claim-emails')
    await expect(worker.deliverEmail({ ...lost, priority })).rejects.toThrow('the database was unavailable')
    await other.deliverEmail({ ...lost, priority })
    expect(await rowOf(lost.emailId)).toEqual({ status: 'DELIVERED', attempts: 1, error: null })
  } finally {
    await throughProxy.close()
    proxy.close()
    await locks.end()
  }
})
