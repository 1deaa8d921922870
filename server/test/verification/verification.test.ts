/** POST /v1/verify against a real DNS server: every field, every kind of failure, and a limit for every wait. */
import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDnsServer } from '../dns-server.ts'
import { createProject, databaseState, openTestApp, type TestApp } from '../harness.ts'

const MX = [{ exchange: 'mx.example.org', priority: 10 }]
let app: TestApp
let dns: DnsServer
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  dns = await startDnsServer({
    'acme.example': { MX, A: ['192.0.2.1'] },
    'no-website.example': { MX },
    'only-www.example': { MX },
    'www.only-www.example': { A: ['192.0.2.1'] },
    'six.example': { MX, AAAA: ['2001:db8:0:0:0:0:0:1'] },
    'implicit.example': { A: ['192.0.2.1'] },
    'null-mx.example': { A: ['192.0.2.1'], MX: [{ exchange: '', priority: 0 }] },
    'no-mail.example': { TXT: ['v=spf1 -all'] },
    'xn--mller-kva.example': { MX },
    'gmail.com': { MX, A: ['192.0.2.1'] },
    'gmial.com': { MX },
    'mailinator.com': { MX },
    'duck.com': { MX },
    'me.anonaddy.com': { MX },
  })
  app = await openTestApp({ DNS_SERVERS: dns.address })
  project = await createProject(app)
})
afterAll(async () => {
  await app.close()
  await dns.close()
})

const post = (email: unknown, key = project.secretKey) => app.request('POST', '/v1/verify', { key, body: { email } })
const verify = async (email: string) => {
  const { status, body } = await post(email)
  expect(status).toBe(200)
  expect(body.success).toBe(true)
  return body.data
}

const GOOD = {
  valid: true,
  isDisposable: false,
  isAlias: false,
  isTypo: false,
  isPlusAddressed: false,
  isPersonalEmail: false,
  domainExists: true,
  hasWebsite: true,
  hasMxRecords: true,
  reasons: [],
}

describe('a verified address', () => {
  it('without any problem has exactly the fields of the contract and no reasons', async () => {
    expect(await verify(' Ada@Acme.example ')).toEqual({ email: 'ada@acme.example', ...GOOD })
  })

  it.each<[what: string, email: string, facts: object, reason?: RegExp]>([
    ['has a plus', 'ada+news@acme.example', { isPlusAddressed: true }],
    ['begins with a plus', '+ada@acme.example', { isPlusAddressed: false }],
    ['is at a domain without website', 'ada@no-website.example', { hasWebsite: false }],
    ['is at a domain whose website is at www', 'ada@only-www.example', { hasWebsite: true }],
    ['is at a domain with IPv6 alone', 'ada@six.example', { hasWebsite: true }],
    ['is at an international domain', 'ada@müller.example', { hasWebsite: false }],
    ['is quoted', '"ada l"@acme.example', {}],
    ['is of a personal provider', 'ada@gmail.com', { isPersonalEmail: true }],
    ['is of an alias service', 'ada@duck.com', { isAlias: true, hasWebsite: false }],
    [
      'is at a domain without MX but with an address',
      'ada@implicit.example',
      { hasMxRecords: false },
      /no MX records, so email is delivered to its address records/,
    ],
    [
      'is at a domain that declines mail',
      'ada@null-mx.example',
      { valid: false, hasMxRecords: false },
      /does not accept email/,
    ],
    [
      'is at a domain without mail server',
      'ada@no-mail.example',
      { valid: false, hasMxRecords: false, hasWebsite: false },
      /no mail server/,
    ],
    [
      'is at a domain that does not exist',
      'ada@absent.example',
      { valid: false, domainExists: false, hasMxRecords: false, hasWebsite: false },
      /does not exist/,
    ],
    ['is disposable', 'ada@mailinator.com', { isDisposable: true, hasWebsite: false }, /disposable/],
    [
      'is probably a typo',
      'ada@gmial.com',
      { isTypo: true, hasWebsite: false, isPersonalEmail: expect.any(Boolean) },
      /Did you mean ada@gmail\.com\?/,
    ],
    [
      'is at a subdomain of an alias service',
      'x@me.anonaddy.com',
      { isAlias: true, isDisposable: true, hasWebsite: false },
      /disposable/,
    ],
  ])('is reported as it is if it %s', async (_what, email, facts, reason) => {
    const found = await verify(email)
    expect(found).toEqual({ ...GOOD, ...facts, email, reasons: reason ? [expect.stringMatching(reason)] : [] })
  })

  it.each([
    '',
    'ada',
    'ada@',
    '@acme.example',
    'ada@acme',
    'a b@acme.example',
    'ada@acme..example',
    'ada@@acme.example',
    '.ada@acme.example',
    'ada@-acme.example',
    'ada@192.0.2.1',
    'ada@[192.0.2.1]',
    `${'a'.repeat(65)}@acme.example`,
    `ada@${'a'.repeat(64)}.example`,
    `ada@${'a.'.repeat(130)}example`,
    'ada@acme.example\nbcc: x@y.example',
    '"ada@acme.example',
  ])('is refused with 422 if it is malformed: %j', async (email) => {
    expect(await post(email)).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', errors: [{ field: 'email', code: 'invalid_string' }] } },
    })
  })

  it.each([undefined, null, 7, ['a@acme.example'], { email: 'a@acme.example' }])(
    'is refused with 422 if it is not a string: %j',
    async (email) => {
      expect(await post(email)).toMatchObject({
        status: 422,
        body: { error: { errors: [{ field: 'email', code: 'invalid_type' }] } },
      })
    },
  )
})

describe('verifying addresses', () => {
  it('looks up a domain once, even for concurrent requests, and again after a while', async () => {
    const timesAsked = () => dns.asked.filter((name) => name === 'busy.example').length
    dns.zones['busy.example'] = { MX, A: ['192.0.2.1'] }
    await Promise.all(Array.from({ length: 20 }, (_, i) => verify(`user${i}@busy.example`)))
    const first = timesAsked()
    expect(first).toBeLessThanOrEqual(3) // MX, A and AAAA
    await verify('another@busy.example')
    expect(timesAsked()).toBe(first)
    app.clock.forward(3_600_000)
    await verify('another@busy.example')
    expect(timesAsked()).toBe(2 * first)
  })

  it('changes nothing, requires the secret key, ignores an Idempotency-Key and works for a disabled project', async () => {
    const before = await databaseState(app)
    const options = { key: project.secretKey, body: { email: 'a@acme.example' }, headers: { 'idempotency-key': 'k' } }
    for (let i = 0; i < 2; i++) expect((await app.request('POST', '/v1/verify', options)).status).toBe(200)
    expect(await databaseState(app)).toBe(before)
    expect(await post('a@acme.example', project.publicKey)).toMatchObject({
      status: 401,
      body: { error: { code: 'INVALID_API_KEY' } },
    })
    const disabled = await createProject(app)
    await app.pool.query('update projects set disabled_at = now() where id = $1', [disabled.id])
    expect((await post('a@acme.example', disabled.secretKey)).status).toBe(200)
  })
})

describe('verifying an address while DNS fails', () => {
  it.each(['servfail', 'refuse'] as const)('does not report it as valid, and gives the reason: %s', async (failure) => {
    const domain = `${failure}.example`
    dns.zones[domain] = { MX, A: ['192.0.2.1'] }
    dns.setFailure(domain, failure)
    const failed = await verify(`a@${domain}`)
    expect(failed).toMatchObject({ valid: false, reasons: [expect.stringMatching(/could not be checked/)] })
    dns.setFailure(domain, undefined)
    expect(await verify(`a@${domain}`)).toMatchObject({ valid: true, reasons: [] })
  })

  it('without a response still ends within 5 seconds', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    const other = await openTestApp({ DNS_SERVERS: `127.0.0.1:${silent.address().port},127.0.0.1:9` })
    try {
      const { secretKey } = await createProject(other)
      const startedAt = performance.now()
      const { status, body } = await other.request('POST', '/v1/verify', {
        key: secretKey,
        body: { email: 'ada@acme.example' },
      })
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ valid: false, domainExists: false, hasMxRecords: false })
      expect(body.data.reasons).toHaveLength(1)
    } finally {
      await other.close()
      await new Promise<void>((resolve) => silent.close(() => resolve()))
    }
  })
})
