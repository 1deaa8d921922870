/** Webhook endpoints: creating and changing them, their secrets, tests, the log and replays. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { conflict, invalidField, notFound } from '../../../kernel/errors.ts'
import { firstIdAt, newId } from '../../../kernel/ids.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import { refuseReversedRange } from '../../../kernel/time-range.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { readEndpointBacklog, retryWaiting } from './backlog-queries.ts'
import { EVENT_TYPES, exampleFacts, firstWanted } from './event-types.ts'
import * as deliveries from './log-queries.ts'
import * as queries from './queries.ts'
import { payloadOf } from './request.ts'
import type {
  DeliveryQuery,
  EndpointChanges,
  EndpointQuery,
  NewEndpoint,
  ReplayRequest,
  Rotation,
  TestRequest,
} from './schemas.ts'
import { newSecret, rotated, showSecret, validSecrets } from './secrets.ts'
import type { WebhookSender } from './sender.ts'

const ENDPOINTS_MAX = 20
const OVERLAP_HOURS = 24
const KEPT_MS = 30 * 24 * 3600_000
const DELETE_AT_ONCE = 10_000
const ERASE_AT_ONCE = 5_000

export const listEventTypes = () => ({ data: EVENT_TYPES })

export async function listEndpoints(
  ctx: Context,
  projectId: string,
  { cursor, limit }: z.output<typeof EndpointQuery>,
) {
  const [rows, total] = await Promise.all([
    queries.listEndpoints(ctx.db, projectId, { before: cursor, limit }),
    cursor === undefined ? queries.countEndpoints(ctx.db, projectId) : 0,
  ])
  return cursorPage(rows, limit, total, showEndpoint)
}

export async function getEndpoint(ctx: Context, projectId: string, id: string) {
  const row = await find(ctx.db, projectId, id)
  return { ...showEndpoint(row), backlog: await readEndpointBacklog(ctx.db, projectId, id, ctx.clock.now()) }
}

export async function createEndpoint(ctx: Context, projectId: string, input: z.output<typeof NewEndpoint>, who: Actor) {
  const now = ctx.clock.now()
  const { url, eventTypes, description = null, enabled = true } = input
  const row = await transaction(ctx.db, async (tx) => {
    await queries.lockProject(tx, projectId)
    if ((await queries.countEndpoints(tx, projectId)) >= ENDPOINTS_MAX) {
      throw conflict(`The project has ${ENDPOINTS_MAX} webhook endpoints, which is the maximum. Delete one first.`)
    }
    const made = await queries.insertEndpoint(tx, projectId, {
      id: newId(now),
      url,
      host: hostOf(url),
      description,
      event_types: eventTypes,
      enabled,
      secrets: [newSecret(ctx)],
      created_at: now,
    })
    const details = { endpointId: made.id, url, eventTypes }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'webhook-endpoint.created', details })
    return made
  })
  return { ...showEndpoint(row), secret: showSecret(ctx, row.secrets) }
}

/** Enabling an endpoint starts the five days again, and what is waiting is sent at once. */
export async function changeEndpoint(
  ctx: Context,
  projectId: string,
  id: string,
  changes: z.output<typeof EndpointChanges>,
  who: Actor,
) {
  const { row, isRevived } = await transaction(ctx.db, async (tx) => {
    const before = await find(tx, projectId, id, { lock: true })
    const changed = (Object.keys(changes) as Array<keyof typeof changes>).filter((key) => changes[key] !== undefined)
    if (changed.length === 0) return { row: before, isRevived: false }
    const { url = before.url, eventTypes = before.event_types, description, enabled = before.enabled } = changes
    const isRevived = enabled && !before.enabled
    const row = await queries.updateEndpoint(
      tx,
      {
        ...before,
        url,
        host: hostOf(url),
        event_types: eventTypes,
        description: description === undefined ? before.description : description,
        enabled,
        disabled_reason: enabled ? null : before.disabled_reason,
        failing_since: isRevived ? null : before.failing_since,
      },
      ctx.clock.now(),
    )
    const shownBefore = showEndpoint(before)
    const details = {
      endpointId: id,
      ...Object.fromEntries(changed.map((key) => [key, changes[key]])),
      before: Object.fromEntries(changed.map((key) => [key, shownBefore[key]])),
    }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'webhook-endpoint.changed', details })
    return { row, isRevived }
  })
  if (isRevived) {
    const now = ctx.clock.now()
    while (await retryWaiting(ctx.db, projectId, id, now)) {}
  }
  return showEndpoint(row)
}

export async function deleteEndpoint(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const { url } = await find(tx, projectId, id, { lock: true })
    await queries.deleteEndpoint(tx, projectId, id)
    const details = { endpointId: id, url }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'webhook-endpoint.deleted', details })
  })
}

export const getSecret = async (ctx: Context, projectId: string, id: string) => ({
  secret: showSecret(ctx, (await find(ctx.db, projectId, id)).secrets),
})

export async function rotateSecret(
  ctx: Context,
  projectId: string,
  id: string,
  rotation: z.output<typeof Rotation>,
  who: Actor,
) {
  const overlapHours = rotation?.overlapHours ?? OVERLAP_HOURS
  return transaction(ctx.db, async (tx) => {
    const before = await find(tx, projectId, id, { lock: true })
    const now = ctx.clock.now()
    const secrets = rotated(ctx, before.secrets, overlapHours, now)
    await queries.updateEndpoint(tx, { ...before, secrets }, now)
    const details = { endpointId: id, overlapHours }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'webhook-endpoint.secret-rotated', details })
    return { secret: showSecret(ctx, secrets) }
  })
}

/** Works for a disabled endpoint too, and doesn't change whether the endpoint counts as failing. */
export async function testEndpoint(
  ctx: Context,
  sender: WebhookSender,
  projectId: string,
  id: string,
  { eventType }: z.output<typeof TestRequest> = {},
  who: Actor,
) {
  const endpoint = await find(ctx.db, projectId, id)
  const type = eventType ?? firstWanted(endpoint.event_types)
  const facts = exampleFacts(type, endpoint.event_types)
  if (!facts) {
    throw invalidField(
      'eventType',
      `${type} is neither an event type of Posthorn nor one that this endpoint wants. See GET /webhook-endpoints/event-types.`,
    )
  }
  const now = ctx.clock.now()
  const eventId = newId(now)
  const request = { projectId, eventId, eventType: type, eventAt: now, facts }
  const attempt = await sender.test(endpoint, validSecrets(ctx, endpoint.secrets, now), request)
  const succeeded = attempt.status !== null && attempt.status >= 200 && attempt.status < 300
  const test = { id: newId(now), eventId, eventType: type, at: now, facts, succeeded, attempt }
  await transaction(ctx.db, async (tx) => {
    await deliveries.insertTest(tx, projectId, id, test)
    const details = { endpointId: id, url: endpoint.url, eventType: type, status: attempt.status }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'webhook-endpoint.tested', details })
  })
  const { status, durationMs, response, error } = attempt
  return { status, durationMs, response, error }
}

export async function listDeliveries(
  ctx: Context,
  projectId: string,
  id: string,
  { cursor, limit, ...filter }: z.output<typeof DeliveryQuery>,
) {
  refuseReversedRange(filter)
  await find(ctx.db, projectId, id)
  const [rows, total] = await Promise.all([
    deliveries.listDeliveries(ctx.db, projectId, id, { ...filter, before: cursor, limit }),
    cursor === undefined ? deliveries.countDeliveries(ctx.db, projectId, id, filter) : 0,
  ])
  return cursorPage(rows, limit, total, showDelivery)
}

export async function getDelivery(ctx: Context, projectId: string, id: string, deliveryId: string) {
  await find(ctx.db, projectId, id)
  const row = await deliveries.findDelivery(ctx.db, projectId, id, deliveryId)
  if (!row) throw notFound('delivery', deliveryId)
  const about = { projectId, eventId: row.event_id, eventType: row.event_type, eventAt: row.event_at }
  return { ...showDelivery(row), payload: payloadOf(about, row.facts), attemptLog: row.attempts }
}

export async function replayDelivery(ctx: Context, projectId: string, id: string, deliveryId: string, who: Actor) {
  const { url } = await find(ctx.db, projectId, id)
  return transaction(ctx.db, async (tx) => {
    const replayed = await deliveries.replayDelivery(tx, projectId, id, deliveryId, ctx.clock.now())
    if (!replayed) throw notFound('delivery', deliveryId)
    const details = { endpointId: id, url, deliveryId, deliveries: 1 }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'webhook-endpoint.replayed', details })
    return { id: replayed }
  })
}

export async function replayDeliveries(
  ctx: Context,
  projectId: string,
  id: string,
  { since, until, status = 'failed', eventType }: z.output<typeof ReplayRequest>,
  who: Actor,
) {
  const now = ctx.clock.now()
  // No delivery is from before 1970, and its ID could not be one.
  const momentOf = (text: string) => new Date(Math.max(0, Date.parse(text)))
  const range = { since: momentOf(since), until: until === undefined ? new Date(now.getTime() + 1) : momentOf(until) }
  if (range.since > now)
    throw invalidField('since', `${since} is in the future. Deliveries of the past can be replayed.`)
  if (range.until < range.since) throw invalidField('until', '`until` is before `since`.')
  const { url } = await find(ctx.db, projectId, id)
  return transaction(ctx.db, async (tx) => {
    const count = await deliveries.replayRange(tx, projectId, id, { ...range, status, eventType }, now)
    const details = { endpointId: id, url, since, until, status, eventType, deliveries: count }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'webhook-endpoint.replayed', details })
    return { count }
  })
}

/** Deletes log entries after 30 days, and deliveries of endpoints that no longer exist. */
export async function deleteOldDeliveries(ctx: Context): Promise<void> {
  const end = firstIdAt(new Date(ctx.clock.now().getTime() - KEPT_MS))
  for (const remove of [deliveries.deleteLogBefore, deliveries.deleteWaitingBefore])
    while ((await remove(ctx.db, end, DELETE_AT_ONCE)) === DELETE_AT_ONCE);
}

/** When contacts are deleted: what was sent about them, and what waits. */
export const webhooksOfContacts = {
  erase: async (db: Database, projectId: string, contactIds: string[]): Promise<number> => {
    const logged = await deliveries.eraseLog(db, projectId, contactIds, ERASE_AT_ONCE)
    return logged > 0 ? logged : deliveries.eraseWaiting(db, projectId, contactIds, ERASE_AT_ONCE)
  },
}

async function find(db: Database | Tx, projectId: string, id: string, options = {}): Promise<queries.EndpointRow> {
  const row = await queries.findEndpoint(db, projectId, id, options)
  if (!row) throw notFound('webhook endpoint', id)
  return row
}

const hostOf = (url: string): string => new URL(url).hostname

const showEndpoint = (row: queries.EndpointRow) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  eventTypes: row.event_types,
  enabled: row.enabled,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  lastDeliveryAt: row.last_delivery_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const showDelivery = (row: deliveries.DeliveryRow) => ({
  id: row.id,
  webhookId: row.event_id,
  eventType: row.event_type,
  status: row.succeeded === null ? 'pending' : row.succeeded ? 'succeeded' : 'failed',
  attempts: row.attempts.length,
  nextAttemptAt: row.next_attempt_at,
  createdAt: row.created_at,
  test: row.is_test,
  lastAttempt: row.attempts.at(-1) ?? null,
})
