/** Limits, usage and invoices. */
import { z } from 'zod'

const MAX = 1_000_000_000_000

const Limit = z
  .int('Must be a whole number.')
  .min(0, 'Must be 0 or greater.')
  .max(MAX, `Must be at most ${MAX}.`)
  .nullable()
  .meta({ description: 'Emails per calendar month (UTC). null means no limit.' })

/** The response of `GET` is also a valid request. */
const NewLimit = z
  .union([Limit, z.object({ limit: Limit }).transform(({ limit }) => limit)], {
    error: 'Must be a whole number of emails, 0 or greater, or null for no limit.',
  })
  .optional()

const perSource = <T extends z.ZodType>(schema: T) => ({
  transactional: schema,
  campaigns: schema,
  workflows: schema,
  inbound: schema,
})

export const LimitsPatch = z.object(perSource(NewLimit))

export const Limits = z
  .object(
    perSource(z.object({ limit: Limit, used: z.int().meta({ description: 'Emails in the current calendar month.' }) })),
  )
  .meta({ id: 'BillingLimits' })

const Month = z.object({
  month: z.string().meta({ examples: ['2026-11'] }),
  ...perSource(z.int()),
  total: z.int(),
})

export const Consumption = Month.extend({
  history: z.array(Month).meta({ description: 'The last twelve months, newest first.' }),
  subscription: z
    .object({ status: z.string(), periodEndsAt: z.date().nullable(), cancelsAtPeriodEnd: z.boolean() })
    .nullable()
    .meta({ description: 'Status of the Stripe subscription; null if there is none.' }),
}).meta({ id: 'BillingConsumption' })

export const Page = z
  .object({ url: z.url().meta({ description: 'Redirect the user to this URL.' }) })
  .meta({ id: 'BillingPage' })

export const Invoices = z
  .object({
    data: z.array(
      z.object({
        id: z.string().nullish(),
        number: z.string().nullable(),
        status: z.string().nullable(),
        currency: z.string(),
        amountDue: z.int().meta({ description: 'In the smallest unit of the currency.' }),
        amountPaid: z.int(),
        createdAt: z.date(),
        periodStart: z.date(),
        periodEnd: z.date(),
        url: z.string().nullable(),
        pdfUrl: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'BillingInvoices' })
