/** Webhook endpoints and their deliveries, as the API shows and accepts them. */
import { z } from 'zod'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { fromParam, toParam } from '../../../kernel/time-range.ts'

const URL_CHARACTERS_MAX = 2_048

const url = z
  .string()
  .trim()
  .max(URL_CHARACTERS_MAX, `Must be at most ${URL_CHARACTERS_MAX} characters.`)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    message: 'Must be an http:// or https:// URL.',
    params: { code: 'invalid_string' },
  })
  .refine((text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).password === ''), {
    message: 'Must not contain a username or password. Verify the signature of requests instead.',
    params: { code: 'invalid_string' },
  })
  .meta({ examples: ['https://example.com/webhooks/posthorn'] })

const pattern = z
  .string()
  .trim()
  .min(1, 'Must not be empty.')
  .max(255, 'Must be at most 255 characters.')
  .refine((name) => name === '*' || !name.includes('*') || /^[^*]+\.\*$/.test(name), {
    message: 'A star must stand alone or after a dot at the end, as in email.*',
    params: { code: 'invalid_string' },
  })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL can't store them.
  .refine((name) => !/\u0000/.test(name) && name.isWellFormed(), 'Must not contain NUL characters or lone surrogates.')

const eventTypes = z
  .array(pattern)
  .min(1, 'Must contain at least one event type.')
  .transform((all) => [...new Set(all)])
  .pipe(z.array(z.string()).max(100, 'Must contain at most 100 event types.'))
  .meta({
    description: 'Names such as `email.bounce` or your own events, groups such as `email.*`, or `*` for everything.',
    examples: [['email.bounce', 'contact.*']],
  })

const description = z
  .string()
  .trim()
  .max(500, 'Must be at most 500 characters.')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL can't store them.
  .refine((text) => !/\u0000/.test(text) && text.isWellFormed(), 'Must not contain NUL characters or lone surrogates.')
  .nullable()

export const NewEndpoint = z.object({
  url,
  eventTypes,
  description: description.optional(),
  enabled: z.boolean().optional().meta({ description: 'True by default. A disabled endpoint collects nothing.' }),
})

export const EndpointChanges = z.object({
  url: url.optional(),
  eventTypes: eventTypes.optional(),
  description: description.optional(),
  enabled: z.boolean().optional().meta({
    description: 'False stops requests and keeps what is waiting. True also ends the state in `disabledReason`.',
  }),
})

const endpoint = {
  id: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(z.string()),
  enabled: z.boolean(),
  disabledReason: z.enum(['failing', 'gone']).nullable().meta({
    description: 'Why Posthorn disabled it: nothing succeeded for five days, or the URL responded with 410.',
  }),
  failingSince: z
    .date()
    .nullable()
    .meta({ description: 'Since when every attempt has failed; null if the last one succeeded.' }),
  lastDeliveryAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
}

export const Endpoint = z.object(endpoint).meta({ id: 'WebhookEndpoint' })
export const EndpointDetails = z
  .object({
    ...endpoint,
    backlog: z
      .object({
        waiting: z
          .number()
          .int()
          .meta({ description: 'Deliveries that are due or will be retried; counted up to 10,000.' }),
        dueSince: z
          .date()
          .nullable()
          .meta({ description: 'Since when the oldest of them has been due; null if none is due.' }),
        failed: z
          .number()
          .int()
          .meta({ description: 'Deliveries in the log that failed, without tests; counted up to 10,000.' }),
      })
      .meta({ description: 'The deliveries that are waiting, and those that failed.' }),
  })
  .meta({ id: 'WebhookEndpointDetails' })
export const EndpointWithSecret = z
  .object({ ...endpoint, secret: z.string() })
  .meta({ id: 'WebhookEndpointWithSecret' })
export const EndpointQuery = z.object({ limit: sizeParam(100), cursor: cursorParam })
export const EndpointPage = cursorPageOf(Endpoint)

export const Secret = z.object({ secret: z.string().meta({ description: '`whsec_` and the secret in base64.' }) })

export const Rotation = z
  .object({
    overlapHours: z.number().min(0).max(168).nullish().meta({
      description: 'How long requests are also signed with the old secret: 0 to 168 hours, 24 by default.',
    }),
  })
  .nullish()

const Payload = z.object({
  type: z.string(),
  timestamp: z.date(),
  data: z.object({
    id: z.uuid(),
    project: z.uuid(),
    contact: z.object({ id: z.uuid(), email: z.string(), subscribed: z.boolean() }).nullable(),
    email: z.record(z.string(), z.unknown()).nullable(),
    data: z.record(z.string(), z.unknown()),
  }),
})

export const EventTypeList = z.object({
  data: z.array(z.object({ type: z.string(), description: z.string(), example: Payload })),
})

export const TestRequest = z.object({ eventType: z.string().trim().min(1).max(255).optional() }).optional()

const attempt = {
  status: z.number().int().nullable().meta({ description: 'Status of the response; null if there was none.' }),
  durationMs: z.number().int(),
  error: z.string().nullable().meta({ description: 'Why there was no complete response.' }),
  response: z.string().nullable().meta({ description: 'The first 4 KB of the response.' }),
}

export const TestResult = z.object(attempt)
const AttemptSchema = z.object({ at: z.date(), ...attempt })

const delivery = {
  id: z.uuid(),
  webhookId: z.uuid().meta({ description: 'The `webhook-id` of its requests: the ID of the event.' }),
  eventType: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  attempts: z.number().int(),
  nextAttemptAt: z.date().nullable(),
  createdAt: z.date(),
  test: z.boolean(),
  lastAttempt: AttemptSchema.nullable(),
}

export const Delivery = z.object(delivery).meta({ id: 'WebhookDelivery' })
export const DeliveryDetails = z
  .object({ ...delivery, payload: Payload, attemptLog: z.array(AttemptSchema) })
  .meta({ id: 'WebhookDeliveryDetails' })
export const DeliveryQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  status: z.enum(['pending', 'succeeded', 'failed']).optional(),
  eventType: z.string().optional(),
  from: fromParam,
  to: toParam,
})
export const DeliveryPage = cursorPageOf(Delivery)

const moment = z.iso.datetime({ offset: true, error: 'Must be a date and time such as 2026-01-31T09:00:00Z.' })

export const ReplayRequest = z.object({
  since: moment,
  until: moment.optional().meta({ description: 'Exclusive; now by default.' }),
  status: z.enum(['failed', 'all']).optional().meta({ description: '`failed` by default.' }),
  eventType: z.string().min(1).max(255).optional(),
})

export const Replayed = z.object({ id: z.uuid() })
export const ReplayedCount = z.object({ count: z.number().int() })
