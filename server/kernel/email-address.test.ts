import { describe, expect, it } from 'vitest'
import { domainOf, emailAddress, isEmailAddress } from './email-address.ts'

describe('an email address', () => {
  it.each([
    'a@example.com',
    'first.last+tag@sub.example.co.uk',
    "o'brien@example.com",
    'jörg@müller.example',
    '用户@例子.公司',
    '"quoted part"@example.com',
    'x@1and1.com',
  ])('can be %s', (text) => {
    expect(isEmailAddress(text)).toBe(true)
  })

  it.each([
    '',
    'plain',
    '@example.com',
    'a@',
    'a@localhost',
    'a b@example.com',
    'a@exa mple.com',
    'a..b@example.com',
    '.a@example.com',
    'a@-example.com',
    'a@example..com',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@example.com\nBcc: b@example.com',
    'a\u0000@example.com',
    `${'x'.repeat(65)}@example.com`,
    `a@${'x'.repeat(250)}.com`,
    'Ann <a@example.com>',
  ])("can't be %j", (text) => {
    expect(isEmailAddress(text)).toBe(false)
  })

  it('is trimmed and lower-cased', () => {
    expect(emailAddress.parse('  Foo@Example.COM ')).toBe('foo@example.com')
    expect(domainOf('foo@example.com')).toBe('example.com')
  })
})
