/**
 * Double opt-in: a contact that asks to be subscribed confirms it with a link that is sent to its address. Pending contacts
 * get no marketing email; `mail/confirmations` sends the link and has its page.
 */
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import type { ConfirmationSubject } from '../../../kernel/consent/confirmation-token.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import * as queries from './confirmation-queries.ts'

/**
 * Asks these contacts to confirm: those that aren't subscribed, or whose address is suppressed. At most one email in ten
 * minutes and five in all until a contact confirms; others stay as they are. Can be part of a larger transaction. Returns
 * the contacts that get an email.
 */
export const requestConfirmations = queries.requestConfirmations

/** For many contacts that are asked one after the other. */
export const { awaitConfirmations, listAwaiting } = queries

export const isRequestOpen = (ctx: Context, subject: ConfirmationSubject): Promise<boolean | undefined> =>
  queries.isRequestOpen(ctx.db, subject)

/** Subscribes the contact of a request that is open, and returns whether it was. */
export function confirmContact(
  ctx: Context,
  tx: Tx,
  subject: ConfirmationSubject,
  cause: ConsentCause,
): Promise<boolean> {
  const now = ctx.clock.now()
  return queries.confirm(tx, subject, { eventIds: [newId(now), newId(now)], cause, now })
}
