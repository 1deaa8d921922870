/**
 * Requests to URLs that users enter must use this file. A name is resolved once; all of its addresses must be public,
 * and the connection uses only those, so a DNS change between check and connection has no effect. A name whose DNS servers
 * don't respond delays no other. Redirects are followed manually and checked like the first URL. Proxies are not used.
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { VERSION } from '../version.ts'
import { queryDns } from './dns.ts'
import { isPublicAddress } from './public-address.ts'

export interface PublicRequest {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Configured by the user: only sent to the original origin. */
  headers?: Record<string, string>
  /** Our own, without secrets: also sent after a redirect to another origin. */
  ownHeaders?: Record<string, string>
  body?: string | undefined
}

export interface PublicReply {
  status: number
  /** The final URL after all redirects. */
  url: string
  contentType: string
  /** The body as UTF-8, up to the limit. */
  text: string
}

export interface Address {
  address: string
  family: number
}

export type Resolve = (hostname: string) => Promise<Address[]>

export interface FetchRules {
  /** Disables the check of address ranges, and nothing else. */
  allowPrivate: boolean
  /** The deadline for everything together: names, connections, redirects, the body. */
  timeoutMs?: number
  redirectsMax?: number
  replyBytesMax?: number
  resolve?: Resolve
}

/** The request was not sent or got no response. The message is for the user who entered the URL. */
export class FetchFailure extends Error {}

/** Older protocols could interpret an HTTP body as commands; these are their ports. */
const OTHER_PROTOCOLS = new Set([7, 9, 19, 21, 22, 23, 25, 53, 110, 119, 143, 465, 563, 587, 993, 995, 6667])

/** Includes names of the local network, which are not public. A lookup keeps one of very few threads until it ends. */
const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true, verbatim: true })

const DNS_MS = 5_000

/** Without threads. `servers` are those of the system if it is empty. IPv4 first: not every machine has IPv6. */
export const resolveByDns =
  (servers: readonly string[]): Resolve =>
  async (hostname) => {
    const result = await queryDns({ servers, withinMs: DNS_MS }, (dns) => dns.addresses(hostname))
    if (result.outcome !== 'found') throw new Error('The name has no address.')
    return result.records.map((address) => ({ address, family: isIP(address) }))
  }

export async function publicFetch(request: PublicRequest, rules: FetchRules): Promise<PublicReply> {
  const { timeoutMs = 10_000, redirectsMax = 5 } = rules
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    let hop = request
    for (let redirects = 0; ; redirects++) {
      const { reply, location } = await makeRequest(hop, rules, deadline)
      if (location === undefined) return reply
      if (redirects === redirectsMax) throw new FetchFailure(`More than ${redirectsMax} redirects.`)
      hop = redirected(hop, reply.status, location)
    }
  } catch (error) {
    if (error instanceof FetchFailure) throw error
    if (deadline.aborted) throw new FetchFailure(`No complete response within ${timeoutMs / 1000} seconds.`)
    throw new FetchFailure(reasonOf(error))
  }
}

async function makeRequest(
  { url: text, method, headers, ownHeaders, body }: PublicRequest,
  rules: FetchRules,
  signal: AbortSignal,
): Promise<{ reply: PublicReply; location: string | undefined }> {
  const url = readUrl(text)
  const { sendRequest } = await import('./send-request.ts') // loading it takes a tenth of a second
  const addresses = await abortable(checkedAddresses(url.hostname, rules), signal)
  const reply = await sendRequest(url, always(addresses), {
    method,
    headers: merged({ 'user-agent': `Posthorn/${VERSION}`, 'accept-encoding': 'identity' }, ownHeaders, headers),
    body: body ?? null,
    signal,
    replyBytesMax: rules.replyBytesMax ?? 65_536,
  })
  const { status, location, contentType } = reply
  return { reply: { status, url: url.href, contentType, text: new TextDecoder().decode(reply.body) }, location }
}

/** Header names are case-insensitive; the last one wins. */
const merged = (...groups: Array<Record<string, string> | undefined>): Record<string, string> =>
  Object.fromEntries(
    groups.flatMap((group) => Object.entries(group ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
  )

/** Checks a URL before anything is looked up. */
export function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw new FetchFailure('The URL is not valid.')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchFailure('Only http:// and https:// URLs are allowed.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchFailure('The URL must not contain a username or password. Use an Authorization header.')
  }
  if (OTHER_PROTOCOLS.has(Number(url.port)))
    throw new FetchFailure(`Port ${url.port} is not allowed for HTTP requests.`)
  return url
}

/** The addresses of a name, or an address as it stands in a URL. All of them must be public. */
export async function checkedAddresses(
  hostname: string,
  rules: Pick<FetchRules, 'allowPrivate' | 'resolve'>,
): Promise<Address[]> {
  const { allowPrivate } = rules
  const host = hostname.replace(/^\[|\]$/g, '')
  const literal = isIP(host)
  // The owner of a name with a dot chooses its DNS servers.
  const { resolve = allowPrivate || !host.includes('.') ? systemResolve : resolveByDns([]) } = rules
  const addresses = literal === 0 ? await resolved(host, resolve) : [{ address: host, family: literal }]
  if (addresses.length === 0) throw new FetchFailure(`${host} has no address.`)
  if (!allowPrivate && addresses.some(({ address }) => !isPublicAddress(address))) {
    throw new FetchFailure(`${host} is not a public address.`)
  }
  return addresses
}

async function resolved(host: string, resolve: Resolve): Promise<Address[]> {
  try {
    return await resolve(host)
  } catch {
    throw new FetchFailure(`${host} could not be found.`)
  }
}

/** Returns only the checked addresses, whatever is requested. */
const always =
  (addresses: Address[]): LookupFunction =>
  (_hostname, options, done) =>
    options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)

/** The next request. Headers configured for one origin are not sent to another. */
function redirected(request: PublicRequest, status: number, location: string): PublicRequest {
  if (!URL.canParse(location, request.url)) throw new FetchFailure('The response redirects to an invalid URL.')
  const from = new URL(request.url)
  const to = new URL(location, from)
  const { body, ...rest } = request
  const next: PublicRequest = { ...rest, url: to.href }
  if (to.origin !== from.origin) delete next.headers
  if (status === 307 || status === 308) return { ...next, body }
  return {
    ...next,
    method: 'GET',
    headers: withoutBodyHeaders(next.headers),
    ownHeaders: withoutBodyHeaders(next.ownHeaders),
  }
}

const withoutBodyHeaders = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)))

/** A DNS lookup can't be canceled, so it isn't waited for. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the response was complete.',
  UND_ERR_SOCKET: 'The connection was closed before the response was complete.',
  EHOSTUNREACH: 'The host could not be reached.',
  ENETUNREACH: 'The host could not be reached.',
  ETIMEDOUT: 'The host did not respond.',
  UND_ERR_CONNECT_TIMEOUT: 'The host did not respond.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too long.',
  UND_ERR_INVALID_ARG: "The request has a header that can't be sent.",
}

/** In our own words, because messages of libraries may contain internal addresses. */
export function reasonOf(error: unknown): string {
  const { code = '', errors } = error as { code?: string; errors?: unknown[] }
  if (errors?.[0]) return reasonOf(errors[0])
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'The certificate of the host is not trusted.'
  return REASONS[code] ?? `The response could not be read${code ? ` (${code})` : ''}.`
}
