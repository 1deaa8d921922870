/** Queries to a real DNS server: existing records, missing ones, and failures. */
import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsQueries, queryDns } from '../../platform/network/dns.ts'
import { type DnsServer, startDnsServer } from '../dns-server.ts'

let dns: DnsServer
const LONG = 'x'.repeat(400)

beforeAll(async () => {
  dns = await startDnsServer({
    'example.net': {
      A: ['192.0.2.1'],
      AAAA: ['2001:db8:0:0:0:0:0:1'],
      MX: [{ exchange: 'MX.Example.net', priority: 10 }],
      TXT: ['one', ['two ', 'chunks'], LONG],
    },
    'v6.example.net': { AAAA: ['2001:db8:0:0:0:0:0:2'] },
    'alias.example.net': { CNAME: 'Target.example.net' },
    'target.example.net': { A: ['192.0.2.2'] },
    'empty.example.net': {},
    'null-mx.example.net': { MX: [{ exchange: '', priority: 0 }] },
  })
})
afterAll(() => dns.close())

const lookUp = <T>(question: (dns: DnsQueries) => Promise<T>, servers = [dns.address], withinMs = 5_000) =>
  queryDns({ servers, withinMs }, question)

describe('a DNS query', () => {
  it('finds every record of a name, with the chunks of a text joined', async () => {
    expect(await lookUp((to) => to.txt('example.net'))).toEqual({
      outcome: 'found',
      records: ['one', 'two chunks', LONG],
    })
    expect(await lookUp((to) => to.mx('example.net'))).toEqual({
      outcome: 'found',
      records: [{ exchange: 'mx.example.net', priority: 10 }],
    })
    expect(await lookUp((to) => to.addresses('example.net'))).toMatchObject({
      outcome: 'found',
      records: ['192.0.2.1', expect.stringContaining('2001:db8')],
    })
    expect(await lookUp((to) => to.addresses('v6.example.net'))).toMatchObject({ outcome: 'found' })
    expect(await lookUp((to) => to.cname('alias.example.net'))).toEqual({
      outcome: 'found',
      records: ['target.example.net'],
    })
  })

  it('distinguishes a null MX from no MX', async () => {
    expect(await lookUp((to) => to.mx('null-mx.example.net'))).toEqual({
      outcome: 'found',
      records: [{ exchange: '', priority: 0 }],
    })
  })

  it('distinguishes a name without such a record from a name that does not exist', async () => {
    expect(await lookUp((to) => to.txt('empty.example.net'))).toEqual({ outcome: 'nothing', nameExists: true })
    expect(await lookUp((to) => to.addresses('empty.example.net'))).toEqual({ outcome: 'nothing', nameExists: true })
    expect(await lookUp((to) => to.txt('absent.example.net'))).toEqual({ outcome: 'nothing', nameExists: false })
    expect(await lookUp((to) => to.mx(`${'a'.repeat(64)}.example.net`))).toEqual({
      outcome: 'nothing',
      nameExists: false,
    })
  })

  it.each(['servfail', 'refuse'] as const)('does not treat %s as a missing record', async (failure) => {
    dns.setFailure('broken.example.net', failure)
    expect(await lookUp((to) => to.txt('broken.example.net'))).toMatchObject({ outcome: 'unknown' })
    expect(await lookUp((to) => to.addresses('broken.example.net'))).toMatchObject({ outcome: 'unknown' })
  })

  it('uses the next server if the first fails or is silent', async () => {
    const broken = await startDnsServer()
    try {
      for (const failure of ['servfail', 'silent'] as const) {
        broken.setFailure('*', failure)
        const answer = await lookUp((to) => to.addresses('example.net'), [broken.address, dns.address])
        expect(answer).toMatchObject({ outcome: 'found' })
      }
      expect(broken.asked.length).toBeGreaterThan(0)
    } finally {
      await broken.close()
    }
  })

  it('ends with "unknown" if a server never responds, also for later queries', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    const address = `127.0.0.1:${silent.address().port}`
    const answers = await lookUp(
      async (to) => [...(await Promise.all([to.txt('a.example'), to.mx('b.example')])), await to.cname('c.example')],
      [address],
      200,
    )
    await new Promise<void>((resolve) => silent.close(() => resolve()))
    expect(answers).toHaveLength(3)
    for (const answer of answers) expect(answer).toEqual({ outcome: 'unknown', reason: 'DNS did not respond in time' })
  })
})
