/** POST /v1/send from the request to the sent message, delivery and its failures, and the list of emails. */
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  const { body: domain } = await call('POST', '/domains', { domain: 'müller.example' })
  await call('GET', `/domains/${domain.id}/verify`)
})
afterAll(() => app.close())
afterEach(() => app.pool.query('delete from posthorn_queue.jobs'))

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const newAddress = () => `reader-${++counter}@example.org`

const send = (fields: object = {}) =>
  call('POST', '/v1/send', {
    to: newAddress(),
    from: 'hello@example.com',
    subject: 'Hello',
    body: '<p>Hi</p>',
    ...fields,
  })

/** Sends, and returns the IDs of the emails. */
async function sent(fields: object = {}): Promise<string[]> {
  const reply = await send(fields)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body.data.emails.map((entry: { email: string }) => entry.email)
}

async function wire(fields: object): Promise<Email> {
  const [id] = await sent(fields)
  const raw = await call('GET', `/emails/${id}/raw`)
  expect(raw).toMatchObject({ status: 200, headers: { 'content-type': expect.stringMatching(/^message\/rfc822/) } })
  return PostalMime.parse(raw.body)
}

const record = async (id: string) => (await call('GET', `/emails/${id}`)).body
const header = (message: Email, key: string) => message.headers.find((h) => h.key === key)?.value
const file = (fields: object = {}) => ({ filename: 'a.txt', content: 'aGk=', contentType: 'text/plain', ...fields })

const count = async (table: string) =>
  (await app.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n as number

async function expectNothingSent(act: () => Promise<{ status: number }>): Promise<void> {
  const before = [await count('contacts'), await count('emails'), await count('events')]
  expect((await act()).status).toBe(422)
  expect([await count('contacts'), await count('emails'), await count('events')]).toEqual(before)
}

describe('a sent message', () => {
  it('has reply-to, names and custom headers', async () => {
    const message = await wire({
      to: { name: 'Zoë, "Z"', email: 'zoe@example.org' },
      from: { name: 'Acme', email: 'Hello@Example.com' },
      reply: 'Help@Example.org',
      headers: { 'X-Campaign': 'spring', 'List-Unsubscribe': '<https://example.org/u>' },
    })
    expect(message).toMatchObject({
      to: [{ name: 'Zoë, "Z"', address: 'zoe@example.org' }],
      from: { name: 'Acme', address: 'hello@example.com' },
      replyTo: [{ address: 'help@example.org' }],
    })
    expect(header(message, 'x-campaign')).toBe('spring')
    expect(header(message, 'list-unsubscribe')).toBe('<https://example.org/u>')
  })

  it('has neither our unsubscribe header nor a footer if it is transactional', async () => {
    const message = await wire({})
    expect(header(message, 'list-unsubscribe')).toBeUndefined()
    expect(message.html?.trim()).toBe('<p>Hi</p>')
    expect(message.text?.trim()).toBe('Hi')
  })

  it('has attachments and inline parts', async () => {
    const png = 'iVBORw0KGgo='
    const message = await wire({
      body: '<img src="cid:logo">',
      attachments: [
        file({
          filename: 'logo.png',
          contentType: 'image/png',
          content: png,
          disposition: 'inline',
          contentId: 'logo',
        }),
        file({ filename: 'résumé.txt' }),
      ],
    })
    expect(message.attachments).toMatchObject([
      { contentId: '<logo>', mimeType: 'image/png', disposition: 'inline' },
      { filename: 'résumé.txt', disposition: 'attachment' },
    ])
    expect(Buffer.from(message.attachments[0]!.content as ArrayBuffer).toString('base64')).toBe(png)
  })

  it('uses the name of a recipient in the header only, never as data', async () => {
    const [id] = await sent({ to: { name: 'Ada', email: 'header-only@example.org' }, body: '[{{name}}]' })
    expect(await record(id!)).toMatchObject({ toName: 'Ada', html: '[]' })
    expect((await call('GET', '/contacts?email=header-only@example.org')).body.data[0].data).toEqual({})
  })

  it.each([
    ['a sender at an international domain', { from: 'hallo@müller.example' }],
    [
      'a content type with a quoted name in another script',
      { attachments: [file({ contentType: 'text/plain; name="é.txt"' })] },
    ],
    [
      'a content type with a line break between its parts',
      { attachments: [file({ contentType: 'text/plain;\r\n charset=utf-8' })] },
    ],
    ['a subject cut in the middle of a character', { subject: '{{x | first}}', data: { x: '😀' } }],
    ['a NUL that a filter makes', { subject: '{{"%00" | url_decode}}', body: '{{"%00" | url_decode}}' }],
    ['control characters in a name', { to: { name: 'a\u0001\u2028b\t', email: 'odd@example.org' }, name: '\u0085' }],
    ['a recipient in another script', { to: { name: '用户', email: '用户@例え.jp' } }],
    ['a header beyond ASCII', { headers: { 'X-Name': 'Zoë 😀'.repeat(50) } }],
  ])('is either refused at once or delivered: %s', async (_what, fields) => {
    const reply = await app.server.inject({
      method: 'POST',
      url: '/v1/send',
      headers: { authorization: `Bearer ${project.secretKey}` },
      payload: JSON.stringify({ to: 'odd@example.org', from: 'a@example.com', subject: 's', body: 'b', ...fields }),
    })
    expect([200, 422]).toContain(reply.statusCode)
    if (reply.statusCode === 422) return
    const id = reply.json().data.emails[0].email
    await app.drain()
    expect(await record(id)).toMatchObject({ status: 'DELIVERED' })
    expect((await call('GET', `/emails/${id}/raw`)).status).toBe(200)
  })
})

describe('POST /v1/send refuses before anything is written', () => {
  it.each([
    ['a header name with a line break', { headers: { 'X-A\r\nBcc': 'v' } }, 'invalid_string'],
    ['a header value with a line break', { headers: { 'X-A': 'v\nBcc: x' } }, 'invalid_string'],
    ['a header that claims another sender', { headers: { 'Resent-From': 'ceo@bank.example' } }, 'invalid_string'],
    ['a header value of 999 characters', { headers: { 'X-A': 'v'.repeat(999) } }, 'too_big'],
    ['501 headers', { headers: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`X-${i}`, 'v'])) }, 'too_big'],
    ['a header that is a number', { headers: { 'X-A': 5 } }, 'invalid_type'],
    ['a reply-to that is no address', { reply: 'nope' }, 'invalid_string'],
    ['11 attachments', { attachments: Array(11).fill(file()) }, 'too_big'],
    ['an inline attachment without contentId', { attachments: [file({ disposition: 'inline' })] }, 'invalid_type'],
    ['an unknown disposition', { attachments: [file({ disposition: 'hidden' })] }, 'invalid_enum_value'],
    ['a file name with a quote', { attachments: [file({ filename: 'a"b' })] }, 'invalid_string'],
    ['a file name with a line break', { attachments: [file({ filename: 'a\nb' })] }, 'invalid_string'],
    ['content that is not base64', { attachments: [file({ content: 'a*b=' })] }, 'invalid_string'],
    ['an attachment without content', { attachments: [file({ content: undefined })] }, 'invalid_type'],
    ['an attachment without content type', { attachments: [file({ contentType: undefined })] }, 'invalid_type'],
    ['an empty body', { body: '' }, 'too_small'],
    ['a broken template', { body: '<p>\n {{ x' }, 'custom'],
    ['an include', { body: '{% include "/etc/passwd" %}' }, 'custom'],
    ['a broken subject', { subject: '{% if %}' }, 'custom'],
    ['data that cannot be stored, after good recipients', { to: ['a@example.org'], data: [] }, 'invalid_type'],
    [
      'more than 10 MB of attachments',
      { attachments: Array(10).fill(file({ content: 'A'.repeat(1_500_000) })) },
      'too_big',
    ],
  ])('%s', async (_what, fields, code) => {
    await expectNothingSent(async () => {
      const reply = await send(fields)
      expect(reply.body.error.errors[0]).toMatchObject({
        code,
        field: expect.stringMatching(Object.keys(fields).at(-1)!),
      })
      return reply
    })
  })

  it('a template error with its line and column', async () => {
    const { body } = await send({ body: 'one\ntwo {{ x | nonsense }}' })
    expect(body.error.errors[0].message).toMatch(/line 2.*column \d+/)
  })
})

describe('POST /v1/send accepts', () => {
  it('10 MB of attachments, a header value of 998 characters, and a subject of 998', async () => {
    const bytes = Buffer.alloc(10_000_000, 7).toString('base64')
    const attachments = [file({ content: bytes, contentType: 'application/octet-stream' })]
    const [id] = await sent({ attachments, headers: { 'X-Long': 'v'.repeat(998) }, subject: 's'.repeat(998) })
    await app.drain()
    expect(await record(id!)).toMatchObject({ status: 'DELIVERED', subject: 's'.repeat(998) })
    const message = await PostalMime.parse((await call('GET', `/emails/${id}/raw`)).body)
    expect(message.attachments[0]!.content).toHaveProperty('byteLength', 10_000_000) // captured in part, shown as a whole
  })

  it('a body of 2 MB', async () => {
    expect((await send({ body: `<p>${'long '.repeat(400_000)}</p>` })).status).toBe(200)
  })

  it('unknown keys, which are ignored', async () => {
    expect((await send({ surprise: { a: [1] }, priority: 'x' })).status).toBe(200)
  })
})

describe('Liquid in an email', () => {
  it.each([
    ['[{{missing}}{{a.b.c}}]', {}, '[]'],
    ['{{missing ?? "y"}}{{nothing ?? "z"}}', { nothing: one(null) }, 'yz'],
    ['{{zero ?? "y"}}{{no ?? "y"}}[{{gap ?? "y"}}]', { zero: 0, no: false, gap: one('') }, '0false[]'],
    ['[{{note ?? "y"}}]', { note: '' }, '[]'],
    ['{{profile.tier}} {{data.profile.tier}}', { profile: { tier: 'gold' } }, 'gold gold'],
    ['{{first name}} {{data["first name"] | upcase}}', { 'first name': 'Ada' }, 'Ada ADA'],
    ['{% for i in list %}{{i}},{% endfor %}{% if vip %}!{% endif %}', { list: [1, 2], vip: true }, '1,2,!'],
    ['{{evil}} {{evil | raw}}', { evil: '<b>&' }, '&lt;b&gt;&amp; <b>&'],
    ['{{again}}', { again: '{{7 | plus: 1}}{% if true %}x{% endif %}' }, '{{7 | plus: 1}}{% if true %}x{% endif %}'],
    ['[{{x.constructor}}{{x.__proto__}}{{constructor}}{{x.toString}}]', { x: { y: 1 } }, '[]'],
  ])('%s renders as in the contract', async (body, data, expected) => {
    const [id] = await sent({ body, data })
    expect((await record(id!)).html).toBe(expected)
  })

  it('uses the request first, then the contact, then its ID and address', async () => {
    const to = newAddress()
    const { body: contact } = await call('POST', '/contacts', { email: to, data: { a: 'contact', b: 'contact' } })
    const [id] = await sent({ to, data: { a: one('request') }, body: '{{a}} {{b}} {{email}} {{id}}' })
    expect((await record(id!)).html).toBe(`request contact ${to} ${contact.id}`)
  })

  it("keeps the contact's value if the request sends empty text, and clears it for one email on request", async () => {
    const to = newAddress()
    await call('POST', '/contacts', { email: to, data: { a: 'contact', b: 'contact' } })
    const [id] = await sent({ to, data: { a: '', b: one('') }, body: '[{{a}}][{{b}}]' })
    expect((await record(id!)).html).toBe('[contact][]')
  })

  it('shows each of several recipients their own data', async () => {
    const [first, second] = [newAddress(), newAddress()]
    await call('POST', '/contacts', { email: first, data: { name: 'First' } })
    const ids = await sent({ to: [first, second], body: '{{email}} {{name ?? "you"}}' })
    expect(await Promise.all(ids.map(async (id) => (await record(id)).html))).toEqual([
      `${first} First`,
      `${second} you`,
    ])
  })

  it('has line breaks in a rendered subject replaced by spaces, and the subject cut at 998', async () => {
    const [id] = await sent({ subject: '{{x}}', data: { x: 'a\r\nb\nc' } })
    expect((await record(id!)).subject).toBe('a b c')
    const [long] = await sent({ subject: '{{x}}', data: { x: `a${'😀'.repeat(1_200)}` } })
    await app.drain()
    expect((await record(long!)).subject).toBe(`a${'😀'.repeat(997)}`)
  })

  it('fails its own email within its limits if it never ends, and no other', async () => {
    const loop =
      '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}x{% endfor %}{% endfor %}{% endfor %}'
    const [runaway] = await sent({ body: loop })
    const [fine] = await sent()
    await app.drain() // rendering it all would take years
    expect(await record(runaway!)).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/./), html: null })
    expect(await record(fine!)).toMatchObject({ status: 'DELIVERED' })
    expect((await call('GET', `/emails/${runaway}/raw`)).status).toBe(400)
  })
})

function one(value: unknown) {
  return { value, persistent: false }
}

describe('the delivery of an email', () => {
  it('records email.sent and email.delivery with their fields', async () => {
    const [id] = await sent({ from: { name: 'Acme', email: 'hello@example.com' } })
    await app.drain()
    const now = app.clock.now().toISOString()
    const base = {
      subject: 'Hello',
      from: 'hello@example.com',
      fromName: 'Acme',
      messageId: expect.any(String),
      emailId: id,
      templateId: null,
      campaignId: null,
      sourceType: 'TRANSACTIONAL',
    }
    expect((await record(id!)).timeline).toEqual([
      { event: 'queued', at: now, data: {} },
      { event: 'email.sent', at: now, data: { ...base, sentAt: now } },
      { event: 'email.delivery', at: now, data: { ...base, deliveredAt: now } },
    ])
    expect(await record(id!)).toMatchObject({
      status: 'DELIVERED',
      sentAt: now,
      deliveredAt: now,
      attempts: 1,
      error: null,
      opens: 0,
    })
  })

  it('to reject@ fails immediately, with an event', async () => {
    const [id] = await sent({ to: 'Reject@Simulator.posthorn.test' })
    await app.drain()
    expect(await record(id!)).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('554'),
      attempts: 1,
      sentAt: null,
    })
    expect((await record(id!)).timeline).toMatchObject([
      { event: 'queued' },
      { event: 'failed', at: app.clock.now().toISOString(), words: expect.stringContaining('554') },
    ])
    const { body } = await call('GET', '/events?limit=100')
    expect(body.data.filter((event: { emailId: string }) => event.emailId === id)).toMatchObject([
      { name: 'email.failed', data: { subject: expect.any(String), error: expect.stringContaining('554') } },
    ])
  })

  it('to slow@ fails twice with growing pauses, then succeeds once', async () => {
    app.clock.forward(3600_000) // ahead of the real clock, which could otherwise catch up on a slow machine
    const [id] = await sent({ to: 'slow@simulator.posthorn.test' })
    const tries: Array<[status: string, attempts: number]> = []
    for (let minute = 0; minute < 10; minute++) {
      await app.drain()
      const { status, attempts } = await record(id!)
      if (tries.at(-1)?.[1] !== attempts) tries.push([status, attempts])
      app.clock.forward(60_000)
    }
    expect(tries).toEqual([
      ['PENDING', 1],
      ['PENDING', 2],
      ['DELIVERED', 3],
    ])
    expect((await app.captured()).filter((m) => m.recipients[0]?.startsWith('slow@'))).toHaveLength(1)
  })

  it('stops while the project is disabled', async () => {
    const disabled = await createProject(app)
    const body = { to: newAddress(), from: 'hello@example.com', subject: 's', body: 'b' }
    const { body: reply } = await app.request('POST', '/v1/send', { key: disabled.secretKey, body })
    await app.pool.query('update projects set disabled_at = now() where id = $1', [disabled.id])
    const before = (await app.captured()).length
    await app.drain()
    expect((await app.captured()).length).toBe(before)
    const email = await app.request('GET', `/emails/${reply.data.emails[0].email}`, { key: disabled.secretKey })
    expect(email.body.status).toBe('PENDING')
  })

  it('neither deadlocks nor loses one of several concurrent sends with the same recipients in different order', async () => {
    const people = Array.from({ length: 8 }, () => newAddress())
    const orders = Array.from({ length: 20 }, (_, i) => [...people.slice(i % 8), ...people.slice(0, i % 8)])
    const replies = await Promise.all(
      orders.map((to, i) =>
        send({ to: i % 2 ? to : to.toReversed(), data: { [`k${i}`]: i, shared: i }, subscribed: i % 3 === 0 }),
      ),
    )
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(200))
    const ids = replies.flatMap((reply) => reply.body.data.emails.map((entry: { email: string }) => entry.email))
    expect(new Set(ids).size).toBe(160)
    const { body } = await call('GET', `/contacts?email=${people[3]}`)
    expect(Object.keys(body.data[0].data)).toHaveLength(21)
  })
})

describe('GET /emails', () => {
  it('lists the newest first, page by page, with filters', async () => {
    const to = newAddress()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push(...(await sent({ to, subject: `Round {{n}}`, data: { n: i } })))
    const { body: contacts } = await call('GET', `/contacts?email=${to}`)
    const mine = `contactId=${contacts.data[0].id}`
    const first = (await call('GET', `/emails?${mine}&limit=3`)).body
    const second = (await call('GET', `/emails?${mine}&limit=3&cursor=${first.cursor}`)).body
    expect([...first.data, ...second.data].map((email: { id: string }) => email.id)).toEqual(ids.toReversed())
    expect([first.total, first.hasMore, second.total, second.hasMore, second.cursor]).toEqual([5, true, 0, false, null])
    expect(first.data[0].subject).toBe('Round 4')

    expect((await call('GET', `/emails?${mine}&status=PENDING`)).body.total).toBe(5)
    expect((await call('GET', `/emails?search=${to.toUpperCase()}`)).body.total).toBe(5)
    expect((await call('GET', `/emails?${mine}&search=rOUND`)).body.total, 'subjects not rendered yet').toBe(5)
    await app.drain()
    expect((await call('GET', `/emails?${mine}&status=DELIVERED`)).body.total).toBe(5)
    expect((await call('GET', `/emails?${mine}&search=ROUND%203`)).body.total).toBe(1)
    expect((await call('GET', `/emails?${mine}&search=_ound`)).body.total).toBe(0)
  })

  it.each([
    ['contactId=019a0000-0000-7000-8000-000000000000', 404],
    ['contactId=x', 404],
    ['campaignId=019a0000-0000-7000-8000-000000000000', 404],
    ['campaignId=x', 404],
    ['cursor=x', 400],
  ])('?%s returns %d', async (query, status) => {
    expect((await call('GET', `/emails?${query}`)).status).toBe(status)
  })
})
