/**
 * Shared by the tests of inbound email: a service that listens, a real DNS server with the records of some senders, and
 * messages to send.
 */
import { generateKeyPairSync } from 'node:crypto'
import { openInboundServer } from '../../features/mail/received/server.ts'
import { startDnsServer } from '../dns-server.ts'
import { createProject, openTestApp } from '../harness.ts'
import { deliver } from '../mail-client.ts'

/** The DKIM key of sender.example; its public key is in the DNS of the fixture. */
export const SENDERS_KEY = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

export async function openInboundFixture() {
  const dns = await startDnsServer({
    'sender.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
    '_dmarc.sender.example': { TXT: ['v=DMARC1; p=reject'] },
    's1._domainkey.sender.example': { TXT: [`v=DKIM1; k=rsa; p=${SENDERS_KEY.publicKey.toString('base64')}`] },
    'strict.example': { TXT: ['v=spf1 -all'] },
    '_dmarc.strict.example': { TXT: ['v=DMARC1; p=none'] },
    'silent.example': { A: ['192.0.2.1'] },
  })
  dns.setFailure('broken.example', 'servfail')
  const app = await openTestApp({ DNS_SERVERS: dns.address, INBOUND_SMTP_PORT: '2525', INBOUND_MAX_MB: '1' })
  const project = await createProject(app)
  const server = await openInboundServer(app.ctx, 0)
  const get = (path: string, key = project.secretKey) => app.request('GET', path, { key })

  return {
    app,
    dns,
    project,
    server,
    get,
    /** The reply to the message: whether it was accepted. */
    last: async (mail: Parameters<typeof deliver>[1]) => (await deliver(server.port, mail)).at(-1),
    emails: async (key?: string) => (await get('/emails?status=RECEIVED&limit=100', key)).body.data,
    events: async (key?: string) => (await get('/events?name=email.received&limit=100', key)).body.data,
    async close() {
      await server.stop()
      await app.close()
      await dns.close()
    },
  }
}

export type InboundFixture = Awaited<ReturnType<typeof openInboundFixture>>

let counter = 0
export const letter = (fields: Record<string, string> = {}, body = 'Hello,\r\n\r\nis this still available?\r\n') => {
  const headers = {
    From: 'Ada Lovelace <Ada@Sender.example>',
    To: 'shop@example.com',
    Subject: 'A question',
    'Message-ID': `<letter-${++counter}@sender.example>`,
    ...fields,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
