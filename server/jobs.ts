/** Every job: what runs it, what records that it failed, and when the periodic ones run. */

import { erasure, removal, type Services, tallies } from './app.ts'
import type { Context } from './context.ts'
import { deleteOldSignups } from './features/audience/forms/actions.ts'
import { deleteOldContactJobs } from './features/audience/imports/actions.ts'
import { failedImportJobs, importJobs } from './features/audience/imports/jobs.ts'
import { deleteOldSegmentSizes } from './features/audience/segments/actions.ts'
import { segmentJobs } from './features/audience/segments/jobs.ts'
import { recompileCampaigns } from './features/automation/campaigns/editing.ts'
import { campaignJobs, failedCampaignJobs } from './features/automation/campaigns/jobs.ts'
import { bulkTools } from './features/automation/executions/bulk-tools.ts'
import { executionJobs, failedExecutionJobs } from './features/automation/executions/jobs.ts'
import { recompileEmails } from './features/content/layouts/actions.ts'
import { recompileTemplates } from './features/content/templates/actions.ts'
import { deleteOldDeliveries } from './features/insight/webhooks/actions.ts'
import { deleteOldReceivedMessages } from './features/mail/received/actions.ts'
import { receiveSesMail } from './features/mail/received/ses.ts'
import { deleteOldNotifications, processNotification } from './features/mail/reports/notifications.ts'
import { deleteOldBodies, deleteOldEmails, deleteOldEvents } from './features/operations/retention/actions.ts'
import { makePartitions } from './features/operations/retention/partition-queries.ts'
import { deleteOldAuditEntries } from './features/record/audit/actions.ts'
import { noticeJobs } from './features/record/notices/jobs.ts'
import { deleteOldRequests } from './features/record/requests/actions.ts'
import { deleteExpiredSessions } from './features/tenants/accounts/actions.ts'
import { accountJobs } from './features/tenants/accounts/jobs.ts'
import { deleteOldStripeEvents, endSubscription, refreshSubscription } from './features/tenants/billing/actions.ts'
import { domainJobs } from './features/tenants/domains/jobs.ts'
import { deleteOldActs } from './features/tenants/members/account-limits.ts'
import { deleteOldInvitations } from './features/tenants/members/actions.ts'
import { alignLimits, checkReputations } from './features/tenants/usage/actions.ts'
import { deliveryTally, usageTally } from './features/tenants/usage/queries.ts'
import { deleteOldKeys, deleteOldWindows } from './gate/admission.ts'
import { foldTallies } from './platform/database/tallies.ts'
import { type FailureHandlers, type JobHandlers, PRIORITY } from './platform/queue/catalogue.ts'
import type { Timetable } from './platform/queue/timetable.ts'

// biome-ignore format: each deletes what it no longer has to keep; one name a line would take fourteen lines
const EXPIRING = [
  deleteExpiredSessions, deleteOldWindows, deleteOldKeys, deleteOldInvitations, deleteOldActs, deleteOldAuditEntries,
  deleteOldRequests, deleteOldContactJobs, deleteOldSignups, deleteOldNotifications, deleteOldStripeEvents,
  deleteOldReceivedMessages, deleteOldDeliveries, deleteOldSegmentSizes,
]

export const jobs = (
  ctx: Context,
  { breaker, confirmations, delivery, tracking, scheduledEmails, uploads, workflowEngine, stripe }: Services,
): JobHandlers => ({
  ...accountJobs(ctx),
  ...importJobs(ctx, erasure, bulkTools),
  ...executionJobs(ctx, workflowEngine),
  ...segmentJobs(ctx),
  ...campaignJobs(ctx, delivery),
  ...domainJobs(ctx),
  ...noticeJobs(ctx, breaker.record),
  'deliver-email': (payload, { attempt, priority = PRIORITY.transactional }) =>
    delivery.deliverEmail({ ...payload, takeOver: attempt > 1, priority }),
  'send-confirmation': (payload) => confirmations.send(payload),
  'send-scheduled-email': (payload) => scheduledEmails.sendDue(payload),
  'deliver-copies': (payload, { priority = PRIORITY.burst }) => delivery.retryCopies(payload, priority),
  'process-notification': (payload) => processNotification(ctx, { tracking, receive: receiveSesMail }, payload),
  'remove-uploads': () => uploads.removeUploads(),
  'refresh-subscription': (payload) => refreshSubscription(ctx, stripe, payload),
  'end-subscription': (payload) => endSubscription(ctx, stripe, payload),
  'recompile-emails': (payload) => recompileEmails(ctx, [recompileTemplates, recompileCampaigns], payload),
  'delete-old-bodies': () => deleteOldBodies(ctx),
  'delete-old-events': () => deleteOldEvents(ctx, tallies),
  'delete-old-emails': () => deleteOldEmails(ctx, tallies),
  'wipe-project': (payload) => removal.deleteProjectData(ctx, payload),
  'erase-contacts': (payload) => erasure.eraseContacts(ctx, payload),
  'make-partitions': () => makePartitions(ctx.db, ctx.clock.now()),
  'fold-tallies': () =>
    foldTallies(
      ctx.db,
      tallies,
      new Map([
        [usageTally, (projectIds) => alignLimits(ctx, projectIds)],
        [deliveryTally, (projectIds) => checkReputations(ctx, projectIds)],
      ]),
    ),
  'delete-expired': async () => {
    for (const deleteOld of EXPIRING) await deleteOld(ctx)
  },
})

/** Records what a job was for as failed, when the queue gives up on it. */
export const failedJobs = (ctx: Context, { delivery, scheduledEmails, workflowEngine }: Services): FailureHandlers => ({
  ...failedImportJobs(ctx),
  ...failedExecutionJobs(workflowEngine),
  ...failedCampaignJobs(delivery),
  'deliver-email': (payload) => delivery.failEmail(payload),
  'send-scheduled-email': (payload) => scheduledEmails.fail(payload),
})

export const timetable: Timetable = [
  { job: 'make-partitions', every: '1 day', atStart: true },
  { job: 'fold-tallies', every: '1 minute' },
  { job: 'set-workflow-alarms', every: '1 minute', atStart: true },
  { job: 'recompute-segments', every: '1 minute' },
  { job: 'record-segment-sizes', every: '1 hour', atStart: true },
  { job: 'recover-campaigns', every: '1 minute', atStart: true },
  { job: 'recheck-domains', every: '5 minutes' },
  { job: 'remove-uploads', every: '15 minutes' },
  { job: 'delete-old-bodies', every: '1 day' },
  { job: 'delete-old-events', every: '1 day' },
  { job: 'delete-old-emails', every: '1 day' },
  { job: 'delete-expired', every: '1 hour' },
]
