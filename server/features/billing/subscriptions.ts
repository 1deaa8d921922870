/**
 * Paying for a project: Stripe's own pages take the money and show the papers, we keep what became of it. The state of
 * a subscription is always asked for, never read from an event, so events may come late, twice and in any order.
 */
import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import * as queries from './queries.ts'
import { askStripe, noBilling, takesPayments } from './stripe.ts'

const ENDED = ['canceled', 'incomplete_expired']
const INVOICES_MAX = 100

/** The address of a page where the project's owner subscribes. */
export async function openCheckout(ctx: Context, projectId: string): Promise<{ url: string }> {
  const price = ctx.settings.STRIPE_PRICE_ID
  if (!takesPayments(ctx) || !price) throw noBilling()
  const before = await queries.findCustomer(ctx.db, projectId)
  if (before?.subscription_status && !ENDED.includes(before.subscription_status)) {
    throw conflict('This project has a subscription.', { suggestion: 'Open the billing portal to change it.' })
  }
  const customer = before?.customer_id ?? (await addCustomer(ctx, projectId))
  const session = await askStripe(ctx, (stripe) =>
    stripe.checkout.sessions.create({
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

/** The address of a page with cards, invoices and the way to cancel. */
export async function openPortal(ctx: Context, projectId: string): Promise<{ url: string }> {
  if (!takesPayments(ctx)) throw noBilling()
  const customer = (await queries.findCustomer(ctx.db, projectId))?.customer_id ?? (await addCustomer(ctx, projectId))
  const session = await askStripe(ctx, (stripe) =>
    stripe.billingPortal.sessions.create({ customer, return_url: `${ctx.baseUrl}/app` }),
  )
  return { url: session.url }
}

/** Two at once ask Stripe with the same key and get the same customer. */
async function addCustomer(ctx: Context, projectId: string): Promise<string> {
  const payer = await queries.findPayer(ctx.db, projectId)
  if (!payer) throw notFound('project', projectId)
  const { name, email } = payer
  const customer = await askStripe(ctx, (stripe) =>
    stripe.customers.create(
      { name, ...(email !== null && { email }), metadata: { projectId } },
      { idempotencyKey: `posthorn-customer-${projectId}` },
    ),
  )
  return queries.keepCustomer(ctx.db, projectId, customer.id, ctx.clock.now())
}

export async function listInvoices(ctx: Context, projectId: string) {
  if (!takesPayments(ctx)) throw noBilling()
  const customer = await queries.findCustomer(ctx.db, projectId)
  if (!customer) return { data: [] }
  const invoices = await askStripe(ctx, (stripe) =>
    stripe.invoices.list({ customer: customer.customer_id, limit: INVOICES_MAX }),
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

export async function findSubscription(ctx: Context, projectId: string) {
  const row = await queries.findCustomer(ctx.db, projectId)
  if (!row?.subscription_status) return null
  return {
    status: row.subscription_status,
    periodEndsAt: row.period_ends_at,
    cancelsAtPeriodEnd: row.cancels_at_period_end,
  }
}

/** After every event about the customer. */
export async function refreshSubscription(ctx: Context, { projectId }: { projectId: string }): Promise<void> {
  const row = await queries.findCustomer(ctx.db, projectId)
  if (!row || !takesPayments(ctx)) return
  const current = currentOf(await subscriptionsOf(ctx, row.customer_id))
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

const subscriptionsOf = async (ctx: Context, customer: string): Promise<Stripe.Subscription[]> =>
  (await askStripe(ctx, (stripe) => stripe.subscriptions.list({ customer, status: 'all', limit: 100 }))).data

/** One that lasts before one that has ended, then the newest. */
const currentOf = (subscriptions: Stripe.Subscription[]): Stripe.Subscription | undefined =>
  subscriptions.toSorted(
    (a, b) => Number(ENDED.includes(a.status)) - Number(ENDED.includes(b.status)) || b.created - a.created,
  )[0]

/** Nobody pays for a project that is deleted. */
export async function endSubscription(ctx: Context, { projectId }: { projectId: string }): Promise<void> {
  const row = await queries.findCustomer(ctx.db, projectId)
  if (!row) return
  if (takesPayments(ctx)) {
    for (const { id, status } of await subscriptionsOf(ctx, row.customer_id)) {
      if (!ENDED.includes(status)) await askStripe(ctx, (stripe) => stripe.subscriptions.cancel(id))
    }
  }
  await queries.deleteCustomer(ctx.db, projectId)
}
