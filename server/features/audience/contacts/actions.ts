/** Contacts: creating, reading and changing them. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { applyDataRules, type Data, type DataChange } from '../../../kernel/contact-data.ts'
import { conflict, notFound, Refusal } from '../../../kernel/errors.ts'
import { requireUnchanged } from '../../../kernel/etag.ts'
import { newId } from '../../../kernel/ids.ts'
import { cursorPage, invalidCursor } from '../../../kernel/pages.ts'
import { SUBSCRIBED_IF_NEW } from '../../../kernel/subscription.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sqlState, transaction, violatedConstraint } from '../../../platform/database/connection/transaction.ts'
import { liftTopicSuppressions } from '../suppressions/actions.ts'
import * as confirmations from './confirmation-queries.ts'
import * as lists from './list-queries.ts'
import * as marketing from './marketing-queries.ts'
import * as queries from './queries.ts'
import type { ContactChanges, ContactListQuery, NewContact } from './schemas.ts'
import * as subscriptions from './subscription-queries.ts'
import { readDecisions, setTopics } from './topics.ts'

export { findReader } from './marketing-queries.ts'

/** A statement failed, without any effect, because a contact would have more data than it may. */
export const isTooMuchData = (error: unknown): boolean => sqlState(error) === 'PHBIG'

/**
 * With double opt-in, a contact that isn't subscribed is asked to confirm instead of being subscribed. If only the
 * project's setting requests it, that applies to new contacts and to an explicit `subscribed: true`.
 */
export async function upsertContact(
  ctx: Context,
  projectId: string,
  input: z.output<typeof NewContact>,
  cause: ConsentCause,
) {
  const now = ctx.clock.now()
  const { patch, removed } = applyDataRules(input.data)
  const topics = await readDecisions(ctx, projectId, input.topics)
  const confirms =
    input.subscribed !== false && (input.doubleOptIn ?? (await confirmations.isDoubleOptIn(ctx.db, projectId)))
  const people = [{ ...newPerson(now, input.email, patch, confirms ? undefined : input.subscribed), topics }]
  const subscribedByDefault = SUBSCRIBED_IF_NEW.contacts && !confirms
  const upsert = { projectId, now, people, subscribedByDefault, removed, cause }
  if (!confirms) {
    const row = await queries.upsertContact(ctx.db, upsert, input.keepSuppression)
    const chosen = input.keepSuppression ? [] : (topics?.decisions.filter((decision) => decision > 0) ?? [])
    if (chosen.length > 0) await liftTopicSuppressions(ctx.db, projectId, { email: row.email, topics: chosen }, now)
    return showUpserted(row)
  }
  return transaction(ctx.db, async (tx) => {
    const row = await queries.upsertContact(tx, upsert, true)
    if (input.doubleOptIn !== true && input.subscribed !== true && !row.is_new) return showUpserted(row)
    await confirmations.requestConfirmations(tx, [{ projectId, contactIds: [row.id], cause, now }])
    return showUpserted({ ...(await queries.findContact(tx, projectId, row.id))!, is_new: row.is_new })
  })
}

const showUpserted = (row: queries.ContactRow & { is_new: boolean }) => ({
  ...showContact(row),
  _meta: { isNew: row.is_new, isUpdate: !row.is_new },
})

/** Sends the confirmation email again. */
export async function requestConfirmation(ctx: Context, projectId: string, id: string, cause: ConsentCause) {
  const now = ctx.clock.now()
  return transaction(ctx.db, async (tx) => {
    const asked = await confirmations.requestConfirmations(tx, [{ projectId, contactIds: [id], cause, now }])
    const contact = await getContact(ctx, projectId, id, tx)
    if (asked.length > 0) return contact
    if (contact.subscribed) throw conflict('This contact is subscribed, so there is nothing to confirm.')
    throw new Refusal(
      'too-many',
      'RATE_LIMIT_EXCEEDED',
      'A contact gets at most one confirmation email in 10 minutes, and 5 in all until it confirms.',
      { details: { retryAfter: CONFIRMATION_PAUSE_S, limit: 1 }, suggestion: 'Try again in 10 minutes.' },
    )
  })
}

const CONFIRMATION_PAUSE_S = 600

/** A contact that may be new or whose subscription may change, with ids for both cases. */
export const newPerson = (now: Date, email: string, patch: Data, subscribed: boolean | undefined): queries.Person => ({
  email,
  contactId: newId(now),
  eventId: newId(now),
  subscribed,
  patch,
})

export async function getContact(ctx: Context, projectId: string, id: string, db: Database | Tx = ctx.db) {
  const row = await queries.findContact(db, projectId, id)
  if (!row) throw notFound('contact', id)
  return showContact(row)
}

export async function patchContact(
  ctx: Context,
  projectId: string,
  id: string,
  input: z.output<typeof ContactChanges>,
  cause: ConsentCause,
  ifMatch?: string,
) {
  const now = ctx.clock.now()
  const { email, subscribed, keepSuppression, pausedUntil, topics } = input
  const patch = { email, subscribed, change: applyDataRules(input.data), keepSuppression, pausedUntil, cause }
  const write = async (db: Database | Tx) => {
    const row = await queries.patchContact(db, projectId, id, patch, newId(now), now)
    if (!row) throw notFound('contact', id)
    return showContact(row)
  }
  try {
    if (!topics && ifMatch === undefined) return await write(ctx.db)
    return await transaction(ctx.db, async (tx) => {
      if (ifMatch !== undefined) {
        const updatedAt = await queries.lockContact(tx, projectId, id)
        if (updatedAt) requireUnchanged(ifMatch, updatedAt)
      }
      const contact = await write(tx)
      if (topics) await setTopics(ctx, tx, { projectId, contactIds: [id], topics, cause })
      return contact
    })
  } catch (error) {
    if (violatedConstraint(error) === 'contacts_email_once') {
      throw conflict(`Another contact in this project already has the email address ${email}.`)
    }
    throw error
  }
}

/** Returns whether the contact exists. */
export const resetSunset = (ctx: Context, projectId: string, id: string): Promise<boolean> =>
  marketing.resetSunset(ctx.db, projectId, id, ctx.clock.now())

/** Automatic changes, at most one per contact. Returns the contacts that exist, in no order. */
export const changeContacts = (
  ctx: Context,
  projectId: string,
  changes: queries.ServiceChange[],
  cause: ConsentCause,
  db: Database | Tx,
) => {
  const now = ctx.clock.now()
  const withEventIds = changes.map((change) => ({ ...change, eventId: newId(now) }))
  return queries.changeContacts(db, projectId, withEventIds, cause, now)
}

/**
 * Manual changes, as part of a larger transaction. Returns the contacts that exist, and whether each subscription
 * changed.
 */
export const setSubscriptions = (tx: Tx, change: Omit<subscriptions.SubscriptionChange, 'eventIds'>) =>
  subscriptions.setSubscriptions(tx, { ...change, eventIds: change.contactIds.map(() => newId(change.now)) })

/** Deletes only the rows; the feature `erasure` deletes contacts completely. Returns the ids that existed. */
export const deleteContactRows = (tx: Tx, projectId: string, ids: string[], now: Date): Promise<string[]> =>
  queries.deleteContacts(tx, projectId, ids, now)

const listingOf = ({ cursor, ...rest }: z.output<typeof ContactListQuery>): lists.ContactListing => ({
  ...rest,
  before: cursor,
})

/** The page of contacts that a query asks for, to be read together with the caller's key. */
export const contactPageRead = (query: z.output<typeof ContactListQuery>) => lists.contactPageRead(listingOf(query))

/** `read` is the page, if it was read together with the caller's key. */
export async function listContacts(
  ctx: Context,
  projectId: string,
  query: z.output<typeof ContactListQuery>,
  read?: lists.ListedContact[],
) {
  const { cursor, limit, sort, ...filter } = query
  const rows = read ?? (await lists.listContacts(ctx.db, projectId, listingOf(query)))
  // An empty page would look like the end of the list, although it has no place to start from.
  if (rows.length === 0 && cursor !== undefined && lists.needsCursorContact(sort)) {
    if (!(await queries.findContact(ctx.db, projectId, cursor))) throw invalidCursor()
  }
  // The total of a list that fits on one page is the length of the page.
  const counted = rows.length > limit ? rows[0]!.total : rows.length
  const total = cursor === undefined ? (counted ?? (await lists.countContacts(ctx.db, projectId, filter))) : 0
  return cursorPage(rows, limit, total, showContact)
}

export const showContact = (row: queries.ContactRow) => ({
  id: row.id,
  email: row.email,
  subscribed: row.subscribed,
  pausedUntil: row.paused_until,
  confirmation: confirmationOf(row),
  data: row.data,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

function confirmationOf({
  pending,
  confirmation_requested_at: requestedAt,
  confirmed_at: confirmedAt,
}: queries.ContactRow) {
  if (!requestedAt || !(pending || confirmedAt)) return null
  return pending
    ? { status: 'pending' as const, requestedAt, confirmedAt: null }
    : { status: 'confirmed' as const, requestedAt, confirmedAt: confirmedAt! }
}

/**
 * Concurrent requests share one statement, and a statement writes a contact only once. Requests for the same contact
 * can therefore share a statement only if they request the same change. The returned function decides for each request
 * whether it can join the ones before.
 */
export function createSameRequestCheck(): (upsert: queries.ContactUpsert) => boolean {
  const asked = new Map<string, string>()
  return (upsert) => {
    const requested = upsert.people.map((person) => [
      `${upsert.projectId} ${person.email}`,
      JSON.stringify([
        upsert.subscribedByDefault,
        person.subscribed,
        person.patch,
        person.topics,
        upsert.removed,
        upsert.byPublicKey,
        upsert.onlyNew,
      ]),
    ]) as [string, string][]
    const joins = requested.every(([contact, change]) => (asked.get(contact) ?? change) === change)
    if (joins) for (const [contact, change] of requested) asked.set(contact, change)
    return joins
  }
}

/**
 * Keys that a request sends as empty strings, as defaults below the contact's data. They don't change the contact, but
 * if it has no value, the key is empty in a template and not missing, so `{{name ?? "you"}}` doesn't use the fallback.
 */
export const blankNames = ({ sent, visible }: DataChange): Record<string, ''> =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => (value === '' && !(name in visible) ? [[name, value]] : [])),
  )
