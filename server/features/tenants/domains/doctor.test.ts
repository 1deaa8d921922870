import { describe, expect, it } from 'vitest'
import type { DnsResult } from '../../../platform/network/dns.ts'
import type { Sending } from './dns-records.ts'
import { dmarcFinding, mxFinding, spfFinding } from './doctor.ts'
import { matchesText } from './record-checks.ts'

const found = <T>(...records: T[]): DnsResult<T> => ({ outcome: 'found', records })
const nothing: DnsResult<never> = { outcome: 'nothing', nameExists: true }
const unknown: DnsResult<never> = { outcome: 'unknown', reason: 'DNS did not respond in time' }
const OURS = 'a:post.example.com'
const sending: Sending = { by: 'ourselves', spf: { mechanism: OURS } }

describe('the SPF finding of a domain', () => {
  it.each<[string, DnsResult<string>, string, RegExp]>([
    ['none', nothing, 'advice', /Add a TXT record: v=spf1 a:post\.example\.com mx ~all/],
    ['other texts alone', found('hello', 'v=spf10 x'), 'advice', /no SPF record/],
    ['two', found('v=spf1 ~all', 'v=SPF1 -all'), 'problem', /2 SPF records/],
    ['anyone', found(`v=spf1 ${OURS} +all`), 'problem', /anyone/],
    ['anyone, short', found(`v=spf1 ${OURS} all`), 'problem', /anyone/],
    ['too many look-ups', found(`v=spf1 ${OURS} ${'include:x.example '.repeat(10)}-all`), 'problem', /11 DNS lookups/],
    [
      'someone else',
      found('v=spf1 include:x.example -all'),
      'advice',
      /doesn't include the server that sends your email\. Add a:post\.example\.com after/,
    ],
    ['no end', found(`v=spf1 ${OURS}`), 'advice', /End it with ~all/],
    ['neutral', found(`v=spf1 ${OURS} ?all`), 'advice', /End it with ~all/],
    ['good', found(`v=spf1 ${OURS} mx ~all`), 'ok', /one valid SPF record/],
    ['good, in capitals', found(`V=SPF1 ${OURS.toUpperCase()} -ALL`), 'ok', /one valid SPF record/],
    ['silence', unknown, 'unknown', /SPF could not be checked/],
  ])('fits what was found: %s', (_what, answer, level, message) => {
    expect(spfFinding('example.com', sending, answer)).toMatchObject({
      topic: 'SPF',
      level,
      message: expect.stringMatching(message),
    })
  })

  it('does not require our server if email is sent through SES', () => {
    const ses: Sending = { by: 'ses', region: 'eu-west-1' }
    expect(spfFinding('example.com', ses, found('v=spf1 mx -all')).level).toBe('ok')
    expect(spfFinding('example.com', ses, nothing).message).toMatch(/SES doesn't need one/)
  })

  it('accepts an include: for a relay whose own one is not known, and asks for one', () => {
    const relay: Sending = { by: 'ourselves', spf: { mechanism: 'a:smtp.relay.example', isGuess: true } }
    expect(spfFinding('example.com', relay, found('v=spf1 include:spf.relay.example -all')).level).toBe('ok')
    expect(spfFinding('example.com', relay, found('v=spf1 mx -all')).message).toMatch(
      /a:smtp\.relay\.example, or the incl/,
    )
    expect(spfFinding('example.com', relay, nothing).message).toMatch(/v=spf1 a:smtp\.relay\.example mx ~all\. If the/)
  })

  it('suggests no record as long as the server has no public name', () => {
    expect(spfFinding('example.com', { by: 'nobody' }, nothing).message).toMatch(/set SMTP_HOSTNAME or BASE_URL/)
    expect(spfFinding('example.com', { by: 'nobody' }, found('v=spf1 mx -all')).level).toBe('ok')
  })
})

describe('the DMARC finding of a domain', () => {
  it.each<[string, DnsResult<string>, DnsResult<string> | undefined, string, RegExp]>([
    ['none', nothing, undefined, 'advice', /Add a TXT record at _dmarc\.example\.com/],
    ['two', found('v=DMARC1; p=none', 'v=DMARC1; p=reject'), undefined, 'problem', /2 DMARC records/],
    ['no policy', found('v=DMARC1; rua=mailto:a@example.com'), undefined, 'problem', /no valid policy/],
    ['watching', found('v=DMARC1;p=none'), undefined, 'advice', /only monitors/],
    ['reject', found('v=DMARC1; p=Reject'), undefined, 'ok', /reject/],
    ['the parent', nothing, found('v=DMARC1; p=reject'), 'ok', /parent domain/],
    ['the parent for subdomains', nothing, found('v=DMARC1; p=reject; sp=none'), 'advice', /only monitors/],
    ['silence of the parent', nothing, unknown, 'unknown', /could not be checked/],
    ['silence', unknown, found('v=DMARC1; p=reject'), 'unknown', /could not be checked/],
  ])('fits what was found: %s', (_what, own, parent, level, message) => {
    expect(dmarcFinding('example.com', own, parent)).toMatchObject({
      topic: 'DMARC',
      level,
      message: expect.stringMatching(message),
    })
  })
})

describe('the MX finding of a domain', () => {
  it('depends on the MX records', () => {
    const mx = (exchange: string) => found({ exchange, priority: 10 })
    expect(mxFinding('example.com', mx('mx.example.com')).level).toBe('ok')
    expect(mxFinding('example.com', mx('')).message).toMatch(/accepts no email/)
    expect(mxFinding('example.com', nothing).message).toMatch(/no MX record/)
    expect(mxFinding('example.com', unknown).level).toBe('unknown')
  })
})

describe('a TXT record', () => {
  it.each<[boolean, 'ownership' | 'dkim' | 'spf' | 'dmarc', string, string]>([
    [true, 'ownership', 'posthorn-verification=ab', ' posthorn-verification=ab '],
    [true, 'ownership', 'posthorn-verification=ab', '"posthorn-verification=ab"'],
    [false, 'ownership', 'posthorn-verification=ab', 'posthorn-verification=abc'],
    [true, 'dkim', 'v=DKIM1; k=rsa; p=MIIB+x=', 'p=MIIB +x=;v=DKIM1'],
    [false, 'dkim', 'v=DKIM1; k=rsa; p=MIIB', 'v=DKIM1; p='],
    [false, 'dkim', 'v=DKIM1; k=rsa; p=MIIB', 'v=DKIM1'],
    [true, 'spf', 'v=spf1 a:h.example mx ~all', 'v=spf1 ip4:192.0.2.1 A:H.example -all'],
    [false, 'spf', 'v=spf1 a:h.example mx ~all', 'v=spf1 a:h.example.net -all'],
    [true, 'dmarc', 'v=DMARC1; p=none', 'v=DMARC1;p=reject'],
    [false, 'dmarc', 'v=DMARC1; p=none', 'v=DMARC2; p=reject'],
  ])('matches the expected record (%s): %s %j in %j', (fits, purpose, value, text) => {
    expect(matchesText({ purpose, value }, text)).toBe(fits)
  })
})
