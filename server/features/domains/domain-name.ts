/** Valid sender domains: a registrable name or a subdomain of one, in its ASCII form. */
import { domainToASCII } from 'node:url'
import { getPublicSuffix } from 'tldts'
import { isDomainName } from '../../kernel/email-address.ts'

export const normalizeDomain = (text: string): string => domainToASCII(text.trim().toLowerCase().replace(/\.$/, ''))

/** Our records use names below the domain of up to 30 characters; a DNS name has at most 253. */
const LENGTH_MAX = 220

/** The problem with a name, or undefined. */
export function domainProblem(text: string): string | undefined {
  if (/[*]/.test(text)) return "Wildcards aren't supported. Add each domain you send from."
  if (/[^\p{L}\p{M}\p{N}.-]/u.test(text.trim())) return 'Must be a domain name such as example.com.'
  const domain = normalizeDomain(text)
  if (!isDomainName(domain)) return 'Must be a domain name such as example.com.'
  if (domain.length > LENGTH_MAX)
    return `Must be at most ${LENGTH_MAX} characters long, to leave room for the DNS record names.`
  if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain) {
    return `${domain} is a public suffix and can't be used as a sender domain. Add a domain you own.`
  }
  return undefined
}
