import { describe, expect, it } from 'vitest'
import { normalizeDomain } from '../../../kernel/email-address.ts'
import { domainProblem } from './schemas.ts'

describe('a sender domain', () => {
  it.each(['example.com', 'mail.example.co.uk', 'müller.de', 'acme.test'])('can be %s', (name) => {
    expect(domainProblem(name)).toBeUndefined()
  })

  it.each([
    '',
    'com',
    'co.uk',
    'github.io',
    '*.example.com',
    '127.0.0.1',
    '::1',
    'exa mple.com',
    'a@example.com',
    'http://example.com',
    'localhost',
    `${'a.'.repeat(110)}com`,
  ])("can't be %j", (name) => {
    expect(domainProblem(name)).toBeTypeOf('string')
  })

  it('is normalized to lower-case ASCII without a trailing dot', () => {
    expect(normalizeDomain(' Example.COM. ')).toBe('example.com')
    expect(normalizeDomain('Müller.de')).toBe('xn--mller-kva.de')
  })
})
