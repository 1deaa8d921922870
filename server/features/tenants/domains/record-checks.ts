/** Whether an expected record exists in DNS, compared by meaning instead of text. */
import type { DnsQueries, DnsResult } from '../../../platform/network/dns.ts'
import type { DnsRecord, SpfSender } from './dns-records.ts'

export type Presence = 'there' | 'missing' | 'unknown'

export async function checkRecord(dns: DnsQueries, record: DnsRecord): Promise<Presence> {
  if (record.type === 'TXT') {
    return presence(await dns.txt(record.name), (text) => matchesText(record, text))
  }
  if (record.type === 'MX') {
    return presence(await dns.mx(record.name), (mx) => mx.exchange === record.value.toLowerCase())
  }
  return presence(await dns.cname(record.name), (target) => target === record.value.toLowerCase())
}

function presence<T>(result: DnsResult<T>, fits: (record: T) => boolean): Presence {
  if (result.outcome === 'unknown') return 'unknown'
  return result.outcome === 'found' && result.records.some(fits) ? 'there' : 'missing'
}

/** A name can have several TXT records, and people add spaces, tags and mechanisms. */
export function matchesText(
  { purpose, value, isGuess = false }: Pick<DnsRecord, 'purpose' | 'value' | 'isGuess'>,
  found: string,
): boolean {
  const text = found.trim().replace(/^"(.*)"$/, '$1')
  if (purpose === 'dkim') return isSameKey(tagsOf(text), tagsOf(value))
  if (purpose === 'dmarc') return /^v=DMARC1\s*(;|$)/i.test(text)
  if (purpose === 'spf') return isSpf(text) && allowsSender(termsOf(text), { mechanism: mechanismIn(value), isGuess })
  return text === value
}

/** Without `k`, a key is an RSA key. */
const isSameKey = (found: Tags, expected: Tags): boolean =>
  found.get('p') === expected.get('p') && (found.get('k') ?? 'rsa').toLowerCase() === expected.get('k')

export const isSpf = (text: string) => /^v=spf1(\s|$)/i.test(text.trim())

/** What follows `v=spf1`. */
export const termsOf = (spf: string): string[] => spf.trim().toLowerCase().split(/\s+/).slice(1)

export const allowsSender = (terms: string[], { mechanism, isGuess }: SpfSender): boolean =>
  terms.includes(mechanism.toLowerCase()) || (isGuess === true && terms.some((term) => term.startsWith('include:')))

/** The part of our suggested record that names the server. */
const mechanismIn = (spf: string) => spf.split(' ')[1]!

type Tags = Map<string, string>

/** `v=DKIM1; k=rsa; p=…`: white space within a value is ignored. */
export function tagsOf(text: string): Tags {
  const tags: Tags = new Map()
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    if (at > 0) tags.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).replaceAll(/\s+/g, ''))
  }
  return tags
}
