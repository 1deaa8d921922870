/** Job name → action, for campaigns. */
import type { Context } from '../../context.ts'
import type { FailureHandlers, JobHandlers } from '../../platform/queue/catalogue.ts'
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

/** The emails of the slice that have no outcome. `recoverCampaigns` continues with the next slice. */
export const failedCampaignJobs = (delivery: Delivery): FailureHandlers => ({
  'send-campaign-slice': async ({ projectId, emailIds }) => {
    for (const emailId of emailIds ?? []) await delivery.failEmail({ projectId, emailId })
  },
})
