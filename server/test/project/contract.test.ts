/**
 * The contract as a table of requests and expected results. A row is one sentence of the contract. For every row, the
 * test also checks that each refusal has the envelope and changes nothing, that every request ID is new, and that all
 * timestamps have one format.
 */
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, databaseState, openTestApp, type TestApp, type TestReply } from '../harness.ts'

interface Call {
  /** `POST /v1/send`; `:other` stands for the ID of another project. */
  route: string
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  text?: string
  key?: 'secret' | 'public' | 'none'
  headers?: Record<string, string>
}

interface Outcome {
  status: number
  /** `error.code` of a refusal. */
  code?: string
  /** One of `error.errors`. */
  problem?: { field?: string; code: string }
  /** A part of the reply's body. */
  body?: object
  headers?: Record<string, string>
  /** The expected contact for each address; null if there must be none. */
  contacts?: Record<string, object | null>
  /** The names of all events of each address, oldest first. */
  events?: Record<string, string[]>
  /** The sent messages, one for each email in the response. */
  mail?: object[]
}

interface Scenario {
  name: string
  given?: Call[]
  when: Call | ((given: TestReply[]) => Call)
  expects: Outcome
}

const call = (route: string, body?: unknown, rest: Partial<Call> = {}): Call => ({ route, body, ...rest })
const refused = (status: number, code: string): Outcome => ({ status, code })
const invalid = (code: string, field: string): Outcome => ({
  ...refused(422, 'VALIDATION_ERROR'),
  problem: { code, field },
})
const track = (email: string, event: string, rest: object = {}) =>
  call('POST /v1/track', { email, event, ...rest }, { key: 'public' })
const upsert = (email: string, rest: object = {}) => call('POST /contacts', { email, ...rest })
const onContact = (method: string, body?: object) => (given: TestReply[]) =>
  call(`${method} /contacts/${given[0]!.body.id}`, body)
const mailTo = (to: unknown, rest: object = {}) =>
  call('POST /v1/send', { to, from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>', ...rest })
const gone = '019a0000-0000-7000-8000-000000000000'

const keys: Scenario[] = [
  {
    name: 'the secret key does not open /v1/track, and leaves no contact behind',
    when: { ...track('auth@example.org', 'x'), key: 'secret' },
    expects: { ...refused(401, 'INVALID_API_KEY'), contacts: { 'auth@example.org': null } },
  },
  ...[mailTo('auth@example.org'), call('GET /contacts'), call('POST /events/track', { email: 'auth@example.org' })].map(
    (opened) => ({
      name: `the public key does not open ${opened.route}`,
      when: { ...opened, key: 'public' as const },
      expects: { ...refused(401, 'INVALID_API_KEY'), contacts: { 'auth@example.org': null } },
    }),
  ),
  {
    name: 'the secret key tracks through /events/track, with the envelope of /v1/track',
    when: call('POST /events/track', { email: 'inside@example.org', event: 'signup' }),
    expects: { status: 200, body: { success: true }, events: { 'inside@example.org': ['signup'] } },
  },
  {
    name: 'no credentials are a 401 in the envelope',
    when: call('GET /contacts', undefined, { key: 'none' }),
    expects: refused(401, 'MISSING_AUTH'),
  },
  {
    name: 'a key without the word Bearer is a malformed header',
    when: call('GET /contacts', undefined, { key: 'none', headers: { authorization: `sk_${'0'.repeat(48)}` } }),
    expects: refused(401, 'MISSING_AUTH'),
  },
  {
    name: 'the configuration needs no credentials',
    when: call('GET /config', undefined, { key: 'none' }),
    expects: { status: 200, body: { features: { signup: true, billing: false, transport: 'capture' } } },
  },
  {
    name: 'the domains of another project are not there',
    when: call('GET /domains/project/:other'),
    expects: refused(404, 'RESOURCE_NOT_FOUND'),
  },
  {
    name: 'a browser on any site may ask before it tracks',
    when: call('OPTIONS /v1/track', undefined, { key: 'none', headers: { origin: 'https://shop.test' } }),
    expects: { status: 204, headers: { 'access-control-allow-origin': '*' } },
  },
]

const errors: Scenario[] = [
  ...['elsewhere.com', 'mail.example.com', 'only-others.com'].map((domain) => ({
    name: `a sender at ${domain}, which this project has not verified, is a 403 with an odd code`,
    when: mailTo('nobody@example.org', { from: `hello@${domain}` }),
    expects: { ...refused(403, 'INTERNAL_SERVER_ERROR'), contacts: { 'nobody@example.org': null } },
  })),
  { name: 'a bad address in `to` says so', when: mailTo('not an address'), expects: invalid('invalid_string', 'to') },
  {
    name: 'a bad address of a named recipient says so',
    when: mailTo({ name: 'A', email: 'nope' }),
    expects: invalid('invalid_string', 'to.email'),
  },
  {
    name: 'one bad address among many says which, and nobody is written to',
    when: mailTo(['first@example.org', 'broken', 'last@example.org']),
    expects: {
      ...invalid('invalid_string', 'to.1'),
      contacts: { 'first@example.org': null, 'last@example.org': null },
    },
  },
  {
    name: 'malformed JSON is a 400',
    when: call('POST /contacts', undefined, { text: '{"email": ' }),
    expects: refused(400, 'INVALID_REQUEST_BODY'),
  },
  { name: 'an unknown route is a 404', when: call('GET /nowhere'), expects: refused(404, 'RESOURCE_NOT_FOUND') },
  {
    name: 'an unknown id is a 404 that names it',
    when: call(`GET /contacts/${gone}`),
    expects: { ...refused(404, 'CONTACT_NOT_FOUND'), body: { error: { details: { resource: 'contact', id: gone } } } },
  },
]

const contacts: Scenario[] = [
  {
    name: 'a new contact is 201 and subscribed',
    when: upsert('new@example.org'),
    expects: { status: 201, body: { subscribed: true, _meta: { isNew: true, isUpdate: false } } },
  },
  {
    name: 'an upsert of a known contact is 200 and leaves its subscription alone',
    given: [upsert('known@example.org', { subscribed: false })],
    when: upsert('known@example.org'),
    expects: { status: 200, body: { subscribed: false, _meta: { isNew: false, isUpdate: true } } },
  },
  {
    name: 'an email address that another contact has is a 409',
    given: [upsert('mover@example.org'), upsert('taken@example.org')],
    when: onContact('PATCH', { email: 'Taken@example.org', data: { a: 1 } }),
    expects: refused(409, 'CONFLICT'),
  },
  {
    name: 'a contact may be given its own address in another case',
    given: [upsert('self@example.org')],
    when: onContact('PATCH', { email: ' SELF@Example.org ' }),
    expects: { status: 200, body: { email: 'self@example.org' } },
  },
  {
    name: 'a deleted contact is gone, and the reply is empty',
    given: [upsert('leaving@example.org')],
    when: onContact('DELETE'),
    expects: { status: 204, contacts: { 'leaving@example.org': null } },
  },
  ...[true, false].map((subscribed) => ({
    name: `a PATCH to subscribed: ${subscribed} records one event when that is a change`,
    given: [upsert(`turn-${subscribed}@example.org`, { subscribed: !subscribed })],
    when: onContact('PATCH', { subscribed }),
    expects: {
      status: 200,
      body: { subscribed },
      events: { [`turn-${subscribed}@example.org`]: [subscribed ? 'contact.subscribed' : 'contact.unsubscribed'] },
    },
  })),
]

const sending: Scenario[] = [
  {
    name: 'a new recipient is not subscribed, a known one keeps the subscription, and neither is an event',
    given: [upsert('loyal@example.org')],
    when: mailTo(['fresh@example.org', 'loyal@example.org']),
    expects: {
      status: 200,
      contacts: { 'fresh@example.org': { subscribed: false }, 'loyal@example.org': { subscribed: true } },
      events: { 'fresh@example.org': [], 'loyal@example.org': [] },
    },
  },
  {
    name: 'subscribed: true flips a known recipient and records it once',
    given: [mailTo('flip@example.org'), mailTo('flip@example.org', { subscribed: true })],
    when: mailTo('flip@example.org', { subscribed: true }),
    expects: {
      status: 200,
      contacts: { 'flip@example.org': { subscribed: true } },
      events: { 'flip@example.org': ['contact.subscribed'] },
    },
  },
  ...(['to', 'from', 'subject', 'body'] as const).map((field) => ({
    name: `without ${field}, and without a template, an email is refused`,
    when: mailTo('lacking@example.org', { [field]: undefined }),
    expects: invalid('invalid_type', field),
  })),
  ...[
    { from: 'hello@example.com', name: 'N', shown: 'N' },
    { from: { name: 'M', email: 'hello@example.com' }, name: 'N', shown: 'M' },
  ].map(({ shown, ...given }) => ({
    name: `from ${JSON.stringify(given.from)} and the deprecated name N make the display name ${shown}`,
    when: mailTo('named@example.org', given),
    expects: { status: 200, mail: [{ from: { name: shown, address: 'hello@example.com' } }] },
  })),
  {
    name: 'a subject may have 998 characters',
    when: mailTo('long@example.org', { subject: 's'.repeat(998) }),
    expects: { status: 200, mail: [{ subject: 's'.repeat(998) }] },
  },
  ...Object.entries({
    ['s'.repeat(999)]: 'too_big',
    '': 'too_small',
    'a\nb': 'invalid_string',
    'a\r': 'invalid_string',
  }).map(([subject, code]) => ({
    name: `a subject such as ${JSON.stringify(subject.slice(0, 5))} of ${subject.length} characters is refused`,
    when: mailTo('long@example.org', { subject }),
    expects: invalid(code, 'subject'),
  })),
  {
    name: 'a line break that a variable brings into the subject becomes a space, not a header',
    when: mailTo('inject@example.org', { subject: 'Hi {{x}}', data: { x: 'a\r\nBcc: evil@example.org' } }),
    expects: { status: 200, mail: [{ subject: 'Hi a Bcc: evil@example.org' }] },
  },
  {
    name: 'each of [a, b, a] gets an email of its own, in order and with its own variables',
    when: mailTo(['a1@example.org', { name: 'B', email: 'b1@example.org' }, 'a1@example.org'], {
      subject: '{{email}}',
    }),
    expects: {
      status: 200,
      body: {
        success: true,
        data: { emails: ['a1', 'b1', 'a1'].map((at) => ({ contact: { email: `${at}@example.org` } })) },
      },
      mail: [
        { subject: 'a1@example.org' },
        { subject: 'b1@example.org', to: [{ name: 'B', address: 'b1@example.org' }] },
        { subject: 'a1@example.org' },
      ],
    },
  },
  { name: 'nobody to send to is refused', when: mailTo([]), expects: invalid('too_small', 'to') },
  {
    name: 'a template that is no uuid is refused',
    when: mailTo('t@example.org', { template: 'x' }),
    expects: invalid('invalid_string', 'template'),
  },
  {
    name: 'an unknown template is a 404',
    when: mailTo('t@example.org', { template: gone }),
    expects: refused(404, 'TEMPLATE_NOT_FOUND'),
  },
]

const tracking: Scenario[] = [
  ...[
    'email.sent',
    'email.anything',
    'contact.subscribed',
    'contact.unsubscribed',
    'segment.vip.entry',
    'segment.vip.exit',
  ].map((event) => ({
    name: `the event name ${event} is reserved`,
    when: track('reserved@example.org', event),
    expects: { ...invalid('reserved_event', 'event'), contacts: { 'reserved@example.org': null } },
  })),
  {
    name: 'a new contact of /v1/track is subscribed, and the reply carries plain ids',
    when: track('tracked@example.org', 'signup'),
    expects: {
      status: 200,
      body: { success: true, data: { contact: expect.stringMatching(/^[0-9a-f-]{36}$/), event: expect.any(String) } },
      contacts: { 'tracked@example.org': { subscribed: true } },
      events: { 'tracked@example.org': ['signup'] },
    },
  },
  {
    name: 'an event for an unsubscribed contact does not subscribe it, and the same event twice is two events',
    given: [upsert('quiet@example.org', { subscribed: false }), track('quiet@example.org', 'again')],
    when: track('quiet@example.org', 'again'),
    expects: {
      status: 200,
      contacts: { 'quiet@example.org': { subscribed: false } },
      events: { 'quiet@example.org': ['again', 'again'] },
    },
  },
]

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let other: Awaited<ReturnType<typeof createProject>>
const requestIds = new Set<string>()

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  other = await createProject(app)
  const { body } = await app.request('POST', '/domains', { key: other.secretKey, body: { domain: 'only-others.com' } })
  await app.request('GET', `/domains/${body.id}/verify`, { key: other.secretKey })
})
afterAll(() => app.close())

for (const [topic, scenarios] of Object.entries({ keys, errors, contacts, sending, tracking })) {
  describe(`the contract on ${topic}`, () => {
    for (const scenario of scenarios) it(scenario.name, () => play(scenario))
  })
}

async function play({ given = [], when, expects }: Scenario): Promise<void> {
  const replies: TestReply[] = []
  for (const step of given) replies.push(await perform(step))
  expect(replies.filter((reply) => reply.status >= 300)).toEqual([])

  const before = expects.status >= 400 ? await databaseState(app) : undefined
  const reply = await perform(typeof when === 'function' ? when(replies) : when)
  await compare(reply, expects)
  if (before) expect(await databaseState(app), 'a refusal changes nothing').toEqual(before)
}

async function perform({ route, key = 'secret', ...rest }: Call): Promise<TestReply> {
  const [method, path] = route.replace(':other', other.id).split(' ') as [string, string]
  const credentials = { secret: { key: project.secretKey }, public: { key: project.publicKey }, none: {} }[key]
  return app.request(method, path, { ...rest, ...credentials })
}

async function compare(reply: TestReply, expects: Outcome): Promise<void> {
  expect({ status: reply.status, code: reply.body?.error?.code }, JSON.stringify(reply.body)).toEqual({
    status: expects.status,
    code: expects.code,
  })
  if (reply.status >= 400) expectEnvelope(reply)
  if (expects.body) expect(reply.body).toMatchObject(expects.body)
  if (expects.headers) expect(reply.headers).toMatchObject(expects.headers)
  if (expects.problem) expect(reply.body.error.errors).toContainEqual(expect.objectContaining(expects.problem))
  if (reply.status === 204) expect(reply.body).toBe('')
  expectOneWayToWriteMoments(reply.body)
  for (const [email, expected] of Object.entries(expects.contacts ?? {})) {
    const { body } = await perform(call(`GET /contacts?email=${encodeURIComponent(email)}`))
    if (expected === null) expect(body.data).toEqual([])
    else expect(body.data).toMatchObject([{ email, ...expected }])
  }
  for (const [email, names] of Object.entries(expects.events ?? {})) expect(await eventNames(email)).toEqual(names)
  if (expects.mail) expect(await messages(reply)).toMatchObject(expects.mail)
}

function expectEnvelope({ status, body, headers }: TestReply): void {
  expect(body).toMatchObject({ success: false, message: body.error.message, timestamp: expect.any(String) })
  expect(body.error).toMatchObject({
    statusCode: status,
    message: expect.stringMatching(/./),
    requestId: headers['x-request-id'],
  })
  expect(requestIds.has(body.error.requestId)).toBe(false)
  requestIds.add(body.error.requestId)
  for (const item of body.error.errors ?? []) {
    expect(item).toMatchObject({ field: expect.any(String), message: expect.any(String), code: expect.any(String) })
  }
}

function expectOneWayToWriteMoments(body: unknown): void {
  JSON.stringify(body, (key, value) => {
    if (/^(timestamp|.*At)$/.test(key) && value !== null)
      expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    return value
  })
}

async function eventNames(email: string): Promise<string[]> {
  const rows = await app.pool.query(
    'select e.name from events e join contacts c on c.id = e.contact_id where c.email = $1 and c.project_id = $2 order by e.id',
    [email, project.id],
  )
  return rows.rows.map((row) => row.name)
}

async function messages(reply: TestReply): Promise<object[]> {
  const emails: Array<{ email: string }> = reply.body.data.emails
  return Promise.all(
    emails.map(async ({ email }) => {
      const raw = await perform(call(`GET /emails/${email}/raw`))
      const message = await PostalMime.parse(raw.body)
      return { ...message, html: message.html?.trim() }
    }),
  )
}
