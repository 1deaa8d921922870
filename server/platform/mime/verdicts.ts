/**
 * SPF, DKIM and DMARC results of a received message, with the names that SES uses: PASS, FAIL, GRAY (the domain has no
 * policy) and PROCESSING_FAILED (DNS could not be reached). There is no scanner, so spam and virus checks are DISABLED.
 */
import { isIPv4 } from 'node:net'
import { authenticate } from 'mailauth'
import { type DnsQueries, type DnsResult, queryDns } from '../network/dns.ts'

export interface Verdicts {
  spamVerdict: string
  virusVerdict: string
  spfVerdict: string
  dkimVerdict: string
  dmarcVerdict: string
  /** The domains that SPF or DKIM authenticated; unknown if SES received the message. */
  authenticatedDomains?: string[]
}

const DNS_WITHIN_MS = 8_000
/** Each signature can require the whole message to be hashed again, so large messages may have fewer. */
const SIGNATURES_MAX = 10
const SIGNATURES_MIN = 3
const HASHED_BYTES = 4 * 1024 * 1024

const signaturesMax = (bytes: number): number =>
  Math.max(SIGNATURES_MIN, Math.min(SIGNATURES_MAX, Math.floor(HASHED_BYTES / bytes)))

const VERDICTS: Record<string, string> = {
  pass: 'PASS',
  fail: 'FAIL',
  softfail: 'FAIL',
  policy: 'FAIL',
  none: 'GRAY',
  neutral: 'GRAY',
  temperror: 'PROCESSING_FAILED',
  permerror: 'PROCESSING_FAILED',
}

const verdictFor = (result: string | undefined) => VERDICTS[result ?? 'none'] ?? 'GRAY'

const NOT_SCANNED = { spamVerdict: 'DISABLED', virusVerdict: 'DISABLED' }

export interface Envelope {
  /** The IP address of the sending server. */
  address: string
  helo: string
  sender: string
}

export async function findVerdicts(
  raw: Buffer,
  { address, helo, sender }: Envelope,
  { host, dnsServers }: { host: string; dnsServers: readonly string[] },
): Promise<Verdicts> {
  if (signaturesOf(raw) > signaturesMax(raw.length)) {
    return { ...NOT_SCANNED, spfVerdict: 'GRAY', dkimVerdict: 'FAIL', dmarcVerdict: 'FAIL' }
  }
  const options = { servers: dnsServers, withinMs: DNS_WITHIN_MS }
  const result = await queryDns(options, (dns) =>
    authenticate(raw, {
      ip: address,
      helo,
      sender,
      mta: host,
      resolver: resolverOf(dns),
      disableArc: true,
      disableBimi: true,
    }),
  )
  const dmarc = result.dmarc ? result.dmarc.status.result : undefined
  const spf = result.spf ? result.spf.status.result : undefined
  const signed = result.dkim.results.filter(({ status }) => status.result === 'pass' && !status.underSized)
  return {
    ...NOT_SCANNED,
    spfVerdict: verdictFor(spf),
    dkimVerdict: dkimWord(result.dkim.results.map(({ status }) => status.result)),
    dmarcVerdict: verdictFor(dmarc),
    authenticatedDomains: [
      ...(result.spf && spf === 'pass' ? [result.spf.domain] : []),
      ...signed.map(({ signingDomain }) => signingDomain),
    ],
  }
}

/** One valid signature is enough. An invalid one is a failure, whatever the reason. */
function dkimWord(results: string[]): string {
  const signed = results.filter((result) => result !== 'none')
  if (signed.includes('pass')) return 'PASS'
  if (signed.length === 0) return 'GRAY'
  return signed.some((result) => result.startsWith('temperr')) ? 'PROCESSING_FAILED' : 'FAIL'
}

function signaturesOf(raw: Buffer): number {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw.toString('latin1', 0, end === -1 ? raw.length : end)
  return headers.match(/^dkim-signature[ \t]*:/gim)?.length ?? 0
}

/** Adapts our DNS queries to the library: a result, or an error with the code of Node's resolver. */
const resolverOf = (dns: DnsQueries) => async (name: string, type: string) => {
  switch (type) {
    case 'TXT':
      return found(await dns.txt(name)).map((text) => [text])
    case 'MX':
      return found(await dns.mx(name)) as unknown as string[]
    case 'CNAME':
      return found(await dns.cname(name))
    case 'A':
    case 'AAAA': {
      const wanted = found(await dns.addresses(name)).filter((address) => isIPv4(address) === (type === 'A'))
      return wanted.length > 0 ? wanted : found<string>({ outcome: 'nothing', nameExists: true })
    }
    default: // PTR: RFC 7208 advises against relying on it
      return found<string>({ outcome: 'nothing', nameExists: false })
  }
}

function found<T>(answer: DnsResult<T>): T[] {
  if (answer.outcome === 'found') return answer.records
  const code = answer.outcome === 'unknown' ? 'ETIMEOUT' : answer.nameExists ? 'ENODATA' : 'ENOTFOUND'
  throw Object.assign(new Error(code), { code })
}
