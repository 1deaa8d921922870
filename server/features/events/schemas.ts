/** Request and response schemas of events. */
import { z } from 'zod'
import { dataObject } from '../../kernel/contact-data.ts'
import { emailAddress, storedEmail } from '../../kernel/email-address.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../kernel/pages.ts'
import { fromParam, toParam } from '../../kernel/time-range.ts'

/** Names that only the service can record. */
const RESERVED = /^(email\..*|contact\.(subscribed|unsubscribed)|segment\..*\.(entry|exit))$/is

export const isReservedEvent = (name: string): boolean => RESERVED.test(name)

export const EventToTrack = z.object({
  email: emailAddress,
  event: z
    .string()
    .trim()
    .min(1, 'Must not be empty.')
    .max(255, 'Must be at most 255 characters.')
    .refine((name) => !isReservedEvent(name), {
      message: 'This name is reserved for system events. Choose another name.',
      params: { code: 'reserved_event' },
    }),
  subscribed: z.boolean().optional(),
  data: dataObject.optional(),
})

export const Tracked = z.object({
  success: z.literal(true),
  data: z.object({ contact: z.uuid(), event: z.uuid(), timestamp: z.date() }),
})

export const Event = z
  .object({
    id: z.uuid(),
    name: z.string(),
    contactId: z.uuid().nullable(),
    emailId: z.uuid().nullable(),
    data: z.record(z.string(), z.unknown()),
    createdAt: z.date(),
    contact: z.object({ id: z.uuid(), email: storedEmail }).nullable(),
  })
  .meta({ id: 'Event' })

export const EventListQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  name: z.string().optional().meta({ description: 'Return only events with this name.' }),
})

export const EventStatsQuery = z.object({ from: fromParam, to: toParam })

export const EventStats = z.object({
  total: z.number().int(),
  data: z.array(
    z.object({
      name: z.string(),
      count: z.number().int(),
      contacts: z.number().int().meta({ description: 'Number of distinct contacts.' }),
    }),
  ),
})

export const EventNames = z.object({
  names: z.array(z.string()),
  eventNames: z.array(z.string()).meta({ description: 'Same as `names`.' }),
})

const Reference = z.object({ id: z.uuid(), name: z.string() })

export const EventUsage = z.object({
  usedInSegments: z.array(Reference),
  usedInWorkflows: z.array(Reference),
  usedInCampaigns: z.array(Reference),
  totalCount: z.number().int(),
  uniqueContacts: z.number().int(),
})

export const DeletedEvents = z.object({ deletedCount: z.number().int() })

export const EventPage = cursorPageOf(Event)
