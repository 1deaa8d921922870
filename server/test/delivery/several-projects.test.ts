/**
 * Emails of several projects in one statement. Whether concurrent deliveries share one depends on timing, so here the
 * statements get emails of two projects.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { claimEmails, type LeaseTerms, resolveUnclaimed } from '../../features/mail/delivery/claim-queries.ts'
import { recordBounces, recordComplaints, recordDeliveries } from '../../features/mail/delivery/outcomes.ts'
import { type EmailRef, recordSent } from '../../features/mail/delivery/queries.ts'
import { releaseDue } from '../../features/mail/emails/scheduled-queries.ts'
import { type EngagementRow, markEngaged } from '../../features/mail/tracking/queries.ts'
import { newId } from '../../kernel/ids.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const HOUR_MS = 3_600_000

let app: TestApp
let projects: Awaited<ReturnType<typeof createProject>>[]
/** An email of each project. */
let emails: EmailRef[]

beforeAll(async () => {
  app = await openTestApp()
  projects = [await createProject(app, 'First'), await createProject(app, 'Second')]
})
afterAll(() => app.close())
beforeEach(() => sendFromEach())

async function sendFromEach(changes: object = {}): Promise<void> {
  emails = await Promise.all(
    projects.map(async ({ id: projectId, secretKey: key }) => {
      const from = { name: 'Acme', email: 'hello@example.com' }
      const message = { to: 'ada@example.org', from, subject: 'Hello', body: 'Hello', ...changes }
      const { body } = await app.request('POST', '/v1/send', { key, body: message })
      return { projectId, emailId: body.data.emails[0].email }
    }),
  )
}

const statuses = () =>
  Promise.all(
    projects.map(async ({ secretKey: key }, i) => {
      const { body } = await app.request('GET', `/emails/${emails[i]!.emailId}`, { key })
      return body.status
    }),
  )

/** Without a known holder, the emails are claimed until the lease expires. */
const terms = (): LeaseTerms => {
  const now = app.clock.now()
  return { now, until: new Date(now.getTime() + 60_000), holder: null, durable: false }
}
const requests = () => emails.map((ref) => ({ ...ref, takeOver: false }))
const claim = () => claimEmails(app.ctx.db, requests(), terms())

async function markSent(): Promise<void> {
  const sent = emails.map(({ projectId, emailId: id }) => ({
    ...{ projectId, id, contactId: null, subject: 'Hello', messageId: `${id}@example.com`, delivered: false },
    ...{ sentEventId: newId(app.clock.now()), deliveredEventId: newId(app.clock.now()), facts: {} },
  }))
  await recordSent(app.ctx.db, sent, app.clock.now())
}

it('emails of two projects are claimed together, each with its own project, and are refused to others', async () => {
  const claimed = await claim()
  expect(claimed.map((email) => [email?.project_id, email?.project_name])).toEqual(
    projects.map(({ id }, i) => [id, ['First', 'Second'][i]]),
  )
  expect(await claim()).toEqual([undefined, undefined])
  const { until: leasedUntil } = terms()
  expect(await resolveUnclaimed(app.ctx.db, requests(), terms())).toEqual([{ leasedUntil }, { leasedUntil }])
})

it('emails of two projects that were sent are recorded together', async () => {
  await claim()
  await markSent()
  expect(await statuses()).toEqual(['SENT', 'SENT'])
})

it.each([
  ['deliveries', 'DELIVERED', recordDeliveries],
  ['complaints', 'COMPLAINED', recordComplaints],
  [
    'permanent bounces',
    'BOUNCED',
    (ctx, all) =>
      recordBounces(
        ctx,
        all.map((one) => ({ ...one, permanent: true })),
      ),
  ],
  [
    'temporary bounces',
    'SENT',
    (ctx, all) =>
      recordBounces(
        ctx,
        all.map((one) => ({ ...one, permanent: false })),
      ),
  ],
] satisfies Array<[string, string, typeof recordDeliveries]>)(
  '%s of emails of two projects are recorded together, with the status %s',
  async (_what, status, record) => {
    await claim()
    await markSent()
    await record(
      app.ctx,
      emails.map((ref) => ({ ...ref, at: app.clock.now(), response: '250 Ok' })),
    )
    expect(await statuses()).toEqual([status, status])
  },
)

it('opens and clicks in emails of two projects are recorded together', async () => {
  await claim()
  await markSent()
  const counts = { opens: 1, clicks: 0, botOpens: 0, botClicks: 0, link: null, botLink: null, links: [] }
  const rows = emails.map((ref): EngagementRow => {
    const id = () => newId(app.clock.now())
    const ids = { openEventId: id(), clickEventId: id(), botOpenNoteId: id(), botClickNoteId: id() }
    return { ...ref, ...counts, ...ids, at: new Date(app.clock.now().getTime() + HOUR_MS) }
  })
  await markEngaged(app.ctx.db, rows, 0, app.clock.now())
  expect(await statuses()).toEqual(['OPENED', 'OPENED'])
})

it('scheduled emails of two projects are released together', async () => {
  const sendAt = new Date(app.clock.now().getTime() + HOUR_MS)
  await sendFromEach({ sendAt: sendAt.toISOString() })
  const due = emails.map((ref) => ({ ...ref, fromDomain: 'example.com' }))
  expect(await releaseDue(app.ctx.db, due, new Date(sendAt.getTime() + 1))).toEqual([])
  expect(await statuses()).toEqual(['PENDING', 'PENDING'])
})
