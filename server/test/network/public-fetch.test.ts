/**
 * The guarded fetch on loopback: which addresses are connected to, which headers are sent, and how long responses may
 * take.
 */
import { generateKeyPairSync } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import {
  FetchFailure,
  type FetchRules,
  type PublicRequest,
  publicFetch,
  resolveByDns,
} from '../../platform/network/public-fetch.ts'
import { startDnsServer } from '../dns-server.ts'

const servers: TcpServer[] = []

interface Seen {
  method: string
  url: string
  host: string
  headers: IncomingMessage['headers']
  body: string
}

/** A server on loopback that records its requests. */
async function listen(answer: (seen: Seen, reply: ServerResponse, count: number) => void) {
  const seen: Seen[] = []
  const handle: RequestListener = (request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, host: headers.host ?? '', headers, body: Buffer.concat(parts).toString() })
      answer(seen.at(-1)!, reply, seen.length)
    })
  }
  const port = await open(createServer(handle))
  return { seen, port, url: `http://127.0.0.1:${port}` }
}

async function open(server: Server | TcpServer): Promise<number> {
  servers.push(server as TcpServer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

afterAll(async () => {
  for (const server of servers) {
    if ('closeAllConnections' in server) (server as unknown as Server).closeAllConnections()
    server.close()
  }
})
afterEach(() => vi.unstubAllEnvs())

const LOOPBACK = [{ address: '127.0.0.1', family: 4 }]
const GET = { method: 'GET' } as const
const POST = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json', 'x-key': 'k' } } as const

const call = (request: PublicRequest, rules: Partial<FetchRules> = {}) =>
  publicFetch(request, { allowPrivate: true, ...rules })

const recordEnd = <T>(order: string[], name: string, work: Promise<T>) => work.finally(() => order.push(name))

const failure = async (request: PublicRequest, rules: Partial<FetchRules> = {}): Promise<string> => {
  try {
    const { status } = await call(request, rules)
    return `answered ${status}`
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    return error.message
  }
}

describe("the target of a request to a user's URL", () => {
  it('is refused if the address is private in any notation', async () => {
    const server = await listen((_seen, reply) => reply.end())
    const hosts = `127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0.0.0.0 localhost [::1] [::ffff:127.0.0.1]
      [::ffff:7f00:1] [::] 169.254.169.254 10.0.0.1 [fe80::1] [fd00::1] [64:ff9b::7f00:1] [2002:7f00:1::]`.split(/\s+/)
    for (const host of hosts) {
      const url = `http://${host}:${server.port}/`
      expect(await failure({ url, ...GET }, { allowPrivate: false }), host).toContain('is not a public address')
    }
    expect(server.seen).toEqual([])
  })

  it('is refused if one of the addresses of a name is private', async () => {
    const server = await listen((_seen, reply) => reply.end())
    const resolve = async () => [{ address: '203.0.114.7', family: 4 }, ...LOOPBACK]
    const url = `http://shop.example:${server.port}/`
    expect(await failure({ url, ...GET }, { allowPrivate: false, resolve })).toBe(
      'shop.example is not a public address.',
    )
    expect(server.seen).toEqual([])
  })

  it('is the address that was checked, even if the name changes', async () => {
    const checked = await listen((_seen, reply) => reply.end('checked'))
    let asked = 0
    const resolve = async () => (++asked === 1 ? LOOPBACK : [{ address: '127.0.0.2', family: 4 }])
    const reply = await call({ url: `http://rebind.example:${checked.port}/`, ...GET }, { resolve })
    expect(reply).toMatchObject({ status: 200, text: 'checked' })
    expect({ asked, host: checked.seen[0]!.host }).toEqual({ asked: 1, host: `rebind.example:${checked.port}` })
  })

  it('is checked again for every redirect', async () => {
    const inside = await listen((_seen, reply) => reply.end('secret'))
    const outside = await listen((_seen, reply) =>
      reply.writeHead(302, { location: `http://inside.example:${inside.port}/` }).end(),
    )
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      if (host === 'inside.example') throw new Error('no such name')
      return LOOPBACK
    }
    expect(await failure({ url: `http://outside.example:${outside.port}/`, ...GET }, { resolve })).toBe(
      'inside.example could not be found.',
    )
    expect({ asked, inside: inside.seen }).toEqual({ asked: ['outside.example', 'inside.example'], inside: [] })
  })

  it('is never a proxy, whatever the environment', async () => {
    const proxy = await listen((_seen, reply) => reply.end('by proxy'))
    const server = await listen((_seen, reply) => reply.end('directly'))
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy.url)
    expect((await call({ url: server.url, ...GET })).text).toBe('directly')
    expect(proxy.seen).toEqual([])
  })

  it('gets the host name of the URL, also over TLS', async () => {
    const names: string[] = []
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const server = createTlsServer({
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      SNICallback(name, done) {
        names.push(name)
        done(new Error('no certificate'))
      },
    })
    server.on('tlsClientError', () => undefined)
    const port = await open(server)
    const message = await failure({ url: `https://tls.example:${port}/`, ...GET }, { resolve: async () => LOOPBACK })
    expect({ message: message.startsWith('answered'), names }).toEqual({ message: false, names: ['tls.example'] })
  })

  it.each([
    ['ftp://example.org/', 'Only http:// and https:// URLs are allowed.'],
    ['file:///etc/passwd', 'Only http:// and https:// URLs are allowed.'],
    ['http://', 'The URL is not valid.'],
    ['http://a b/', 'The URL is not valid.'],
    ['http://user@127.0.0.1/', 'must not contain a username'],
    ['http://:secret@127.0.0.1/', 'must not contain a username'],
    ['http://127.0.0.1:25/', 'Port 25 is not allowed for HTTP requests.'],
  ])('is refused for %s', async (url, reason) => expect(await failure({ url, ...GET })).toContain(reason))
})

describe("a redirect of a user's URL", () => {
  it('is followed five times; the sixth fails', async () => {
    const server = await listen(({ url }, reply) => {
      const left = Number(url.slice(1))
      if (left === 0) reply.end('here')
      else reply.writeHead(307, { location: `/${left - 1}` }).end()
    })
    expect(await call({ url: `${server.url}/5`, ...GET })).toMatchObject({ text: 'here', url: `${server.url}/0` })
    expect(await failure({ url: `${server.url}/6`, ...GET })).toBe('More than 5 redirects.')
    expect(server.seen).toHaveLength(6 + 6)
  })

  it.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', '{"a":1}'],
    [308, 'POST', '{"a":1}'],
  ])('is followed after status %i as %s with the body "%s"', async (status, method, body) => {
    const server = await listen(({ url }, reply) =>
      url === '/a' ? reply.writeHead(status, { location: 'b' }).end() : reply.end(),
    )
    await call({ url: `${server.url}/a`, ...POST })
    expect(server.seen[1]).toMatchObject({ method, url: '/b', body, headers: { 'x-key': 'k' } })
    expect(server.seen[1]!.headers['content-type']).toBe(body ? 'application/json' : undefined)
  })

  it('to another origin keeps our own headers and drops the configured ones', async () => {
    const target = await listen((_seen, reply) => reply.end())
    const server = await listen((_seen, reply) => reply.writeHead(308, { location: `${target.url}/x` }).end())
    const headers = { authorization: 'Bearer s', Cookie: 'a=b', 'X-Key': 'k' }
    await call({ url: server.url, ...POST, headers, ownHeaders: { 'webhook-id': '1', 'content-type': 'text/x' } })
    expect(server.seen[0]!.headers).toMatchObject({ authorization: 'Bearer s', cookie: 'a=b', 'x-key': 'k' })
    const arrived = target.seen[0]!
    expect(arrived).toMatchObject({ body: '{"a":1}', headers: { 'webhook-id': '1', 'content-type': 'text/x' } })
    for (const name of ['authorization', 'cookie', 'x-key']) expect(arrived.headers).not.toHaveProperty(name)
  })

  it('without a location is a response, and with an invalid one a failure', async () => {
    const server = await listen(({ url }, reply) =>
      url === '/bare' ? reply.writeHead(302).end('stay') : reply.writeHead(302, { location: 'http://[' }).end(),
    )
    expect(await call({ url: `${server.url}/bare`, ...GET })).toMatchObject({ status: 302, text: 'stay' })
    expect(await failure({ url: `${server.url}/bad`, ...GET })).toBe('The response redirects to an invalid URL.')
  })
})

describe("the response of a user's URL", () => {
  it('is read up to the limit and no further', async () => {
    const server = await listen((_seen, reply) => {
      reply.on('error', () => undefined)
      const more = () => {
        while (!reply.destroyed && reply.write('x'.repeat(10_000)));
        reply.once('drain', more)
      }
      more()
    })
    expect((await call({ url: server.url, ...GET })).text).toBe('x'.repeat(65_536))
  })

  it.each([
    ['headers', () => undefined],
    ['its end', (reply: ServerResponse) => void reply.write('half')],
  ])("is not waited for if it doesn't reach %s", async (_part, answer) => {
    const server = await listen((_seen, reply) => answer(reply))
    expect(await failure({ url: server.url, ...GET }, { timeoutMs: 100 })).toBe(
      'No complete response within 0.1 seconds.',
    )
  })

  it('a name whose DNS server does not respond delays no lookup of the system', async () => {
    const dns = await startDnsServer({ 'inside.example': { A: ['127.0.0.1'] } })
    const rules = { allowPrivate: false, resolve: resolveByDns([dns.address]) }
    expect(await failure({ url: 'http://inside.example/', ...GET }, rules)).toBe(
      'inside.example is not a public address.',
    )
    dns.setFailure('*', 'silent')
    const order: string[] = []
    const silent = Array.from({ length: 8 }, (_, i) => failure({ url: `http://s${i}.example/`, ...GET }, rules))
    const ended = silent.map((work) => recordEnd(order, 'silent', work))
    await recordEnd(order, 'system', lookup('localhost'))
    expect(await Promise.all(ended)).toEqual(silent.map((_, i) => `s${i}.example could not be found.`))
    expect(order[0]).toBe('system')
    await dns.close()
  })

  it('is not waited for if the DNS server never responds', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    expect(await failure({ url: 'http://slow.example/', ...GET }, { timeoutMs: 50, resolve })).toContain('0.05 seconds')
  })

  it('is returned as it was sent, whatever its status', async () => {
    const server = await listen((_seen, reply) => reply.writeHead(500, { 'content-type': 'text/x' }).end('né\0\xff'))
    expect(await call({ url: server.url, method: 'DELETE' })).toMatchObject({ status: 500, contentType: 'text/x' })
    expect(server.seen[0]).toMatchObject({ method: 'DELETE', body: '' })
  })

  it('is reported in our own words if it is invalid', async () => {
    const closing = await open(createTcpServer((socket) => socket.on('data', () => socket.destroy())))
    const notHttp = await open(createTcpServer((socket) => socket.on('data', () => socket.end('220 mail\r\n'))))
    const closed = await open(createTcpServer())
    await new Promise((resolve) => servers.pop()!.close(resolve))
    const of = (port: number) => failure({ url: `http://127.0.0.1:${port}/`, ...GET })
    expect(await of(closing)).toBe('The connection was closed before the response was complete.')
    expect(await of(notHttp)).toContain('The response could not be read')
    expect(await of(closed)).toBe('The connection was refused.')
  })

  it('is not requested with an invalid header', async () => {
    expect(await failure({ url: 'http://127.0.0.1:9999/', ...GET, headers: { 'x-y': 'a\nb' } })).toBe(
      "The request has a header that can't be sent.",
    )
  })
})
