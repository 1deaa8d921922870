/**
 * Anyone can sign up and create projects, so what a project makes the installation send to other people is limited by the
 * account behind it, over all its projects: invitations, new projects, and attempts to add addresses that have no
 * account. For a request with an API key this is the owner's account. RATE_LIMIT_PER_MINUTE=0 turns these limits off.
 */
import type { Context } from '../../../context.ts'
import { countOf, Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { hashKey } from '../../../platform/secrets.ts'
import * as queries from './queries.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const LIMITS = {
  /** An invitation, or the email to a person who was added. */
  invitation: {
    most: 20,
    withinMs: DAY_MS,
    message: (most: number) => `An account can invite or add at most ${most} people per day.`,
  },
  'unknown-address': {
    most: 20,
    withinMs: DAY_MS,
    message: (most: number) => `Today you tried to add ${most} addresses that have no confirmed account.`,
  },
  project: {
    most: 10,
    withinMs: MINUTE_MS,
    message: (most: number) => `An account can create at most ${most} projects per minute.`,
  },
}

/** Invitations to one person from all projects of the installation. */
const PER_RECIPIENT = {
  most: 3,
  withinMs: DAY_MS,
  message: (most: number) => `This address has received ${most} invitations today.`,
}

export interface Act {
  userId: string
  kind: keyof typeof LIMITS
  /** The address that an invitation is sent to. */
  recipient?: string
}

/** Records the act, or refuses it if a limit has been reached. Another act of the account waits for the transaction. */
export async function countAct(ctx: Context, tx: Tx, act: Act): Promise<void> {
  const refusal = await tryAct(ctx, tx, act)
  if (refusal) throw refusal
}

/** Like `countAct`, but returns the refusal. */
export async function tryAct(ctx: Context, tx: Tx, act: Act): Promise<Refusal | undefined> {
  const refusal = await limitReached(ctx, tx, act)
  if (!refusal && ctx.settings.RATE_LIMIT_PER_MINUTE > 0) {
    const { userId, kind } = act
    const now = ctx.clock.now()
    await queries.insertAct(tx, { id: newId(now), userId, kind, recipient: hashOf(act), now })
  }
  return refusal
}

export async function limitReached(ctx: Context, tx: Tx, act: Act): Promise<Refusal | undefined> {
  if (ctx.settings.RATE_LIMIT_PER_MINUTE === 0) return undefined
  const { userId, kind } = act
  const recipient = hashOf(act)
  await queries.lockActs(tx, userId, recipient)
  const byAccount = await queries.findAct(tx, { userId, kind }, LIMITS[kind].most)
  const byRecipient = recipient && (await queries.findAct(tx, { recipient }, PER_RECIPIENT.most))
  return refusalOf(ctx, byAccount, LIMITS[kind]) ?? refusalOf(ctx, byRecipient, PER_RECIPIENT)
}

const hashOf = ({ recipient }: Act): Buffer | null => (recipient === undefined ? null : hashKey(recipient))

/** `earliest`: the time of the act that must be long enough ago for another one. */
function refusalOf(
  ctx: Context,
  earliest: Date | null | undefined,
  { most, withinMs, message }: typeof PER_RECIPIENT,
): Refusal | undefined {
  const waitMs = earliest ? earliest.getTime() + withinMs - ctx.clock.now().getTime() : 0
  if (waitMs <= 0) return undefined
  const retryAfter = Math.ceil(waitMs / 1000)
  return new Refusal('too-many', 'RATE_LIMIT_EXCEEDED', message(most), {
    details: { retryAfter, limit: most },
    suggestion: `Try again in ${waitOf(retryAfter)}.`,
  })
}

function waitOf(seconds: number): string {
  if (seconds <= 60) return countOf(seconds, 'second')
  return seconds <= 3600 ? countOf(Math.ceil(seconds / 60), 'minute') : countOf(Math.ceil(seconds / 3600), 'hour')
}

export const deleteOldActs = (ctx: Context): Promise<void> =>
  queries.deleteActs(ctx.db, new Date(ctx.clock.now().getTime() - DAY_MS))
