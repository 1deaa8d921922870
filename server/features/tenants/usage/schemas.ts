/** The reputation of a project. */
import { z } from 'zod'
import { USAGE_SOURCES } from './queries.ts'

const Rates = z.object({
  sent: z.int(),
  bounces: z.int().meta({ description: 'Permanent bounces only.' }),
  complaints: z.int(),
  bounceRate: z.number().meta({ description: 'From 0 to 1.' }),
  complaintRate: z.number(),
})

const Levels = z.object({ warning: z.number(), critical: z.number() })

export const Security = z
  .object({
    status: z.enum(['healthy', 'warning', 'critical']),
    isDisabled: z.boolean(),
    disabledReason: z.string().nullable(),
    sevenDay: Rates,
    allTime: Rates,
    thresholds: z.object({
      minimumEmails: z.int().meta({ description: 'With fewer emails, no status is determined.' }),
      bounceRate: Levels,
      complaintRate: Levels,
    }),
  })
  .meta({ id: 'Security' })

export const Me = z
  .object({
    project: z.object({ id: z.uuid(), name: z.string() }),
    key: z
      .object({
        id: z.uuid().nullable().meta({ description: 'Null for the secret key of the project.' }),
        name: z.string(),
        type: z.enum(['secret', 'scoped']).meta({ description: '`secret` is the key `sk_…`, `scoped` a key `phk_…`.' }),
        scopes: z.array(z.string()).meta({ description: '`full` for the secret key.' }),
        expiresAt: z.date().nullable(),
        allowedIps: z.array(z.string()).meta({ description: 'Empty if it can be used from anywhere.' }),
        test: z.boolean().meta({ description: 'Whether it is a test key, whose emails are never delivered.' }),
      })
      .nullable()
      .meta({ description: 'Null for the session of a user.' }),
    limits: z.object({
      requestsPerMinute: z.int().nullable().meta({ description: 'Of all keys together. Null if there is no limit.' }),
      messageMb: z.number().meta({ description: 'The largest request of `POST /v1/send`.' }),
      attachmentsMb: z.number().meta({ description: 'The attachments of an email.' }),
      emails: z
        .record(z.enum(USAGE_SOURCES), z.object({ limit: z.int().nullable(), used: z.int() }))
        .meta({ description: 'In this calendar month, by source. `limit` is null if there is none.' }),
    }),
  })
  .meta({ id: 'Me' })
