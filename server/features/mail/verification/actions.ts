/**
 * Checks an address without sending to it. `valid` means that email can be delivered: the domain exists and accepts
 * email. Other findings (disposable, a likely typo) are returned separately for the caller to decide.
 */
import { domainToASCII } from 'node:url'
import type { Context } from '../../../context.ts'
import { domainOf } from '../../../kernel/email-address.ts'
import { createDomainLookup, type MailDomain } from './domain-lookup.ts'

export type Verification = ReturnType<typeof createVerification>

export function createVerification(ctx: Context) {
  const lookUpDomain = createDomainLookup(ctx)

  return {
    async verifyAddress(email: string) {
      const written = domainOf(email)
      const domain = domainToASCII(written)
      const local = email.slice(0, email.lastIndexOf('@'))
      const lookUp = lookUpDomain(domain)
      // Loaded on first use: lists of 120,000 domain names.
      const [known, { suggestDomain }] = await Promise.all([import('./known-domains.ts'), import('./typo.ts')])
      const disposable = known.isDisposable(domain)
      const meant = suggestDomain(domain)
      const found = await lookUp

      const reasons: string[] = []
      if (meant) reasons.push(`${written} looks like a typo. Did you mean ${local}@${meant}?`)
      if (disposable) reasons.push(`${written} provides disposable addresses.`)
      const problem = problemWith(written, found)
      if (problem) reasons.push(problem)

      return {
        email,
        valid: found.mail === 'mx' || found.mail === 'address',
        isDisposable: disposable,
        isAlias: known.isAliasService(domain),
        isTypo: meant !== undefined,
        isPlusAddressed: local.indexOf('+') > 0,
        isPersonalEmail: known.isPersonal(domain),
        domainExists: found.exists,
        hasWebsite: found.hasWebsite,
        hasMxRecords: found.hasMxRecords,
        reasons,
      }
    },
  }
}

function problemWith(domain: string, { exists, mail, problem }: MailDomain): string | undefined {
  if (mail === 'unknown') return `${domain} could not be checked: ${problem}. Try again later.`
  if (!exists) return `The domain ${domain} does not exist.`
  if (mail === 'declined') return `${domain} does not accept email (null MX record).`
  if (mail === 'none') return `${domain} has no mail server: it has neither MX nor address records.`
  if (mail === 'address') return `${domain} has no MX records, so email is delivered to its address records.`
  return undefined
}
