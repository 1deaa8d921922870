import { describe, expect, it } from 'vitest'
import { isInRanges, normalizeRange, shortenAddress } from './address-ranges.ts'

describe('normalizeRange', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9/32', '203.0.113.9'],
    ['203.0.113.9/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:1:2::3/64', '2001:db8:1:2::/64'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['::/0', '::/0'],
    ['::ffff:0:0/64', '::/64'],
  ])('%s is stored as %s', (given, stored) => expect(normalizeRange(given)).toBe(stored))

  it.each([
    '',
    'localhost',
    '203.0.113',
    '010.0.0.1',
    '0x7f000001',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '::1/129',
    'fe80::1%eth0',
    ' 1.2.3.4',
    '1.2.3.4/8.0',
  ])('refuses %j', (given) => expect(normalizeRange(given)).toBeUndefined())
})

describe('isInRanges', () => {
  it.each([
    ['203.0.113.9', ['198.51.100.1', '203.0.113.0/24'], true],
    ['::ffff:203.0.113.9', ['203.0.113.9'], true],
    ['203.0.114.1', ['203.0.113.0/24'], false],
    ['203.0.113.9', ['::/0'], false],
    ['2001:db8::5', ['2001:db8::/32'], true],
    ['203.0.113.0/25', ['203.0.113.0/24'], true],
    ['203.0.113.0/23', ['203.0.113.0/24'], false],
    ['not an address', ['0.0.0.0/0', '::/0'], false],
    ['203.0.113.9', [], false],
  ])('%s in %j: %s', (address, ranges, expected) => expect(isInRanges(address, ranges)).toBe(expected))
})

it('shortens an address to its network', () => {
  expect(['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1:2::3', 'unknown'].map(shortenAddress)).toEqual([
    '203.0.113.0/24',
    '203.0.113.0/24',
    '2001:db8:1::/48',
    null,
  ])
})
