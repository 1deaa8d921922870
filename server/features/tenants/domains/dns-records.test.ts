import { expect, it } from 'vitest'
import { dnsRecords, type Sending, spfSenderOf } from './dns-records.ts'

it.each([
  ['no relay', '', 'post.example.com', 'a:post.example.com'],
  ['no relay, with an address', '', '8.8.4.4', 'ip4:8.8.4.4'],
  ['no relay, with an IPv6 address', '', '2600:1f18::1', 'ip6:2600:1f18::1'],
  ['a mail server on this machine', '127.0.0.1', 'post.example.com', 'a:post.example.com'],
  ['a mail server in the same network', 'postfix', 'post.example.com', 'a:post.example.com'],
  ['a private address', '10.0.0.5', 'post.example.com', 'a:post.example.com'],
  ['a relay that is known', 'smtp.postmarkapp.com', 'post.example.com', 'include:spf.mtasv.net'],
  ['a relay that is known, by region', 'email-smtp.eu-west-1.amazonaws.com', '', 'include:amazonses.com'],
  ['a server of its own at the same provider', 'ec2-1.compute.amazonaws.com', '', 'a:ec2-1.compute.amazonaws.com'],
  ['another relay', 'smtp.relay.example', 'post.example.com', 'a:smtp.relay.example'],
  ['another relay, with an address', '8.8.4.4', '', 'ip4:8.8.4.4'],
  ['a relay whose name only looks known', 'smtp.notgmail.com', '', 'a:smtp.notgmail.com'],
])('SPF names the server that sends: %s', (_what, relay, own, mechanism) => {
  expect(spfSenderOf(relay, own)?.mechanism).toBe(mechanism)
})

it.each(['127.0.0.1', '::1', '0.0.0.0', '192.168.1.5', 'localhost', 'app.localhost', 'nas.local', 'posthorn'])(
  'SPF never names %s',
  (host) => {
    expect(spfSenderOf('', host)).toBeUndefined()
    expect(spfSenderOf(host, host)).toBeUndefined()
  },
)

const facts = {
  domain: 'example.com',
  ownershipToken: 'ab',
  dkimSelector: 'ph1',
  dkimPublicKey: 'MIIB',
  ed25519: null,
  providerDkimTokens: null,
}
const spf = { mechanism: 'a:post.example.com' }

it.each<[Sending, string[]]>([
  [{ by: 'nobody' }, ['ownership', 'dkim', 'spf', 'dmarc']],
  [{ by: 'ourselves' }, ['ownership', 'dkim', 'dmarc']],
  [{ by: 'ourselves', spf }, ['ownership', 'dkim', 'spf', 'dmarc']],
  [{ by: 'relay', spf }, ['ownership', 'spf', 'dmarc']],
  [{ by: 'ourselves', spf, returnPathHost: 'mx.example.com' }, ['ownership', 'dkim', 'spf', 'dmarc', 'return-path']],
])('the records of a domain are those that its transport uses: %j', (sending, keys) => {
  expect(dnsRecords(facts, sending).map(({ key }) => key)).toEqual(keys)
})
