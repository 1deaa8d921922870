/**
 * Contacts that come from another service, in batches. Nobody who opted out there or here is subscribed by it: an opt-out is
 * always written, and a subscription only for people who have not opted out. A batch that is sent again changes nothing.
 */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { applyDataRules, type Data, TOO_MUCH_TO_STORE } from '../../../kernel/contact-data.ts'
import { isEmailAddress, normalizeEmail } from '../../../kernel/email-address.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { isTooMuchData, newPerson } from '../contacts/actions.ts'
import { listTopicRules } from '../contacts/topics.ts'
import * as queries from './queries.ts'
import type { TransferBatch, TransferResult } from './schemas.ts'

type Batch = z.output<typeof TransferBatch>
type Given = Batch['contacts'][number]
type Result = z.output<typeof TransferResult>
type Problem = Result['errors'][number]

/** One contact of the batch, whatever its number of entries. */
interface Moved {
  index: number
  email: string
  subscribed: boolean | undefined
  patch: Data
  topics: Record<string, boolean>
  consent: Given['consent']
}

/** Thrown to undo a dry run. */
class DryRun extends Error {
  readonly result: Result

  constructor(result: Result) {
    super('dry run')
    this.result = result
  }
}

export async function transferContacts(
  ctx: Context,
  projectId: string,
  batch: Batch,
  cause: ConsentCause,
): Promise<Result> {
  const errors: Problem[] = []
  const topics = await topicsIn(ctx, projectId, batch)
  const moved = readContacts(batch, topics, errors)
  const suppressions = readSuppressions(batch, errors)
  const write = async (): Promise<Result> => {
    try {
      return await transaction(ctx.db, async (tx) => {
        const written = await writeBatch(ctx, tx, projectId, {
          moved,
          suppressions,
          topics,
          source: batch.source,
          cause,
        })
        const result = { ...written, errors: errors.sort((a, b) => a.index - b.index) }
        if (batch.dryRun) throw new DryRun(result)
        return result
      })
    } catch (error) {
      if (error instanceof DryRun) return error.result
      if (!isTooMuchData(error)) throw error
      // The contacts that would have too much data fail, except for their opt-outs, and the others are written.
      const large = new Set(await queries.findTooLarge(ctx.db, projectId, [...moved.values()]))
      if (large.size === 0) throw error
      for (const email of large) {
        const contact = moved.get(email)!
        errors.push({ list: 'contacts', index: contact.index, email, error: TOO_MUCH_TO_STORE })
        const canOptOut = contact.subscribed === false && Object.keys(contact.patch).length > 0
        if (canOptOut) moved.set(email, { ...contact, patch: {} })
        else moved.delete(email)
      }
      return write()
    }
  }
  return write()
}

async function topicsIn(ctx: Context, projectId: string, { contacts }: Batch): Promise<Map<string, number>> {
  const keys = new Set(contacts.flatMap(({ topics }) => Object.keys(topics ?? {})))
  if (keys.size === 0) return new Map()
  const rules = await listTopicRules(ctx.db, projectId, [...keys])
  return new Map(rules.map(({ key, number }) => [key, number]))
}

/** By address. An opt-out counts whatever else its entry and the others contain; otherwise the later entry wins. */
function readContacts({ contacts, dryRun }: Batch, known: Map<string, number>, errors: Problem[]): Map<string, Moved> {
  const moved = new Map<string, Moved>()
  contacts.forEach((given, index) => {
    const email = normalizeEmail(given.email)
    const isAddress = isEmailAddress(email)
    const read = isAddress ? patchOf(given) : 'Must be an email address.'
    // In a dry run, the topics may not exist yet.
    const unknown = dryRun ? undefined : Object.keys(given.topics ?? {}).find((key) => !known.has(key))
    const error =
      typeof read === 'string' ? read : unknown && `There is no topic with the key "${unknown.slice(0, 100)}".`
    if (error) {
      errors.push({ list: 'contacts', index, email: given.email, error })
      if (!isAddress || given.subscribed !== false) return
    }
    const before = moved.get(email)
    const optsOut = given.subscribed === false || before?.subscribed === false
    moved.set(email, {
      index,
      email,
      subscribed: optsOut ? false : (given.subscribed ?? before?.subscribed),
      patch: { ...before?.patch, ...(error || typeof read === 'string' ? {} : read) },
      topics: mergedTopics(before?.topics, given.topics),
      consent: given.consent ?? before?.consent,
    })
  })
  return moved
}

function mergedTopics(before: Record<string, boolean> = {}, after: Record<string, boolean> = {}) {
  const declined = Object.entries(before).filter(([, isChosen]) => !isChosen)
  return { ...before, ...after, ...Object.fromEntries(declined) }
}

/** What is stored, or why it can't be. */
function patchOf({ data }: Given): Data | string {
  try {
    return applyDataRules(data).patch
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.extras.problems?.[0]?.message ?? error.message
  }
}

function readSuppressions({ suppressions }: Batch, errors: Problem[]): Map<string, queries.MovedSuppression> {
  const moved = new Map<string, queries.MovedSuppression>()
  suppressions.forEach(({ email: given, reason }, index) => {
    const email = normalizeEmail(given)
    if (isEmailAddress(email)) moved.set(email, { email, reason })
    else errors.push({ list: 'suppressions', index, email: given, error: 'Must be an email address.' })
  })
  return moved
}

interface Writing {
  moved: Map<string, Moved>
  suppressions: Map<string, queries.MovedSuppression>
  topics: Map<string, number>
  source: string
  cause: ConsentCause
}

async function writeBatch(ctx: Context, tx: Tx, projectId: string, batch: Writing): Promise<Omit<Result, 'errors'>> {
  const now = ctx.clock.now()
  const added = [...batch.suppressions.values()].map((each) => ({ ...each, id: newId(now) }))
  const suppressed = added.length === 0 ? 0 : await queries.addSuppressions(tx, projectId, added, now)
  // Locked and written in order of address, as everywhere.
  const contacts = [...batch.moved.values()].sort((a, b) => (a.email < b.email ? -1 : 1))
  if (contacts.length === 0) return { created: 0, updated: 0, unchanged: 0, optedOut: 0, kept: 0, suppressed }
  const known = await queries.lockKnown(
    tx,
    projectId,
    contacts.map(({ email }) => email),
  )
  const mayNotSubscribe = (email: string) => known.get(email)?.declined === true
  const leaving = contacts.filter(({ subscribed }) => subscribed === false)
  const kept = contacts.filter(({ email, subscribed }) => subscribed === true && mayNotSubscribe(email)).length

  const written = await queries.upsertPeople(
    tx,
    contacts.map((contact) => {
      const { email, patch, subscribed } = contact
      const here = known.get(email)
      const isNew = here?.exists !== true
      const joins = subscribed === true && !mayNotSubscribe(email)
      return {
        projectId,
        now,
        // Opting out has a step of its own, because it is the person's decision.
        people: [
          {
            ...newPerson(now, email, patch, joins || (isNew ? false : undefined)),
            topics: decisions(contact, here, batch),
          },
        ],
        subscribedByDefault: false,
        removed: [],
        cause: causeOf(contact, batch),
      }
    }),
  )
  const declined = await queries.optOut(
    tx,
    projectId,
    leaving.map((contact) => ({ email: contact.email, eventId: newId(now), cause: causeOf(contact, batch) })),
    now,
  )
  const created = written.filter(({ is_new }) => is_new).length
  const changed = new Set([...written.filter((row) => row.changed && !row.is_new).map(({ email }) => email)])
  const isCreated = new Set(written.filter(({ is_new }) => is_new).map(({ email }) => email))
  for (const email of declined) if (!isCreated.has(email)) changed.add(email)
  const updated = changed.size
  return {
    created,
    updated,
    unchanged: contacts.length - created - updated,
    optedOut: leaving.length,
    kept,
    suppressed,
  }
}

/** Stored opt-outs from topics stay. */
function decisions({ topics: chosen }: Moved, here: queries.Known | undefined, { topics }: Writing) {
  const numbers = Object.entries(chosen).flatMap(([key, isChosen]) => {
    const number = topics.get(key)
    return number === undefined || (isChosen && here?.topics.includes(-number)) ? [] : [isChosen ? number : -number]
  })
  return numbers.length === 0 ? undefined : { decisions: numbers, keepsOptOuts: true }
}

function causeOf({ consent }: Moved, { source, cause }: Writing): ConsentCause {
  const at = consent?.at ? ` There: ${consent.at}.` : ''
  const text = consent?.text ? ` ${consent.text}` : ''
  return { ...cause, source: 'import', ip: consent?.ip ?? cause.ip, text: `Moved from ${source}.${at}${text}` }
}
