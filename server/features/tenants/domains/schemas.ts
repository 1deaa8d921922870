/** A sender domain with the DNS records its owner sets. */

import { getPublicSuffix } from 'tldts'
import { z } from 'zod'
import { isDomainName, normalizeDomain } from '../../../kernel/email-address.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { WarmUp } from '../../../kernel/sending/warm-up.ts'

/** DNS allows 253 characters, and the names of the records below the domain need up to 30. */
const LENGTH_MAX = 220

/** Why a name can't be a sender domain: it must be a registrable name or a subdomain of one. */
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

export const Domain = z
  .object({
    id: z.uuid(),
    domain: z.string(),
    projectId: z.uuid(),
    verified: z.boolean(),
    status: z.enum(['PENDING', 'VERIFIED', 'FAILED']),
    records: z.array(
      z.object({
        purpose: z.enum(['ownership', 'dkim', 'spf', 'dmarc', 'return-path']),
        type: z.enum(['TXT', 'MX', 'CNAME']),
        name: z.string(),
        value: z.string(),
        priority: z.number().int().optional(),
        verified: z.boolean(),
      }),
    ),
    ed25519: z.boolean().meta({
      description:
        'Whether the domain has an Ed25519 key beside its RSA key. Email is signed with both while the DNS record of each is found.',
    }),
    warmUp: WarmUp.extend({
      startedOn: z.string().meta({ format: 'date', description: 'The first day of the plan, in UTC.' }),
      perDay: z.int().meta({ description: 'How many marketing emails the domain sends on the first day.' }),
      growth: z.number().meta({ description: 'The factor by which the number grows from one day to the next.' }),
      sentToday: z
        .int()
        .meta({ description: 'Marketing emails that count to today (UTC): those that were sent, or were tried.' }),
      limitToday: z.int().nullable().meta({
        description: 'How many marketing emails the domain sends today (UTC); the rest waits. Null before `startedOn`.',
      }),
    })
      .nullable()
      .meta({ description: 'Limits the marketing email of a new domain to a number that grows each day. Null: none.' }),
    lastCheckedAt: z.date().nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Domain' })

export const ExaminedDomain = Domain.extend({
  findings: z
    .array(
      z.object({
        topic: z.enum(['SPF', 'DMARC', 'MX']),
        level: z.enum(['ok', 'advice', 'problem', 'unknown']),
        code: z.string().meta({ description: 'What was found, such as `spf.several`.' }),
        message: z.string(),
        values: z
          .record(z.string(), z.union([z.string(), z.number()]))
          .meta({ description: 'What the message names, such as the domain.' }),
      }),
    )
    .meta({ description: 'Findings about the DNS records for email from this domain, with advice.' }),
}).meta({ id: 'ExaminedDomain' })

export const NewDomain = z.object({
  domain: z
    .string()
    .superRefine((text, issues) => {
      const message = domainProblem(text)
      if (message) issues.addIssue({ code: 'custom', message, params: { code: 'invalid_string' } })
    })
    .transform((text) => normalizeDomain(text))
    .meta({ type: 'string', examples: ['example.com'] }),
  projectId: z
    .uuid('Must be a project ID.')
    .optional()
    .meta({ description: 'With a session: the project, unless the X-Project-Id header is set.' }),
})

export const DomainChanges = z
  .object({
    warmUp: WarmUp.nullable().optional().meta({
      description:
        'Marketing email of the domain beyond the number of the day (UTC) waits for the next day. Null ends the warm-up and sends what waits.',
    }),
    ed25519: z.boolean().optional().meta({
      description:
        'True adds an Ed25519 key, whose DNS record is then listed; email is also signed with it once that record is found. False deletes the key.',
    }),
  })
  .refine(({ warmUp, ed25519 }) => warmUp !== undefined || ed25519 !== undefined, {
    path: ['warmUp'],
    message: 'Specify `warmUp` or `ed25519`.',
  })

export const DomainPage = cursorPageOf(Domain)

export const DomainQuery = z.object({ limit: sizeParam(100), cursor: cursorParam })
