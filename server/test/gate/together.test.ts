/** Requests that arrive together share a statement. Each gets the same response as if it were alone. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp, type TestReply } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let project: Project
let other: Project
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  other = await createProject(app)
  await watchStatements()
})
afterAll(() => app.close())
beforeEach(() => app.pool.query('truncate statements_seen'))

/** Records how many rows each statement writes to the tables that every accepted request writes to. */
async function watchStatements(): Promise<void> {
  await app.pool.query(`
    create table statements_seen (name text, rows int);
    create function see_statement() returns trigger language plpgsql as $$
    begin
      insert into statements_seen select tg_table_name, count(*) from added having count(*) > 0;
      return null;
    end $$;
    create trigger see after insert on emails referencing new table as added for each statement execute function see_statement();
    create trigger see after insert on events referencing new table as added for each statement execute function see_statement();
    create function refuse_poison() returns trigger language plpgsql as $$
    begin
      if new.email like 'poison%' then raise exception 'poison'; end if;
      return new;
    end $$;
    create trigger poison before insert on contacts for each row execute function refuse_poison()`)
}

const newAddress = (name = 'reader') => `${name}-${++counter}@example.org`

interface Wish {
  of?: Project
  key?: string
  [field: string]: unknown
}

const call = (path: string, apiKey: string, body: object, key?: string) =>
  app.request('POST', path, { key: apiKey, body, headers: key === undefined ? {} : { 'idempotency-key': key } })

/** The same requests for both endpoints: `to` and an email, or `email` and an event. */
const SOURCES = {
  send: ({ of = project, key, address, ...fields }: Wish) =>
    call(
      '/v1/send',
      of.secretKey,
      { to: address, from: 'hello@example.com', subject: 'Hi', body: '{{n}} {{m}}', ...fields },
      key,
    ),
  track: ({ of = project, key, address, ...fields }: Wish) =>
    call('/v1/track', of.publicKey, { email: address, event: 'visit', ...fields }, key),
}

/** What the secret key learns about the first request with an Idempotency-Key, whichever endpoint it was sent to. */
const firstRequest = async (key: string) => (await SOURCES.send({ address: newAddress(), key })).body.error.details

const together = (source: (wish: Wish) => Promise<TestReply>, wishes: Wish[]) => Promise.all(wishes.map(source))
const statuses = (replies: TestReply[]) => replies.map((reply) => reply.status)

const contactOf = async (address: unknown, of = project) =>
  (await app.request('GET', `/contacts?email=${address}`, { key: of.secretKey })).body.data[0]

const idOf = (reply: TestReply): string => reply.body.data.emails?.[0].email ?? reply.body.data.event

/** The email or event with the ID in a response, and its project. */
async function stored(reply: TestReply) {
  const { rows } = await app.pool.query(
    `select project_id, contact_id from emails where id = $1 union all
     select project_id, contact_id from events where id = $1`,
    [idOf(reply)],
  )
  return rows[0]
}

describe.each(Object.entries(SOURCES))('concurrent requests to %s', (name, source) => {
  const table = name === 'send' ? 'emails' : 'events'

  it('share statements, and each gets its own response', async () => {
    const wishes = Array.from({ length: 40 }, (_, n) => ({ address: newAddress(), data: { n } }))
    const replies = await together(source, wishes)
    expect(statuses(replies)).toEqual(Array(40).fill(200))
    const { rows } = await app.pool.query('select rows from statements_seen where name = $1', [table])
    expect(rows.length).toBeLessThan(10)
    expect(rows.reduce((sum, row) => sum + row.rows, 0)).toBe(40)
    for (const [n, reply] of replies.entries()) {
      const contact = await contactOf(wishes[n]!.address)
      expect(contact.data).toEqual({ n })
      expect(await stored(reply)).toEqual({ project_id: project.id, contact_id: contact.id })
    }
  })

  it('can be of several projects, and each affects only its own', async () => {
    const address = newAddress()
    const wishes = [project, other, project, other].map((of, n) => ({ of, address, data: { [`n${n}`]: n } }))
    const replies = await together(source, wishes)
    expect(statuses(replies)).toEqual([200, 200, 200, 200])
    expect((await contactOf(address)).data).toEqual({ n0: 0, n2: 2 })
    expect((await contactOf(address, other)).data).toEqual({ n1: 1, n3: 3 })
    for (const [n, reply] of replies.entries()) {
      const { of } = wishes[n]!
      expect(await stored(reply)).toEqual({ project_id: of.id, contact_id: (await contactOf(address, of)).id })
    }
  })

  it('can request different changes of one contact, and all of them happen', async () => {
    const address = newAddress()
    await source({ address, data: { gone: 1, kept: 1 } })
    const wishes: Wish[] = Array.from({ length: 12 }, (_, n) => ({ address, data: { [`n${n}`]: n } }))
    const replies = await together(source, [...wishes, { address, data: { gone: null } }])
    expect(statuses(replies)).toEqual(Array(13).fill(200))
    expect(new Set(replies.map(idOf)).size).toBe(13)
    const numbers = Object.fromEntries(wishes.map((_, n) => [`n${n}`, n]))
    expect((await contactOf(address)).data).toEqual({ kept: 1, ...numbers })
  })

  it('can request the same change of one contact: it happens once, with one event, and each request counts', async () => {
    const address = newAddress()
    await source({ address, subscribed: false })
    const replies = await together(
      source,
      Array.from({ length: 20 }, () => ({ address, subscribed: true, data: { plan: 'pro' } })),
    )
    expect(statuses(replies)).toEqual(Array(20).fill(200))
    expect(new Set(replies.map(idOf)).size).toBe(20)
    const contact = await contactOf(address)
    expect(contact).toMatchObject({ subscribed: true, data: { plan: 'pro' } })
    const { rows } = await app.pool.query('select name from events where contact_id = $1 and name like $2', [
      contact.id,
      'contact.%',
    ])
    expect(rows).toEqual([{ name: 'contact.subscribed' }])
    const { rows: seen } = await app.pool.query('select max(rows) as most from statements_seen where name = $1', [
      table,
    ])
    expect(seen[0].most).toBeGreaterThan(3)
  })

  it('remove fields of one contact without changing those of another', async () => {
    const [one, two] = [newAddress(), newAddress()]
    await together(source, [
      { address: one, data: { a: 1, b: 1 } },
      { address: two, data: { a: 2, b: 2 } },
    ])
    const replies = await together(source, [
      { address: one, data: { a: null, c: 1 } },
      { address: two, data: { b: null, c: 2 } },
      { address: newAddress(), data: { a: 3 } },
    ])
    expect(statuses(replies)).toEqual([200, 200, 200])
    expect((await contactOf(one)).data).toEqual({ b: 1, c: 1 })
    expect((await contactOf(two)).data).toEqual({ a: 2, c: 2 })
  })

  it('succeed even if the database refuses one of them', async () => {
    const wishes = Array.from({ length: 12 }, (_, n) => ({
      address: newAddress(n === 5 ? 'poison' : 'reader'),
      key: `beside-poison-${name}-${n}`,
    }))
    const replies = await together(source, wishes)
    expect(statuses(replies)).toEqual(wishes.map((_, n) => (n === 5 ? 500 : 200)))
    expect(replies[5]!.body.error.message).not.toMatch(/poison/)
    expect(await contactOf(wishes[5]!.address)).toBeUndefined()
    for (const [n, wish] of wishes.entries()) {
      const first = await firstRequest(wish.key)
      expect(first.originalStatusCode).toBe(n === 5 ? 500 : 200)
      expect(first.originalResponse).toEqual(replies[n]!.body.data)
    }
  })

  it('each get their own response if they have keys', async () => {
    const wishes = Array.from({ length: 20 }, (_, n) => ({ address: newAddress(), key: `own-${name}-${n % 10}` }))
    const replies = await together(source, wishes)
    expect(statuses(replies).filter((status) => status === 200)).toHaveLength(10)
    expect(statuses(replies).filter((status) => status === 409)).toHaveLength(10)
    for (const [n, reply] of replies.entries()) {
      if (reply.status !== 200) continue
      expect((await firstRequest(wishes[n]!.key)).originalResponse).toEqual(reply.body.data)
    }
  })

  it('do not wait for one whose contact another transaction is writing', async () => {
    const held = newAddress()
    await source({ address: held })
    const client = await app.pool.connect()
    try {
      await client.query('begin')
      await client.query('update contacts set updated_at = updated_at where email = $1', [held])
      let answered = false
      const waiting = source({ address: held, data: { late: true } }).finally(() => {
        answered = true
      })
      const replies = await together(
        source,
        Array.from({ length: 10 }, () => ({ address: newAddress() })),
      )
      expect(statuses(replies)).toEqual(Array(10).fill(200))
      expect(answered).toBe(false)
      await client.query('rollback')
      expect((await waiting).status).toBe(200)
      expect((await contactOf(held)).data).toEqual({ late: true })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

describe('concurrent sends', () => {
  const template = async () =>
    (
      await app.request('POST', '/templates', {
        key: project.secretKey,
        body: { name: 'News', subject: 'News', body: '<p>News</p>', from: 'hello@example.com' },
      })
    ).body.id

  it('are refused individually for contacts who opted out or an unverified sender', async () => {
    const marketing = { template: await template(), subject: undefined, body: undefined }
    const [leaver, both, returner] = [newAddress('leaver'), newAddress('both'), newAddress('returner')]
    for (const address of [leaver, both, returner]) {
      await SOURCES.track({ address })
      await SOURCES.track({ address, subscribed: false })
    }
    const wishes: Wish[] = [
      { address: newAddress() },
      { address: leaver, ...marketing, data: { seen: true } },
      { address: newAddress(), from: 'hello@elsewhere.example', key: 'unverified-beside' },
      { address: newAddress(), ...marketing },
      { address: both, ...marketing, from: 'hello@elsewhere.example' },
      { address: both, data: { seen: true } },
      { address: returner, ...marketing, subscribed: true },
    ]
    const replies = await together(SOURCES.send, wishes)
    expect(statuses(replies)).toEqual([200, 422, 403, 200, 403, 200, 200])
    expect(replies[1]!.body.error.errors).toMatchObject([{ field: 'to', code: 'unsubscribed' }])
    expect(replies[2]!.body.error.code).toBe('INTERNAL_SERVER_ERROR')
    expect(await contactOf(wishes[2]!.address)).toBeUndefined()
    expect(await contactOf(leaver)).toMatchObject({ subscribed: false, data: {} })
    expect((await contactOf(both)).data).toEqual({ seen: true })
    expect((await SOURCES.send({ address: newAddress(), key: 'unverified-beside' })).status).toBe(200)
  })

  it('become emails that are each delivered with their own content', async () => {
    await app.pool.query('delete from posthorn_queue.jobs')
    const address = newAddress()
    const wishes = Array.from({ length: 10 }, (_, n) => ({
      address: n % 2 ? address : newAddress(),
      subject: `Number ${n}`,
      data: { n: { value: n, persistent: false }, m: 'x' },
    }))
    const replies = await together(SOURCES.send, wishes)
    await app.drain()
    for (const [n, reply] of replies.entries()) {
      const { body } = await app.request('GET', `/emails/${idOf(reply)}`, { key: project.secretKey })
      expect(body).toMatchObject({ status: 'DELIVERED', to: wishes[n]!.address, subject: `Number ${n}` })
      expect(body.html).toContain(`${n} x`)
    }
  })

  it('can include large ones and ones with many recipients', async () => {
    const addresses = Array.from({ length: 150 }, () => newAddress())
    const file = { filename: 'a.bin', contentType: 'application/octet-stream', content: 'A'.repeat(400_000) }
    const replies = await together(SOURCES.send, [
      { address: newAddress() },
      { address: addresses },
      { address: newAddress(), attachments: [file] },
      { address: newAddress(), body: 'x'.repeat(300_000) },
      { address: newAddress() },
    ])
    expect(statuses(replies)).toEqual([200, 200, 200, 200, 200])
    expect(replies[1]!.body.data.emails.map((entry: { contact: { email: string } }) => entry.contact.email)).toEqual(
      addresses,
    )
    const { rows } = await app.pool.query(
      'select count(distinct contact_id)::int as n from emails where to_email = any($1)',
      [addresses],
    )
    expect(rows[0].n).toBe(150)
  })
})

describe('requests with keys of every kind', () => {
  it('share the statement that looks them up, and each is admitted by its own key', async () => {
    const createKey = async (scopes: string[], of = project) =>
      (await app.request('POST', '/api-keys', { key: of.secretKey, body: { name: 'A key', scopes } })).body.key
    const [reads, sends, theirs] = [
      await createKey(['project:read']),
      await createKey(['send']),
      await createKey(['full'], other),
    ]
    const path = `/projects/${project.id}/setup-state`
    const keys = [project.secretKey, reads, sends, theirs, project.publicKey, reads, 'phk_unknown', 'sk_unknown']
    const replies = await Promise.all(keys.map((key) => app.request('GET', path, { key })))
    expect(statuses(replies)).toEqual([200, 200, 403, 404, 401, 200, 401, 401])
  })
})
