/** An address to look at, and what was found. */
import { z } from 'zod'
import { emailAddress, storedEmail } from '../../kernel/email-address.ts'

export const AddressToVerify = z.object({ email: emailAddress })

export const VerifiedAddress = z.object({
  success: z.literal(true),
  data: z.object({
    email: storedEmail,
    valid: z.boolean().meta({ description: 'Mail could get there: the domain exists and takes mail.' }),
    isDisposable: z.boolean(),
    isAlias: z.boolean().meta({ description: 'Of a service that forwards to a hidden mailbox.' }),
    isTypo: z.boolean().meta({ description: '`reasons` says what was probably meant.' }),
    isPlusAddressed: z.boolean(),
    isPersonalEmail: z.boolean().meta({ description: 'Of a provider that gives mailboxes to everyone.' }),
    domainExists: z.boolean(),
    hasWebsite: z.boolean().meta({ description: 'The domain, or www below it, has an address in the DNS.' }),
    hasMxRecords: z.boolean(),
    reasons: z.array(z.string()).meta({ description: 'Each problem in words; empty when there is none.' }),
  }),
})
