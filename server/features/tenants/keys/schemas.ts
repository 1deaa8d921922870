/** API keys. The key itself is returned only when it is created or replaced. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { SCOPES } from '../../../kernel/scopes.ts'
import { normalizeRange } from '../../../platform/network/address-ranges.ts'

const NAME_MAX = 100
const ALLOWED_IPS_MAX = 50
const OVERLAP_HOURS_MAX = 168
export const OVERLAP_HOURS = 24

export const ProjectKey = z
  .object({
    type: z.enum(['SECRET', 'PUBLIC']),
    key: z.string().meta({ description: 'The public key, or the last characters of the secret key.' }),
    lastUsedAt: z.date().nullable().meta({ description: 'To the minute. Null if the key has not been used yet.' }),
  })
  .meta({ id: 'ProjectKey' })

const fields = {
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  expiresAt: z.date().nullable().meta({ description: 'When the key stops working. Null if it doesn’t expire.' }),
  allowedIps: z.array(z.string()).meta({
    description: 'IP addresses and CIDR ranges that the key can be used from. Empty if it can be used from anywhere.',
  }),
}

export const ApiKey = z
  .object({
    id: z.uuid(),
    ...fields,
    test: z.boolean().meta({ description: 'What the key sends is stored and shown, but never delivered or counted.' }),
    prefix: z.string().meta({ description: 'The first 12 characters of the key.', examples: ['phk_3f9a1c20'] }),
    previousKeyExpiresAt: z.date().nullable().meta({
      description: 'Until when a key that was replaced still works. Null if only the current key works.',
    }),
    lastUsedAt: z.date().nullable().meta({ description: 'To the minute. Null if the key has not been used yet.' }),
    lastUsedIp: z
      .string()
      .nullable()
      .meta({ description: 'The network of the last use: the /24 of an IPv4 address, or the /48 of an IPv6 address.' }),
    createdBy: z.object({
      type: z.enum(['user', 'key']),
      id: z.uuid().nullable().meta({ description: 'Null for the secret key of the project.' }),
      name: z.string().meta({ description: 'The email address of the user, or the name of the key, at that time.' }),
    }),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'ApiKey' })

export const CreatedApiKey = ApiKey.extend({
  key: z.string().meta({ description: 'Shown only once. Keep it on your server.' }),
}).meta({ id: 'CreatedApiKey' })

export const ApiKeyPage = cursorPageOf(ApiKey)

export const ApiKeyQuery = z.object({ limit: sizeParam(100), cursor: cursorParam })

const distinct = <T>(values: T[]): T[] => [...new Set(values)]

const name = z
  .string()
  .trim()
  .min(1, 'Must not be empty.')
  .max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`)
  .meta({ description: 'What uses the key, such as "Web shop". Shown in lists and in the audit log.' })

const scopes = z
  .array(z.enum(SCOPES))
  .min(1, 'Must contain at least one scope.')
  .transform(distinct)
  .meta({ description: 'What the key can do. A scope that ends in `:write` includes the one that ends in `:read`.' })

const expiresAt = z.iso
  .datetime({ offset: true, error: 'Must be an ISO 8601 date-time with an offset, such as 2027-01-31T09:00:00Z.' })
  .transform((text) => new Date(text))
  .nullable()
  .meta({ description: 'When the key stops working. Without it, the key doesn’t expire.' })

const range = z.string().transform((text, check) => {
  const stored = normalizeRange(text)
  if (stored !== undefined) return stored
  const message = 'Must be an IP address such as 203.0.113.7, or a CIDR range such as 203.0.113.0/24.'
  check.addIssue({ code: 'custom', message, params: { code: 'invalid_string' } })
  return z.NEVER
})

const allowedIps = z
  .array(range)
  .max(ALLOWED_IPS_MAX, `Must contain at most ${ALLOWED_IPS_MAX} addresses and ranges.`)
  .transform(distinct)
  .nullable()
  .meta({
    description: `Up to ${ALLOWED_IPS_MAX} IP addresses and CIDR ranges that the key can be used from. Empty or null: from anywhere.`,
  })

export const NewApiKey = z.object({
  name,
  scopes,
  expiresAt: expiresAt.optional(),
  allowedIps: allowedIps.optional(),
  test: z.boolean().default(false).meta({
    description:
      "Whether this is a test key: what it sends is stored and shown, but never delivered or counted. It can't be changed later.",
  }),
})

export const ApiKeyChanges = NewApiKey.omit({ test: true }).partial()

export const Rotation = z
  .object({
    overlapHours: z
      .number()
      .min(0, 'Must be at least 0.')
      .max(OVERLAP_HOURS_MAX, `Must be at most ${OVERLAP_HOURS_MAX}.`)
      .nullish()
      .meta({
        description: `For how many hours the old key still works, with fractions. ${OVERLAP_HOURS} by default; 0 ends it, and any key before it, at once.`,
      }),
  })
  .nullish()
