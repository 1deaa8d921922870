/**
 * The DNS records of a domain: ownership, signing key and allowed senders. They depend on the transport: our own key,
 * or Amazon SES with its keys.
 */
import { isIP } from 'node:net'
import { isPublicAddress } from '../../../platform/network/public-address.ts'

export interface DomainFacts {
  domain: string
  ownershipToken: string
  dkimSelector: string
  dkimPublicKey: string
  /** Null unless the domain signs with such a key too. */
  ed25519: { selector: string; publicKey: string } | null
  /** The names of the provider's DKIM records; null until the provider has returned them. */
  providerDkimTokens: string[] | null
}

/** The key of the record of the Ed25519 key: email is signed with it only while this record is found. */
export const ED25519_RECORD = 'dkim-ed25519'

export interface DnsRecord {
  /** Identifies a record of a domain; stored with the results of a check. */
  key: string
  purpose: 'ownership' | 'dkim' | 'spf' | 'dmarc' | 'return-path'
  type: 'TXT' | 'MX' | 'CNAME'
  name: string
  value: string
  priority?: number
  /** See `SpfSender`. */
  isGuess?: boolean
}

/** The parts of the transport that matter for DNS. */
export type Sending = OwnSending | { by: 'ses'; region: string }

export interface OwnSending {
  by: 'ourselves' | 'relay' | 'nobody'
  /** Absent if the sending server has no public address. */
  spf?: SpfSender
  /** The server that receives bounces; absent if email isn't received. */
  returnPathHost?: string
}

/** How SPF names the servers that send. */
export interface SpfSender {
  mechanism: string
  /** The server is a relay that may send from other addresses, so any `include:` counts as that of its provider. */
  isGuess?: boolean
}

export function dnsRecords(facts: DomainFacts, sending: Sending): DnsRecord[] {
  return sending.by === 'ses' ? sesRecords(facts, sending.region) : ownRecords(facts, sending)
}

const ownership = ({ domain, ownershipToken }: DomainFacts): DnsRecord => ({
  key: 'ownership',
  purpose: 'ownership',
  type: 'TXT',
  name: `_posthorn.${domain}`,
  value: `posthorn-verification=${ownershipToken}`,
})

function ownRecords(facts: DomainFacts, { by, spf, returnPathHost: host }: OwnSending): DnsRecord[] {
  const { domain } = facts
  return [
    ownership(facts),
    ...(by === 'relay' ? [] : dkimRecords(facts)), // it signs with its own key
    // While email is captured, the record shows the form; the server that will send is not known yet.
    ...(spf || by === 'nobody' ? [spfRecord(domain, spf)] : []),
    { key: 'dmarc', purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' },
    ...(host ? [returnPath(domain, host)] : []),
  ]
}

function dkimRecords({ domain, dkimSelector, dkimPublicKey, ed25519 }: DomainFacts): DnsRecord[] {
  const record = (key: string, selector: string, kind: string, publicKey: string): DnsRecord => ({
    key,
    purpose: 'dkim',
    type: 'TXT',
    name: `${selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=${kind}; p=${publicKey}`,
  })
  const rsa = record('dkim', dkimSelector, 'rsa', dkimPublicKey)
  return ed25519 ? [rsa, record(ED25519_RECORD, ed25519.selector, 'ed25519', ed25519.publicKey)] : [rsa]
}

const spfRecord = (domain: string, spf: SpfSender | undefined): DnsRecord => ({
  key: 'spf',
  purpose: 'spf',
  type: 'TXT',
  name: domain,
  value: `v=spf1 ${spf ? `${spf.mechanism} ` : ''}mx ~all`,
  isGuess: spf?.isGuess ?? false,
})

const returnPath = (domain: string, host: string): DnsRecord => ({
  key: 'return-path',
  purpose: 'return-path',
  type: 'MX',
  name: returnPathOf(domain),
  value: host,
  priority: 10,
})

function sesRecords(facts: DomainFacts, region: string): DnsRecord[] {
  const { domain, providerDkimTokens } = facts
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
    returnPath(domain, `feedback-smtp.${region}.amazonses.com`),
    { key: 'spf', purpose: 'spf', type: 'TXT', name: returnPathOf(domain), value: 'v=spf1 include:amazonses.com ~all' },
  ]
}

/** The domain for bounces, separate from the domain's own email. */
export const returnPathOf = (domain: string) => `bounces.${domain}`

/** What relays tell their users to include. Their servers for submission aren't those that send. */
const RELAYS: Array<[host: RegExp, include: string]> = [
  [/^email-smtp[.-].*\.amazonaws\.com$/i, 'amazonses.com'],
  [/\.brevo\.com$/i, 'spf.brevo.com'],
  [/\.fastmail\.com$/i, 'spf.messagingengine.com'],
  [/\.gmail\.com$/i, '_spf.google.com'],
  [/\.mailgun\.org$/i, 'mailgun.org'],
  [/\.mailjet\.com$/i, 'spf.mailjet.com'],
  [/\.mandrillapp\.com$/i, 'spf.mandrillapp.com'],
  [/\.office365\.com$/i, 'spf.protection.outlook.com'],
  [/\.postmarkapp\.com$/i, 'spf.mtasv.net'],
  [/\.sendgrid\.net$/i, 'sendgrid.net'],
]

/** The servers that send if email is submitted to `relay`. One in the own network sends from the address of `own`. */
export function spfSenderOf(relay: string, own: string): SpfSender | undefined {
  if (!isPublicHost(relay)) return isPublicHost(own) ? { mechanism: mechanismOf(own) } : undefined
  const included = RELAYS.find(([host]) => host.test(relay))?.[1]
  return included ? { mechanism: `include:${included}` } : { mechanism: mechanismOf(relay), isGuess: true }
}

const mechanismOf = (host: string): string => (isIP(host) === 0 ? `a:${host}` : `ip${isIP(host)}:${host}`)

/** Whether other mail servers can reach a host: not this machine, and not a name of a local network. */
export const isPublicHost = (host: string): boolean =>
  isIP(host) === 0 ? /\../.test(host) && !/\.(localhost|local|internal|lan)$/i.test(host) : isPublicAddress(host)
