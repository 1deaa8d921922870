/**
 * What can be said about an address without writing to it. `valid` means that mail could get there: the domain exists
 * and takes mail. Whether it is wise to write there (disposable, a likely typo) is told beside it and left to the caller.
 */
import { domainToASCII } from 'node:url'
import type { Context } from '../../context.ts'
import { domainOf } from '../../kernel/email-address.ts'
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
      // Loaded when an address is first checked: lists of 120,000 domain names.
      const [known, { intendedDomain }] = await Promise.all([import('./known-domains.ts'), import('./typo.ts')])
      const disposable = known.isDisposable(domain)
      const meant = intendedDomain(domain)
      const found = await lookUp

      const reasons: string[] = []
      if (meant) reasons.push(`${written} looks like a typo. Did you mean ${local}@${meant}?`)
      if (disposable) reasons.push(`${written} provides disposable addresses.`)
      const trouble = troubleWith(written, found)
      if (trouble) reasons.push(trouble)

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

function troubleWith(domain: string, { exists, mail, trouble }: MailDomain): string | undefined {
  if (mail === 'unknown') return `${domain} could not be checked: ${trouble}. Try again later.`
  if (!exists) return `The domain ${domain} does not exist.`
  if (mail === 'declined') return `${domain} does not accept email (null MX record).`
  if (mail === 'none') return `${domain} has no mail server: it has neither MX nor address records.`
  if (mail === 'address') return `${domain} has no MX records, so email is delivered to its address records.`
  return undefined
}
