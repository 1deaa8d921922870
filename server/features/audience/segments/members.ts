/** Members of static segments: adding contacts by address, and removing them. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { isEmailAddress, normalizeEmail } from '../../../kernel/email-address.ts'
import { badRequest, invalid, notFound } from '../../../kernel/errors.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry, SYSTEM } from '../../record/audit/actions.ts'
import { newPerson } from '../contacts/actions.ts'
import type { Target } from '../imports/actions.ts'
import { eventSource } from './compute.ts'
import * as members from './member-queries.ts'
import * as queries from './queries.ts'
import type { MembersToAdd } from './schemas.ts'

export async function addMembers(
  ctx: Context,
  projectId: string,
  id: string,
  input: z.output<typeof MembersToAdd>,
  cause: ConsentCause,
  who: Actor = SYSTEM,
) {
  const { emails, createMissing, subscribed } = input
  if (createMissing) refuseUnusable(emails)
  const distinct = [...new Set(emails.map(normalizeEmail))]
  return changeMembers(ctx, projectId, id, who, async (tx, source, now) => {
    const people = distinct.map((email) => newPerson(now, email, {}, undefined))
    const upsert = { projectId, now, people, subscribedByDefault: subscribed, removed: [], cause }
    const found = await members.addMembers(tx, source, createMissing ? { upsert } : { emails: distinct }, now)
    const known = new Set(found.map(({ email }) => email))
    const added = found.filter(({ entered }) => entered).length
    const reply = { added, created: found.filter(({ is_new }) => is_new).length, notFound: unknownOf(emails, known) }
    return { change: added, reply }
  })
}

export const removeMembers = (ctx: Context, projectId: string, id: string, emails: string[], who: Actor) =>
  changeMembers(ctx, projectId, id, who, async (tx, source, now) => {
    const removed = await members.removeMembers(tx, source, [...new Set(emails.map(normalizeEmail))], now)
    return { change: -removed, reply: { removed } }
  })

/** Changes the members, the count and dependent segments. */
async function changeMembers<T>(
  ctx: Context,
  projectId: string,
  id: string,
  who: Actor,
  change: (tx: Tx, source: members.EventSource, now: Date) => Promise<{ change: number; reply: T }>,
): Promise<T> {
  return transaction(ctx.db, async (tx) => {
    const segment = await lockStatic(tx, projectId, id)
    const now = ctx.clock.now()
    const { change: difference, reply } = await change(tx, eventSource(segment), now)
    await members.addToMemberCount(tx, projectId, id, difference)
    if (difference !== 0) await members.markDependents(tx, projectId, now)
    // Nobody's address is in the log.
    const details = { segmentId: id, name: segment.name, contacts: Math.abs(difference) }
    const act = difference > 0 ? 'segment.members-added' : 'segment.members-removed'
    if (difference !== 0) await recordAuditEntry(ctx, tx, { ...who, projectId, act, details })
    return reply
  })
}

async function lockStatic(tx: Tx, projectId: string, id: string): Promise<queries.SegmentRow> {
  const isFound = await members.lockSegment(tx, projectId, id)
  const segment = isFound ? await queries.findSegment(tx, projectId, id) : undefined
  if (!segment) throw notFound('segment', id)
  if (segment.type !== 'STATIC') {
    throw badRequest(
      'Members can only be added to STATIC segments. The members of a DYNAMIC segment are determined by its condition.',
    )
  }
  return segment
}

/** Bulk changes add contacts to a segment. */
export const segmentTarget: Target<string> = {
  prepare: (ctx, projectId, id, who) =>
    transaction(ctx.db, async (tx) => {
      const { name } = await lockStatic(tx, projectId, id)
      const details = { segmentId: id, name }
      await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'segment.members-added', details })
    }),
  async change(ctx, tx, projectId, id, { contactIds }) {
    const segment = await lockStatic(tx, projectId, id)
    const now = ctx.clock.now()
    const found = await members.addMembers(tx, eventSource(segment), { contactIds }, now)
    const added = found.filter(({ entered }) => entered).length
    await members.addToMemberCount(tx, projectId, id, added)
    if (added > 0) await members.markDependents(tx, projectId, now)
    return new Map(found.map(({ id, entered }) => [id, entered]))
  },
}

/** A contact can only be created for a valid address. */
function refuseUnusable(emails: string[]): void {
  const problems = emails.flatMap((email, i) =>
    isEmailAddress(normalizeEmail(email))
      ? []
      : [
          {
            field: `emails.${i}`,
            message: 'Must be an email address.',
            code: 'invalid_string',
            received: email.slice(0, 100),
          },
        ],
  )
  if (problems.length > 0) throw invalid(problems.slice(0, 20))
}

/** Unknown addresses in the caller's spelling, each of them once. */
function unknownOf(emails: string[], known: Set<string>): string[] {
  const listed = new Set<string>()
  return emails.filter((email) => {
    const address = normalizeEmail(email)
    if (known.has(address) || listed.has(address)) return false
    listed.add(address)
    return true
  })
}
