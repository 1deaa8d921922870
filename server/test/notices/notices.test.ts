/** The service's own emails: queued with their cause, sent like all email, retried if the server is busy. */
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  campaignHeldNotice,
  domainLostNotice,
  domainVerifiedNotice,
  enqueueNotice,
} from '../../features/record/notices/actions.ts'
import { adminByKeyNotice } from '../../features/tenants/members/notices.ts'
import { transaction } from '../../platform/database/connection/transaction.ts'
import type { MailResult } from '../../platform/transports/transport.ts'
import { openTestApp, signUp, type TestApp } from '../harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ SYSTEM_FROM: 'post@example.com' })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.pool.query('delete from captured_messages')
})

const NOTICE = {
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'One <b>line</b>.\n\nFollow this:\nhttps://example.com/x?a=1&b=2',
}
const waiting = async () => (await app.pool.query('select from posthorn_queue.jobs')).rowCount

describe('a notice', () => {
  it('is sent from SYSTEM_FROM, as text and as HTML in which only links are markup', async () => {
    await enqueueNotice(app.ctx, app.db, NOTICE)
    await app.drain()
    const [message] = await app.captured()
    expect(message).toMatchObject({ sender: 'post@example.com', recipients: ['ada@example.org'] })
    const mail = await PostalMime.parse(message!.raw)
    expect(mail).toMatchObject({ subject: 'Hello', from: { address: 'post@example.com', name: 'Posthorn' } })
    expect(mail.text?.trim()).toBe(NOTICE.text)
    expect(mail.html).toContain('One &lt;b&gt;line&lt;/b&gt;.')
    expect(mail.html).toContain('<a href="https://example.com/x?a=1&amp;b=2">')
    expect(mail.headers.find((header) => header.key === 'auto-submitted')?.value).toBe('auto-generated')
  })

  it('has its brand, its subject and a button for a link that is a paragraph, with the address as text below', async () => {
    const link = 'https://example.com/accept?token=1'
    const text = `You’ve been invited.\n\n${link}\n\nThe link expires in 7 days.`
    const html = async (action?: string) => {
      await app.pool.query('delete from captured_messages')
      await enqueueNotice(app.ctx, app.db, {
        ...NOTICE,
        subject: 'Invited & <b>more',
        text,
        ...(action ? { action } : {}),
      })
      await app.drain()
      const mail = await PostalMime.parse((await app.captured())[0]!.raw)
      expect(mail.text?.trim()).toBe(text)
      return mail.html!
    }
    const labeled = await html('Accept invitation')
    expect(labeled).toMatch(/>Posthorn<\/td>[\s\S]*<h1[^>]*>Invited &amp; &lt;b&gt;more<\/h1>/)
    expect(labeled).toMatch(
      /<a class="button" href="https:\/\/example\.com\/accept\?token=1"[^>]*>Accept invitation<\/a>/,
    )
    expect(labeled).toContain(`<a href="${link}">${link}</a>`)
    expect(labeled).toContain('@media (prefers-color-scheme:dark)')
    expect(await html()).toMatch(/<a class="button"[^>]*>Open Posthorn<\/a>/)
  })

  it('is not sent if its cause is rolled back', async () => {
    const cause = transaction(app.db, async (tx) => {
      await enqueueNotice(app.ctx, tx, NOTICE)
      throw new Error('no')
    })
    await expect(cause).rejects.toThrow('no')
    await app.drain()
    expect(await app.captured()).toEqual([])
  })

  it('is retried with the same Message-ID if the server is busy, and then received once', async () => {
    await enqueueNotice(app.ctx, app.db, { ...NOTICE, to: 'slow@simulator.posthorn.test' })
    await app.drain()
    expect(await app.captured()).toEqual([])
    for (let i = 0; i < 2; i++) {
      app.clock.forward(3_600_000)
      await app.drain()
    }
    expect(await app.captured()).toHaveLength(1)
  })

  it('is dropped if it is rejected permanently', async () => {
    await enqueueNotice(app.ctx, app.db, { ...NOTICE, to: 'reject@simulator.posthorn.test' })
    await app.drain()
    expect(await waiting()).toBe(0)
  })

  it('waits without a limit while no email can be sent', async () => {
    const { mail } = app.ctx
    const away: MailResult = { outcome: 'unavailable', reason: 'the server is away' }
    app.ctx.mail = { ...mail, send: async () => away }
    await enqueueNotice(app.ctx, app.db, NOTICE)
    for (let i = 0; i < 30; i++) {
      await app.drain()
      app.clock.forward(3_600_000)
    }
    app.ctx.mail = mail
    await app.drain()
    expect(await app.captured()).toHaveLength(1)
  })

  it('about a project with an unusual name has a single-line subject', async () => {
    const notice = domainLostNotice({
      to: 'ada@example.org',
      domain: 'example.com',
      project: 'A\r\nBcc: x@y.example',
      baseUrl: 'https://post.example.com',
    })
    await enqueueNotice(app.ctx, app.db, notice)
    await app.drain()
    const mail = await PostalMime.parse((await app.captured())[0]!.raw)
    expect(mail.bcc).toBeUndefined()
    expect(mail.text).toContain('“A Bcc: …”')
  })

  it('is not sent to an account that has not confirmed its address, except to confirm it or to offer an invitation', async () => {
    const person = await signUp(app)
    const captured = app.ctx.mail
    Object.assign(app.ctx, { mail: { ...captured, capabilities: { ...captured.capabilities, captures: false } } })
    const queued = async () =>
      (
        await app.pool.query(`select from posthorn_queue.jobs where name = 'send-notice' and payload->>'to' = $1`, [
          person.email,
        ])
      ).rowCount
    try {
      const lost = { to: person.email, domain: 'example.com', project: 'Shop', baseUrl: 'https://post.example.com' }
      await enqueueNotice(app.ctx, app.db, domainLostNotice(lost))
      expect(await queued()).toBe(0)
      await enqueueNotice(app.ctx, app.db, { ...domainLostNotice(lost), toAnyone: true })
      expect(await queued()).toBe(1)
      await app.pool.query('update users set email_verified_at = now() where id = $1', [person.id])
      await enqueueNotice(app.ctx, app.db, domainLostNotice(lost))
      expect(await queued()).toBe(2)
    } finally {
      Object.assign(app.ctx, { mail: captured })
    }
  })

  it('never contains a link that a person chose as a name', () => {
    const name = 'Unlock at https://evil.test/now'
    const about = { to: 'a@example.org', project: name, baseUrl: 'https://own.test' }
    const notices = [
      domainLostNotice({ ...about, domain: 'example.com' }),
      domainVerifiedNotice({ ...about, domain: 'example.com' }),
      campaignHeldNotice({ to: 'a@example.org', name, reason: 'Late.', baseUrl: 'https://own.test' }),
      adminByKeyNotice({ ...about, email: 'b@example.org' }),
    ]
    for (const { subject, text } of notices) expect(subject + text).not.toContain('evil')
  })
})
