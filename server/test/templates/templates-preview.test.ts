/** Previews of templates: they show what would be sent and which values are missing, and store nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Data = Record<string, unknown>

const GONE = '01890000-0000-7000-8000-000000000000'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })
const preview = (fields: object) => call('POST', '/templates/preview', { subject: '', body: '', ...fields })

async function newContact(data: Data = {}) {
  const email = `person-${++counter}@example.org`
  return (await call('POST', '/contacts', { email, data })).body as { id: string; email: string }
}

const one = (value: unknown) => ({ value, persistent: false })

const ALL_RESERVED = Object.fromEntries(
  (
    'id email service_id service_email posthorn_id posthorn_email plunk_id plunk_email ' +
    'unsubscribeUrl subscribeUrl manageUrl constructor prototype'
  )
    .split(' ')
    .map((name) => [name, 'x']),
)

describe('a template preview', () => {
  it('renders for a sample contact and returns the names without a value', async () => {
    const { status, body } = await preview({
      subject: 'Hi {{ name }}',
      body: '<p>{{ plan ?? "free" }} {{ email }}[{{ id }}] {{ first name }} {{ profile.tier }} {{ html }} {{ name }}</p>',
      data: { html: '<b>', profile: {} },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      subject: 'Hi ',
      html: '<p>free contact@example.com[]   &lt;b&gt; </p>',
      text: 'free contact@example.com[] <b>',
      preheader: null,
      missing: ['name', 'first name', 'profile.tier'],
    })
  })

  it.each<[name: string, subject: string, body: string, stored: Data, sent: Data]>([
    ['plain names', 'Hi {{ name }}', '<h1>{{ name }}</h1><p>{{ data.name }}</p>', { name: 'Ada <3' }, {}],
    ['data over stored data', '{{ a }}{{ b }}', '{{ data.a }}{{ data.b }}', { a: 'old', b: 'kept' }, { a: 'new' }],
    ['null and empty text', '{{ a }}{{ b }}', '{{ a ?? "gone" }}{{ b }}', { a: 'old', b: 'old' }, { a: null, b: '' }],
    ['empty text where nothing is stored', '[{{ a ?? "y" }}]', '{{ data }}', { bb: 1 }, { ccc: '', a: '' }],
    ['values for one use', '{{ a }}', '{{ a }}{{ b }}{{ c }}', { c: 'old' }, { a: one('X'), b: one(''), c: one(null) }],
    ['nested values', '{{ p.value }}', '{{ p }}{{ p.persistent }}', {}, { p: { value: 1, persistent: true } }],
    [
      'reserved names',
      '{{ email }}',
      Object.keys(ALL_RESERVED)
        .map((n) => `[{{ ${n} }}]`)
        .join(''),
      {},
      ALL_RESERVED,
    ],
    ['line breaks in a subject', 'a {{ x }}', '{{ x }}', {}, { x: 'b\r\nBcc: c@example.org' }],
    ['a subject that is too long', '{{ x }}', 'b', {}, { x: '😀'.repeat(600) }],
    [
      'markup and entities',
      '{{ x }}',
      '<p>{{ x }} {{ x | raw }} &amp;</p><a href="https://x.org">go</a>',
      {},
      { x: '<i>&' },
    ],
    ['Liquid in data', '{{ x }}', '{{ x }}', {}, { x: '{{ 7 | plus: 1 }}' }],
    [
      'loops and filters',
      '{{ l | size }}',
      '{% for i in l %}{{ i | upcase }},{% endfor %}{{ "now" | date: "%Y" }}',
      {},
      { l: ['a', 'b'] },
    ],
    [
      'what is rendered in a thread',
      '{{ x | replace: "a", "b" }}',
      '{% for i in (1..3) %}{{ i }}{% endfor %}',
      {},
      { x: 'aa' },
    ],
    [
      'the order of keys',
      '{% for p in x %}{{ p[0] }}{% endfor %}',
      '{{ x }}{{ data }}',
      { z: 1 },
      { x: { zz: 1, b: 2, a: 3 }, c: 1, bb: 1 },
    ],
    ['a key called data', '{{ data.x }}', '{{ data }}', { data: { x: 1 } }, { y: 2 }],
    ['no Liquid at all', 'Static', '<p>}} %}</p>', {}, { a: 1 }],
  ])('shows what would be sent: %s', async (_name, subject, body, stored, data) => {
    const contact = await newContact(stored)
    const shown = await preview({ subject, body, data, contactId: contact.id })
    const email = { to: contact.email, from: 'a@example.com', subject, body, data }
    const { body: sent } = await call('POST', '/v1/send', email)
    const { body: real } = await call('GET', `/emails/${sent.data.emails[0].email}`)
    expect(shown).toMatchObject({ status: 200, body: { subject: real.subject, html: real.html, text: real.text } })
  })

  it('has the footer of its type, like the email that is sent', async () => {
    const contact = await newContact({ name: 'Ada', locale: 'de' })
    const content = { subject: 'Hi {{ name }}', body: '<body><p>{{ name }} {{ unsubscribeUrl }}</p></body>' }
    for (const type of ['MARKETING', 'TRANSACTIONAL', 'HEADLESS']) {
      const { body: shown } = await preview({ ...content, type, contactId: contact.id })
      const template = { name: 'T', from: 'a@example.com', type, ...content }
      const { id } = (await call('POST', '/templates', template)).body
      const { body: sent } = await call('POST', '/v1/send', { to: contact.email, template: id })
      const { html, text } = (await call('GET', `/emails/${sent.data.emails[0].email}`)).body
      expect(shown.html).toBe(html.replace(/<img src="[^"]*\/t\/o\/[^>]*>/, ''))
      expect(shown.text).toBe(text)
    }
    const { body: sample } = await preview({ ...content, type: 'MARKETING' })
    expect(sample.html).toMatch(/<a href="http:\/\/posthorn\.test\/unsubscribe\//)
  })

  it('stores nothing', async () => {
    const contact = await newContact({ a: 1 })
    const tables = 'contacts contact_fields events emails email_contents templates'.split(' ')
    const everything = async () =>
      (
        await app.pool.query(
          tables.map((t) => `select array_agg(t::text order by t::text) from ${t} t`).join(' union all '),
        )
      ).rows
    const before = await everything()
    const reply = await preview({ body: '{{ a }}{{ b }}', data: { a: 2, b: 3, c: null }, contactId: contact.id })
    expect(reply.body.html).toBe('23')
    expect(await everything()).toEqual(before)
  })

  it('refuses a contact that is unknown or of another project', async () => {
    const other = await createProject(app)
    const { body: theirs } = await call(
      'POST',
      '/contacts',
      { email: 'x@example.org', data: { a: 1 } },
      other.secretKey,
    )
    for (const contactId of [GONE, theirs.id]) {
      expect(await preview({ body: '{{ a }}', contactId })).toMatchObject({
        status: 404,
        body: { error: { code: 'CONTACT_NOT_FOUND', details: { resource: 'contact', id: contactId } } },
      })
    }
  })

  it.each<[name: string, fields: object, field: string, code: string]>([
    ['no subject', { subject: undefined }, 'subject', 'invalid_type'],
    ['no body', { body: undefined }, 'body', 'invalid_type'],
    ['a line break in the subject', { subject: 'a\nb' }, 'subject', 'invalid_string'],
    ['a list as data', { data: [] }, 'data', 'invalid_type'],
    ['null as data', { data: null }, 'data', 'invalid_type'],
    ['data that is too deep', { data: { x: deep(21) } }, `data.x${'.0'.repeat(20)}`, 'too_big'],
    ['a contact id that is none', { contactId: 'x' }, 'contactId', 'invalid_string'],
    ['a broken subject', { subject: '{{ x' }, 'subject', 'custom'],
    ['a broken body', { body: '{% endif %}' }, 'body', 'custom'],
    ['an include', { body: '{% render "x" %}' }, 'body', 'custom'],
    ['a NUL character', { data: { a: 'x\0' } }, 'data.a', 'custom'],
    ['a filter that gets what it cannot use', { body: '{{ "%" | url_decode }}' }, 'body', 'custom'],
    [
      'a text without end',
      { body: '{% for i in (1..99999) %}{% for j in (1..99999) %}xxxxxxxx{% endfor %}{% endfor %}' },
      'body',
      'custom',
    ],
    ['a range without end', { subject: '{% for i in (1..99999999) %}{% endfor %}' }, 'subject', 'custom'],
    ['too many names', { body: '{{ a }}'.repeat(20_001) }, 'body', 'custom'],
  ])('is a 422 if it has %s', async (_name, fields, field, code) => {
    expect(await preview(fields)).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', errors: [{ field, code }] } },
    })
  })

  it('handles excessively nested data', async () => {
    const levels = 20_000
    const text = `{"subject":"","body":"","data":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}`
    const reply = await app.request('POST', '/templates/preview', { key: project.secretKey, text })
    expect(reply).toMatchObject({
      status: 422,
      body: { error: { errors: [{ field: expect.stringMatching(/^data/), code: 'too_big' }] } },
    })
  })

  it('reports where a rendering failed', async () => {
    const { body } = await preview({ body: 'a\n {{ "%" | url_decode }}' })
    expect(body.error.errors[0].message).toMatch(/\(line 2, column 2\)$/)
  })

  it.each<[name: string, fields: object, html: string]>([
    [
      'data that reaches for prototypes',
      { body: '{{ x.constructor }}{{ __proto__ }}{{ x.y }}', data: JSON.parse('{"__proto__":{"a":1},"x":{"y":1}}') },
      '1',
    ],
    ['data as deep as it may be', { body: '{{ x[0][0] | size }}', data: { x: deep(20) } }, '1'],
    ['many names', { body: '{{ a }}'.repeat(500), data: { a: 1 } }, '1'.repeat(500)],
  ])('handles %s', async (_name, fields, html) => {
    expect(await preview(fields)).toMatchObject({ status: 200, body: { html } })
    expect(({} as Data).a).toBeUndefined()
  })
})

/** A list in a list in a list. */
function deep(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = [value]
  return value
}
