/**
 * Sender domains with Amazon SES: verification requires the status from SES and our own proof of ownership. A server on
 * loopback stands in for SES and checks signatures by Amazon's rules.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTransport } from '../../platform/transports/open.ts'
import { type DnsServer, startDnsServer } from '../dns-server.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret-for-tests' }
const TOKENS = ['tokena', 'tokenb', 'tokenc']

const identities = new Map<string, { verified: boolean; mailFrom?: string }>()
const unsigned: string[] = []
let ses: Server
let broken = false
let app: TestApp
let dns: DnsServer
let key: string
let counter = 0

beforeAll(async () => {
  ses = createServer(async (request, reply) => {
    const body = await text(request)
    const url = `http://127.0.0.1:${(ses.address() as AddressInfo).port}${request.url}`
    const signer = new AwsV4Signer({
      method: request.method!,
      url,
      body: body || null,
      ...KEYS,
      service: 'ses',
      region: 'eu-central-1',
      datetime: String(request.headers['x-amz-date']),
      headers: request.headers['content-type'] ? { 'content-type': request.headers['content-type'] } : {},
    })
    if ((await signer.authHeader()) !== request.headers.authorization) unsigned.push(`${request.method} ${request.url}`)
    const { status, answer } = broken ? { status: 503, answer: {} } : play(request.method!, request.url!, body)
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => ses.listen(0, '127.0.0.1', resolve))
  dns = await startDnsServer()
  app = await openTestApp({ DNS_SERVERS: dns.address })
  key = (await createProject(app)).secretKey
  app.ctx.settings = {
    ...app.ctx.settings,
    MAIL_URL: 'ses://eu-central-1',
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    SES_ENDPOINT: `http://127.0.0.1:${(ses.address() as AddressInfo).port}`,
  }
  // Email is still captured, but domains must be verified as with SES.
  const { capabilities, identities } = await openTransport(app.ctx.settings, app.ctx)
  app.ctx.mail = { ...app.ctx.mail, capabilities, identities: identities! }
})
afterAll(async () => {
  await app.close()
  await dns.close()
  ses.closeAllConnections()
  await new Promise((resolve) => ses.close(resolve))
})

function play(method: string, path: string, body: string): { status: number; answer: object } {
  const shown = (verified: boolean) => ({ VerifiedForSendingStatus: verified, DkimAttributes: { Tokens: TOKENS } })
  if (method === 'POST') {
    identities.set(JSON.parse(body).EmailIdentity, { verified: false })
    return { status: 200, answer: shown(false) }
  }
  const [, domain, rest] = /^\/v2\/email\/identities\/([^/]+)(\/mail-from)?$/.exec(path)!
  const identity = identities.get(domain!)
  if (!identity) return { status: 404, answer: { message: 'NotFoundException' } }
  if (rest) identity.mailFrom = JSON.parse(body).MailFromDomain
  return { status: 200, answer: rest ? {} : shown(identity.verified) }
}

const call = async (method: string, path: string, body?: unknown) =>
  (await app.request(method, path, { key, body })).body
const add = () => call('POST', '/domains', { domain: `shop-${++counter}.example.net` })
const verify = ({ id }: { id: string }) => call('GET', `/domains/${id}/verify`)
const publishOwnership = (domain: { records: Array<{ purpose: string; name: string; value: string }> }) => {
  const { name, value } = domain.records.find((record) => record.purpose === 'ownership')!
  dns.zones[name] = { TXT: [value] }
}

describe('a domain with SES', () => {
  it('is registered there, and shows the records that SES requires', async () => {
    const { domain, records } = await add()
    expect(identities.get(domain)).toEqual({ verified: false, mailFrom: `bounces.${domain}` })
    const shown = records.map((record: Record<string, unknown>) => [
      record.purpose,
      record.type,
      record.name,
      record.value,
    ])
    expect(shown).toEqual([
      ['ownership', 'TXT', `_posthorn.${domain}`, expect.stringMatching(/^posthorn-verification=/)],
      ...TOKENS.map((token) => ['dkim', 'CNAME', `${token}._domainkey.${domain}`, `${token}.dkim.amazonses.com`]),
      ['return-path', 'MX', `bounces.${domain}`, 'feedback-smtp.eu-central-1.amazonses.com'],
      ['spf', 'TXT', `bounces.${domain}`, 'v=spf1 include:amazonses.com ~all'],
    ])
    expect(unsigned).toEqual([])
  })

  it('is verified only if SES confirms it and the ownership is proved', async () => {
    const added = await add()
    identities.get(added.domain)!.verified = true
    expect((await verify(added)).verified).toBe(false)
    publishOwnership(added)
    expect((await verify(added)).verified).toBe(true)

    const other = await add()
    publishOwnership(other)
    expect((await verify(other)).verified).toBe(false)
  })

  it('shows each CNAME that was found', async () => {
    const added = await add()
    dns.zones[`tokenb._domainkey.${added.domain}`] = { CNAME: 'tokenb.dkim.amazonses.com' }
    const { records } = await verify(added)
    const states = records.filter((record: { type: string }) => record.type === 'CNAME')
    expect(states.map((record: { verified: boolean }) => record.verified)).toEqual([false, true, false])
  })

  it('can be added while SES is unavailable and gets its records later; a verified one stays verified', async () => {
    const verified = await add()
    publishOwnership(verified)
    identities.get(verified.domain)!.verified = true
    await verify(verified)
    broken = true
    try {
      const added = await add()
      expect(added).toMatchObject({ status: 'PENDING' })
      for (let i = 0; i < 4; i++) expect((await verify(verified)).status).toBe('VERIFIED')
      broken = false
      const checked = await verify(added)
      expect(checked.records.filter((record: { type: string }) => record.type === 'CNAME')).toHaveLength(3)
    } finally {
      broken = false
    }
  })
})
