/** Job name → action, for campaigns. */
import type { Context } from '../../../context.ts'
import {
  type FailureHandlers,
  type JobCatalogue,
  type JobHandlers,
  PRIORITY,
} from '../../../platform/queue/catalogue.ts'
import type { Delivery } from '../../mail/delivery/deliver.ts'
import { decideExperiment } from './experiments/actions.ts'
import { runRecurrence } from './recurrences/run.ts'
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
    'run-recurrence': (payload) => runRecurrence(ctx, payload),
    'freeze-campaign': (payload) => freezeCampaign(ctx, payload),
    'send-campaign-slice': (payload, job) => sendSlice(ctx, delivery, payload, job),
    'send-campaign-wave': (payload, job) => sendSlice(ctx, delivery, payload, job),
    'decide-experiment': (payload) => decideExperiment(ctx, payload),
    'complete-campaign': (payload) => completeCampaign(ctx, payload),
    'clear-campaign': (payload) => clearCampaign(ctx, payload),
    'recover-campaigns': () => recoverCampaigns(ctx),
  }) satisfies Partial<JobHandlers>

/**
 * If a slice fails repeatedly, each of its emails gets its own job, so that only those that can't be sent fail.
 * `recoverCampaigns` continues with the next slice.
 */
export function failedCampaignJobs(delivery: Delivery): FailureHandlers {
  const deliverSeparately = ({ projectId, emailIds }: JobCatalogue['send-campaign-slice']) =>
    delivery.deliverSeparately(
      (emailIds ?? []).map((emailId) => ({ projectId, emailId })),
      PRIORITY.campaign,
    )
  return { 'send-campaign-slice': deliverSeparately, 'send-campaign-wave': deliverSeparately }
}
