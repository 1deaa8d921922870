/**
 * Looks up a mail domain in DNS: all queries run concurrently with one deadline. Results are cached for a while, so
 * that a thousand addresses at one provider need one lookup; failures are not cached.
 */
import type { Context } from '../../../context.ts'
import { type DnsQueries, type DnsResult, type MxRecord, queryDns } from '../../../platform/network/dns.ts'

export interface MailDomain {
  exists: boolean
  hasMxRecords: boolean
  hasWebsite: boolean
  /**
   * How email is delivered: by MX, by the address of the domain itself (RFC 5321), or not at all; `unknown` if the
   * lookup failed.
   */
  mail: 'mx' | 'address' | 'declined' | 'none' | 'unknown'
  /** Why the lookup failed. */
  problem?: string
}

const WITHIN_MS = 3_500
const KEPT_MS = 10 * 60_000
const CACHE_MAX = 10_000

interface Kept {
  until: number
  answer: Promise<MailDomain>
}

export function createDomainLookup(ctx: Context): (domain: string) => Promise<MailDomain> {
  const kept = new Map<string, Kept>()

  return (domain) => {
    const now = ctx.clock.now().getTime()
    const known = kept.get(domain)
    if (known && known.until > now) return known.answer

    const result = queryDns({ servers: ctx.settings.DNS_SERVERS, withinMs: WITHIN_MS }, (dns) =>
      lookUpRecords(dns, domain),
    )
    kept.delete(domain) // moves it to the end
    kept.set(domain, { until: now + KEPT_MS, answer: result })
    if (kept.size > CACHE_MAX) kept.delete(kept.keys().next().value!)
    result.then(
      (found) => found.problem && kept.delete(domain),
      () => kept.delete(domain),
    )
    return result
  }
}

async function lookUpRecords(dns: DnsQueries, domain: string): Promise<MailDomain> {
  const [mx, addresses, www] = await Promise.all([
    dns.mx(domain),
    dns.addresses(domain),
    dns.addresses(`www.${domain}`),
  ])
  const mail = mailRouteOf(mx, addresses)
  const problem = [mx, addresses].find((result) => result.outcome === 'unknown')
  return {
    exists: isRegistered(mx) || isRegistered(addresses) || isRegistered(www),
    hasMxRecords: mail === 'mx',
    hasWebsite: addresses.outcome === 'found' || www.outcome === 'found',
    mail,
    ...(mail === 'unknown' && problem?.outcome === 'unknown' && { problem: problem.reason }),
  }
}

const isRegistered = (result: DnsResult<unknown>) =>
  result.outcome === 'found' || (result.outcome === 'nothing' && result.nameExists)

function mailRouteOf(mx: DnsResult<MxRecord>, addresses: DnsResult<string>): MailDomain['mail'] {
  if (mx.outcome === 'unknown') return 'unknown'
  if (mx.outcome === 'found') return mx.records.some(({ exchange }) => exchange !== '') ? 'mx' : 'declined'
  if (addresses.outcome === 'found') return 'address'
  return addresses.outcome === 'unknown' ? 'unknown' : 'none'
}
