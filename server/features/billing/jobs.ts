/** Jobs of billing. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import { endSubscription, refreshSubscription } from './subscriptions.ts'

export const billingJobs = (ctx: Context): Pick<JobHandlers, 'refresh-subscription' | 'end-subscription'> => ({
  'refresh-subscription': (payload) => refreshSubscription(ctx, payload),
  'end-subscription': (payload) => endSubscription(ctx, payload),
})
