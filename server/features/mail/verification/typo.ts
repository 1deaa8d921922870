/**
 * Suggests the intended domain for typos such as `gmial.com`. The distance to popular names comes from a maintained
 * package; well-known providers and real top-level domains are never reported as typos.
 */
import spelling from '@zootools/email-spell-checker'
import { parse } from 'tldts'
import { isCommonProvider, isPersonal, isProvider } from './known-domains.ts'

/** Reserved top-level domains that can't be registered (RFC 2606 and 6761). */
const RESERVED = new Set(['test', 'example', 'invalid', 'localhost', 'local', 'internal', 'onion'])

/** Without `co`, which is closer to `con` and `cmo` than `com` is. */
const ENDINGS = spelling.POPULAR_TLDS.filter((ending) => ending !== 'co')

/** The domain that was probably intended, if it differs. `domain` is in its ASCII form. */
export function suggestDomain(domain: string): string | undefined {
  if (isCommonProvider(domain)) return undefined
  const { isIcann, publicSuffix } = parse(domain)
  if (RESERVED.has(publicSuffix ?? '')) return undefined
  if (!isIcann) return spelling.run({ email: `a@${domain}`, topLevelDomains: ENDINGS })?.domain

  const suggested = spelling.run({ email: `a@${domain}` })?.domain
  if (!suggested || !isProvider(suggested)) return undefined
  // Lists of providers include well-known typos, so being listed proves nothing. The first letter is rarely mistyped.
  return isPersonal(domain) && domain[0] !== suggested[0] ? undefined : suggested
}
