/** SMTP connections of other servers: which messages are refused, and how connections start, break and end. */
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openInboundServer } from '../../features/mail/received/server.ts'
import { createProject, type TestApp } from '../harness.ts'
import { connectMail, deliver } from '../mail-client.ts'
import { type InboundFixture, letter, openInboundFixture } from './inbound-fixture.ts'

let fixture: InboundFixture
let app: TestApp
let server: InboundFixture['server']

beforeAll(async () => {
  fixture = await openInboundFixture()
  ;({ app, server } = fixture)
})
afterAll(() => fixture.close())

const last: InboundFixture['last'] = (mail) => fixture.last(mail)
const get: InboundFixture['get'] = (...call) => fixture.get(...call)
const emails: InboundFixture['emails'] = (key) => fixture.emails(key)

describe('the inbound server', () => {
  it.each(['a@elsewhere.example', 'a@sub.example.com', 'b-abc@bounces.example.com', 'a@[127.0.0.1]', 'postmaster'])(
    'refuses a recipient of another domain (%s): nothing is relayed',
    async (to) => {
      const replies = await deliver(server.port, { to: [to], raw: letter() })
      expect(replies[2]).toMatch(/^550 5\.7\.1 /)
      expect(replies.at(-1)).toMatch(/^503/)
    },
  )

  it('accepts the other recipients if one is refused', async () => {
    const replies = await deliver(server.port, { to: ['a@elsewhere.example', 'ok@example.com'], raw: letter() })
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['250', '250', '550', '250', '354', '250'])
  })

  it('refuses a domain that is no longer verified, and temporarily refuses a disabled project', async () => {
    const other = await createProject(app, 'Other')
    const added = await app.request('POST', '/domains', { key: other.secretKey, body: { domain: 'lost.example' } })
    expect((await deliver(server.port, { to: ['a@lost.example'], raw: '' }))[2]).toMatch(/^550/)
    await get(`/domains/${added.body.id}/verify`, other.secretKey)
    await app.pool.query('update projects set disabled_at = now() where id = $1', [other.id])
    expect((await deliver(server.port, { to: ['a@lost.example'], raw: '' }))[2]).toMatch(/^450 4\.2\.1/)
  })

  it('refuses a message over the limit, whether or not its size is announced', async () => {
    const client = await connectMail(server.port)
    expect(await client.say('EHLO x.example')).toContain(`SIZE ${1024 * 1024}`)
    expect(await client.say(`MAIL FROM:<a@sender.example> SIZE=${2 * 1024 * 1024}`)).toMatch(/^552/)
    client.close()
    const before = (await emails()).length
    const raw = letter({}, `${'x'.repeat(998)}\r\n`.repeat(1_100))
    expect(await last({ to: ['big@example.com'], raw })).toMatch(/^552 5\.3\.4/)
    const endless = letter({}, `${'x'.repeat(998)}\r\n`.repeat(2_200))
    expect(await last({ to: ['big@example.com'], raw: endless })).toMatch(/^552 5\.3\.4|closed/)
    expect(await emails()).toHaveLength(before)
  })

  it.each(['\n.\n', '\n.\r\n', '\r\n.\n'])(
    'refuses a second message smuggled with %j, together with the first',
    async (end) => {
      const before = (await emails()).length
      const hidden = `MAIL FROM:<boss@example.com>\r\nRCPT TO:<victim@example.com>\r\nDATA\r\n${letter({ Subject: 'Smuggled' })}`
      expect(await last({ to: ['a@example.com'], raw: `${letter()}${end}${hidden}` })).toMatch(/^550 5\.5\.2/)
      expect(await emails()).toHaveLength(before)
    },
  )

  it('does not offer authentication, and replies to invalid commands', async () => {
    const client = await connectMail(server.port)
    expect(await client.say('EHLO x.example')).not.toContain('AUTH')
    expect(await client.say('AUTH PLAIN AGEAYg==')).toMatch(/^5/)
    expect(await client.say('DATA')).toMatch(/^503/)
    expect(await client.say('RCPT TO:<a@example.com>')).toMatch(/^503/)
    expect(await client.say('MAIL FROM:<a b>')).toMatch(/^501/)
    expect(await client.say('XCLIENT ADDR=192.0.2.1')).toMatch(/^5/)
    expect(await client.say('VRFY a@example.com')).toMatch(/^2/)
    client.close()
  })

  it('accepts at most a hundred recipients per message', async () => {
    const client = await connectMail(server.port)
    await client.say('EHLO x.example')
    await client.say('MAIL FROM:<a@sender.example>')
    for (let i = 0; i < 100; i++) expect(await client.say(`RCPT TO:<a${i}@example.com>`)).toMatch(/^250/)
    expect(await client.say('RCPT TO:<a100@example.com>')).toMatch(/^452/)
    client.close()
  })
})

describe('connections to the inbound server', () => {
  it('can be encrypted, and commands sent before that are discarded', async () => {
    const client = await connectMail(server.port)
    expect(await client.say('EHLO x.example')).toContain('STARTTLS')
    expect(await client.write('STARTTLS\r\nMAIL FROM:<injected@sender.example>\r\n')).toMatch(/^220/)
    client.socket.removeAllListeners('data')
    const tls = connectTls({ socket: client.socket, rejectUnauthorized: false })
    const said: string[] = []
    const reply = () => new Promise<string>((resolve) => tls.once('data', (chunk) => resolve(chunk.toString())))
    tls.on('data', (chunk) => said.push(chunk.toString()))
    await new Promise((resolve) => tls.once('secureConnect', resolve))
    expect(tls.getPeerCertificate().subject.CN).toBe('posthorn.test')
    tls.write('EHLO x.example\r\n')
    await reply()
    tls.write('RCPT TO:<a@example.com>\r\n')
    expect(await reply()).toMatch(/^503/)
    expect(said).toHaveLength(2)
    tls.destroy()
  })

  it('are limited for each address, and a closed one is no longer counted', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => connectMail(server.port)))
    const refused = await connectMail(server.port)
    expect(refused.greeting).toMatch(/^421 4\.7\.0/)
    for (const client of clients) client.close()
    for (let tries = 0; tries < 100; tries++) {
      const next = await connectMail(server.port)
      next.close()
      if (next.greeting.startsWith('220')) return
    }
    throw new Error('No place was given back.')
  })

  it('leave nothing behind if they break in the middle', async () => {
    const before = (await emails()).length
    const client = await connectMail(server.port)
    await client.say('EHLO x.example')
    await client.say('MAIL FROM:<a@sender.example>')
    await client.say('RCPT TO:<a@example.com>')
    await client.say('DATA')
    client.socket.write(letter())
    client.close()
    expect(await last({ to: ['after@example.com'], raw: letter() })).toMatch(/^250/)
    expect(await emails()).toHaveLength(before + 1)
  })

  it('end with a reply when the server stops, after messages in progress are finished', async () => {
    const own = await openInboundServer(app.ctx, 0)
    const idle = await connectMail(own.port)
    const raw = letter({ Subject: 'Last one' })
    const sending = await connectMail(own.port)
    await sending.say('EHLO x.example')
    await sending.say('MAIL FROM:<a@sender.example>')
    await sending.say('RCPT TO:<a@example.com>')
    await sending.say('DATA')
    const answered = sending.write(`${raw}\r\n.\r\n`)
    await app.ctx.db.selectFrom('projects').select('id').execute() // lets the message be received
    const stopped = own.stop()
    expect(await idle.reply()).toMatch(/^421/)
    expect(await answered).toMatch(/^250/)
    sending.close()
    await stopped
  })
})
