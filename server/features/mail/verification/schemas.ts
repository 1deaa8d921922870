/** Request and response schemas of address verification. */
import { z } from 'zod'
import { emailAddress, storedEmail } from '../../../kernel/email-address.ts'

export const AddressToVerify = z.object({ email: emailAddress })

export const VerifiedAddress = z.object({
  success: z.literal(true),
  data: z.object({
    email: storedEmail,
    valid: z.boolean().meta({ description: 'Whether email can be delivered: the domain exists and accepts email.' }),
    isDisposable: z.boolean(),
    isAlias: z
      .boolean()
      .meta({ description: 'Whether the address belongs to a forwarding service that hides the mailbox.' }),
    isTypo: z
      .boolean()
      .meta({ description: 'Whether the domain looks like a typo. `reasons` contains the likely correction.' }),
    isPlusAddressed: z.boolean(),
    isPersonalEmail: z.boolean().meta({ description: 'Whether the provider offers mailboxes to anyone.' }),
    domainExists: z.boolean(),
    hasWebsite: z.boolean().meta({ description: 'Whether the domain, or its www subdomain, has an address record.' }),
    hasMxRecords: z.boolean(),
    reasons: z.array(z.string()).meta({ description: 'One sentence for each problem; empty if there is none.' }),
  }),
})
