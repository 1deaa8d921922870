/** Deleting a contact: what is deleted at once, what is erased later, what is kept, and what happens in between. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { erasure } from '../../app.ts'
import { newId } from '../../kernel/ids.ts'
import { transaction } from '../../platform/database/connection/transaction.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const { deleteContacts, deleteContactsIn, eraseContacts } = erasure

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0
/** Part of all personal data of a contact, and of nothing else. */
let trace: string
let address: string

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())
beforeEach(() => {
  trace = `trace${++counter}x`
  address = `${trace}@example.org`
})
afterEach(() => app.pool.query('delete from posthorn_queue.jobs'))

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

interface Sent {
  contactId: string
  emailId: string
}

/** An email with personal data in every field. Returns the IDs, one for each of `to`. */
async function sendTo(to: unknown, fields: object = {}): Promise<Sent[]> {
  const reply = await call('POST', '/v1/send', {
    to,
    from: 'hello@example.com',
    subject: `Subject ${trace} {{name}}`,
    body: `<p>Body ${trace} {{once}}</p>`,
    data: { name: trace, once: { value: trace, persistent: false } },
    headers: { 'X-Trace': trace },
    reply: `reply-${address}`,
    attachments: [{ filename: `${trace}.txt`, content: 'aGk=', contentType: 'text/plain' }],
    ...fields,
  })
  return reply.body.data.emails.map((entry: { contact: { id: string }; email: string }) => ({
    contactId: entry.contact.id,
    emailId: entry.email,
  }))
}

const send = async (to: unknown = { email: address, name: `Name ${trace}` }): Promise<Sent> => (await sendTo(to))[0]!

const remove = async (contactId: string) => expect((await call('DELETE', `/contacts/${contactId}`)).status).toBe(204)

/** Every table that contains `text` anywhere, including the jobs. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await app.pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'posthorn_queue')`,
  )
  const searches = rows.map(
    ({ name }) =>
      `select '${name}' as name where exists (select from ${name} t where t::text ilike '%' || $1::text || '%')`,
  )
  const { rows: tables } = await app.pool.query<{ name: string }>(searches.join(' union all '), [text])
  const found = tables.map(({ name }) => name)
  const raw = await app.pool.query('select from captured_messages where position($1::bytea in raw) > 0', [
    Buffer.from(text),
  ])
  return raw.rowCount ? [...found, 'captured_messages.raw'] : found
}

const emailRow = async (id: string) => (await app.pool.query('select * from emails where id = $1', [id])).rows[0]
const eventsOf = async (emailId: string) =>
  (await app.pool.query('select name, contact_id, data from events where email_id = $1 order by id', [emailId])).rows
const jobCount = async () =>
  (await app.pool.query('select count(*)::int as n from posthorn_queue.jobs')).rows[0].n as number

describe('a deleted contact', () => {
  it('leaves rows for the counts, and no personal data in any table', async () => {
    const { contactId, emailId } = await send()
    await call('POST', '/events/track', { email: address, event: 'bought', data: { what: trace } })
    await app.drain()
    expect(await tablesWith(trace)).not.toEqual([])

    await remove(contactId)
    expect((await call('GET', `/contacts/${contactId}`)).status).toBe(404)
    await app.drain()
    expect(await tablesWith(trace)).toEqual([])
    await app.fold() // as the periodic job does every minute
    await app.services.requestLog.flush() // paths with IDs stay there for 7 days
    expect((await tablesWith(contactId)).sort()).toEqual(['api_requests', 'posthorn_queue.jobs']) // the second erasure
    app.clock.forward(6 * 60_000)
    await app.drain()
    expect(await tablesWith(contactId)).toEqual(['api_requests'])

    expect(await emailRow(emailId)).toMatchObject({
      status: 'DELIVERED',
      sent_at: expect.any(Date),
      from_email: 'hello@example.com',
      contact_id: null,
      to_email: '',
    })
    expect(await eventsOf(emailId)).toEqual(
      ['email.sent', 'email.delivery'].map((name) => ({ name, contact_id: null, data: {} })),
    )
    const bought = await app.pool.query("select contact_id, data from events where name = 'bought'")
    expect(bought.rows).toEqual([{ contact_id: null, data: {} }])
  })

  it('leaves emails that can still be read', async () => {
    const { contactId, emailId } = await send()
    await app.drain()
    await remove(contactId)
    await app.drain()
    expect(await call('GET', `/emails/${emailId}`)).toMatchObject({
      status: 200,
      body: {
        to: '',
        toName: null,
        contactId: null,
        subject: '',
        html: null,
        text: null,
        headers: {},
        status: 'DELIVERED',
        timeline: [{ event: 'queued' }, { event: 'email.sent', data: {} }, { event: 'email.delivery', data: {} }],
      },
    })
    expect(await call('GET', `/emails/${emailId}/raw`)).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_REQUEST', message: 'The content of this email is no longer stored.' } },
    })
    expect((await call('GET', '/emails?limit=100')).body.data.map((email: { id: string }) => email.id)).toContain(
      emailId,
    )
    expect((await call('GET', '/events?limit=100')).status).toBe(200)
  })

  it('leaves shared contents, which are deleted with their last email', async () => {
    const other = `other-${trace}@example.com`
    const [one, two] = await sendTo([address, other], { reply: 'reply@example.com' })
    await app.drain()
    await remove(one!.contactId)
    await app.drain()
    expect(await tablesWith(address)).toEqual([])
    expect((await call('GET', `/emails/${two!.emailId}`)).body).toMatchObject({
      to: other,
      html: `<p>Body ${trace} ${trace}</p>`,
    })
    expect((await app.captured()).filter((message) => message.recipients.includes(other))).toHaveLength(1)

    await remove(two!.contactId)
    await app.drain()
    expect(await tablesWith(trace)).toEqual([])
  })

  it('deletes the content if one request sent several emails to it', async () => {
    const { contactId } = await send([address, address, address])
    await app.drain()
    await remove(contactId)
    await app.drain()
    expect(await tablesWith(trace)).toEqual([])
  })

  it("gets no emails that weren't sent yet: they are canceled with the deletion", async () => {
    const { contactId, emailId } = await send()
    await remove(contactId)
    expect((await emailRow(emailId)).status).toBe('CANCELLED')
    await app.drain()
    expect((await app.captured()).filter((message) => message.email_id === emailId)).toEqual([])
    expect(await emailRow(emailId)).toMatchObject({ status: 'CANCELLED', sent_at: null, to_email: '' })
    expect(await tablesWith(trace)).toEqual([])
  })

  it('gets no retry of a failed email', async () => {
    const { contactId, emailId } = await send('slow@simulator.posthorn.test')
    await app.drain()
    expect(await emailRow(emailId)).toMatchObject({ status: 'PENDING', error: expect.stringContaining('busy') })
    await remove(contactId)
    app.clock.forward(60_000)
    await app.drain()
    expect(await emailRow(emailId)).toMatchObject({ status: 'CANCELLED', attempts: 1, error: null })
  })

  it('stays erased even if an email was being sent to it', async () => {
    const { contactId, emailId } = await send()
    const { send: deliver } = app.ctx.mail
    app.ctx.mail.send = async (mail) => {
      await remove(contactId)
      // A worker has claimed the email, so it isn't erased until it has been sent.
      await expect(eraseContacts(app.ctx, { projectId: project.id, contactIds: [contactId] })).rejects.toThrow(
        TryAgainAt,
      )
      expect(await emailRow(emailId)).toMatchObject({ status: 'SENDING', to_email: address })
      return deliver(mail)
    }
    try {
      await app.drain()
    } finally {
      app.ctx.mail.send = deliver
    }
    expect(await emailRow(emailId)).toMatchObject({ status: 'DELIVERED', to_email: '', contact_id: null })
    expect((await eventsOf(emailId)).map((event) => event.data)).toEqual([{}, {}])
    expect(await tablesWith(trace)).toEqual([])
  })

  it('does not wait for a worker that exited while sending its email', async () => {
    const { contactId, emailId } = await send()
    const lease = new Date(app.clock.now().getTime() + 60_000)
    await app.pool.query("update emails set status = 'SENDING', lease_until = $2 where id = $1", [emailId, lease])
    await app.pool.query('delete from posthorn_queue.jobs') // of the worker that exited
    await remove(contactId)
    await app.drain()
    expect(await emailRow(emailId)).toMatchObject({ status: 'SENDING', to_email: address })
    app.clock.forward(61_000)
    await app.drain()
    expect(await emailRow(emailId)).toMatchObject({ status: 'CANCELLED', to_email: '' })
    expect(await tablesWith(trace)).toEqual([])
  })

  it('is erased again later, because a request may have been in progress', async () => {
    const { contactId } = await send()
    await app.drain()
    await remove(contactId)
    await app.drain()
    // Written by a statement that read the contact before it was deleted and commits after everything was erased.
    const values = [project.id, newId(app.clock.now()), contactId, JSON.stringify({ what: trace })]
    await app.pool.query(
      "insert into events (project_id, id, name, contact_id, data, created_at) values ($1, $2, 'late', $3, $4, now())",
      values,
    )
    await app.drain()
    expect(await tablesWith(trace)).not.toEqual([])
    app.clock.forward(6 * 60_000)
    await app.drain()
    expect(await tablesWith(trace)).toEqual([])
    expect(await jobCount()).toBe(0)
  })
})

describe('deleting many contacts', () => {
  const contact = async (email: string) => (await call('POST', '/contacts', { email })).body.id as string

  it('deletes those that exist, and only in the project', async () => {
    const ids = [await contact(address), await contact(`b-${address}`)]
    const other = await createProject(app)
    const { body } = await app.request('POST', '/contacts', { key: other.secretKey, body: { email: address } })
    const deleted = await deleteContacts(app.ctx, project.id, [...ids, body.id, newId(app.clock.now())])
    expect(deleted.sort()).toEqual(ids.sort())
    expect((await app.request('GET', `/contacts/${body.id}`, { key: other.secretKey })).status).toBe(200)
    expect(await jobCount()).toBe(2) // one job for all, and its second erasure
    expect(await deleteContacts(app.ctx, project.id, ids)).toEqual([])
    expect(await jobCount()).toBe(2)
  })

  it('is rolled back with its transaction', async () => {
    const id = await contact(address)
    const failing = transaction(app.ctx.db, async (tx) => {
      expect(await deleteContactsIn(tx, project.id, [id], app.clock.now())).toEqual([id])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await call('GET', `/contacts/${id}`)).status).toBe(200)
    expect(await jobCount()).toBe(0)
  })

  it('erases a hundred thousand events and thousands of emails in batches', async () => {
    const { contactId } = await send()
    await app.drain()
    const many = (n: number) => `select $1 as project_id,
      ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id, $2::uuid as contact_id from generate_series(1, ${n}) n`
    await app.pool.query(
      `insert into events (project_id, id, name, contact_id, data, created_at)
       select project_id::uuid, id, 'seen', contact_id, '{"a": 1}', now() from (${many(101_000)}) as made`,
      [project.id, contactId],
    )
    await app.pool.query(
      `insert into emails (project_id, id, contact_id, content_id, to_email, from_email, source_type, status, created_at, updated_at)
       select project_id::uuid, id, contact_id, id, 'x', 'y', 'CAMPAIGN', 'SENT', now(), now() from (${many(3_000)}) as made`,
      [project.id, contactId],
    )
    await remove(contactId)
    await app.drain()
    const left = (table: string) =>
      app.pool.query(`select count(*)::int as n from ${table} where contact_id = $1`, [contactId])
    expect((await left('events')).rows[0].n).toBe(0)
    expect((await left('emails')).rows[0].n).toBe(0)
    const seen = await app.pool.query("select count(*)::int as n from events where name = 'seen' and data = '{}'")
    expect(seen.rows[0].n).toBe(101_000)
  })
})
