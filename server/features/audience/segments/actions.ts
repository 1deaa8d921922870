/** Segments: creating, reading, changing and deleting them, and their members. */

import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import {
  type Condition,
  eventNamesOf,
  fieldsOf,
  filterCountOf,
  segmentIdsOf,
  topicKeysOf,
} from '../../../kernel/conditions/condition.ts'
import { conflict, invalidField, notFound } from '../../../kernel/errors.ts'
import { requireUnchanged } from '../../../kernel/etag.ts'
import { newId } from '../../../kernel/ids.ts'
import { numberedPage, offsetOf, type PageChoice } from '../../../kernel/pages.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, changesOf, recordAuditEntry, SYSTEM } from '../../record/audit/actions.ts'
import { getContact, showContact } from '../contacts/actions.ts'
import type { ContactDataOwner } from '../contacts/erasure.ts'
import type { ContactSort } from '../contacts/schemas.ts'
import { requireTopicKeys } from '../contacts/topics.ts'
import type { Matching } from '../imports/actions.ts'
import { eventSource } from './compute.ts'
import { requireBehaviorReferences } from './conditions/references.ts'
import { refuseBadReferences } from './graph.ts'
import * as members from './member-queries.ts'
import * as queries from './queries.ts'
import type { NewSegment, SegmentChanges, SegmentType } from './schemas.ts'

export { recomputeSegments } from './compute.ts'
export { deleteOldSegmentSizes } from './history/sizes.ts'
export {
  audienceSql,
  filterMatching,
  findSegment,
  listMatching,
  resolveSegments,
  segmentAudienceSql,
  withStatementTimeout,
} from './queries.ts'

/** When contacts are deleted: repeated during the erasure, for contacts that became members in the meantime. */
export const membershipsOfContacts: ContactDataOwner = { stop: members.leaveSegments, erase: members.leaveSegments }

/** For bulk changes of all contacts that match a condition. */
export const matchingContacts: Matching = {
  check: (ctx, db, projectId, condition) => requireReferences(ctx, projectId, condition, db),
  async count(ctx, tx, projectId, condition, before) {
    const audience = await queries.audienceSql(tx, projectId, condition, ctx.clock.now())
    return queries.countMatching(tx, projectId, queries.createdBeforeSql(audience, before))
  },
  async next(ctx, tx, projectId, condition, range) {
    const audience = await queries.audienceSql(tx, projectId, condition, ctx.clock.now(), { someContacts: true })
    return queries.listMatchingIds(tx, projectId, audience, range)
  },
}

/** The segments that contain a contact, by name. */
export async function listContactSegments(ctx: Context, projectId: string, contactId: string) {
  await getContact(ctx, projectId, contactId)
  const now = ctx.clock.now()
  const segments = await queries.listSegments(ctx.db, projectId)
  const contained = await queries.withStatementTimeout(ctx.db, (tx) =>
    queries.findContaining(tx, projectId, contactId, segments, now),
  )
  return segments
    .filter((_, i) => contained[i])
    .map(({ id, name, type }) => ({ id, name, type: type as SegmentType }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** All segments are returned at once, so the tag is compared here. */
export async function listSegments(ctx: Context, projectId: string, tag: string | undefined) {
  const rows = await queries.listSegments(ctx.db, projectId)
  return rows.filter(({ tags }) => !tag || tags.includes(tag)).map(showSegment)
}

export async function requireSegment(ctx: Context, projectId: string, id: string): Promise<queries.SegmentRow> {
  const row = await queries.findSegment(ctx.db, projectId, id)
  if (!row) throw notFound('segment', id)
  return row
}

export const getSegment = async (ctx: Context, projectId: string, id: string) =>
  showSegment(await requireSegment(ctx, projectId, id))

/** Other features call this before they store a condition, which can refer to segments and topics. */
export async function requireReferences(
  ctx: Context,
  projectId: string,
  condition: Condition,
  db: Database | Tx = ctx.db,
  /** Where the condition is in the request, for errors. */
  at = 'condition',
): Promise<void> {
  const known = await queries.resolveSegments(db, projectId, condition)
  for (const id of segmentIdsOf(condition)) if (!known.has(id)) throw notFound('segment', id)
  await requireTopicKeys(db, projectId, topicKeysOf(condition))
  await requireBehaviorReferences(db, projectId, condition, at)
}

export async function createSegment(
  ctx: Context,
  projectId: string,
  input: z.output<typeof NewSegment>,
  who: Actor = SYSTEM,
) {
  const now = ctx.clock.now()
  const condition = input.condition ?? null
  const row = {
    id: newId(now),
    name: input.name,
    description: input.description ?? null,
    type: input.type,
    condition,
    track_membership: input.trackMembership,
    tags: input.tags,
    ...factsOf(condition),
  }
  if (condition) await requireReferences(ctx, projectId, condition)
  const member_count = condition ? await countNow(ctx, projectId, condition) : 0
  const created = await transaction(ctx.db, async (tx) => {
    if (condition) await checkReferences(tx, projectId, row, condition)
    const details = { segmentId: row.id, name: row.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'segment.created', details })
    return queries.insertSegment(tx, projectId, { ...row, member_count }, now)
  })
  return showSegment(created)
}

export async function patchSegment(
  ctx: Context,
  projectId: string,
  id: string,
  { name, description, trackMembership, condition, tags }: z.output<typeof SegmentChanges>,
  who: Actor,
  ifMatch?: string,
) {
  const now = ctx.clock.now()
  const { type } = await requireSegment(ctx, projectId, id)
  if (type === 'DYNAMIC' && condition === null)
    throw invalidField('condition', 'A DYNAMIC segment requires a condition.', 'invalid_type')
  const tree = (type === 'DYNAMIC' && condition) || undefined
  if (tree) await requireReferences(ctx, projectId, tree)
  const member_count = tree ? await countNow(ctx, projectId, tree) : 0
  const row = await transaction(ctx.db, async (tx) => {
    if (tree) await queries.lockGraph(tx, projectId)
    if (trackMembership !== undefined) await members.lockMembers(tx, id, { wait: true })
    const before = await queries.lockSegment(tx, projectId, id)
    if (!before) throw notFound('segment', id)
    requireUnchanged(ifMatch, before.updated_at)
    const facts = factsOf(tree ?? null)
    if (tree) await checkReferences(tx, projectId, { id, name: name ?? before.name, ...facts }, tree)
    const starts = trackMembership === true && !before.track_membership
    const stops = trackMembership === false && before.track_membership
    if (stops && type === 'DYNAMIC') await members.deleteMembers(tx, projectId, id)
    const patch: queries.SegmentPatch = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(trackMembership === undefined ? {} : { track_membership: trackMembership }),
      ...(tags === undefined ? {} : { tags }),
      ...(tree ? { condition: { tree, member_count, ...facts } } : {}),
      is_stale: tree !== undefined || starts,
    }
    const after = await queries.updateSegment(tx, projectId, id, patch, now)
    if (tree || starts || stops) await members.markDependents(tx, projectId, now)
    const changes = changesOf(showSegment(before), showSegment(after!))
    const details = { segmentId: id, name: after!.name, ...changes }
    if (changes) await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'segment.changed', details })
    return after!
  })
  return showSegment(row)
}

export async function deleteSegment(ctx: Context, projectId: string, id: string, who: Actor = SYSTEM): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await queries.lockGraph(tx, projectId)
    await members.lockMembers(tx, id, { wait: true })
    const segment = await queries.findSegment(tx, projectId, id)
    if (!segment) throw notFound('segment', id)
    const reason = inUseReason(await queries.listUsers(tx, projectId, id))
    if (reason) throw conflict(reason)
    await queries.deleteSegment(tx, projectId, id)
    const details = { segmentId: id, name: segment.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'segment.deleted', details })
  })
}

function inUseReason(users: queries.SegmentUser[]): string | undefined {
  if (users.length === 0) return undefined
  const names = users.slice(0, 5).map(({ kind, name }) => `the ${kind} "${name}"`)
  const more = users.length > names.length ? ` and ${users.length - names.length} more` : ''
  return `The segment is used by ${names.join(', ')}${more}. Change or delete them first.`
}

async function checkReferences(
  tx: Tx,
  projectId: string,
  segment: { id: string; name: string } & queries.ConditionFacts,
  condition: Condition,
): Promise<void> {
  await queries.lockGraph(tx, projectId)
  const { id, name, segment_ids: segmentIds, filter_count: filterCount } = segment
  refuseBadReferences({ id, name, segmentIds, filterCount }, condition, await queries.readGraph(tx, projectId))
}

const factsOf = (condition: Condition | null): queries.ConditionFacts => ({
  fields: condition ? fieldsOf(condition) : [],
  event_names: condition ? eventNamesOf(condition) : [],
  segment_ids: condition ? segmentIdsOf(condition) : [],
  filter_count: condition ? filterCountOf(condition) : 0,
})

async function countNow(ctx: Context, projectId: string, condition: Condition): Promise<number> {
  const audience = await queries.audienceSql(ctx.db, projectId, condition, ctx.clock.now())
  return queries.withStatementTimeout(ctx.db, (tx) => queries.countMatching(tx, projectId, audience))
}

/** Counts the members of a segment; only the stored count changes. */
export async function refreshSegment(ctx: Context, projectId: string, id: string) {
  const { condition, member_count } = await requireSegment(ctx, projectId, id)
  if (!condition) return { memberCount: member_count }
  const memberCount = await countNow(ctx, projectId, condition)
  await queries.setMemberCount(ctx.db, projectId, id, memberCount)
  return { memberCount }
}

export async function listSegmentContacts(ctx: Context, projectId: string, id: string, choice: PageChoice) {
  const segment = await requireSegment(ctx, projectId, id)
  const audience = await queries.segmentAudienceSql(ctx.db, projectId, segment, ctx.clock.now())
  const window = { limit: choice.pageSize, offset: offsetOf(choice) }
  const known = segment.member_count
  const { rows, total } = await queries.withStatementTimeout(ctx.db, async (tx) =>
    segment.condition
      ? queries.pageMatching(tx, projectId, audience, { ...window, expected: known })
      : { rows: await queries.listMatching(tx, projectId, audience, { ...window, total: known }), total: known },
  )
  if (total !== segment.member_count) await queries.setMemberCount(ctx.db, projectId, id, total)
  return numberedPage(rows, choice, total, showContact)
}

/** The contacts that match a condition that is not stored: their number, and a page of them. */
export async function previewCondition(
  ctx: Context,
  projectId: string,
  { condition, sort, ...choice }: { condition: Condition; sort: ContactSort } & PageChoice,
) {
  await requireReferences(ctx, projectId, condition)
  const audience = await queries.audienceSql(ctx.db, projectId, condition, ctx.clock.now())
  return queries.withStatementTimeout(ctx.db, async (tx) => {
    const total = await queries.countMatching(tx, projectId, audience)
    const window = { limit: choice.pageSize, offset: offsetOf(choice), total, sort }
    const sample = await queries.listMatching(tx, projectId, audience, window)
    return { count: total, sample: sample.map(showContact) }
  })
}

const showSegment = (row: queries.SegmentRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type as SegmentType,
  condition: row.condition,
  trackMembership: row.track_membership,
  memberCount: row.member_count,
  tags: row.tags,
  projectId: row.project_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** The segments whose members cause this event when they enter. Several can have names with the same slug. */
export async function listSegmentsEnteredBy(db: Database | Tx, projectId: string, eventName: string) {
  const segments = await queries.listSegments(db, projectId)
  return segments.filter((segment) => segment.track_membership && eventSource(segment).entry === eventName)
}
