/**
 * A real DNS server on loopback, over UDP, with the records of a test. Unknown names get NXDOMAIN; known names without
 * a record of the requested type get an empty response.
 */

import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

interface Packet {
  header: { id: number; qr: number; aa: number; rcode: number }
  questions: Array<{ name: string; type: number }>
  answers: object[]
}

interface UdpServer {
  on(event: 'request', listener: (request: Packet, send: (reply: Packet) => Promise<unknown>) => void): void
  listen(port: number, address: string): Promise<void>
  address(): AddressInfo
  close(done: () => void): void
}

const { Packet, UDPServer } = createRequire(import.meta.url)('dns2') as {
  Packet: {
    TYPE: Record<'A' | 'AAAA' | 'MX' | 'TXT' | 'CNAME', number>
    CLASS: { IN: number }
    createResponseFromRequest(request: Packet): Packet
  }
  UDPServer: new (options: { type: 'udp4' }) => UdpServer
}

export interface Zone {
  A?: string[]
  AAAA?: string[]
  MX?: Array<{ exchange: string; priority: number }>
  /** Each record as a text, or as its chunks. */
  TXT?: Array<string | string[]>
  CNAME?: string
}

/** How the server fails for a name instead of looking it up. */
export type DnsFailure = 'servfail' | 'refuse' | 'silent'

const RCODE = { ok: 0, servfail: 2, nxdomain: 3, refuse: 5 } as const
const CHUNK = 255

export async function startDnsServer(zones: Record<string, Zone> = {}) {
  const failures = new Map<string, DnsFailure>()
  const asked: string[] = []
  const server = new UDPServer({ type: 'udp4' })
  server.on('request', (request, send) => {
    const question = request.questions[0]!
    const name = question.name.toLowerCase()
    asked.push(name)
    const failure = failures.get(name) ?? failures.get('*')
    if (failure === 'silent') return
    const reply = Packet.createResponseFromRequest(request)
    reply.header.aa = 1
    if (failure) reply.header.rcode = RCODE[failure]
    else answer(reply, zones, name, question.type)
    void send(reply)
  })
  await server.listen(0, '127.0.0.1')
  return {
    /** In the format of DNS_SERVERS. */
    address: `127.0.0.1:${server.address().port}`,
    zones,
    /** Every name that was queried, in order. */
    asked,
    /** `*` stands for every name without its own failure. */
    setFailure(name: string, failure: DnsFailure | undefined) {
      if (failure) failures.set(name, failure)
      else failures.delete(name)
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>

function answer(reply: Packet, zones: Record<string, Zone>, name: string, type: number): void {
  const zone = zones[name]
  if (!zone) {
    reply.header.rcode = RCODE.nxdomain
    return
  }
  const record = { name, type, class: Packet.CLASS.IN, ttl: 60 }
  const { TYPE } = Packet
  if (zone.CNAME !== undefined) {
    reply.answers.push({ ...record, type: TYPE.CNAME, domain: zone.CNAME })
    if (type !== TYPE.CNAME) answer(reply, zones, zone.CNAME, type)
  } else if (type === TYPE.A) reply.answers.push(...(zone.A ?? []).map((address) => ({ ...record, address })))
  else if (type === TYPE.AAAA) reply.answers.push(...(zone.AAAA ?? []).map((address) => ({ ...record, address })))
  else if (type === TYPE.MX) reply.answers.push(...(zone.MX ?? []).map((mx) => ({ ...record, ...mx })))
  else if (type === TYPE.TXT) reply.answers.push(...(zone.TXT ?? []).map((text) => ({ ...record, data: chunks(text) })))
}

const chunks = (text: string | string[]): string[] =>
  typeof text === 'string' ? (text.match(new RegExp(`.{1,${CHUNK}}`, 'gs')) ?? ['']) : text
