/** Job name → action, for campaigns. */
import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import type { Delivery } from '../delivery/deliver.ts'
import {
  clearCampaign,
  completeCampaign,
  freezeCampaign,
  recoverCampaigns,
  sendSlice,
  startScheduled,
} from './sending.ts'

export const campaignJobs = (ctx: Context, delivery: Delivery) =>
  ({
    'start-campaign': (payload) => startScheduled(ctx, payload),
    'freeze-campaign': (payload) => freezeCampaign(ctx, payload),
    'send-campaign-slice': (payload, job) => sendSlice(ctx, delivery, payload, job),
    'complete-campaign': (payload) => completeCampaign(ctx, payload),
    'clear-campaign': (payload) => clearCampaign(ctx, payload),
    'recover-campaigns': () => recoverCampaigns(ctx),
  }) satisfies Partial<JobHandlers>
