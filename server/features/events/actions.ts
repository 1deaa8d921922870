/** Custom events: recorded with their contact in one statement. */
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { applyDataRules } from '../../kernel/contact-data.ts'
import { newId } from '../../kernel/ids.ts'
import { cursorPage } from '../../kernel/pages.ts'
import { newPerson } from '../contacts/actions.ts'
import { countEvents, type EventRow, listEvents as readEvents } from '../journal/actions.ts'
import * as queries from './queries.ts'
import type { EventListQuery, EventToTrack } from './schemas.ts'

export async function trackEvent(
  ctx: Context,
  projectId: string,
  input: z.output<typeof EventToTrack>,
  idempotencyKey?: string,
) {
  const now = ctx.clock.now()
  const change = applyDataRules(input.data)
  const event = { id: newId(now), name: input.event, data: change.sent }
  const people = [newPerson(now, input.email, change.patch, input.subscribed)]
  const contactId = await queries.trackEvent(
    ctx.db,
    { projectId, now, people, subscribedByDefault: true, removed: change.removed },
    event,
    idempotencyKey,
  )
  return { success: true, data: { contact: contactId, event: event.id, timestamp: now } }
}

export async function listEvents(ctx: Context, projectId: string, query: z.output<typeof EventListQuery>) {
  const filter = { name: query.name, before: query.cursor, limit: query.limit }
  const [rows, total] = await Promise.all([
    readEvents(ctx, projectId, filter),
    query.cursor === undefined ? countEvents(ctx, projectId, filter) : 0,
  ])
  return cursorPage(rows, query.limit, total, showEvent)
}

const showEvent = (row: EventRow) => ({
  id: row.id,
  name: row.name,
  contactId: row.contact_id,
  emailId: row.email_id,
  data: row.data,
  createdAt: row.created_at,
  contact: row.contact_id && row.contact_email ? { id: row.contact_id, email: row.contact_email } : null,
})
