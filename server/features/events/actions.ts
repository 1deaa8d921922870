/** Custom events: recorded with their contact in one statement. */
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { applyDataRules } from '../../kernel/contact-data.ts'
import { newId } from '../../kernel/ids.ts'
import { SUBSCRIBED_IF_NEW } from '../../kernel/subscription.ts'
import { newPerson } from '../contacts/actions.ts'
import type { EventToTrack } from './schemas.ts'
import { recordEvent } from './track-together.ts'

export async function trackEvent(
  ctx: Context,
  projectId: string,
  input: z.output<typeof EventToTrack>,
  idempotencyKey?: string,
) {
  const now = ctx.clock.now()
  const change = applyDataRules(input.data)
  const eventId = newId(now)
  const people = [newPerson(now, input.email, change.patch, input.subscribed)]
  const contactId = await recordEvent(ctx, {
    upsert: { projectId, now, people, subscribedByDefault: SUBSCRIBED_IF_NEW.track, removed: change.removed },
    id: eventId,
    name: input.event,
    data: change.sent,
    idempotencyKey,
  })
  return { success: true, data: { contact: contactId, event: eventId, timestamp: now } }
}
