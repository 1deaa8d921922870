/**
 * The DNS records of a domain: ownership, signing key and allowed senders. They depend on the transport: our own key,
 * or Amazon SES with its keys.
 */
import { isIP } from 'node:net'

export interface DomainFacts {
  domain: string
  ownershipToken: string
  dkimSelector: string
  dkimPublicKey: string
  /** The names of the provider's DKIM records; null until the provider has returned them. */
  providerDkimTokens: string[] | null
}

export interface DnsRecord {
  /** Identifies a record of a domain; stored with the results of a check. */
  key: string
  purpose: 'ownership' | 'dkim' | 'spf' | 'dmarc' | 'return-path'
  type: 'TXT' | 'MX' | 'CNAME'
  name: string
  value: string
  priority?: number
}

/** The parts of the transport that matter for DNS. */
export type Sending = { by: 'ourselves' | 'relay' | 'nobody'; host: string } | { by: 'ses'; region: string }

export function dnsRecords(facts: DomainFacts, sending: Sending): DnsRecord[] {
  if (sending.by === 'ses') return sesRecords(facts, sending.region)
  const records = ownRecords(facts, sending.host)
  return sending.by === 'relay' ? records.filter(({ purpose }) => purpose !== 'dkim') : records // it has its own key
}

const ownership = ({ domain, ownershipToken }: DomainFacts): DnsRecord => ({
  key: 'ownership',
  purpose: 'ownership',
  type: 'TXT',
  name: `_posthorn.${domain}`,
  value: `posthorn-verification=${ownershipToken}`,
})

function ownRecords(facts: DomainFacts, host: string): DnsRecord[] {
  const { domain } = facts
  return [
    ownership(facts),
    {
      key: 'dkim',
      purpose: 'dkim',
      type: 'TXT',
      name: `${facts.dkimSelector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${facts.dkimPublicKey}`,
    },
    { key: 'spf', purpose: 'spf', type: 'TXT', name: domain, value: `v=spf1 ${senderMechanism(host)} mx ~all` },
    { key: 'dmarc', purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' },
    { key: 'return-path', purpose: 'return-path', type: 'MX', name: returnPathOf(domain), value: host, priority: 10 },
  ]
}

function sesRecords(facts: DomainFacts, region: string): DnsRecord[] {
  const { domain, providerDkimTokens } = facts
  const returnPath = returnPathOf(domain)
  return [
    ownership(facts),
    ...(providerDkimTokens ?? []).map(
      (token, i): DnsRecord => ({
        key: `dkim-${i + 1}`,
        purpose: 'dkim',
        type: 'CNAME',
        name: `${token}._domainkey.${domain}`,
        value: `${token}.dkim.amazonses.com`,
      }),
    ),
    {
      key: 'return-path',
      purpose: 'return-path',
      type: 'MX',
      name: returnPath,
      value: `feedback-smtp.${region}.amazonses.com`,
      priority: 10,
    },
    { key: 'spf', purpose: 'spf', type: 'TXT', name: returnPath, value: 'v=spf1 include:amazonses.com ~all' },
  ]
}

/** The domain for bounces, separate from the domain's own email. */
export const returnPathOf = (domain: string) => `bounces.${domain}`

/** How SPF names a server. */
export function senderMechanism(host: string): string {
  const address = host.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  return version === 0 ? `a:${host}` : `ip${version}:${address}`
}
