/**
 * DNS queries with a deadline. Three results are distinguished: records were found, there is nothing (the name or the
 * record doesn't exist), or unknown (timeout, SERVFAIL, refused). A DNS failure is never treated as a missing record.
 */
import { Resolver } from 'node:dns/promises'

export type DnsResult<T> =
  | { outcome: 'found'; records: T[] }
  | { outcome: 'nothing'; nameExists: boolean }
  | { outcome: 'unknown'; reason: string }

export interface MxRecord {
  exchange: string
  priority: number
}

export interface DnsQueries {
  /** Each record as one string; its chunks are joined, as in RFC 7208. */
  txt(name: string): Promise<DnsResult<string>>
  mx(name: string): Promise<DnsResult<MxRecord>>
  cname(name: string): Promise<DnsResult<string>>
  /** IPv4 and IPv6 together. */
  addresses(name: string): Promise<DnsResult<string>>
}

export interface DnsOptions {
  /** `ip` or `ip:port`; empty for the system's servers. Each is tried in turn. */
  servers: readonly string[]
  /** The deadline of all queries made in `ask` together. */
  withinMs: number
}

/** Long enough for a recursive lookup. */
const TRY_MS = 1_200
const ROUNDS = 2
const LATE = { outcome: 'unknown', reason: 'DNS did not respond in time' } as const

/** Runs `ask` with a resolver; queries without a response at the deadline are "unknown". */
export async function queryDns<T>({ servers, withinMs }: DnsOptions, ask: (dns: DnsQueries) => Promise<T>): Promise<T> {
  // One resolver per server, because the library treats the first server's failure as final.
  const resolvers = (servers.length > 0 ? servers : new Resolver().getServers()).map((server) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: 1 })
    resolver.setServers([server])
    return resolver
  })
  let late = false
  const deadline = setTimeout(() => {
    late = true
    for (const resolver of resolvers) resolver.cancel()
  }, withinMs)
  try {
    return await ask(questions(resolvers, () => late))
  } finally {
    clearTimeout(deadline)
  }
}

function questions(resolvers: Resolver[], isLate: () => boolean): DnsQueries {
  const turns = Array.from({ length: ROUNDS }, () => resolvers).flat()
  const answer = async <T>(question: (resolver: Resolver) => Promise<T[]>): Promise<DnsResult<T>> => {
    let last: DnsResult<T> = { outcome: 'unknown', reason: REASONS.ECONNREFUSED! }
    for (const resolver of turns) {
      if (isLate()) return LATE
      last = await question(resolver).then(something, refused)
      if (last.outcome !== 'unknown') break
    }
    return last
  }
  return {
    txt: (name) => answer(async (to) => (await to.resolveTxt(name)).map((chunks) => chunks.join(''))),
    mx: (name) => answer(async (to) => (await to.resolveMx(name)).map(plainMx)),
    cname: (name) => answer(async (to) => (await to.resolveCname(name)).map(plainName)),
    addresses: async (name) =>
      together(await Promise.all([answer((to) => to.resolve4(name)), answer((to) => to.resolve6(name))])),
  }
}

const something = <T>(records: T[]): DnsResult<T> =>
  records.length > 0 ? { outcome: 'found', records } : { outcome: 'nothing', nameExists: true }

const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '')

const plainMx = ({ exchange, priority }: MxRecord): MxRecord => ({ exchange: plainName(exchange), priority })

/** Combines both families: found if either is, nothing only if both are. */
function together<T>(results: DnsResult<T>[]): DnsResult<T> {
  const records = results.flatMap((answer) => (answer.outcome === 'found' ? answer.records : []))
  if (records.length > 0) return { outcome: 'found', records }
  const unknown = results.find((answer) => answer.outcome === 'unknown')
  if (unknown) return unknown
  return { outcome: 'nothing', nameExists: results.some((answer) => answer.outcome === 'nothing' && answer.nameExists) }
}

const REASONS: Record<string, string> = {
  ETIMEOUT: 'DNS did not respond in time',
  ECANCELLED: 'DNS did not respond in time',
  ESERVFAIL: 'the DNS servers of the domain failed',
  EREFUSED: 'the DNS server refused the query',
  ECONNREFUSED: 'no DNS server could be reached',
}

function refused(error: unknown): DnsResult<never> {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOTFOUND' || code === 'EBADNAME') return { outcome: 'nothing', nameExists: false }
  if (code === 'ENODATA') return { outcome: 'nothing', nameExists: true }
  if (code === undefined) throw error
  return { outcome: 'unknown', reason: REASONS[code] ?? `DNS failed (${code})` }
}
