/** Whether a key is limited at least as much as another one. */
import type { CallerKey } from '../../../kernel/scopes.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { isInRanges } from '../../../platform/network/address-ranges.ts'

export type KeyLimits = Pick<CallerKey, 'scopes' | 'allowedIps' | 'expiresAt' | 'test'>

export function isWithinLimits(key: KeyLimits, own: KeyLimits): boolean {
  const scopesFit = key.scopes.every((scope) => hasScope(own.scopes, scope))
  const endsInTime = own.expiresAt === null || (key.expiresAt !== null && key.expiresAt <= own.expiresAt)
  const addressesFit =
    own.allowedIps.length === 0 ||
    (key.allowedIps.length > 0 && key.allowedIps.every((range) => isInRanges(range, own.allowedIps)))
  return scopesFit && endsInTime && addressesFit && (key.test || !own.test)
}
