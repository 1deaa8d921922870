/** What Stripe tells us. An event only says that something about a customer is worth another look; each is taken once. */
import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import * as queries from './queries.ts'
import { clientOf, noBilling, takesPayments } from './stripe.ts'

/** How old a signature may be, in seconds: as Stripe's library has it. */
const TOLERANCE = 300
/** Stripe gives up after three days. */
const REMEMBERED_MS = 30 * 24 * 3_600_000

export async function takeStripeEvent(ctx: Context, body: string, signature: unknown): Promise<void> {
  if (!takesPayments(ctx) || !ctx.settings.STRIPE_WEBHOOK_SECRET) throw noBilling()
  const event = await verified(ctx, body, signature)
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    if (!(await queries.takeEvent(tx, event, now))) return
    const customerId = customerOf(event)
    const projectId = customerId && (await queries.findProjectOfCustomer(tx, customerId))
    if (projectId) await enqueue(tx, 'refresh-subscription', { projectId }, { jobKey: `subscription:${projectId}` })
  })
}

async function verified(
  ctx: Context,
  body: string,
  signature: unknown,
): Promise<{ id: string; type: string; data: unknown }> {
  const stripe = await clientOf(ctx)
  const secret = ctx.settings.STRIPE_WEBHOOK_SECRET
  let event: Partial<Stripe.Event> | null
  try {
    const at = ctx.clock.now().getTime()
    event = await stripe.webhooks.constructEventAsync(body, String(signature ?? ''), secret, TOLERANCE, undefined, at)
  } catch {
    throw badRequest('This was not signed by Stripe with the secret of this receiver, or it is too old.')
  }
  const { id, type, data } = event ?? {}
  if (!isName(id) || !isName(type)) throw badRequest('This is no event.')
  return { id, type, data }
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,255}$/.test(value)

/** Of a session, a subscription or an invoice: whichever it is, it names its customer the same way. */
function customerOf({ type, data }: { type: string; data: unknown }): string | undefined {
  const object = (data as { object?: { id?: unknown; customer?: unknown } } | undefined)?.object
  const customer =
    type.startsWith('customer.') && !type.startsWith('customer.subscription.') ? object?.id : object?.customer
  if (typeof customer === 'string') return customer
  const id = (customer as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' ? id : undefined
}

export const forgetOldStripeEvents = (ctx: Context): Promise<void> =>
  queries.forgetEventsBefore(ctx.db, new Date(ctx.clock.now().getTime() - REMEMBERED_MS))
