/** Billing of a project, and the webhook for Stripe events. */
import { z } from 'zod'
import { idOf, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import { getLimits, setLimits } from '../usage/actions.ts'
import { getConsumption, handleStripeEvent, listInvoices, openCheckout, openPortal } from './actions.ts'
import { Consumption, Invoices, Limits, LimitsPatch, Page } from './schemas.ts'
import type { StripeAccount } from './stripe.ts'

const EVENT_BYTES_MAX = 1024 * 1024

const one = { access: 'own-project', tag: 'Billing', params: { id: idOf('project') } } as const
const managed = { ...one, role: 'ADMIN' } as const

export const billingRoutes = [
  route({
    ...one,
    method: 'GET',
    path: '/users/@me/projects/{id}/billing-limits',
    client: 'projects.billing.limits',
    summary: 'Get billing limits',
    replies: { 200: { description: 'Limits and usage by source for the current calendar month.', schema: Limits } },
    handle: (ctx, { caller }) => getLimits(ctx, caller.projectId),
  }),
  route({
    ...managed,
    method: 'PUT',
    path: '/users/@me/projects/{id}/billing-limits',
    client: 'projects.billing.setLimits',
    summary: 'Set billing limits',
    description: 'A source that is omitted keeps its limit. Requests that would exceed a limit fail with status 402.',
    body: LimitsPatch,
    example: { transactional: 100_000, campaigns: 500_000 },
    replies: { 200: { description: 'All limits.', schema: Limits } },
    handle: (ctx, { caller, body, facts }) => setLimits(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/users/@me/projects/{id}/billing-consumption',
    client: 'projects.billing.consumption',
    summary: 'Get usage',
    replies: { 200: { description: 'Usage of the current month and the last twelve months.', schema: Consumption } },
    handle: (ctx, { caller }) => getConsumption(ctx, caller.projectId),
  }),
  route({
    ...managed,
    method: 'GET',
    path: '/users/@me/projects/{id}/billing-invoices',
    client: 'projects.billing.invoices',
    summary: 'List invoices',
    description: 'The last 100 invoices, newest first. Requires Stripe.',
    replies: { 200: { description: 'The invoices.', schema: Invoices } },
    refusals: [503],
    handle: (ctx, { caller }, { stripe }: { stripe: StripeAccount }) => listInvoices(ctx, stripe, caller.projectId),
  }),
  route({
    ...managed,
    method: 'POST',
    path: '/users/@me/projects/{id}/checkout',
    client: 'projects.billing.checkout',
    summary: 'Create a checkout session',
    description: 'Starts a subscription. Returns the URL of a Stripe page. Requires Stripe.',
    replies: { 200: { description: 'The URL of the checkout page.', schema: Page } },
    refusals: [409, 503],
    handle: (ctx, { caller }, { stripe }: { stripe: StripeAccount }) => openCheckout(ctx, stripe, caller.projectId),
  }),
  route({
    ...managed,
    method: 'POST',
    path: '/users/@me/projects/{id}/billing-portal',
    client: 'projects.billing.portal',
    readOnly: true, // a disabled project must still be able to cancel its subscription
    scope: 'project:write',
    summary: 'Open the billing portal',
    description: 'Returns the URL of a Stripe page where the subscription can be changed or canceled. Requires Stripe.',
    replies: { 200: { description: 'The URL of the billing portal.', schema: Page } },
    refusals: [503],
    handle: (ctx, { caller }, { stripe }: { stripe: StripeAccount }) => openPortal(ctx, stripe, caller.projectId),
  }),
  route({
    method: 'POST',
    path: '/webhooks/incoming/stripe',
    access: 'open',
    raw: true,
    tag: 'Incoming webhooks',
    summary: 'Receive a Stripe event',
    description: 'Events are verified by their signature. Each is processed once, in any order.',
    bodyLimitBytes: () => EVENT_BYTES_MAX,
    replies: { 200: { description: 'Accepted now or earlier.', schema: z.object({ received: z.literal(true) }) } },
    refusals: [400, 404, 413],
    handle: async (ctx, { body, facts }, { stripe }: { stripe: StripeAccount }) => {
      await handleStripeEvent(ctx, stripe, String(body ?? ''), facts.headers['stripe-signature'])
      return { received: true }
    },
  }),
]
