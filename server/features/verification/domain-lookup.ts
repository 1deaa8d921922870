/**
 * What the DNS says about a mail domain: one set of questions asked at once, under one deadline. Answers are kept for a
 * while, so that a list of a thousand addresses at one provider asks once; an outage is not kept.
 */
import type { Context } from '../../context.ts'
import { askDns, type DnsAnswer, type DnsQuestions, type MxRecord } from '../../platform/network/dns.ts'

export interface MailDomain {
  exists: boolean
  hasMxRecords: boolean
  hasWebsite: boolean
  /** How mail gets there: by MX, by the address of the domain itself (RFC 5321), not at all; or nobody can say now. */
  mail: 'mx' | 'address' | 'declined' | 'none' | 'unknown'
  /** Why nobody can say. */
  trouble?: string
}

const WITHIN_MS = 3_500
const KEPT_MS = 10 * 60_000
const KEPT_MOST = 10_000

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

    const answer = askDns({ servers: ctx.settings.DNS_SERVERS, withinMs: WITHIN_MS }, (dns) => ask(dns, domain))
    kept.delete(domain) // so that it moves to the end
    kept.set(domain, { until: now + KEPT_MS, answer })
    if (kept.size > KEPT_MOST) kept.delete(kept.keys().next().value!)
    answer.then(
      (found) => found.trouble && kept.delete(domain),
      () => kept.delete(domain),
    )
    return answer
  }
}

async function ask(dns: DnsQuestions, domain: string): Promise<MailDomain> {
  const [mx, addresses, www] = await Promise.all([
    dns.mx(domain),
    dns.addresses(domain),
    dns.addresses(`www.${domain}`),
  ])
  const mail = roadFor(mx, addresses)
  const trouble = [mx, addresses].find((answer) => answer.outcome === 'unknown')
  return {
    exists: isThere(mx) || isThere(addresses) || isThere(www),
    hasMxRecords: mail === 'mx',
    hasWebsite: addresses.outcome === 'found' || www.outcome === 'found',
    mail,
    ...(mail === 'unknown' && trouble?.outcome === 'unknown' && { trouble: trouble.reason }),
  }
}

const isThere = (answer: DnsAnswer<unknown>) =>
  answer.outcome === 'found' || (answer.outcome === 'nothing' && answer.nameExists)

function roadFor(mx: DnsAnswer<MxRecord>, addresses: DnsAnswer<string>): MailDomain['mail'] {
  if (mx.outcome === 'unknown') return 'unknown'
  if (mx.outcome === 'found') return mx.records.some(({ exchange }) => exchange !== '') ? 'mx' : 'declined'
  if (addresses.outcome === 'found') return 'address'
  return addresses.outcome === 'unknown' ? 'unknown' : 'none'
}
