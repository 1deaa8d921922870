/** One statement can include emails of several projects: each changes as if it were alone, and only in its project. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClaimRequest, claimEmails, resolveUnclaimed } from '../../features/mail/delivery/claim-queries.ts'
import { recordBounces, recordComplaints, recordDeliveries } from '../../features/mail/delivery/outcomes.ts'
import { recordSent } from '../../features/mail/delivery/queries.ts'
import { newId } from '../../kernel/ids.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let projects: Array<Awaited<ReturnType<typeof createProject>>>

beforeAll(async () => {
  app = await openTestApp()
  projects = [await createProject(app), await createProject(app)]
})
afterAll(() => app.close())

interface Accepted extends ClaimRequest {
  contactId: string
}

/** One email in each project, to the same address, accepted and not yet delivered. */
async function accept(to: string): Promise<Accepted[]> {
  return Promise.all(
    projects.map(async (project) => {
      const body = { to, from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>', subscribed: true }
      const reply = await app.request('POST', '/v1/send', { key: project.secretKey, body })
      const [{ email, contact }] = reply.body.data.emails
      return { projectId: project.id, emailId: email, contactId: contact.id, takeOver: false }
    }),
  )
}

/** The same, in the state left by a transport that doesn't report deliveries. */
async function send(to: string) {
  const emails = await accept(to)
  await app.drain()
  const ids = emails.map(({ emailId }) => emailId)
  await app.pool.query(`update emails set status = 'SENT', delivered_at = null where id = any($1)`, [ids])
  await app.pool.query('delete from events where email_id = any($1)', [ids])
  return emails.map((email) => ({ ...email, at: app.clock.now() }))
}

const columnOf = async (column: string, emails: Accepted[]) => {
  const ids = emails.map(({ emailId }) => emailId)
  const { rows } = await app.pool.query(`select ${column} as value from emails where id = any($1)`, [ids])
  return rows.map((row) => row.value)
}

/** Project, contact and name of every event about these emails. */
const eventsOf = async (emails: Accepted[]) => {
  const ids = emails.map(({ emailId }) => emailId)
  const { rows } = await app.pool.query(
    'select project_id, contact_id, name from events where email_id = any($1) order by name, id',
    [ids],
  )
  return rows.map((row) => `${row.name} ${row.project_id} ${row.contact_id}`).sort()
}

const both = (emails: Accepted[], ...names: string[]) =>
  names.flatMap((name) => emails.map(({ projectId, contactId }) => `${name} ${projectId} ${contactId}`)).sort()

describe('emails of several projects', () => {
  it('are claimed together, each with its own content, and a second claim returns until when', async () => {
    const emails = await accept('claimed@example.org')
    const now = app.clock.now()
    const lease = { now, until: new Date(now.getTime() + 60_000), holder: null, durable: false }
    const claimed = await claimEmails(app.db, emails, lease)
    expect(claimed.map((email) => [email?.project_id, email?.id, email?.content_subject])).toEqual(
      emails.map(({ projectId, emailId }) => [projectId, emailId, 'Hello']),
    )
    expect(await claimEmails(app.db, emails, lease)).toEqual([undefined, undefined])
    expect(await resolveUnclaimed(app.db, emails, lease)).toEqual(emails.map(() => ({ leasedUntil: lease.until })))

    const sent = emails.map(({ projectId, emailId, contactId }) => ({
      projectId,
      id: emailId,
      contactId,
      subject: 'Hello',
      messageId: `${emailId}@example.com`,
      delivered: true,
      sentEventId: newId(now),
      deliveredEventId: newId(now),
      facts: {},
    }))
    await recordSent(app.db, sent, now)
    expect(await columnOf('status', emails)).toEqual(['DELIVERED', 'DELIVERED'])
    expect(await eventsOf(emails)).toEqual(both(emails, 'email.delivery', 'email.sent'))
  })

  it('are delivered together', async () => {
    const emails = await send('delivered@example.org')
    await recordDeliveries(app.ctx, emails)
    expect(await columnOf('status', emails)).toEqual(['DELIVERED', 'DELIVERED'])
    expect(await eventsOf(emails)).toEqual(both(emails, 'email.delivery'))
  })

  it('bounce together, temporarily and permanently', async () => {
    const emails = await send('bounced@example.org')
    await recordBounces(
      app.ctx,
      emails.map((email) => ({ ...email, permanent: false })),
    )
    expect(await columnOf('status', emails)).toEqual(['SENT', 'SENT'])
    expect(await eventsOf(emails)).toEqual(both(emails, 'email.bounce'))
    await recordBounces(
      app.ctx,
      emails.map((email) => ({ ...email, permanent: true })),
    )
    expect(await columnOf('status', emails)).toEqual(['BOUNCED', 'BOUNCED'])
    expect(await eventsOf(emails)).toEqual(both(emails, 'contact.unsubscribed', 'email.bounce', 'email.bounce'))
  })

  it('are complained about together', async () => {
    const emails = await send('complained@example.org')
    await recordComplaints(app.ctx, emails)
    expect(await columnOf('status', emails)).toEqual(['COMPLAINED', 'COMPLAINED'])
    expect(await eventsOf(emails)).toEqual(both(emails, 'contact.unsubscribed', 'email.complaint'))
  })

  it('are opened together', async () => {
    const [first, emails] = [await send('first@example.org'), await send('opened@example.org')]
    // The first open is recorded alone; those that arrive in the meantime share the next statement.
    await Promise.all(
      [first[0]!, ...emails].map((email) => app.services.tracking.recordOpen({ ...email, isBot: false })),
    )
    expect(await columnOf('opens', emails)).toEqual([1, 1])
    expect(await eventsOf(emails)).toEqual(both(emails, 'email.open'))
  })

  it('are not affected by outcomes in other projects', async () => {
    const emails = await send('alone@example.org')
    await recordComplaints(app.ctx, [emails[0]!])
    expect(await columnOf('status', [emails[1]!])).toEqual(['SENT'])
    expect(await eventsOf([emails[1]!])).toEqual([])
  })
})
