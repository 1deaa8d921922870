/**
 * Checks of sender domains against a real DNS server: verification, its loss, outages, the periodic check, and notices.
 */
import { Resolver } from 'node:dns/promises'
import { dkimVerify } from 'mailauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DnsServer, startDnsServer, type Zone } from '../dns-server.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

interface DomainRecord {
  purpose: string
  type: string
  name: string
  value: string
  verified: boolean
}
interface Domain {
  id: string
  domain: string
  status: string
  verified: boolean
  records: DomainRecord[]
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
let app: TestApp
let dns: DnsServer
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  dns = await startDnsServer()
  app = await openTestApp({ DNS_SERVERS: dns.address, INBOUND_SMTP_PORT: '2525' })
  project = await createProject(app)
  await app.pool.query('update users set email_verified_at = now()') // only then is the owner notified
  // Email is still captured, but domains must be verified as with a mail server.
  const { mail } = app.ctx
  app.ctx.mail = { ...mail, capabilities: { ...mail.capabilities, captures: false } }
})
afterAll(async () => {
  await app.close()
  await dns.close()
})

/** Only domains and emails of the current test exist. */
beforeEach(async () => {
  dns.setFailure('*', undefined)
  dns.asked.length = 0
  await app.drain()
  await app.pool.query('delete from domains')
  await app.pool.query('delete from captured_messages')
})

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })
const add = async (domain = `shop-${++counter}.example.net`, key = project.secretKey): Promise<Domain> =>
  (await call('POST', '/domains', { domain }, key)).body
const verify = async ({ id }: Domain): Promise<Domain> => (await call('GET', `/domains/${id}/verify`)).body
const recordOf = ({ records }: Domain, purpose: string) => records.find((record) => record.purpose === purpose)!
const statesOf = ({ records }: Domain) =>
  Object.fromEntries(records.map(({ purpose, verified }) => [purpose, verified]))
const recheck = () => app.jobs['recheck-domains']({}, { attempt: 1, at: app.clock.now() })

function publish(domain: Domain, ...purposes: string[]): void {
  for (const purpose of purposes) {
    const { name, type, value } = recordOf(domain, purpose)
    const zone: Zone = dns.zones[name] ?? {}
    dns.zones[name] = type === 'MX' ? { ...zone, MX: [{ exchange: value, priority: 10 }] } : { ...zone, TXT: [value] }
  }
}

const unpublish = (domain: Domain, purpose: string) => delete dns.zones[recordOf(domain, purpose).name]

async function notices(): Promise<Array<{ to: string; subject: string; text: string }>> {
  await app.drain()
  return (await app.captured()).map(({ recipients, raw }) => {
    const text = raw.toString('utf8')
    return { to: recipients.join(), subject: /^Subject: (.*)\r$/m.exec(text)![1]!, text }
  })
}

describe('a sender domain', () => {
  it('is verified once ownership and key are found, and shows each record separately', async () => {
    const domain = await add()
    expect(statesOf(await verify(domain))).toEqual({
      ownership: false,
      dkim: false,
      spf: false,
      dmarc: false,
      'return-path': false,
    })
    publish(domain, 'ownership', 'return-path')
    const half = await verify(domain)
    expect(half).toMatchObject({ verified: false, status: 'PENDING' })
    expect(statesOf(half)).toMatchObject({ ownership: true, dkim: false, 'return-path': true })

    publish(domain, 'dkim', 'dmarc')
    const whole = await verify(domain)
    expect(whole).toMatchObject({ verified: true, status: 'VERIFIED' })
    expect(statesOf(whole)).toEqual({ ownership: true, dkim: true, spf: false, dmarc: true, 'return-path': true })
    const email = { to: 'a@example.org', from: `a@${domain.domain}`, subject: 's', body: 'b' }
    expect((await call('POST', '/v1/send', email)).status).toBe(200)
  })

  it('is recognized among other texts, in chunks, with spaces, and with its own SPF record', async () => {
    const domain = await add()
    publish(domain, 'ownership')
    dns.zones[recordOf(domain, 'ownership').name]!.TXT!.unshift('google-site-verification=x')
    const key = recordOf(domain, 'dkim').value
    const chunks = [key.slice(0, 100).replace('; ', ' ;'), key.slice(100, 300), key.slice(300)]
    dns.zones[recordOf(domain, 'dkim').name] = { TXT: [chunks] }
    dns.zones[domain.domain] = { TXT: ['other', 'v=spf1 include:_spf.example.org a:posthorn.test -all'] }
    expect(statesOf(await verify(domain))).toMatchObject({ ownership: true, dkim: true, spf: true })
  })

  it('is not verified by another key, nor by the record of another project', async () => {
    const name = `shared-${++counter}.example.net`
    const other = await createProjectWithoutDomain()
    const theirs = await add(name, other.secretKey)
    publish(theirs, 'ownership', 'dkim')
    const ours = await add(name)
    dns.zones[recordOf(ours, 'dkim').name] = { TXT: [recordOf(theirs, 'dkim').value] }
    expect(await verify(ours)).toMatchObject({ verified: false })
    expect(statesOf(await verify(ours))).toMatchObject({ ownership: false, dkim: false })
    expect((await call('GET', `/domains/${theirs.id}/verify`, undefined, other.secretKey)).body.verified).toBe(true)
  })

  it('becomes pending after three failed checks in a row, and its owners are notified once', async () => {
    const domain = await add()
    publish(domain, 'ownership', 'dkim')
    await verify(domain)
    unpublish(domain, 'dkim')
    expect((await verify(domain)).status).toBe('VERIFIED')
    expect((await verify(domain)).status).toBe('VERIFIED')
    expect(await verify(domain)).toMatchObject({ status: 'PENDING', verified: false })
    await verify(domain)
    const sent = await notices()
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      [project.owner.email, `${domain.domain} is verified`],
      [project.owner.email, `${domain.domain} is no longer verified`],
    ])
    expect(sent[1]!.text).toMatch(/^From: .*<posthorn@localhost>\r$/m)
    expect(sent[1]!.text).toMatch(/multipart\/alternative/)
    const email = { to: 'a@example.org', from: `a@${domain.domain}`, subject: 's', body: 'b' }
    expect((await call('POST', '/v1/send', email)).status).toBe(403)
  })

  it.each(['servfail', 'refuse'] as const)(
    'stays verified through any number of checks that end in %s',
    async (failure) => {
      const domain = await add()
      publish(domain, 'ownership', 'dkim')
      await verify(domain)
      dns.setFailure('*', failure)
      for (let i = 0; i < 5; i++) expect((await verify(domain)).status).toBe('VERIFIED')
      expect(statesOf(await verify(domain))).toMatchObject({ ownership: true, dkim: true, spf: false })
    },
  )

  it('is checked within seconds even if DNS never responds', async () => {
    const domain = await add()
    dns.setFailure('*', 'silent')
    const startedAt = performance.now()
    expect(await verify(domain)).toMatchObject({ status: 'PENDING' })
    expect(performance.now() - startedAt).toBeLessThan(8_000)
  })

  it('fails after 72 hours, and can still be verified later', async () => {
    const domain = await add()
    app.clock.forward(71 * HOUR_MS)
    expect((await verify(domain)).status).toBe('PENDING')
    app.clock.forward(HOUR_MS)
    expect((await verify(domain)).status).toBe('FAILED')
    publish(domain, 'ownership', 'dkim')
    expect((await verify(domain)).status).toBe('VERIFIED')
  })
})

describe('an Ed25519 key of a domain', () => {
  const change = (domain: Domain, ed25519: boolean) => call('PATCH', `/domains/${domain.id}`, { ed25519 })
  const dkimOf = ({ records }: Domain) => records.filter(({ purpose }) => purpose === 'dkim')
  const secondOf = (domain: Domain) => dkimOf(domain)[1]!

  async function verdictsOf(from: string) {
    const email = { to: 'a@example.org', from, subject: 's', body: 'b' }
    const sent = (await call('POST', '/v1/send', email)).body.data.emails[0].email
    await app.drain()
    const resolver = new Resolver()
    resolver.setServers([dns.address])
    const { results } = await dkimVerify(Buffer.from((await call('GET', `/emails/${sent}/raw`)).body), {
      resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
    })
    return (results as unknown as Array<{ algo: string; status: { result: string } }>).map(({ algo, status }) => [
      algo,
      status.result,
    ])
  }

  it('is stored encrypted, and signs beside the RSA key while its record is found', async () => {
    const [waiting, signing] = [await add(), await add()]
    for (const domain of [waiting, signing]) {
      publish(domain, 'ownership', 'dkim')
      await verify(domain)
      const { body } = await change(domain, true)
      expect(body).toMatchObject({ ed25519: true, verified: true })
      expect(dkimOf(body).map(({ verified }) => verified)).toEqual([true, false])
    }
    const shown = await verify(signing)
    const { name, type, value } = secondOf(shown)
    expect({ type, value }).toEqual({
      type: 'TXT',
      value: expect.stringMatching(/^v=DKIM1; k=ed25519; p=[\w+/]{43}=$/),
    })
    expect(name).not.toBe(recordOf(shown, 'dkim').name)
    const { rows } = await app.pool.query('select ed25519_private_key from domains where id = $1', [signing.id])
    expect(rows[0].ed25519_private_key.toString('latin1')).not.toContain('PRIVATE KEY')

    dns.zones[name] = { TXT: [value.replace('k=ed25519; ', '')] } // that of an RSA key
    expect(secondOf(await verify(signing)).verified).toBe(false)
    dns.zones[name] = { TXT: [value] }
    expect(secondOf(await verify(signing)).verified).toBe(true)
    expect(await verdictsOf(`a@${waiting.domain}`)).toEqual([['rsa-sha256', 'pass']])
    expect(await verdictsOf(`a@${signing.domain}`)).toEqual([
      ['rsa-sha256', 'pass'],
      ['ed25519-sha256', 'pass'],
    ])
    delete dns.zones[name]
    expect(await verify(signing)).toMatchObject({ verified: true, ed25519: true })
  })

  it('is another one with its own record after it was deleted, and stays the same if it is added twice', async () => {
    const domain = await add()
    const first = (await change(domain, true)).body
    expect((await change(domain, true)).body).toEqual(first)
    dns.zones[secondOf(first).name] = { TXT: [secondOf(first).value] }
    expect(secondOf(await verify(domain)).verified).toBe(true)
    const without = (await change(domain, false)).body
    expect([without.ed25519, dkimOf(without)]).toEqual([false, [recordOf(domain, 'dkim')]])
    const again = secondOf((await change(domain, true)).body)
    expect(again).toMatchObject({ purpose: 'dkim', verified: false })
    expect([again.name, again.value]).not.toContain(secondOf(first).name)
    expect(again.value).not.toBe(secondOf(first).value)
    const log = await call('GET', `/projects/${project.id}/audit-log?act=domain.changed`)
    const entry = (ed25519: boolean, before: boolean) => ({
      domain: domain.domain,
      ed25519,
      before: { ed25519: before },
    })
    expect(log.body.data.slice(0, 4).map(({ details }: { details: object }) => details)).toEqual([
      entry(true, false),
      entry(false, true),
      entry(true, true),
      entry(true, false),
    ])
  })
})

async function createProjectWithoutDomain() {
  const { body } = await app.request('POST', '/users/@me/projects', {
    cookie: project.owner.cookie,
    body: { name: 'Other' },
  })
  return { id: body.id as string, secretKey: body.secret as string }
}

describe('the periodic domain check', () => {
  const statusOf = async (domain: Domain) =>
    (await app.pool.query('select status from domains where id = $1', [domain.id])).rows[0].status

  it('verifies published records and notifies the owners', async () => {
    const domain = await add()
    await recheck()
    expect(await statusOf(domain)).toBe('PENDING')
    publish(domain, 'ownership', 'dkim')
    app.clock.forward(5 * MINUTE_MS)
    await recheck()
    expect(await statusOf(domain)).toBe('VERIFIED')
    const sent = await notices()
    expect(sent).toMatchObject([{ to: project.owner.email, subject: `${domain.domain} is verified` }])
  })

  it('skips a domain that was checked a minute ago, and checks one that waits for days less often', async () => {
    const domain = await add()
    const ownership = recordOf(domain, 'ownership').name
    const timesAsked = () => dns.asked.filter((name) => name === ownership).length
    await recheck()
    app.clock.forward(MINUTE_MS)
    await recheck()
    expect(timesAsked()).toBe(1)
    app.clock.forward(4 * MINUTE_MS)
    await recheck()
    expect(timesAsked()).toBe(2)
    app.clock.forward(30 * HOUR_MS)
    await recheck()
    app.clock.forward(5 * MINUTE_MS)
    await recheck()
    expect(timesAsked()).toBe(3)
  })

  it('checks each domain once, with several processes and several batches', async () => {
    await app.pool.query(
      `insert into domains (project_id, id, domain, ownership_token, dkim_selector, dkim_public_key, dkim_private_key, next_check_at, created_at, updated_at)
       select $1, gen_random_uuid(), 'many-' || i || '.example.net', 't', 's', 'k', '', $2, $2, $2 from generate_series(1, 100) i`,
      [project.id, app.clock.now()],
    )
    await Promise.all([recheck(), recheck(), recheck()])
    const ownership = dns.asked.filter((name) => name.startsWith('_posthorn.many-'))
    expect(ownership).toHaveLength(100)
    expect(new Set(ownership).size).toBe(100)
  })

  it('checks a domain again whose check was interrupted', async () => {
    const domain = await add()
    publish(domain, 'ownership', 'dkim')
    await app.pool.query('update domains set next_check_at = $1', [new Date(app.clock.now().getTime() + 4 * MINUTE_MS)])
    await recheck()
    expect(await statusOf(domain)).toBe('PENDING')
    app.clock.forward(5 * MINUTE_MS)
    await recheck()
    expect(await statusOf(domain)).toBe('VERIFIED')
  })

  it('skips the domains of a disabled project', async () => {
    const domain = await add()
    publish(domain, 'ownership', 'dkim')
    await app.pool.query('update projects set disabled_at = now() where id = $1', [project.id])
    await recheck()
    expect(await statusOf(domain)).toBe('PENDING')
    await app.pool.query('update projects set disabled_at = null where id = $1', [project.id])
    await recheck()
    expect(await statusOf(domain)).toBe('VERIFIED')
  })
})

describe('the domain doctor', () => {
  const examine = async ({ id }: Domain) => {
    const { body } = await call('GET', `/domains/${id}`)
    return body as Domain & { findings: Array<{ topic: string; level: string; message: string }> }
  }
  const levels = async (domain: Domain) =>
    Object.fromEntries((await examine(domain)).findings.map(({ topic, level }) => [topic, level]))

  it('reports what is missing and what to add', async () => {
    const { findings, ...rest } = await examine(await add())
    expect(rest).toMatchObject({ status: 'PENDING' })
    expect(findings.map(({ topic }) => topic)).toEqual(['SPF', 'DMARC', 'MX'])
    expect(findings[0]).toMatchObject({
      level: 'advice',
      message: expect.stringContaining('v=spf1 a:posthorn.test mx ~all'),
    })
    expect(findings[1]!.message).toContain('v=DMARC1; p=none')
  })

  it('reports what is wrong, and nothing if all is correct', async () => {
    const domain = await add()
    const { domain: name } = domain
    dns.zones[name] = {
      TXT: ['v=spf1 a:posthorn.test ~all', 'v=spf1 mx -all'],
      MX: [{ exchange: '', priority: 0 }],
    }
    dns.zones[`_dmarc.${name}`] = { TXT: ['v=DMARC1; rua=mailto:a@example.org'] }
    expect(await levels(domain)).toEqual({ SPF: 'problem', DMARC: 'problem', MX: 'advice' })
    dns.zones[name] = { TXT: ['v=spf1 a:posthorn.test ~all'], MX: [{ exchange: 'mx.example.org', priority: 1 }] }
    dns.zones[`_dmarc.${name}`] = { TXT: ['v=DMARC1; p=reject'] }
    expect(await levels(domain)).toEqual({ SPF: 'ok', DMARC: 'ok', MX: 'ok' })
  })

  it('reports that DNS did not respond', async () => {
    const domain = await add()
    dns.setFailure('*', 'servfail')
    expect(await levels(domain)).toEqual({ SPF: 'unknown', DMARC: 'unknown', MX: 'unknown' })
  })

  it('does not find a domain of another project', async () => {
    const other = await createProjectWithoutDomain()
    const domain = await add()
    for (const path of [`/domains/${domain.id}`, `/domains/${domain.id}/verify`, '/domains/not-an-id']) {
      expect((await call('GET', path, undefined, other.secretKey)).status, path).toBe(404)
    }
  })
})
