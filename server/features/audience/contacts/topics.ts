/** What contacts choose to receive: decisions about topics, by the topics' keys. */
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { invalid } from '../../../kernel/errors.ts'
import { recordOf } from '../../../kernel/records.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import * as queries from './topic-queries.ts'

export const TOPICS_MAX = 50

export type { TopicDecisions } from './topic-queries.ts'
export { decideTopics, findTopicsByKey as listTopicRules, type KeyedTopic } from './topic-queries.ts'

export type TopicChoices = Record<string, boolean>

const unknownTopic = (key: string) => ({
  message: `There is no topic with the key "${key.slice(0, 100)}".`,
  code: 'unknown_topic',
})

export const topicsField = recordOf(z.string(), z.boolean(), unknownTopic('__proto__'))
  .refine((topics) => Object.keys(topics).length <= TOPICS_MAX, `Must have at most ${TOPICS_MAX} topics.`)
  .meta({
    description: 'Keys of topics: true subscribes the contact to the topic, false opts out. Others stay unchanged.',
    examples: [{ 'product-news': true }],
  })

/** The decisions of a request; undefined if it has none. Refuses unknown keys. */
export async function readDecisions(
  ctx: Context,
  projectId: string,
  topics: TopicChoices | undefined,
  { keepsOptOuts = false }: { keepsOptOuts?: boolean | undefined } = {},
  db: Database | Tx = ctx.db,
): Promise<queries.TopicDecisions | undefined> {
  const chosen = Object.entries(topics ?? {})
  if (chosen.length === 0) return undefined
  const known = await queries.findTopicsByKey(db, projectId, Object.keys(topics!))
  const numbers = new Map(known.map(({ key, number }) => [key, number]))
  refuseUnknown(chosen.map(([key]) => key).filter((key) => !numbers.has(key)))
  const decisions = chosen.map(([key, isChosen]) => (isChosen ? numbers.get(key)! : -numbers.get(key)!))
  return { decisions, keepsOptOuts }
}

/** For conditions, which refer to topics by key. */
export async function requireTopicKeys(db: Database | Tx, projectId: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  const known = new Set((await queries.findTopicsByKey(db, projectId, keys)).map(({ key }) => key))
  refuseUnknown(keys.filter((key) => !known.has(key)))
}

function refuseUnknown(keys: string[]): void {
  if (keys.length === 0) return
  throw invalid(keys.map((key) => ({ field: `topics.${key}`, ...unknownTopic(key) })))
}

export interface TopicChange {
  projectId: string
  contactIds: string[]
  topics: TopicChoices
  cause: ConsentCause
  /** Stored opt-outs stay. */
  keepsOptOuts?: boolean
  /** The email that led to the change, if any. */
  emailId?: queries.DecisionsOfContacts['emailId']
}

/**
 * Changes the topics of contacts that exist, only those that are named, and records topic.subscribed and topic.unsubscribed.
 * Returns for each of these contacts whether a decision changed.
 */
export async function setTopics(ctx: Context, db: Database | Tx, change: TopicChange): Promise<Map<string, boolean>> {
  const { projectId, contactIds, topics, cause, keepsOptOuts, emailId } = change
  const read = await readDecisions(ctx, projectId, topics, { keepsOptOuts }, db)
  if (!read) return new Map()
  const now = ctx.clock.now()
  const found = await queries.decideTopics(db, { projectId, contactIds, cause, emailId, now, ...read })
  return new Map(found.map(({ id, changed }) => [id, changed]))
}

/** Decisions are deleted with their contacts; this deletes those that were stored at the same time. */
export const decisionsOfContacts = { erase: queries.eraseDecisions }
