import { expect, it } from 'vitest'
import { isWithinLimits, type KeyLimits } from './limits.ts'

const NONE: KeyLimits = { scopes: ['full'], allowedIps: [], expiresAt: null, test: false }
const [SOON, LATER] = [new Date('2026-01-01'), new Date('2027-01-01')]

it.each<[key: Partial<KeyLimits>, own: Partial<KeyLimits>, expected: boolean]>([
  [{}, {}, true],
  [{ scopes: ['full'] }, { scopes: ['contacts:write'] }, false],
  [{ scopes: ['contacts:read'] }, { scopes: ['contacts:write'] }, true],
  [{ scopes: ['contacts:write'] }, { scopes: ['contacts:read'] }, false],
  [{ scopes: ['send', 'track'] }, { scopes: ['send'] }, false],
  [{ expiresAt: SOON }, {}, true],
  [{}, { expiresAt: SOON }, false],
  [{ expiresAt: SOON }, { expiresAt: SOON }, true],
  [{ expiresAt: LATER }, { expiresAt: SOON }, false],
  [{ allowedIps: ['203.0.113.7'] }, {}, true],
  [{}, { allowedIps: ['203.0.113.0/24'] }, false],
  [{ allowedIps: ['203.0.113.7', '203.0.113.128/25'] }, { allowedIps: ['203.0.113.0/24'] }, true],
  [{ allowedIps: ['203.0.113.7', '198.51.100.1'] }, { allowedIps: ['203.0.113.0/24'] }, false],
  [{ allowedIps: ['203.0.0.0/16'] }, { allowedIps: ['203.0.113.0/24'] }, false],
])('%j is within %j: %s', (key, own, expected) => {
  expect(isWithinLimits({ ...NONE, ...key }, { ...NONE, ...own })).toBe(expected)
})
