/** A sender domain with the DNS records its owner sets. */
import { z } from 'zod'
import { domainProblem, normalizeDomain } from './domain-name.ts'

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
        message: z.string(),
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
    .uuid('Must be a project id.')
    .optional()
    .meta({ description: 'With a session: the project, unless the X-Project-Id header is set.' }),
})
