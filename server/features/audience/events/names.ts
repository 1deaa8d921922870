/** The names of events that can be tracked. */
import { z } from 'zod'

/** Names that only the service can record. */
const RESERVED =
  /^(email\..*|(contact|topic)\.(subscribed|unsubscribed)|contact\.confirmed|segment\..*\.(entry|exit))$/is

export const isReservedEvent = (name: string): boolean => RESERVED.test(name)

export const eventName = z
  .string()
  .trim()
  .min(1, 'Must not be empty.')
  .max(255, 'Must be at most 255 characters.')
  .refine((name) => !isReservedEvent(name), {
    message: 'This name is reserved for system events. Choose another name.',
    params: { code: 'reserved_event' },
  })
