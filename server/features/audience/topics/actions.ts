/** Topics: what contacts can choose to receive. Creating, changing and deleting them, and the choices of a contact. */
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { conflict, countOf, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { cursorPage, invalidCursor } from '../../../kernel/pages.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { getContact } from '../contacts/actions.ts'
import { setTopics, TOPICS_MAX, type TopicChoices } from '../contacts/topics.ts'
import * as queries from './queries.ts'
import type { NewTopic, TopicChanges, TopicQuery } from './schemas.ts'

export { type ContactTopicRow, findTopicRule, listContactTopics as listTopicsOf } from './queries.ts'

export async function listTopics(ctx: Context, projectId: string, { limit, cursor }: z.output<typeof TopicQuery>) {
  const [all, counts] = await Promise.all([
    queries.listTopics(ctx.db, projectId),
    queries.countSubscribers(ctx.db, projectId, ctx.clock.now()),
  ])
  const at = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  if (cursor !== undefined && at === 0) throw invalidCursor()
  return cursorPage(all.slice(at, at + limit + 1), limit, all.length, (row) => showTopic(row, counts))
}

export async function getTopic(ctx: Context, projectId: string, id: string) {
  return shown(ctx, ctx.db, await requireRow(ctx.db, projectId, id))
}

const requireRow = async (
  db: Database | Tx,
  projectId: string,
  id: string,
  lock?: 'change' | 'use',
): Promise<queries.TopicRow> => {
  const row = await queries.findTopic(db, projectId, id, lock)
  if (!row) throw notFound('topic', id)
  return row
}

/** For what refers to a topic: it can't be deleted until the transaction ends. */
export async function requireTopic(tx: Database | Tx, projectId: string, id: string | null | undefined): Promise<void> {
  if (id) await requireRow(tx, projectId, id, 'use')
}

/** Numbers are random, so that none is used again. */
const NUMBER_END = 2 ** 31

export async function createTopic(ctx: Context, projectId: string, input: z.output<typeof NewTopic>, who: Actor) {
  const now = ctx.clock.now()
  const { key, name, description = null, defaultSubscribed, isPublic, position } = input
  const row = await transaction(ctx.db, async (tx) => {
    if ((await queries.lockTopics(tx, projectId)) >= TOPICS_MAX) {
      throw conflict(`A project can have at most ${TOPICS_MAX} topics. Delete one first.`)
    }
    const fields = { name, description, default_subscribed: defaultSubscribed, is_public: isPublic, position }
    const made = await queries.insertTopic(
      tx,
      projectId,
      { id: newId(now), number: randomInt(1, NUMBER_END), key, ...fields },
      now,
    )
    if (!made) throw conflict(`Another topic in this project already has the key ${key}.`)
    const details = { topicId: made.id, key, name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'topic.created', details })
    return made
  })
  return shown(ctx, ctx.db, row)
}

export async function changeTopic(
  ctx: Context,
  projectId: string,
  id: string,
  changes: z.output<typeof TopicChanges>,
  who: Actor,
) {
  const { defaultSubscribed, isPublic, ...same } = changes
  const fields = { ...same, default_subscribed: defaultSubscribed, is_public: isPublic }
  const row = await transaction(ctx.db, async (tx) => {
    const before = await requireRow(tx, projectId, id, 'change')
    const after = await queries.updateTopic(tx, projectId, id, fields, ctx.clock.now())
    const names = (Object.keys(changes) as Array<keyof typeof changes>).filter((name) => changes[name] !== undefined)
    const details = {
      topicId: id,
      key: before.key,
      ...Object.fromEntries(names.map((name) => [name, changes[name]])),
      before: Object.fromEntries(names.map((name) => [name, showTopic(before)[name]])),
    }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'topic.changed', details })
    return after
  })
  return shown(ctx, ctx.db, row)
}

export async function deleteTopic(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const row = await requireRow(tx, projectId, id, 'change')
    const usedBy = await queries.listUsers(tx, projectId, row)
    if (usedBy.length > 0) {
      throw conflict(`The topic is used by ${namesOf(usedBy)}. Choose another topic there first.`, {
        details: { usedBy },
      })
    }
    await queries.deleteTopic(tx, projectId, id)
    const details = { topicId: id, key: row.key, name: row.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'topic.deleted', details })
  })
}

const NAMED_MAX = 3

function namesOf(users: queries.TopicUser[]): string {
  const named = users.slice(0, NAMED_MAX).map(({ kind, name }) => `the ${kind} "${name}"`)
  const more = users.length - named.length
  return new Intl.ListFormat('en-GB').format(more > 0 ? [...named, `${countOf(more, 'other')}`] : named)
}

const shown = async (ctx: Context, db: Database | Tx, row: queries.TopicRow) =>
  showTopic(row, await queries.countSubscribers(db, row.project_id, ctx.clock.now()))

const showTopic = (row: queries.TopicRow, counts?: Map<number, number>) => ({
  id: row.id,
  key: row.key,
  name: row.name,
  description: row.description,
  defaultSubscribed: row.default_subscribed,
  isPublic: row.is_public,
  position: row.position,
  subscriberCount: counts?.get(row.number) ?? 0,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export async function getContactTopics(ctx: Context, projectId: string, contactId: string) {
  await getContact(ctx, projectId, contactId)
  const rows = await queries.listContactTopics(ctx.db, projectId, contactId)
  return {
    data: rows.map(({ key, name, chosen, subscribed, source, updated_at }) => ({
      key,
      name,
      subscribed,
      suppressed: chosen && !subscribed,
      source,
      updatedAt: updated_at,
    })),
  }
}

export async function changeContactTopics(
  ctx: Context,
  projectId: string,
  contactId: string,
  topics: TopicChoices,
  cause: ConsentCause,
) {
  await transaction(ctx.db, async (tx) => {
    await getContact(ctx, projectId, contactId, tx)
    await setTopics(ctx, tx, { projectId, contactIds: [contactId], topics, cause })
  })
  return getContactTopics(ctx, projectId, contactId)
}
