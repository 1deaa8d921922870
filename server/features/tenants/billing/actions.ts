/**
 * Billing: limits, usage and subscriptions. Payment and invoices are on Stripe's pages; Posthorn stores the result. A
 * Stripe event only reports that something about a customer changed, and the subscription is then fetched from Stripe,
 * so events can be late, repeated and in any order.
 */
import type { Stripe } from 'stripe'
import type { Context } from '../../../context.ts'
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { getUsage } from '../usage/actions.ts'
import * as queries from './queries.ts'
import { acceptsPayments, noBilling, type StripeAccount } from './stripe.ts'

const ENDED = ['canceled', 'incomplete_expired']
const INVOICES_MAX = 100
/** The maximum age of a signature in seconds, the default of Stripe's library. */
const TOLERANCE = 300
/** Stripe retries events for three days. */
const REMEMBERED_MS = 30 * 24 * 3_600_000

export async function getConsumption(ctx: Context, projectId: string) {
  const [usage, subscription] = await Promise.all([getUsage(ctx, projectId), findSubscription(ctx, projectId)])
  return { ...usage, subscription }
}

/** The URL of a page where the project's owner can subscribe. */
export async function openCheckout(ctx: Context, stripe: StripeAccount, projectId: string): Promise<{ url: string }> {
  const price = ctx.settings.STRIPE_PRICE_ID
  if (!acceptsPayments(ctx) || !price) throw noBilling()
  const before = await queries.findCustomer(ctx.db, projectId)
  if (before?.subscription_status && !ENDED.includes(before.subscription_status)) {
    throw conflict('This project already has a subscription.', { suggestion: 'Change it in the billing portal.' })
  }
  const customer = before?.customer_id ?? (await addCustomer(ctx, stripe, projectId))
  const session = await stripe.call((client) =>
    client.checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: projectId,
      line_items: [{ price, quantity: 1 }],
      subscription_data: { metadata: { projectId } },
      success_url: `${ctx.baseUrl}/app?checkout=done`,
      cancel_url: `${ctx.baseUrl}/app?checkout=cancelled`,
    }),
  )
  return { url: session.url! }
}

/** The URL of a page with payment methods, invoices and cancellation. */
export async function openPortal(ctx: Context, stripe: StripeAccount, projectId: string): Promise<{ url: string }> {
  if (!acceptsPayments(ctx)) throw noBilling()
  const customer =
    (await queries.findCustomer(ctx.db, projectId))?.customer_id ?? (await addCustomer(ctx, stripe, projectId))
  const session = await stripe.call((client) =>
    client.billingPortal.sessions.create({ customer, return_url: `${ctx.baseUrl}/app` }),
  )
  return { url: session.url }
}

/** Concurrent requests use the same idempotency key and get the same customer. */
async function addCustomer(ctx: Context, stripe: StripeAccount, projectId: string): Promise<string> {
  const payer = await queries.findPayer(ctx.db, projectId)
  if (!payer) throw notFound('project', projectId)
  const { name, email } = payer
  const customer = await stripe.call((client) =>
    client.customers.create(
      { name, ...(email !== null && { email }), metadata: { projectId } },
      { idempotencyKey: `posthorn-customer-${projectId}` },
    ),
  )
  return queries.saveCustomer(ctx.db, projectId, customer.id, ctx.clock.now())
}

export async function listInvoices(ctx: Context, stripe: StripeAccount, projectId: string) {
  if (!acceptsPayments(ctx)) throw noBilling()
  const customer = await queries.findCustomer(ctx.db, projectId)
  if (!customer) return { data: [] }
  const invoices = await stripe.call((client) =>
    client.invoices.list({ customer: customer.customer_id, limit: INVOICES_MAX }),
  )
  return { data: invoices.data.map(showInvoice) }
}

const showInvoice = (invoice: Stripe.Invoice) => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.status,
  currency: invoice.currency,
  amountDue: invoice.amount_due,
  amountPaid: invoice.amount_paid,
  createdAt: momentOf(invoice.created),
  periodStart: momentOf(invoice.period_start),
  periodEnd: momentOf(invoice.period_end),
  url: invoice.hosted_invoice_url ?? null,
  pdfUrl: invoice.invoice_pdf ?? null,
})

const momentOf = (seconds: number) => new Date(seconds * 1000)

async function findSubscription(ctx: Context, projectId: string) {
  const row = await queries.findCustomer(ctx.db, projectId)
  if (!row?.subscription_status) return null
  return {
    status: row.subscription_status,
    periodEndsAt: row.period_ends_at,
    cancelsAtPeriodEnd: row.cancels_at_period_end,
  }
}

/** Called after every event about the customer. */
export async function refreshSubscription(
  ctx: Context,
  stripe: StripeAccount,
  { projectId }: { projectId: string },
): Promise<void> {
  const row = await queries.findCustomer(ctx.db, projectId)
  if (!row || !acceptsPayments(ctx)) return
  const current = currentOf(await subscriptionsOf(stripe, row.customer_id))
  const periodEnd = current?.items.data[0]?.current_period_end
  await queries.setSubscription(
    ctx.db,
    projectId,
    {
      subscription_id: current?.id ?? null,
      subscription_status: current?.status ?? null,
      period_ends_at: periodEnd === undefined ? null : momentOf(periodEnd),
      cancels_at_period_end: current?.cancel_at_period_end ?? false,
    },
    ctx.clock.now(),
  )
}

const subscriptionsOf = async (stripe: StripeAccount, customer: string): Promise<Stripe.Subscription[]> =>
  (await stripe.call((client) => client.subscriptions.list({ customer, status: 'all', limit: 100 }))).data

/** Active subscriptions first, then the newest. */
const currentOf = (subscriptions: Stripe.Subscription[]): Stripe.Subscription | undefined =>
  subscriptions.toSorted(
    (a, b) => Number(ENDED.includes(a.status)) - Number(ENDED.includes(b.status)) || b.created - a.created,
  )[0]

/** Cancels the subscription of a deleted project. */
export async function endSubscription(
  ctx: Context,
  stripe: StripeAccount,
  { projectId }: { projectId: string },
): Promise<void> {
  const row = await queries.findCustomer(ctx.db, projectId)
  if (!row) return
  if (acceptsPayments(ctx)) {
    for (const { id, status } of await subscriptionsOf(stripe, row.customer_id)) {
      if (!ENDED.includes(status)) await stripe.call((client) => client.subscriptions.cancel(id))
    }
  }
  await queries.deleteCustomer(ctx.db, projectId)
}

export async function handleStripeEvent(
  ctx: Context,
  stripe: StripeAccount,
  body: string,
  signature: unknown,
): Promise<void> {
  if (!acceptsPayments(ctx) || !ctx.settings.STRIPE_WEBHOOK_SECRET) throw noBilling()
  const event = await verified(ctx, stripe, body, signature)
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    if (!(await queries.claimStripeEvent(tx, event, now))) return
    const customerId = customerOf(event)
    const projectId = customerId && (await queries.findProjectOfCustomer(tx, customerId))
    if (projectId) await enqueue(tx, 'refresh-subscription', { projectId }, { jobKey: `subscription:${projectId}` })
  })
}

async function verified(
  ctx: Context,
  stripe: StripeAccount,
  body: string,
  signature: unknown,
): Promise<{ id: string; type: string; data: unknown }> {
  const client = await stripe.client()
  const secret = ctx.settings.STRIPE_WEBHOOK_SECRET
  let event: Partial<Stripe.Event> | null
  try {
    const at = ctx.clock.now().getTime()
    event = await client.webhooks.constructEventAsync(body, String(signature ?? ''), secret, TOLERANCE, undefined, at)
  } catch {
    throw badRequest('The Stripe signature is invalid or has expired. Check STRIPE_WEBHOOK_SECRET.')
  }
  const { id, type, data } = event ?? {}
  if (!isName(id) || !isName(type)) throw badRequest('The body is not a Stripe event.')
  return { id, type, data }
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,255}$/.test(value)

/** Sessions, subscriptions and invoices name their customer in the same way. */
function customerOf({ type, data }: { type: string; data: unknown }): string | undefined {
  const object = (data as { object?: { id?: unknown; customer?: unknown } } | undefined)?.object
  const customer =
    type.startsWith('customer.') && !type.startsWith('customer.subscription.') ? object?.id : object?.customer
  if (typeof customer === 'string') return customer
  const id = (customer as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' ? id : undefined
}

export const deleteOldStripeEvents = (ctx: Context): Promise<void> =>
  queries.deleteEventsBefore(ctx.db, new Date(ctx.clock.now().getTime() - REMEMBERED_MS))
