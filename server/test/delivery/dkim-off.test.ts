/** `dkim=off` in MAIL_URL, for relays that sign messages themselves. */
import { afterAll, expect, it } from 'vitest'
import { createProject, openTestApp } from '../harness.ts'
import { openSmtpTestServer } from '../mail/smtp-test-server.ts'

const closing: Array<() => Promise<unknown>> = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

it.each([
  ['on', 1],
  ['off', 0],
])('dkim=%s gives a message %i signatures and its domain as many required DKIM records', async (dkim, count) => {
  const relay = await openSmtpTestServer()
  closing.push(relay.close)
  const app = await openTestApp({ MAIL_URL: `smtp://127.0.0.1:${relay.port}?tls=off&dkim=${dkim}` })
  closing.push(() => app.close())
  const { secretKey: key } = await createProject(app)
  await app.pool.query(`delete from posthorn_queue.jobs where payload->>'emailId' is null`)

  const { body: domain } = await app.request('POST', '/domains', { key, body: { domain: 'news.example.net' } })
  const records = domain.records.filter(({ purpose }: { purpose: string }) => purpose === 'dkim')
  expect(records).toHaveLength(count)
  const changed = await app.request('PATCH', `/domains/${domain.id}`, { key, body: { ed25519: true } })
  expect(changed).toMatchObject(
    dkim === 'on' ? { status: 200, body: { ed25519: true } } : { status: 409, body: { error: { code: 'CONFLICT' } } },
  )

  const email = { to: 'ada@example.org', from: 'us@example.com', subject: 'Hello', body: '<p>Hi</p>' }
  const sent = await app.request('POST', '/v1/send', { key, body: email })
  await app.drain()
  expect(relay.taken).toHaveLength(1)
  expect(relay.taken[0]!.raw.match(/^DKIM-Signature:/gm) ?? []).toHaveLength(count)
  const raw = await app.request('GET', `/emails/${sent.body.data.emails[0].email}/raw`, { key })
  expect(String(raw.body).match(/^DKIM-Signature:/gm) ?? []).toHaveLength(count)
})
