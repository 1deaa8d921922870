/** The DNS records that a domain's owner sets: who owns it, which key signs for it, and who may send. */

export interface DomainFacts {
  domain: string
  ownershipToken: string
  dkimSelector: string
  dkimPublicKey: string
  verified: boolean
}

export interface DnsRecord {
  purpose: 'ownership' | 'dkim' | 'spf' | 'dmarc' | 'return-path'
  type: 'TXT' | 'MX'
  name: string
  value: string
  priority?: number
  verified: boolean
}

export function dnsRecords(facts: DomainFacts, ourHost: string): DnsRecord[] {
  const { domain, verified } = facts
  return [
    {
      purpose: 'ownership',
      type: 'TXT',
      name: `_posthorn.${domain}`,
      value: `posthorn-verification=${facts.ownershipToken}`,
      verified,
    },
    {
      purpose: 'dkim',
      type: 'TXT',
      name: `${facts.dkimSelector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${facts.dkimPublicKey}`,
      verified,
    },
    { purpose: 'spf', type: 'TXT', name: domain, value: `v=spf1 a:${ourHost} mx ~all`, verified },
    { purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none', verified },
    { purpose: 'return-path', type: 'MX', name: `bounces.${domain}`, value: ourHost, priority: 10, verified },
  ]
}
