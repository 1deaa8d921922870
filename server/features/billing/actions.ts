/** Billing: what a project may use, what it has used, and who pays for it. */
import type { Context } from '../../context.ts'
import { getUsage } from '../usage/actions.ts'
import { findSubscription } from './subscriptions.ts'

export { takesPayments } from './stripe.ts'
export { forgetOldStripeEvents } from './stripe-events.ts'

export async function getConsumption(ctx: Context, projectId: string) {
  const [usage, subscription] = await Promise.all([getUsage(ctx, projectId), findSubscription(ctx, projectId)])
  return { ...usage, subscription }
}
