/** Billing of one project, and the receiver for what Stripe tells. */
import { z } from 'zod'
import { idOf, route } from '../../platform/http/route.ts'
import { getLimits, setLimits } from '../usage/actions.ts'
import { getConsumption, listInvoices, openCheckout, openPortal, takeStripeEvent } from './actions.ts'
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
    summary: 'See the limits of a project, and what is used of them',
    replies: { 200: { description: 'By source, for this calendar month', schema: Limits } },
    handle: (ctx, { caller }) => getLimits(ctx, caller.projectId),
  }),
  route({
    ...managed,
    method: 'PUT',
    path: '/users/@me/projects/{id}/billing-limits',
    summary: 'Set the limits of a project',
    description: 'A source that is left out keeps its limit. What would exceed a limit is refused with 402.',
    body: LimitsPatch,
    replies: { 200: { description: 'All limits', schema: Limits } },
    handle: (ctx, { caller, body, facts }) =>
      setLimits(ctx, caller.projectId, body, { actor: caller.userId ?? 'key', ip: facts.ip }),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/users/@me/projects/{id}/billing-consumption',
    summary: 'See what a project has used',
    replies: { 200: { description: 'This month, and the last twelve', schema: Consumption } },
    handle: (ctx, { caller }) => getConsumption(ctx, caller.projectId),
  }),
  route({
    ...managed,
    method: 'GET',
    path: '/users/@me/projects/{id}/billing-invoices',
    summary: 'List invoices',
    description: 'The last 100, newest first. Needs Stripe.',
    replies: { 200: { description: 'Invoices', schema: Invoices } },
    refusals: [503],
    handle: (ctx, { caller }, { stripe }: { stripe: StripeAccount }) => listInvoices(ctx, stripe, caller.projectId),
  }),
  route({
    ...managed,
    method: 'POST',
    path: '/users/@me/projects/{id}/checkout',
    summary: 'Subscribe',
    description: 'Answers with the address of a page of Stripe. Needs Stripe.',
    replies: { 200: { description: 'Where to pay', schema: Page } },
    refusals: [409, 503],
    handle: (ctx, { caller }, { stripe }: { stripe: StripeAccount }) => openCheckout(ctx, stripe, caller.projectId),
  }),
  route({
    ...managed,
    method: 'POST',
    path: '/users/@me/projects/{id}/billing-portal',
    readOnly: true, // who may not send any more may still stop paying
    summary: 'Change or cancel a subscription',
    description: 'Answers with the address of a page of Stripe. Needs Stripe.',
    replies: { 200: { description: 'Where to go', schema: Page } },
    refusals: [503],
    handle: (ctx, { caller }, { stripe }: { stripe: StripeAccount }) => openPortal(ctx, stripe, caller.projectId),
  }),
  route({
    method: 'POST',
    path: '/webhooks/incoming/stripe',
    access: 'open',
    raw: true,
    tag: 'Receivers',
    summary: 'Receive a Stripe event',
    description: 'Events are verified by their signature. Each is processed once, in any order.',
    bodyLimitBytes: () => EVENT_BYTES_MAX,
    replies: { 200: { description: 'Accepted, now or earlier', schema: z.object({ received: z.literal(true) }) } },
    refusals: [400, 404, 413],
    handle: async (ctx, { body, facts }, { stripe }: { stripe: StripeAccount }) => {
      await takeStripeEvent(ctx, stripe, String(body ?? ''), facts.headers['stripe-signature'])
      return { received: true }
    },
  }),
]
