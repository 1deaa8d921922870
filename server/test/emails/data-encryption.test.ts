/**
 * DATA_ENCRYPTION: the contents of messages are nowhere on disk in readable form, and everyone with access can still
 * read them.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { backup } from '../../commands/backup.ts'
import { openInboundServer } from '../../features/mail/received/server.ts'
import { deriveSecrets, type Secrets } from '../../platform/secrets.ts'
import type { SmtpListener } from '../../platform/smtp/listen.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { deliver } from '../mail-client.ts'
import { openSns, TOPIC } from '../reports/sns-signer.ts'

/** As the harness has it. */
const SECRET = 'a secret for tests only'

let app: TestApp
let sns: Awaited<ReturnType<typeof openSns>>
let inbound: SmtpListener
let project: Awaited<ReturnType<typeof createProject>>
let encrypting: Secrets

beforeAll(async () => {
  sns = await openSns()
  app = await openTestApp({
    DATA_ENCRYPTION: 'on',
    INBOUND_SMTP_PORT: '2525',
    SNS_TRUSTED_HOSTS: sns.host,
    SNS_TOPIC_ARNS: TOPIC,
  })
  encrypting = app.ctx.secrets
  project = await createProject(app)
  inbound = await openInboundServer(app.ctx, 0)
})
afterAll(async () => {
  await inbound.stop()
  await app.close()
  await sns.close()
})

const newMarker = () => `marker${randomBytes(12).toString('hex')}`
const call = (method: string, url: string, body?: unknown) => app.request(method, url, { key: project.secretKey, body })

async function send(fields: Record<string, unknown> = {}): Promise<string> {
  const message = { to: 'ada@example.org', from: 'shop@example.com', subject: 'Hello', body: '<p>Hello</p>', ...fields }
  const { status, body } = await call('POST', '/v1/send', message)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.emails[0].email
}

const attachment = (text: string) => ({
  filename: 'invoice.txt',
  contentType: 'text/plain',
  content: Buffer.from(text).toString('base64'),
})

/** Every form in which a text can be stored. The start of a base64 group depends on what precedes it. */
const formsOf = (text: string): Buffer[] => [
  ...[text, Buffer.from(text).toString('hex')].map((form) => Buffer.from(form)),
  ...[0, 1, 2].map((shift) => {
    const base64 = Buffer.from(' '.repeat(shift) + text).toString('base64')
    return Buffer.from(base64.slice(4, -4))
  }),
]

const holds = (bytes: Buffer, text: string) => formsOf(text).some((form) => bytes.includes(form))

/**
 * Whether the files of PostgreSQL contain the text: everything that a table stores is first written to the log of
 * changes, of which the part since `position` is searched.
 */
async function isOnDisk(text: string, position: string): Promise<boolean> {
  // A synchronous commit writes everything before it to the files.
  await app.pool.query('begin; set local synchronous_commit = on; update projects set name = name; commit')
  const { rows } = await app.pool.query<{ first: string; last: string }>(
    'select pg_walfile_name($1::pg_lsn) as first, pg_walfile_name(pg_current_wal_lsn()) as last',
    [position],
  )
  const { first, last } = rows[0]!
  const folder = path.join(inject('postgresFolder'), 'pg_wal')
  const names = (await readdir(folder)).filter((name) => name >= first && name <= last).sort()
  expect(names[0]).toBe(first)
  const files = await Promise.all(names.map((name) => readFile(path.join(folder, name))))
  return holds(Buffer.concat(files.map(withoutPageHeaders)), text)
}

/** PostgreSQL's log of changes is a sequence of pages. What continues on the next page is interrupted by its header. */
function withoutPageHeaders(file: Buffer): Buffer {
  const pages = Array.from({ length: file.length / 8192 }, (_, index) =>
    file.subarray(index * 8192, (index + 1) * 8192),
  )
  return Buffer.concat(pages.map((page, index) => page.subarray(index === 0 ? 40 : 24)))
}

const positionNow = async (): Promise<string> =>
  (await app.pool.query('select pg_current_wal_lsn()::text as position')).rows[0].position

async function capturedFor(emailId: string) {
  const row = (await app.captured()).find((message) => message.email_id === emailId)!
  const raw = row.encrypted ? app.ctx.secrets.decryptContent(row.id, row.raw) : row.raw
  return PostalMime.parse(raw)
}

async function asIf<T>(secrets: Secrets, work: () => Promise<T>): Promise<T> {
  app.ctx.secrets = secrets
  try {
    return await work()
  } finally {
    app.ctx.secrets = encrypting
  }
}

describe('with DATA_ENCRYPTION=on', () => {
  it('an email is readable for everyone who may read it, and not on disk', async () => {
    const position = await positionNow()
    const marker = newMarker()
    const id = await send({
      subject: 'Your code, {{ name }}',
      body: `<p>${marker} body, code {{ code }}</p>`,
      data: { name: 'Ada', code: { value: `${marker} variable`, persistent: false } },
      attachments: [attachment(`${marker} attachment`)],
    })
    expect((await call('GET', '/emails')).body.data[0].subject).toBe('Your code, Ada')
    await app.drain()

    const email = (await call('GET', `/emails/${id}`)).body
    expect(email).toMatchObject({ status: 'DELIVERED', subject: 'Your code, Ada' })
    expect(email.html).toContain(`${marker} body, code ${marker} variable`)
    expect(email.text).toContain(`${marker} body`)
    expect(email.attachments).toMatchObject([{ filename: 'invoice.txt', size: `${marker} attachment`.length }])
    expect((await call('GET', `/emails/${id}/attachments/0`)).body).toBe(`${marker} attachment`)
    expect((await call('GET', `/emails/${id}/raw`)).body).toContain(`${marker} body`)
    const captured = await capturedFor(id)
    expect(captured.html).toContain(`${marker} body, code ${marker} variable`)
    expect(Buffer.from(captured.attachments[0]!.content as ArrayBuffer).toString()).toBe(`${marker} attachment`)

    expect(await isOnDisk(marker, position)).toBe(false)
  })

  it('several requests in one statement keep their own contents', async () => {
    const markers = Array.from({ length: 12 }, newMarker)
    const ids = await Promise.all(
      markers.map((marker, i) => send({ body: `<p>${marker}</p>`, attachments: i % 3 ? [] : [attachment(marker)] })),
    )
    for (const [i, id] of ids.entries()) {
      const email = (await call('GET', `/emails/${id}`)).body
      expect(email.html).toContain(markers[i])
      expect(email.attachments).toHaveLength(i % 3 ? 0 : 1)
    }
  })

  it('a campaign stores its encrypted content once', async () => {
    for (const name of ['one', 'two', 'three']) {
      await call('POST', '/contacts', { email: `${name}@campaign.example`, subscribed: true, data: { campaign: 'c' } })
    }
    const condition = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.campaign', operator: 'equals', value: 'c' }] }],
    }
    const { body: campaign } = await call('POST', '/campaigns', {
      name: 'News',
      subject: 'News',
      body: '<p>For {{ email }}</p>',
      from: 'shop@example.com',
      audienceType: 'FILTERED',
      audienceCondition: condition,
    })
    expect((await call('POST', `/campaigns/${campaign.id}/send`, {})).status).toBe(200)
    await app.drain()
    const emails = (await call('GET', `/emails?campaignId=${campaign.id}`)).body.data
    expect(emails).toHaveLength(3)
    for (const { id, to } of emails) expect((await capturedFor(id)).html).toContain(`For ${to}`)
    const { rows } = await app.pool.query(
      'select c.body, c.encrypted is not null as encrypted, count(*)::int from emails e join email_contents c on c.id = e.content_id where e.campaign_id = $1 group by c.id, c.body, c.encrypted',
      [campaign.id],
    )
    expect(rows).toEqual([{ body: '', encrypted: true, count: 3 }])
  })

  it('received email is readable, and neither it nor its event is on disk', async () => {
    const position = await positionNow()
    const marker = newMarker()
    const raw = `From: Ada <ada@sender.example>\r\nTo: shop@example.com\r\nSubject: A question\r\nMessage-ID: <${randomBytes(8).toString('hex')}@sender.example>\r\n\r\n${marker} question\r\n`
    expect((await deliver(inbound.port, { to: ['shop@example.com'], raw })).at(-1)).toBe('250 2.0.0 Stored.')
    const [event] = (await call('GET', '/events?name=email.received')).body.data
    expect(event.data).toMatchObject({ subject: 'A question', hasContent: true, body: '' })
    const email = (await call('GET', `/emails/${event.emailId}`)).body
    expect(email.html).toContain(`${marker} question`)
    expect(await isOnDisk(marker, position)).toBe(false)
  })

  it('email that SES received is encrypted until it is handled', async () => {
    const position = await positionNow()
    const marker = newMarker()
    const content = `From: ada@sender.example\r\nTo: shop@example.com\r\nSubject: Over SES\r\nMessage-ID: <ses@sender.example>\r\n\r\n${marker}\r\n`
    const notification = {
      notificationType: 'Received',
      content,
      mail: {
        messageId: 'ses-encrypted',
        timestamp: '2026-03-01T12:00:00.000Z',
        source: 'ada@sender.example',
        destination: ['shop@example.com'],
      },
      receipt: { recipients: ['shop@example.com'], action: { type: 'SNS', encoding: 'UTF8' } },
    }
    const text = JSON.stringify(sns.message({ Message: JSON.stringify(notification) }, '2'))
    const reply = await app.request('POST', '/webhooks/sns', { text, headers: { 'content-type': 'text/plain' } })
    expect(reply.status).toBe(200)
    expect(await isOnDisk(marker, position)).toBe(false)
    await app.drain()
    const { data } = (await call('GET', '/events?name=email.received')).body
    const event = data.find((one: { data: { subject: string } }) => one.data.subject === 'Over SES')
    expect((await call('GET', `/emails/${event.emailId}`)).body.html).toContain(marker)
    expect((await app.pool.query('select from sns_messages where encrypted is not null')).rowCount).toBe(0)
  })

  it('captured account email is encrypted, and the operator can read it', async () => {
    const { email, cookie } = project.owner
    await app.request('POST', '/auth/request-password-reset', { body: { email } })
    await app.drain()
    const { data } = (await app.request('GET', '/installation/mail?limit=1', { cookie })).body
    expect(data[0]).toMatchObject({ to: email, subject: 'Reset your password' })
    const { text } = (await app.request('GET', `/installation/mail/${data[0].id}`, { cookie })).body
    expect(text).toMatch(/\/app\/reset-password\?token=/)
    const { rows } = await app.pool.query('select encrypted, raw from captured_messages where id = $1', [data[0].id])
    expect(rows[0].encrypted).toBe(true)
    expect(rows[0].raw.includes('reset-password')).toBe(false)
  })

  it('deleting the contact deletes the encrypted content and variables', async () => {
    const id = await send({ to: 'erased@example.org', data: { code: { value: 'x', persistent: false } } })
    await app.drain()
    const { contactId } = (await call('GET', `/emails/${id}`)).body
    const stored = () =>
      app.pool.query(
        'select e.encrypted_variables as variables, c.encrypted as content from emails e join email_contents c on c.id = e.content_id where e.id = $1',
        [id],
      )
    expect((await stored()).rows[0]).toEqual({ variables: expect.any(Buffer), content: expect.any(Buffer) })
    expect((await call('DELETE', `/contacts/${contactId}`)).status).toBe(204)
    await app.drain()
    expect((await stored()).rows[0]).toEqual({ variables: null, content: null })
  })

  it('a backup contains only the encrypted content', async () => {
    const marker = newMarker()
    await send({ body: `<p>${marker}</p>`, attachments: [attachment(marker)] })
    await app.drain()
    const folder = await mkdtemp(path.join(tmpdir(), 'posthorn-encrypted-'))
    try {
      const file = path.join(folder, 'backup.gz')
      await backup(readSettings({ DATA_DIR: app.ctx.settings.DATA_DIR, DATABASE_URL: app.url, SECRET }), file)
      const bytes = gunzipSync(await readFile(file))
      expect(holds(bytes, 'shop@example.com')).toBe(true)
      expect(holds(bytes, marker)).toBe(false)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('turning DATA_ENCRYPTION on and off', () => {
  const plain = deriveSecrets(SECRET)

  it('keeps emails readable that were stored before', async () => {
    const position = await positionNow()
    const marker = newMarker()
    const before = await asIf(plain, () => send({ body: `<p>${marker} {{ code }}</p>`, data: { code: 'plain' } }))
    expect(await isOnDisk(marker, position)).toBe(true)
    const encrypted = await send({ body: `<p>${marker} {{ code }}</p>`, data: { code: 'secret' } })
    await asIf(plain, async () => {
      await app.drain()
      expect((await call('GET', `/emails/${encrypted}`)).body.html).toContain(`${marker} secret`)
      expect((await capturedFor(encrypted)).html).toContain(`${marker} secret`)
    })
    expect((await call('GET', `/emails/${before}`)).body.html).toContain(`${marker} plain`)
    expect((await capturedFor(before)).html).toContain(`${marker} plain`)
  })
})

describe('another SECRET', () => {
  const rotated = deriveSecrets('the next secret of this installation', { previous: [SECRET], encryptContents: true })
  const unrelated = deriveSecrets('the secret of another installation', { encryptContents: true })

  it('reads what was stored under an earlier one that PREVIOUS_SECRETS lists', async () => {
    const marker = newMarker()
    const id = await send({ body: `<p>${marker} {{ code }}</p>`, data: { code: 'old' } })
    await asIf(rotated, async () => {
      await app.drain()
      expect((await call('GET', `/emails/${id}`)).body).toMatchObject({
        status: 'DELIVERED',
        html: expect.stringContaining(`${marker} old`),
      })
      expect((await call('GET', `/emails/${id}/raw`)).body).toContain('DKIM-Signature')
      const next = await send({ body: `<p>${marker} next</p>` })
      expect((await call('GET', `/emails/${next}`)).body.html).toContain(`${marker} next`)
    })
  })

  it('explains what to do if the earlier one is missing, and the lists still work', async () => {
    const id = await send({ subject: 'For {{ name }}', data: { name: { value: 'Ada', persistent: false } } })
    await asIf(unrelated, async () => {
      const { status, body } = await call('GET', `/emails/${id}`)
      expect(status).toBe(503)
      expect(body.error.message).toMatch(/PREVIOUS_SECRETS/)
      const list = await call('GET', '/emails')
      expect(list.status).toBe(200)
      expect(list.body.data[0]).toMatchObject({ id, subject: 'For {{ name }}' })
    })
    expect((await call('GET', `/emails/${id}`)).body.subject).toBe('For Ada')
  })

  it('leaves SNS notifications waiting without counting attempts until it is configured', async () => {
    await app.drain()
    const text = JSON.stringify(sns.message({ Message: '{}', MessageId: 'waits-for-secret' }, '2'))
    await app.request('POST', '/webhooks/sns', { text, headers: { 'content-type': 'text/plain' } })
    const waiting = async () => (await app.pool.query('select from sns_messages where encrypted is not null')).rowCount
    await asIf(unrelated, async () => {
      for (let i = 0; i < 30; i++) {
        await app.drain()
        app.clock.forward(61_000)
      }
    })
    expect(await waiting()).toBe(1)
    await app.drain()
    expect(await waiting()).toBe(0)
  })

  it('leaves emails waiting, with the reason, until it is configured', async () => {
    await app.drain()
    const id = await send({ body: '<p>Patience</p>' })
    await asIf(unrelated, async () => {
      await app.drain()
      expect((await call('GET', '/emails')).body.data[0]).toMatchObject({
        id,
        status: 'PENDING',
        attempts: 0,
        error: expect.stringContaining('PREVIOUS_SECRETS'),
      })
    })
    app.clock.forward(61_000)
    await app.drain()
    expect((await call('GET', `/emails/${id}`)).body).toMatchObject({ status: 'DELIVERED', error: null })
  })
})

it('content that was copied to another row is refused instead of shown', async () => {
  const [mine, other] = [await send({ body: '<p>Mine</p>' }), await send({ body: '<p>Theirs</p>' })]
  await app.pool.query(
    `update email_contents c set encrypted = (select o.encrypted from email_contents o join emails e on e.content_id = o.id where e.id = $2)
     where c.id = (select content_id from emails where id = $1)`,
    [mine, other],
  )
  const { status, body } = await call('GET', `/emails/${mine}`)
  expect(status).toBe(503)
  expect(body.error.message).toMatch(/damaged/)
  await app.pool.query('delete from emails where id = $1', [mine])
})
