/**
 * Diagnoses a domain's SPF, DMARC and MX records beyond our own, with advice on what to change. It has no effect on
 * whether the domain is verified.
 */
import { getDomain } from 'tldts'
import type { Context } from '../../../context.ts'
import { type DnsResult, type MxRecord, queryDns } from '../../../platform/network/dns.ts'
import type { Sending } from './dns-records.ts'
import { allowsSender, isSpf, tagsOf, termsOf } from './record-checks.ts'
import { sendingOf } from './sending.ts'

export interface Finding {
  topic: 'SPF' | 'DMARC' | 'MX'
  level: 'ok' | 'advice' | 'problem' | 'unknown'
  /** For other languages, which have a sentence for each. */
  code: string
  message: string
  /** What differs in the sentences of a code. */
  values: Record<string, string | number>
}

const DNS_WITHIN_MS = 4_000
/** RFC 7208: receivers reject records that need more lookups. */
const SPF_LOOKUPS_MAX = 10

export async function diagnoseDomain(ctx: Context, domain: string): Promise<Finding[]> {
  const parent = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  const sending = sendingOf(ctx)
  const options = { servers: ctx.settings.DNS_SERVERS, withinMs: DNS_WITHIN_MS }
  return queryDns(options, async (dns) => {
    const [texts, policy, parentPolicy, mx] = await Promise.all([
      dns.txt(domain),
      dns.txt(`_dmarc.${domain}`),
      parent === domain ? undefined : dns.txt(`_dmarc.${parent}`),
      dns.mx(domain),
    ])
    return [spfFinding(domain, sending, texts), dmarcFinding(domain, policy, parentPolicy), mxFinding(domain, mx)]
  })
}

const recordsIn = <T>(result: DnsResult<T>): T[] => (result.outcome === 'found' ? result.records : [])

const findingAbout =
  (topic: Finding['topic']) =>
  (level: Finding['level'], code: string, message: string, values: Finding['values'] = {}): Finding => ({
    topic,
    level,
    code,
    message,
    values,
  })

const unknown = (topic: Finding['topic'], reason: string): Finding =>
  findingAbout(topic)('unknown', 'dns.unknown', `${topic} could not be checked: ${reason}.`, { topic, reason })

export function spfFinding(domain: string, sending: Sending, result: DnsResult<string>): Finding {
  const finding = findingAbout('SPF')
  if (result.outcome === 'unknown') return unknown('SPF', result.reason)
  const records = recordsIn(result).filter(isSpf)
  if (records.length > 1) {
    return finding(
      'problem',
      'spf.several',
      `${domain} has ${records.length} SPF records, so receivers ignore all of them. Merge them into a single record that starts with v=spf1.`,
      { domain, count: records.length },
    )
  }
  const [record] = records
  if (record === undefined) {
    const { code, advice, values } = adviceOnSpf(sending)
    return finding('advice', code, `${domain} has no SPF record. ${advice}`, { domain, ...values })
  }
  const terms = termsOf(record)
  if (terms.some((term) => /^\+?all$/.test(term))) {
    return finding(
      'problem',
      'spf.open',
      `The SPF record of ${domain} ends with +all, which allows anyone to send. Change it to ~all.`,
      { domain },
    )
  }
  const lookups = terms.filter((term) => /^[?~+-]?(include:|a\b|mx\b|ptr\b|exists:)|^redirect=/.test(term)).length
  if (lookups > SPF_LOOKUPS_MAX) {
    return finding(
      'problem',
      'spf.lookups',
      `The SPF record of ${domain} requires ${lookups} DNS lookups; the maximum is ${SPF_LOOKUPS_MAX}. Remove entries you no longer use.`,
      { domain, lookups, max: SPF_LOOKUPS_MAX },
    )
  }
  // With SES, SPF applies to the return path, which has its own record.
  const spf = sending.by === 'ses' ? undefined : sending.spf
  if (spf && !allowsSender(terms, spf)) {
    const orInclude = spf.isGuess ? `, or the include: that the provider of your mail server documents,` : ''
    return finding(
      'advice',
      spf.isGuess ? 'spf.incomplete-relay' : 'spf.incomplete',
      `The SPF record of ${domain} doesn't include the server that sends your email. Add ${spf.mechanism}${orInclude} after v=spf1.`,
      { domain, mechanism: spf.mechanism },
    )
  }
  if (!terms.some((term) => /^[~-]all$|^redirect=/.test(term))) {
    return finding(
      'advice',
      'spf.no-end',
      `The SPF record of ${domain} doesn't specify a policy for other senders. End it with ~all.`,
      { domain },
    )
  }
  return finding('ok', 'spf.ok', `${domain} has one valid SPF record.`)
}

function adviceOnSpf(sending: Sending): { code: string; advice: string; values?: Finding['values'] } {
  if (sending.by === 'ses') return { code: 'spf.none-ses', advice: "Email sent through SES doesn't need one." }
  if (!sending.spf) {
    const advice = 'To see the record to add, set SMTP_HOSTNAME or BASE_URL to the public name of this server.'
    return { code: 'spf.none-unnamed', advice }
  }
  const { mechanism, isGuess } = sending.spf
  const add = `Add a TXT record: v=spf1 ${mechanism} mx ~all`
  if (!isGuess) return { code: 'spf.none', advice: add, values: { mechanism } }
  const orInclude = `If the provider of your mail server documents an include:, use that instead of ${mechanism}.`
  return { code: 'spf.none-relay', advice: `${add}. ${orInclude}`, values: { mechanism } }
}

export function dmarcFinding(domain: string, own: DnsResult<string>, parent?: DnsResult<string>): Finding {
  const finding = findingAbout('DMARC')
  const policies = (result: DnsResult<string>) => recordsIn(result).filter((text) => /^\s*v=DMARC1\s*(;|$)/i.test(text))
  if (own.outcome === 'unknown') return unknown('DMARC', own.reason)
  const found = policies(own)
  if (found.length > 1) {
    return finding(
      'problem',
      'dmarc.several',
      `_dmarc.${domain} has ${found.length} DMARC records, so receivers ignore all of them. Keep one.`,
      { domain, count: found.length },
    )
  }
  const inherited = found.length === 0 && parent ? policies(parent) : []
  const record = found[0] ?? inherited[0]
  if (record === undefined) {
    if (parent?.outcome === 'unknown') return unknown('DMARC', parent.reason)
    return finding(
      'advice',
      'dmarc.none',
      `${domain} has no DMARC record, which large mailbox providers require. Add a TXT record at _dmarc.${domain} with v=DMARC1; p=none`,
      { domain },
    )
  }
  const where = found.length > 0 ? domain : 'the parent domain'
  const policy = tagsOf(record)
    .get(found.length > 0 ? 'p' : tagsOf(record).has('sp') ? 'sp' : 'p')
    ?.toLowerCase()
  if (policy === 'quarantine' || policy === 'reject') {
    return finding(
      'ok',
      'dmarc.ok',
      `The DMARC record of ${where} tells receivers to ${policy} email that fails authentication.`,
    )
  }
  if (policy === 'none') {
    return finding(
      'advice',
      'dmarc.monitors',
      `The DMARC record of ${where} only monitors (p=none). Once all your email passes, change it to p=quarantine.`,
    )
  }
  return finding(
    'problem',
    'dmarc.invalid',
    `The DMARC record of ${where} has no valid policy. Set p=none, p=quarantine or p=reject.`,
  )
}

export function mxFinding(domain: string, result: DnsResult<MxRecord>): Finding {
  const finding = findingAbout('MX')
  if (result.outcome === 'unknown') return unknown('MX', result.reason)
  const servers = recordsIn(result)
  if (servers.length === 0) {
    return finding(
      'advice',
      'mx.none',
      `${domain} has no MX record, so replies may not be delivered. Add one, or set a reply-to address on another domain.`,
      { domain },
    )
  }
  if (servers.every((server) => server.exchange === '')) {
    return finding(
      'advice',
      'mx.null',
      `${domain} has a null MX record and accepts no email, so replies bounce. Set a reply-to address on another domain.`,
      { domain },
    )
  }
  return finding('ok', 'mx.ok', `${domain} accepts email, so replies are delivered.`)
}
