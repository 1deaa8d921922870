/** A sender of inbound email: can't relay, and changes nothing but the list of received email. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openInboundServer } from '../../features/mail/received/server.ts'
import type { SmtpListener } from '../../platform/smtp/listen.ts'
import { startDnsServer } from '../dns-server.ts'
import { openTestApp, type TestApp } from '../harness.ts'
import { deliver } from '../mail-client.ts'
import { createWorld, type World } from './world.ts'

let app: TestApp
let world: World
let server: SmtpListener
let dns: Awaited<ReturnType<typeof startDnsServer>>

beforeAll(async () => {
  dns = await startDnsServer()
  app = await openTestApp({ INBOUND_SMTP_PORT: '2525', DNS_SERVERS: dns.address })
  world = await createWorld(app)
  await app.pool.query(`update domains set status = 'PENDING' where domain <> 'example.com'`)
  server = await openInboundServer(app.ctx, 0)
})
afterAll(async () => {
  await server.stop()
  await app.close()
  await dns.close()
})

const send = (to: string, raw = 'From: mallory@evil.test\r\nSubject: Hi\r\n\r\nHi', from = 'mallory@evil.test') =>
  deliver(server.port, { from, to: [to], raw, helo: 'evil.test' })

describe('the sender of an email', () => {
  it.each([
    'someone@elsewhere.example',
    '"hello@example.com"@elsewhere.example',
    'hello%example.com@elsewhere.example',
    'hello@example.com.elsewhere.example',
    'hello@sub.example.com',
    'b-forged@bounces.example.com',
    'hello',
  ])('can’t send to %s', async (to) => {
    await world.changedTables()
    const replies = await send(to)
    expect(replies[2]).toMatch(/^5\d\d/)
    expect(await world.changedTables()).toEqual([])
  })

  it('can’t send to a domain that is not verified', async () => {
    const { rows } = await app.pool.query<{ domain: string }>(`select domain from domains where status = 'PENDING'`)
    expect(rows.length).toBeGreaterThan(1)
    await world.changedTables()
    for (const { domain } of rows) expect((await send(`hello@${domain}`))[2]).toMatch(/^5\d\d/)
    expect(await world.changedTables()).toEqual([])
  })

  const kinds = {
    'delivery-status': `Final-Recipient: rfc822; a@example.org\r\nAction: failed\r\nStatus: 5.1.1`,
    'feedback-report': `Feedback-Type: abuse\r\nOriginal-Rcpt-To: a@example.org`,
  }
  it.each(Object.entries(kinds))('can’t forge a %s', async (type, fields) => {
    const quoted = `Message-ID: <${world.ids.email}@example.com>`
    const head = `From: mailer-daemon@example.org\r\nContent-Type: multipart/report; report-type=${type}; boundary=b`
    const raw = `${head}\r\n\r\n--b\r\nContent-Type: message/${type}\r\n\r\n${fields}\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${quoted}\r\n\r\n--b--\r\n`
    const state = async () =>
      (
        await app.pool.query(
          `select status from emails where id = $1 union all select count(*)::text from suppressions`,
          [world.ids.email],
        )
      ).rows
    const before = await state()
    for (const from of ['', 'mallory@evil.test'])
      expect((await send('hello@example.com', raw, from)).at(-1)).toMatch(/^(250|221)/)
    await app.drain()
    expect(await state()).toEqual(before)
  })
})
