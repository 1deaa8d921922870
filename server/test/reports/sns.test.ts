/** POST /webhooks/sns with messages of Amazon, and with forged ones. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { makeCertificate, makeKeys, openSns, TOPIC } from './sns-signer.ts'

let app: TestApp
let sns: Awaited<ReturnType<typeof openSns>>
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  sns = await openSns()
  app = await openTestApp({ SNS_TRUSTED_HOSTS: sns.host, SNS_TOPIC_ARNS: TOPIC })
  project = await createProject(app)
})
afterAll(async () => {
  await app.close()
  await sns.close()
})
beforeEach(() => {
  sns.asked.length = 0
  app.clock.set(new Date()) // so that jobs scheduled seconds ahead don't become due while a test runs
})

/** As SNS sends it: JSON with the content type of text. */
const post = (message: unknown, headers: Record<string, string> = {}, to = app) =>
  to.request('POST', '/webhooks/sns', {
    text: typeof message === 'string' ? message : JSON.stringify(message),
    headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers },
  })

const kept = async () => (await app.pool.query('select id from sns_messages')).rowCount

/** An email with an ID that SES assigned. */
let counter = 0
async function send() {
  const { body } = await app.request('POST', '/v1/send', {
    key: project.secretKey,
    body: {
      to: `person${++counter}@example.org`,
      from: 'hello@example.com',
      subject: 'Hello',
      body: 'x',
      subscribed: true,
    },
  })
  await app.drain()
  const [{ email: id, contact }] = body.data.emails
  const providerId = `0102018f-ses-${counter}-000000`
  await app.pool.query(`update emails set status = 'SENT', delivered_at = null, message_id = $2 where id = $1`, [
    id,
    providerId,
  ])
  await app.pool.query('delete from events where email_id = $1', [id])
  return { id: id as string, providerId, contactId: contact.id as string }
}

const record = async (id: string) => (await app.request('GET', `/emails/${id}`, { key: project.secretKey })).body

const eventsOf = async (contactId: string) =>
  (await app.pool.query('select name from events where contact_id = $1 order by name', [contactId])).rows.map(
    (row) => row.name,
  )

const bounce = (providerId: string, fields: object = {}) =>
  JSON.stringify({
    notificationType: 'Bounce',
    mail: { messageId: providerId, timestamp: '2026-01-01T00:00:00.000Z' },
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      timestamp: '2026-01-01T00:00:05.000Z',
      bouncedRecipients: [{ emailAddress: 'x@example.org', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
      ...fields,
    },
  })

describe('a signed SNS message', () => {
  it.each(['1', '2'] as const)('is accepted once if its signature version is %s', async (version) => {
    const { id, providerId, contactId } = await send()
    const message = sns.message({ Message: bounce(providerId), Subject: 'Amazon SES Email Event' }, version)
    for (let i = 0; i < 2; i++) expect((await post(message)).status).toBe(200)
    await app.drain()
    expect((await post(message)).status).toBe(200)
    await app.drain()
    const email = await record(id)
    expect(email).toMatchObject({ status: 'BOUNCED', bouncedAt: '2026-01-01T00:00:05.000Z' })
    expect(email.timeline.at(-2)).toMatchObject({ event: 'email.bounce', words: 'smtp; 550 5.1.1 user unknown' })
    expect(await eventsOf(contactId)).toEqual(['contact.unsubscribed', 'email.bounce'])
  })

  it('finds an email by our Message-ID if it was sent without SES or over its SMTP server', async () => {
    const ways = [
      (own: string) => ({ messageId: own }),
      (own: string) => ({ messageId: '0102018f-ses-by-smtp', commonHeaders: { messageId: `<${own}>` } }),
    ]
    for (const mail of ways) {
      const { id } = await send()
      const own = `${id}@example.com`
      await app.pool.query('update emails set message_id = $2 where id = $1', [id, own])
      const told = { ...JSON.parse(bounce('')), mail: mail(own) }
      await post(sns.message({ Message: JSON.stringify(told) }))
      await app.drain()
      expect((await record(id)).status).toBe('BOUNCED')
    }
  })

  it('is stored without its body once it was handled', async () => {
    const { providerId } = await send()
    await post(sns.message({ MessageId: 'forget-me', Message: bounce(providerId) }))
    await app.drain()
    const { rows } = await app.pool.query(`select body from sns_messages where id = 'forget-me'`)
    expect(rows).toEqual([{ body: null }])
  })

  it('is accepted and ignored if it is not about an email, or not JSON', async () => {
    for (const Message of [
      'Successfully validated SNS topic',
      '{}',
      '[]',
      'null',
      '{"notificationType":"Bounce"}',
      '{"mail":7}',
    ]) {
      expect((await post(sns.message({ Message }))).status).toBe(200)
    }
    await app.drain()
  })

  it('fetches its certificate once for concurrent messages', async () => {
    const fresh = await openTestApp({ SNS_TRUSTED_HOSTS: sns.host })
    try {
      const replies = await Promise.all(Array.from({ length: 10 }, () => post(sns.message(), {}, fresh)))
      expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200))
      expect(sns.asked).toEqual(['/good.pem'])
    } finally {
      await fresh.close()
    }
  })
})

it('SNS notifications about an email have the same effect in any order', async () => {
  const about = (providerId: string, kind: string, fields: object) =>
    JSON.stringify({ notificationType: kind, mail: { messageId: providerId }, [kind.toLowerCase()]: fields })
  const kinds = [
    (id: string) => about(id, 'Delivery', { timestamp: '2026-01-01T00:00:03.000Z' }),
    (id: string) => bounce(id),
    (id: string) => about(id, 'Complaint', { timestamp: '2026-01-01T00:00:09.000Z' }),
  ] as const
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]
  for (const order of orders) {
    const { id, providerId, contactId } = await send()
    for (const i of order) {
      await post(sns.message({ Message: kinds[i]!(providerId) }))
      await app.drain()
    }
    expect(await record(id), `in the order ${order}`).toMatchObject({
      status: 'COMPLAINED',
      deliveredAt: '2026-01-01T00:00:03.000Z',
      bouncedAt: '2026-01-01T00:00:05.000Z',
      complainedAt: '2026-01-01T00:00:09.000Z',
    })
    const events = ['contact.unsubscribed', 'email.bounce', 'email.complaint', 'email.delivery']
    expect(await eventsOf(contactId)).toEqual(events)
  }
})

describe('an SNS notification received before the email is recorded', () => {
  it('is stored, and applied once the email is recorded', async () => {
    const { id, providerId } = await send()
    await app.pool.query('update emails set message_id = null where id = $1', [id])
    await post(sns.message({ Message: bounce(providerId) }))
    await app.drain()
    expect((await record(id)).status).toBe('SENT')
    await app.pool.query('update emails set message_id = $2 where id = $1', [id, providerId])
    app.clock.forward(60_000)
    await app.drain()
    expect((await record(id)).status).toBe('BOUNCED')
  })

  it('is dropped if the email never is', async () => {
    await post(sns.message({ MessageId: 'of-nobody', Message: bounce('of-nobody') }))
    for (let i = 0; i < 20; i++) {
      await app.drain()
      app.clock.forward(600_000)
    }
    const { rows } = await app.pool.query(`select body from sns_messages where id = 'of-nobody'`)
    expect(rows).toEqual([{ body: null }])
  })
})

describe('a forged SNS message', () => {
  const refused = async (message: unknown) => {
    const before = await kept()
    const reply = await post(message)
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    expect(await kept()).toBe(before)
  }

  it('is refused without a request to any URL in it', async () => {
    const attacker = await openSns()
    try {
      const url = `http://${attacker.host}`
      await refused(attacker.message({ SigningCertURL: `${url}/good.pem`, SubscribeURL: `${url}/confirm`, Token: 't' }))
      await refused(
        attacker.message({
          Type: 'SubscriptionConfirmation',
          SigningCertURL: `${url}/good.pem`,
          SubscribeURL: `${url}/confirm`,
          Token: 't',
        }),
      )
      expect(attacker.asked).toEqual([])
      expect(sns.asked).toEqual([])
    } finally {
      await attacker.close()
    }
  })

  it('is refused if a signed field was changed, or another key signed it', async () => {
    const message = sns.message({ Subject: 'S' })
    for (const field of ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn']) {
      await refused({ ...message, [field]: 'arn:changed' })
    }
    await refused({ ...message, Subject: undefined })
    await refused({ ...message, SignatureVersion: '1' })
    await refused({ ...message, SignatureVersion: '3' })
    await refused({ ...message, SignatureVersion: '__proto__' })
    await refused({ ...message, Signature: 'AAAA' })
    for (const field of ['SignatureVersion', 'Signature', 'SigningCertURL']) {
      await refused({ ...message, [field]: undefined })
      await refused({ ...message, [field]: 5 })
    }
    await refused({ ...message, Signature: Buffer.alloc(256).toString('base64') })
    await refused(sns.message({}, '2', makeKeys().privateKey))
  })

  it('is refused if its certificate is expired, not yet valid, elsewhere or missing', async () => {
    const day = 24 * 3_600_000
    const now = Date.now()
    sns.files['/old.pem'] = makeCertificate(sns.keys, new Date(now - 9 * day), new Date(now - 2 * day))
    sns.files['/new.pem'] = makeCertificate(sns.keys, new Date(now + 2 * day), new Date(now + 9 * day))
    sns.files['/text.pem'] = 'no certificate'
    sns.files['/huge.pem'] = `${sns.files['/good.pem']}${'x'.repeat(100_000)}`
    for (const file of ['old', 'new', 'text', 'huge', 'moved', 'missing']) {
      await refused(sns.message({ SigningCertURL: `http://${sns.host}/${file}.pem` }))
    }
  })

  it('is refused in raw form, because raw messages are not signed', async () => {
    const reply = await post(bounce('x'), { 'x-amz-sns-rawdelivery': 'true' })
    expect(reply.status).toBe(403)
    expect(reply.body.error.message).toContain('Raw messages are not signed')
  })
})

it("an SNS message whose certificate can't be fetched gets a 503, so that SNS retries", async () => {
  const message = sns.message({ SigningCertURL: `http://${sns.host}/broken.pem` })
  const reply = await post(message)
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '60'])
})

describe('SNS topics', () => {
  it('are refused before anything is fetched if they are not configured', async () => {
    const listed = await openTestApp({ SNS_TRUSTED_HOSTS: sns.host, SNS_TOPIC_ARNS: 'arn:aws:sns:eu-west-1:1:mine' })
    try {
      expect((await post(sns.message(), {}, listed)).status).toBe(403)
      expect(sns.asked).toEqual([])
      expect((await post(sns.message({ TopicArn: 'arn:aws:sns:eu-west-1:1:mine' }), {}, listed)).status).toBe(200)
    } finally {
      await listed.close()
    }
  })

  it('cannot deliver received email or confirm subscriptions if they are not configured', async () => {
    const unnamed = await openTestApp({ SNS_TRUSTED_HOSTS: sns.host })
    try {
      const received = JSON.stringify({
        notificationType: 'Received',
        mail: { messageId: 'm', destination: ['a@b.co'] },
      })
      const confirmation = {
        Type: 'SubscriptionConfirmation',
        Token: 'token',
        SubscribeURL: `http://${sns.host}/confirm`,
      }
      for (const over of [{ Message: received }, confirmation]) {
        const reply = await post(sns.message(over), {}, unnamed)
        expect(reply.status).toBe(403)
        expect(reply.body.error.message).toContain('SNS_TOPIC_ARNS')
      }
      expect(sns.asked).toEqual([])
      expect((await unnamed.pool.query('select from sns_messages')).rowCount).toBe(0)
      expect((await post(sns.message(), {}, unnamed)).status).toBe(200)
    } finally {
      await unnamed.close()
    }
  })

  it.each([-61, 61])('are refused if the message was sent %d minutes from now', async (minutes) => {
    const at = (offset: number) => new Date(app.clock.now().getTime() + offset * 60_000).toISOString()
    const before = await kept()
    expect((await post(sns.message({ Timestamp: at(minutes) }))).status).toBe(403)
    expect((await post(sns.message({ Timestamp: 'yesterday' }))).status).toBe(403)
    expect(await kept()).toBe(before)
    expect((await post(sns.message({ Timestamp: at(minutes > 0 ? 59 : -59) }))).status).toBe(200)
  })

  it('are confirmed by fetching their URL, on SNS hosts only', async () => {
    const confirmation = (address: string) =>
      sns.message({ Type: 'SubscriptionConfirmation', Token: 'token', SubscribeURL: address })
    expect((await post(confirmation(`http://${sns.host}/confirm?Token=token`))).status).toBe(200)
    expect(sns.asked).toContain('/confirm?Token=token')

    const elsewhere = await openSns()
    try {
      expect((await post(confirmation(`http://${elsewhere.host}/confirm`))).status).toBe(403)
      expect(elsewhere.asked).toEqual([])
    } finally {
      await elsewhere.close()
    }
  })

  it('can report that they were unsubscribed, without any request', async () => {
    const message = sns.message({
      Type: 'UnsubscribeConfirmation',
      Token: 'token',
      SubscribeURL: `http://${sns.host}/confirm`,
    })
    expect((await post(message)).status).toBe(200)
    expect(sns.asked).not.toContain('/confirm')
  })
})

describe('an invalid SNS message', () => {
  it.each(['', '{', 'null', '[]', '"x"', '{}', '{"Type":"Other"}', '{"Type":"Notification","Message":{}}', '\ufeff{}'])(
    'is a bad request: %j',
    async (text) => {
      expect((await post(text)).status).toBe(400)
    },
  )

  it("is refused if it can't be stored or is too large", async () => {
    expect((await post(sns.message({ Message: 'a\u0000b' }))).status).toBe(400)
    expect((await post(sns.message({ Message: 'x'.repeat(300_000) }))).status).toBe(413)
    expect(
      (await post(sns.message({ Message: '{"mail":{"messageId":"half \\ud83d"},"notificationType":"Bounce"}' })))
        .status,
    ).toBe(200)
    await app.drain()
  })
})
