/** Events as callers send and read them. */
import { z } from 'zod'
import { dataObject } from '../../kernel/contact-data.ts'
import { emailAddress, storedEmail } from '../../kernel/email-address.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../kernel/pages.ts'
import { isReservedEvent } from './reserved-names.ts'

export const EventToTrack = z.object({
  email: emailAddress,
  event: z
    .string()
    .trim()
    .min(1, 'Must not be empty.')
    .max(255, 'Must be at most 255 characters.')
    .refine((name) => !isReservedEvent(name), {
      message: 'This name is reserved for events that the service records itself.',
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
  name: z.string().optional().meta({ description: 'Only events of this name.' }),
})

export const EventPage = cursorPageOf(Event)
