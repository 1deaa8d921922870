/** Responses about the installation. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'

export const Queue = z
  .object({
    ready: z.number(),
    scheduled: z.number(),
    failed: z.number(),
    oldestReadySeconds: z.number(),
  })
  .meta({ description: 'Jobs that are due now, due later or failed, and the age of the oldest due job.' })

const Retention = z.object({
  rules: z
    .array(
      z.object({
        data: z.enum(['bodies', 'events', 'emails']),
        days: z.number().nullable().meta({ description: 'Null if the data is never deleted.' }),
        oldestMonth: z.string().nullable().meta({ description: 'The oldest stored month, as YYYY-MM.' }),
      }),
    )
    .meta({ description: 'What `BODY_RETENTION_DAYS`, `EVENT_RETENTION_DAYS` and `EMAIL_RETENTION_DAYS` delete.' }),
  archive: z.enum(['folder', 's3']).nullable().meta({ description: 'Null if `ARCHIVE` is not set.' }),
  waiting: z
    .array(z.object({ name: z.string(), since: z.date(), error: z.string().nullable() }))
    .meta({ description: 'Old months that are detached, but not archived and deleted yet, and why.' }),
  unsent: z
    .object({ emails: z.number(), since: z.date() })
    .nullable()
    .meta({ description: 'Old emails that are kept because they are not sent yet.' }),
  lastArchive: z.object({ name: z.string(), rows: z.number(), at: z.date() }).nullable(),
})

export const Installation = z
  .object({
    version: z.string(),
    node: z.string(),
    uptimeSeconds: z.number(),
    role: z.string(),
    workers: z.number().meta({ description: 'The setting `WORKERS`.' }),
    runningWorkers: z
      .number()
      .meta({ description: 'Worker processes of all machines that were able to run jobs in the last 30 seconds.' }),
    degraded: z.array(z.string()).meta({ description: 'What currently fails, besides sending; see `mail.pause`.' }),
    warnings: z
      .array(z.string())
      .meta({ description: 'Settings that should be changed, and how. They are also logged when the service starts.' }),
    queue: Queue.nullable(),
    database: z.object({
      version: z.string(),
      bytes: z.number(),
      connections: z.number(),
      accounts: z.number(),
      projects: z.number(),
      embedded: z.boolean(),
    }),
    retention: Retention,
    mail: z.object({
      transport: z.string(),
      systemFrom: z.string(),
      pause: z
        .object({
          transport: z.string(),
          reason: z.string(),
          credentialsRefused: z
            .boolean()
            .meta({ description: 'The mail server refused the user, the password or the access key.' }),
          since: z.date(),
          until: z.date().meta({ description: 'The next attempt.' }),
        })
        .nullable()
        .meta({ description: 'Why no email is sent. Null if sending works.' }),
      quota: z.object({ perSecond: z.number(), leftToday: z.number() }).nullable(),
      sendRatePerSecond: z.number().nullable(),
    }),
    signUp: z.boolean(),
    baseUrl: z.string(),
  })
  .meta({ id: 'Installation' })

const summary = { id: z.uuid(), to: z.string(), subject: z.string(), createdAt: z.date() }

export const SystemMailQuery = z.object({ limit: sizeParam(100), cursor: cursorParam })

export const SystemMailPage = cursorPageOf(z.object(summary))

export const SystemMessage = z.object({ ...summary, html: z.string(), text: z.string() }).meta({ id: 'SystemMessage' })
