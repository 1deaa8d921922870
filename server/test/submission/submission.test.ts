/** Emails that programs submit over SMTP, with nodemailer as the program, and malicious clients. */
import { randomBytes } from 'node:crypto'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSubmission } from '../../app.ts'
import { createAdmission } from '../../gate/admission.ts'
import type { SmtpListener } from '../../platform/smtp/listen.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { connectMail } from '../mail-client.ts'
import { createSubmitter } from './submit.ts'

let app: TestApp
let server: SmtpListener
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp({ SUBMISSION_SMTP_PORT: '2587', ATTACHMENT_MAX_MB: '1', MESSAGE_MAX_MB: '3' })
  project = await createProject(app)
  server = await openSubmission(app.ctx, app.services, 0)
})
afterAll(async () => {
  await server.stop()
  await app.close()
})

const { send, refusal, lastingRefusal } = createSubmitter(() => ({ port: server.port, pass: project.secretKey }))

const createKey = async (limits: object) =>
  (await app.request('POST', '/api-keys', { key: project.secretKey, body: { name: 'A key', ...limits } })).body

const MESSAGE = { from: 'shop@example.com', to: 'ada@example.org', subject: 'Hello', html: '<p>Hi</p>' }

const idOf = (response: string) => /queued as ([0-9a-f-]{36})/.exec(response)![1]!
const record = async (id: string) => (await app.request('GET', `/emails/${id}`, { key: project.secretKey })).body
const count = async () => (await app.request('GET', '/emails', { key: project.secretKey })).body.total

async function lastMessage() {
  await app.drain()
  return PostalMime.parse((await app.captured()).at(-1)!.raw)
}

describe('a message submitted over SMTP', () => {
  it('is sent completely: names, headers, both texts, attachments', async () => {
    const thread = Array.from({ length: 60 }, (_, i) => `<message-${String(i).padStart(4, '0')}@mail.example>`)
    const { response } = await send({
      from: 'The Shop <shop@example.com>',
      to: 'Ada <Ada@example.org>',
      replyTo: 'Help <help@example.com>',
      subject: 'Grüße {{ name }}',
      text: 'Plain {{ name }} {% endraw %}',
      html: '<p>Rich {{ name }} {% if <img src="cid:logo"></p>',
      headers: {
        'X-Order': '42',
        'List-Unsubscribe': '<https://example.com/u>',
        'In-Reply-To': '<a@b.example>',
        References: thread.join(' '),
        'Resent-Bcc': 'hidden@example.org',
        'Resent-From': 'ceo@bank.example',
      },
      attachments: [
        { filename: 'logo.png', content: Buffer.from('PNG'), cid: 'logo' },
        { filename: 'Büro.pdf', content: Buffer.from('PDF'), contentType: 'application/pdf' },
      ],
    })
    expect(response).toMatch(/^250 2\.0\.0 queued as [0-9a-f-]{36}$/)
    const message = await lastMessage()
    expect(message).toMatchObject({
      from: { name: 'The Shop', address: 'shop@example.com' },
      to: [{ name: 'Ada', address: 'ada@example.org' }],
      replyTo: [{ address: 'help@example.com' }],
      subject: 'Grüße {{ name }}',
      html: expect.stringContaining('<p>Rich {{ name }} {% if <img src="cid:logo"></p>'),
      text: expect.stringContaining('Plain {{ name }} {% endraw %}'),
    })
    const header = (name: string) => message.headers.find(({ key }) => key === name)?.value
    expect(header('x-order')).toBe('42')
    expect(header('list-unsubscribe')).toBe('<https://example.com/u>')
    expect(header('in-reply-to')).toBe('<a@b.example>')
    expect(header('references')!.split(/\s+/)).toEqual([thread[0], ...thread.slice(-34)])
    expect(message.headers.filter(({ key }) => key.startsWith('resent-'))).toEqual([])
    expect(message.attachments).toMatchObject([
      { filename: 'logo.png', mimeType: 'image/png', contentId: '<logo>', disposition: 'inline' },
      { filename: 'Büro.pdf', mimeType: 'application/pdf', disposition: 'attachment' },
    ])
    const email = await record(idOf(response))
    expect(email).toMatchObject({
      to: 'ada@example.org',
      toName: 'Ada',
      subject: 'Grüße {{ name }}',
      status: 'DELIVERED',
      sourceType: 'TRANSACTIONAL',
      text: expect.stringContaining('Plain {{ name }}'),
      attachments: [{ filename: 'logo.png' }, { filename: 'Büro.pdf' }],
    })
    const contact = await app.request('GET', `/contacts/${email.contactId}`, { key: project.secretKey })
    expect(contact.body).toMatchObject({ email: 'ada@example.org', subscribed: false })
    const timeline = await app.request('GET', `/contacts/${email.contactId}/timeline`, { key: project.secretKey })
    const entry = timeline.body.data.find(({ id }: { id: string }) => id === email.id)
    expect(entry.email.origin).toMatchObject({ type: 'smtp', key: null })
  })

  it('to several recipients, including Bcc, becomes an email for each', async () => {
    const before = await count()
    const { response } = await send({
      ...MESSAGE,
      to: ['One <one@example.org>', 'two@example.org'],
      cc: 'Three <three@example.org>',
      bcc: 'four@example.org',
    })
    expect(response).toMatch(/ and 3 more$/)
    expect(await count()).toBe(before + 4)
    await app.drain()
    const messages = await Promise.all((await app.captured()).slice(-4).map(({ raw }) => PostalMime.parse(raw)))
    expect(messages.map((message) => message.to?.[0]?.address).sort()).toEqual([
      'four@example.org',
      'one@example.org',
      'three@example.org',
      'two@example.org',
    ])
    for (const message of messages) {
      expect(message.to).toHaveLength(1)
      expect(message.cc).toBeUndefined()
    }
  })

  it('gets equivalent HTML if it has only text, and keeps its text', async () => {
    await send({ from: MESSAGE.from, to: MESSAGE.to, subject: 'Text', text: 'a < b\n\nnext' })
    expect(await lastMessage()).toMatchObject({
      html: expect.stringContaining('<p>a &lt; b</p>\n<p>next</p>'),
      text: expect.stringMatching(/a < b\s+next/),
    })
  })

  it('without subject or body is accepted as well', async () => {
    const { response } = await send({ from: MESSAGE.from, to: MESSAGE.to })
    expect(await record(idOf(response))).toMatchObject({ subject: '(no subject)' })
  })

  it('is sent once if it has an idempotency key, and gets the same ID each time', async () => {
    const before = await count()
    const mail = { ...MESSAGE, headers: { 'X-Idempotency-Key': 'order-42' } }
    const first = await send(mail)
    const second = await send({ ...mail, subject: 'Another try' })
    expect(second.response).toBe(first.response)
    expect(await count()).toBe(before + 1)
    expect((await lastMessage()).headers.some(({ key }) => key === 'x-idempotency-key')).toBe(false)

    const body = { to: 'ada@example.org', from: 'shop@example.com', subject: 'x', body: 'x' }
    const headers = { 'idempotency-key': 'order-42' }
    const http = await app.request('POST', '/v1/send', { key: project.secretKey, body, headers })
    expect(http.status).toBe(409)
    expect(http.body.error.details.originalRequest).toBe('SMTP submission')
  })

  it('reads tags from X-Posthorn-Tag, removes the header, and refuses malformed ones', async () => {
    const tagged = (value: string | string[]) => ({ ...MESSAGE, headers: { 'X-Posthorn-Tag': value } })
    const { response } = await send(tagged(['category=receipt', 'order=a=b']))
    const { tags, headers } = await record(idOf(response))
    expect(tags).toEqual({ category: 'receipt', order: 'a=b' })
    expect(Object.keys(headers)).not.toContain('X-Posthorn-Tag')
    expect((await lastMessage()).headers.some(({ key }) => key === 'x-posthorn-tag')).toBe(false)
    for (const value of ['category', 'a b=c', '=x', 'a=', 'constructor=x']) {
      expect(await refusal(tagged(value))).toMatchObject({ responseCode: 554 })
    }
    expect((await refusal(tagged('category'))).response).toContain('X-Posthorn-Tag: A tag name must have')
  })

  it('whose key was used for something else is refused, and a refused one releases its key', async () => {
    const tracked = { email: 'ada@example.org', event: 'signup' }
    const headers = { 'idempotency-key': 'tracked' }
    await app.request('POST', '/v1/track', { key: project.publicKey, body: tracked, headers })
    const keyed = (key: string, more = {}) => ({ ...MESSAGE, headers: { 'X-Idempotency-Key': key }, ...more })
    expect(await refusal(keyed('tracked'))).toMatchObject({ responseCode: 554 })
    expect(await refusal(keyed('k'.repeat(256)))).toMatchObject({ responseCode: 554 })

    const foreign = { from: 'x@elsewhere.example', envelope: { from: MESSAGE.from, to: MESSAGE.to } }
    expect(await refusal(keyed('again', foreign))).toMatchObject({ responseCode: 550 })
    expect((await send(keyed('again'))).response).toMatch(/^250/)
  })

  it('can be repeated over a pool of one connection', async () => {
    const client = createTransport({
      pool: true,
      maxConnections: 1,
      host: '127.0.0.1',
      port: server.port,
      auth: { user: 'posthorn', pass: project.secretKey },
      tls: { rejectUnauthorized: false },
    })
    const before = await count()
    const replies = await Promise.all(Array.from({ length: 5 }, () => client.sendMail(MESSAGE)))
    client.close()
    expect(new Set(replies.map(({ response }) => idOf(response))).size).toBe(5)
    expect(await count()).toBe(before + 5)
  })
})

describe('SMTP submission refuses', () => {
  it('a sender whose domain is not verified, in the envelope and in the message', async () => {
    const before = await count()
    expect(await refusal({ ...MESSAGE, from: 'x@elsewhere.example' })).toMatchObject({
      responseCode: 550,
      response: '550 5.7.1 The sender domain elsewhere.example is not verified in this project.',
    })
    const envelope = { from: 'shop@example.com', to: 'ada@example.org' }
    expect(await refusal({ ...MESSAGE, from: 'x@elsewhere.example', envelope })).toMatchObject({
      responseCode: 550,
      response: '550 5.7.1 The sender domain elsewhere.example is not verified in this project.',
    })
    expect(await refusal({ ...MESSAGE, envelope: { from: '', to: 'ada@example.org' } })).toMatchObject({
      responseCode: 553,
    })
    expect(await count()).toBe(before)
  })

  it('a domain that was removed, or another one, after a message of the same connection', async () => {
    const other = await createProject(app, 'Removing')
    const key = { key: other.secretKey }
    const { id } = (await app.request('POST', '/domains', { ...key, body: { domain: 'removed.example' } })).body
    await app.request('GET', `/domains/${id}/verify`, key)
    const client = await connectMail(server.port)
    await client.say('EHLO x.example')
    await client.say(`AUTH PLAIN ${Buffer.from(`\0posthorn\0${other.secretKey}`).toString('base64')}`)
    const submit = async () => {
      await client.say('MAIL FROM:<shop@removed.example>')
      await client.say('RCPT TO:<ada@example.org>')
      await client.say('DATA')
      return client.write('Subject: x\r\n\r\nx\r\n.\r\n')
    }
    try {
      expect(await submit()).toMatch(/^250/)
      expect(await client.say('MAIL FROM:<shop@elsewhere.example>')).toMatch(/^550/)
      expect((await app.request('DELETE', `/domains/${id}`, key)).status).toBe(204)
      expect(await submit()).toBe('550 5.7.1 The sender domain removed.example is not verified in this project.')
    } finally {
      client.close()
    }
  })

  it('a domain of another project', async () => {
    const other = await createProject(app, 'Other')
    const added = await app.request('POST', '/domains', { key: other.secretKey, body: { domain: 'theirs.example' } })
    await app.request('GET', `/domains/${added.body.id}/verify`, { key: other.secretKey })
    expect(await refusal({ ...MESSAGE, from: 'x@theirs.example' })).toMatchObject({ responseCode: 550 })
    expect((await send({ ...MESSAGE, from: 'x@theirs.example' }, { pass: other.secretKey })).response).toMatch(/^250/)
  })

  it('what POST /v1/send would refuse', async () => {
    const attachments = (number: number, bytes: number) =>
      Array.from({ length: number }, (_, i) => ({ filename: `${i}.bin`, content: randomBytes(bytes) }))
    expect(await refusal({ ...MESSAGE, attachments: attachments(11, 10) })).toMatchObject({
      responseCode: 554,
      response: '554 5.6.0 attachments: Must contain at most 10 attachments.',
    })
    expect(await refusal({ ...MESSAGE, attachments: attachments(2, 600_000) })).toMatchObject({
      responseCode: 554,
      response: '554 5.6.0 attachments: The attachments exceed the maximum total size of 1 MB.',
    })
    expect(await refusal({ ...MESSAGE, attachments: attachments(1, 3_000_000) })).toMatchObject({ responseCode: 552 })
    const { html: _, ...textOnly } = { ...MESSAGE, text: '"\r\n'.repeat(700_000) }
    expect(await lastingRefusal(textOnly)).toMatchObject({
      responseCode: 552,
      response: expect.stringMatching(/characters\. The maximum is 5000000/),
    })
    expect((await send({ ...MESSAGE, attachments: attachments(10, 100_000) })).response).toMatch(/^250/)
    expect(await refusal({ ...MESSAGE, headers: { 'X-Long': 'x'.repeat(999) } })).toMatchObject({ responseCode: 554 })
  })

  it('a message with endless nesting', async () => {
    const raw = Array.from(
      { length: 300 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    )
    const envelope = { from: MESSAGE.from, to: MESSAGE.to }
    expect(await refusal({ envelope, raw: raw.join('') })).toMatchObject({ responseCode: 554 })
  })

  it('requests over the project’s rate limit, temporarily', async () => {
    const limited = { ...app.ctx, settings: { ...app.ctx.settings, RATE_LIMIT_PER_MINUTE: 3 } }
    const services = { ...app.services, admission: createAdmission(limited) }
    const own = await openSubmission(limited, services, 0)
    const other = await createProject(app, 'Limited')
    const login = { port: own.port, pass: other.secretKey }
    expect((await send(MESSAGE, login)).response).toMatch(/^250/) // signing in counts as well
    expect(await refusal(MESSAGE, login)).toMatchObject({ responseCode: 451 })
    app.clock.forward(61_000)
    expect((await send(MESSAGE, login)).response).toMatch(/^250/)
    await own.stop()
  })

  it('email of a disabled project', async () => {
    const other = await createProject(app, 'Disabled')
    await app.pool.query('update projects set disabled_at = now() where id = $1', [other.id])
    expect(await refusal(MESSAGE, { pass: other.secretKey })).toMatchObject({
      responseCode: 550,
      response: '550 5.7.1 This project is disabled and cannot send email.',
    })
  })
})

describe('SMTP authentication', () => {
  it('accepts every API key with the scope send, and records its use', async () => {
    const { id, key } = await createKey({ scopes: ['send'] })
    expect(await refusal(MESSAGE, { pass: key })).toMatchObject({ response: expect.stringMatching(/^250/) })
    const { key: full } = await createKey({ scopes: ['full'], allowedIps: ['127.0.0.0/8'] })
    expect(await refusal(MESSAGE, { pass: full })).toMatchObject({ response: expect.stringMatching(/^250/) })
    const used = async () =>
      (await app.request('GET', '/api-keys', { key: project.secretKey })).body.data.find(
        (each: { id: string }) => each.id === id,
      )
    await vi.waitFor(async () => expect(await used()).toMatchObject({ lastUsedIp: '127.0.0.0/24' }))
  })

  it('refuses API keys without the scope send, from another address, and expired ones', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 1_000).toISOString()
    const refused: Array<[limits: object, words: RegExp]> = [
      [{ scopes: ['emails:write', 'track'] }, /5\.7\.8 This API key doesn't have the scope send/],
      [{ scopes: ['send'], allowedIps: ['203.0.113.7'] }, /5\.7\.8 This API key can't be used from the address/],
      [{ scopes: ['send'], expiresAt }, /5\.7\.8 The password must be/],
    ]
    const keys = await Promise.all(refused.map(([limits]) => createKey(limits)))
    app.clock.forward(1_000)
    for (const [i, [, words]] of refused.entries()) {
      expect(await refusal(MESSAGE, { pass: keys[i].key })).toMatchObject({
        responseCode: 535,
        response: expect.stringMatching(words),
      })
    }
  })

  it('requires the user posthorn and a secret key, and is refused for a while after five failures', async () => {
    const own = await openSubmission(app.ctx, app.services, 0)
    const login = { port: own.port }
    const wrong = [{ pass: 'sk_wrong' }, { pass: project.publicKey }, { user: 'root' }]
    for (const one of wrong) expect(await refusal(MESSAGE, { ...login, ...one })).toMatchObject({ responseCode: 535 })
    expect((await send(MESSAGE, login)).response).toMatch(/^250/) // and the count starts again

    for (let i = 0; i < 5; i++) await refusal(MESSAGE, { ...login, pass: 'sk_wrong' })
    expect(await refusal(MESSAGE, login)).toMatchObject({ responseCode: 421, response: /try again in 15 minutes/i })
    app.clock.forward(15 * 60_000 + 1)
    expect((await send(MESSAGE, login)).response).toMatch(/^250/)
    await own.stop()
  })

  it('ends with the key: a replaced one stops working on an open connection too', async () => {
    const other = await createProject(app, 'Rotating')
    const client = await connectMail(server.port)
    await client.say('EHLO x.example')
    const token = Buffer.from(`\0posthorn\0${other.secretKey}`).toString('base64')
    expect(await client.say(`AUTH PLAIN ${token}`)).toMatch(/^235/)
    await app.request('POST', `/users/@me/projects/${other.id}/regenerate-keys`, {
      cookie: other.owner.cookie,
      body: {},
    })
    await client.say('MAIL FROM:<shop@example.com>')
    await client.say('RCPT TO:<ada@example.org>')
    await client.say('DATA')
    expect(await client.write('Subject: x\r\n\r\nx\r\n.\r\n')).toMatch(/^535 5\.7\.8/)
    expect(await client.reply()).toBe('closed')
  })

  it('is required before everything else', async () => {
    const client = await connectMail(server.port)
    expect(await client.say('EHLO x.example')).toMatch(/AUTH PLAIN LOGIN/)
    expect(await client.say('MAIL FROM:<shop@example.com>')).toMatch(/^530 5\.7\.0/)
    expect(await client.say('RCPT TO:<ada@example.org>')).toMatch(/^530/)
    expect(await client.say('AUTH CRAM-MD5')).toMatch(/^5/)
    expect(await client.say('AUTH PLAIN !!!')).toMatch(/^501/)
    client.close()
  })

  it('works with implicit TLS, if configured', async () => {
    const implicit = { ...app.ctx, settings: { ...app.ctx.settings, SUBMISSION_SMTP_TLS: 'implicit' as const } }
    const own = await openSubmission(implicit, app.services, 0)
    expect((await send(MESSAGE, { port: own.port, secure: true })).response).toMatch(/^250/)
    await own.stop()
  })
})
