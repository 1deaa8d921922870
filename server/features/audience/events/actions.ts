/**
 * Events: recording custom events with their contact, lists, counts, uses of a name, and deleting a name. Concurrent
 * events are recorded by one statement.
 */
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { applyDataRules, dataObject } from '../../../kernel/contact-data.ts'
import { emailAddress, storedEmail } from '../../../kernel/email-address.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { createMinuteCounts } from '../../../kernel/flow/minute-counts.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { newId } from '../../../kernel/ids.ts'
import { cursorPage, cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import type { PublicKeyUpdates } from '../../../kernel/scopes.ts'
import { SUBSCRIBED_IF_NEW } from '../../../kernel/subscription.ts'
import { dayRange, fromParam, refuseReversedRange, toParam } from '../../../kernel/time-range.ts'
import { isDatabaseUnavailable } from '../../../platform/database/connection/transaction.ts'
import type { IdempotencyClaim } from '../../../platform/database/idempotency-sql.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import * as journal from '../../record/journal/actions.ts'
import { createSameRequestCheck, getContact, newPerson } from '../contacts/actions.ts'
import { readDecisions, topicsField } from '../contacts/topics.ts'
import { eventName, isReservedEvent } from './names.ts'
import { type EventToRecord, type EventUser, listEventFields, listEventUsers, trackEvents } from './queries.ts'

export { isReservedEvent } from './names.ts'

export const EventToTrack = z.object({
  email: emailAddress,
  event: eventName,
  subscribed: z.boolean().optional(),
  topics: topicsField.optional(),
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

export const EventFields = z.object({
  fields: z.array(
    z
      .object({
        field: z.string().meta({ description: 'The key, or the path of a value inside an object.' }),
        property: z.string().meta({ description: 'Same as `field`; the name that `where` in conditions uses.' }),
        type: z.enum(['string', 'number', 'boolean', 'date']),
        coverage: z
          .number()
          .min(0)
          .max(1)
          .meta({ description: 'Share of these events that have a value, from 0 to 1.' }),
      })
      .meta({ id: 'EventField' }),
  ),
  sampled: z.number().int().meta({ description: 'How many recent events were read, at most 1,000.' }),
})

export const EventDays = z
  .object({
    data: z.array(z.object({ day: z.iso.date().meta({ description: 'A UTC day.' }), count: z.number().int() })),
  })
  .meta({ id: 'EventDays' })

export const DeletedEvents = z.object({ deletedCount: z.number().int() })

export const EventPage = cursorPageOf(Event)

/** Their data can be large, and the properties of an event rarely change. */
const FIELDS_FROM_EVENTS = 1_000

const TOGETHER = { batchMax: 50, concurrency: 3 }

/** The share of a project's rate limit that events of one contact can use with the public key. */
const CONTACT_SHARE = 1 / 10
const CONTACT_LEAST = 10

const NO_UPDATE = { patch: {}, removed: [], subscribed: undefined }

export interface TrackedBy {
  cause: ConsentCause
  /** The project's setting, if the key is one that visitors of a website have. */
  publicKeyUpdates?: PublicKeyUpdates | undefined
}

export type Events = ReturnType<typeof createEvents>

/** Visitors of a website have the public key, so a call with it undoes no opt-out. */
interface TrackingCaller {
  projectId: string
  isPublic?: boolean
  idempotencyKey?: IdempotencyClaim
}

export function createEvents(ctx: Context) {
  /** Returns the id of the contact. */
  const record = createBatcher((events: EventToRecord[]) => trackEvents(ctx.db, events), {
    ...TOGETHER,
    mayJoin,
    // While the database is unavailable, the effect of the statement is unknown.
    retryAlone: (error) => !isDatabaseUnavailable(error),
  })

  const contacts = createMinuteCounts(ctx.clock)

  return {
    /** For requests with the public key, which every visitor of the website has. */
    limitContact(projectId: string, email: string): void {
      const limit = ctx.settings.RATE_LIMIT_PER_MINUTE
      if (limit === 0) return
      const contactMax = Math.max(CONTACT_LEAST, Math.ceil(limit * CONTACT_SHARE))
      contacts.count(`${projectId} ${email}`, contactMax, 'The contact')
    },
    async track(
      { projectId, isPublic = false, idempotencyKey }: TrackingCaller,
      input: z.output<typeof EventToTrack>,
      { cause, publicKeyUpdates }: TrackedBy,
    ) {
      const now = ctx.clock.now()
      const change = applyDataRules(input.data)
      const eventId = newId(now)
      // The event has its data even if the contact doesn't get it.
      const { patch, removed, subscribed } =
        publicKeyUpdates === 'none' ? NO_UPDATE : { ...change, subscribed: input.subscribed }
      const decisions = await readDecisions(ctx, projectId, input.topics, { keepsOptOuts: isPublic })
      const topics = publicKeyUpdates === 'none' ? undefined : decisions
      const contactId = await record({
        upsert: {
          projectId,
          now,
          people: [{ ...newPerson(now, input.email, patch, subscribed), topics }],
          subscribedByDefault: SUBSCRIBED_IF_NEW.track,
          removed,
          cause,
          byPublicKey: publicKeyUpdates !== undefined,
          onlyNew: publicKeyUpdates === 'new',
        },
        id: eventId,
        name: input.event,
        data: change.sent,
        idempotencyKey,
      })
      return { success: true, data: { contact: contactId, event: eventId, timestamp: now } }
    },
  }
}

function mayJoin(): (event: EventToRecord) => boolean {
  const requestsSame = createSameRequestCheck()
  return (event) => requestsSame(event.upsert)
}

export async function listEvents(
  ctx: Context,
  projectId: string,
  { limit, cursor, ...filter }: z.output<typeof EventListQuery> & { contactId?: string },
) {
  const [rows, total] = await Promise.all([
    journal.listEvents(ctx, projectId, { ...filter, before: cursor, limit }),
    cursor === undefined ? journal.countEvents(ctx, projectId, filter) : 0,
  ])
  return cursorPage(rows, limit, total, showEvent)
}

export async function listContactEvents(
  ctx: Context,
  projectId: string,
  contactId: string,
  query: z.output<typeof EventListQuery>,
) {
  await getContact(ctx, projectId, contactId)
  return listEvents(ctx, projectId, { ...query, contactId })
}

export async function getEventStats(ctx: Context, projectId: string, range: z.output<typeof EventStatsQuery>) {
  refuseReversedRange(range)
  const rows = await journal.readNameTallies(ctx, projectId, range)
  return { total: rows[0]?.total ?? 0, data: rows.map(({ name, count, contacts }) => ({ name, count, contacts })) }
}

export async function listEventNames(ctx: Context, projectId: string) {
  const names = await journal.listEventNames(ctx, projectId)
  return { names, eventNames: names }
}

export async function getEventUsage(ctx: Context, projectId: string, name: string) {
  const [users, { count, contacts }] = await Promise.all([
    listEventUsers(ctx.db, projectId, name),
    journal.readNameTally(ctx, projectId, name),
  ])
  const of = (kind: EventUser['kind']) =>
    users.filter((user) => user.kind === kind).map(({ id, name }) => ({ id, name }))
  return {
    usedInSegments: of('segment'),
    usedInWorkflows: of('workflow'),
    usedInCampaigns: of('campaign'),
    totalCount: count,
    uniqueContacts: contacts,
  }
}

/** What the data of an event has, for conditions. The type of a property is that of its latest value. */
export async function getEventFields(ctx: Context, projectId: string, name: string) {
  const rows = await listEventFields(ctx.db, projectId, name, FIELDS_FROM_EVENTS)
  const sampled = rows[0]?.sampled ?? 0
  return {
    fields: rows.map(({ path, type, events }) => {
      const property = path.join('.')
      return { field: property, property, type, coverage: events / sampled }
    }),
    sampled,
  }
}

/** How often an event was recorded on each day, including days without it. */
export async function getEventDays(
  ctx: Context,
  projectId: string,
  name: string,
  range: z.output<typeof EventStatsQuery>,
) {
  return { data: await journal.readEventDays(ctx, projectId, name, dayRange(range, ctx.clock.now())) }
}

export async function deleteEvents(ctx: Context, projectId: string, name: string, who: Actor) {
  if (isReservedEvent(name)) {
    throw invalidField('eventName', "System events can't be deleted.", 'reserved_event')
  }
  // First, so that a deletion that is interrupted has its entry.
  await recordAuditEntry(ctx, ctx.db, { ...who, projectId, act: 'events.deleted', details: { name } })
  return { deletedCount: await journal.deleteEvents(ctx, projectId, name) }
}

const showEvent = (row: journal.EventRow) => ({
  id: row.id,
  name: row.name,
  contactId: row.contact_id,
  emailId: row.email_id,
  data: row.data,
  createdAt: row.created_at,
  contact: row.contact_id && row.contact_email ? { id: row.contact_id, email: row.contact_email } : null,
})
