/**
 * What someone probably meant who wrote `gmial.com`. The distance to popular names comes from a maintained package; a
 * well-known provider is taken at its word, and a real ending is never called a typo for its own sake.
 */
import spelling from '@zootools/email-spell-checker'
import { parse } from 'tldts'
import { isCommonProvider, isPersonal, isProvider } from './known-domains.ts'

/** Endings that exist on purpose, though nobody can register there (RFC 2606 and 6761). */
const RESERVED = new Set(['test', 'example', 'invalid', 'localhost', 'local', 'internal', 'onion'])

/** Without `co`, which is nearer to `con` and `cmo` than `com` is. */
const ENDINGS = spelling.POPULAR_TLDS.filter((ending) => ending !== 'co')

/** The domain that was probably meant, if it is another one. `domain` is in its ASCII form. */
export function intendedDomain(domain: string): string | undefined {
  if (isCommonProvider(domain)) return undefined
  const { isIcann, publicSuffix } = parse(domain)
  if (RESERVED.has(publicSuffix ?? '')) return undefined
  if (!isIcann) return spelling.run({ email: `a@${domain}`, topLevelDomains: ENDINGS })?.domain

  const meant = spelling.run({ email: `a@${domain}` })?.domain
  if (!meant || !isProvider(meant)) return undefined
  // Lists of providers hold well-known typos too, so being listed proves nothing. Few people mistype the first letter.
  return isPersonal(domain) && domain[0] !== meant[0] ? undefined : meant
}
