/** Everything the service consists of: every service, route, job, periodic job and mail server. */
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { deleteExpiredSessions } from './features/accounts/actions.ts'
import { accountJobs } from './features/accounts/jobs.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import { activityRoutes } from './features/activity/routes.ts'
import { createActivityStreams } from './features/activity/stream.ts'
import { analyticsRoutes } from './features/analytics/routes.ts'
import { deleteOldAuditEntries } from './features/audit/actions.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { deleteOldStripeEvents, endSubscription, refreshSubscription } from './features/billing/actions.ts'
import { billingRoutes } from './features/billing/routes.ts'
import { createStripeAccount } from './features/billing/stripe.ts'
import { campaignJobs, failedCampaignJobs } from './features/campaigns/jobs.ts'
import { campaignTally } from './features/campaigns/queries.ts'
import { campaignRoutes } from './features/campaigns/routes.ts'
import { createChecks } from './features/checks/actions.ts'
import { checkRoutes } from './features/checks/routes.ts'
import { contactTally } from './features/contacts/field-queries.ts'
import { contactFieldRoutes } from './features/contacts/field-routes.ts'
import { contactRoutes } from './features/contacts/routes.ts'
import { createBreaker } from './features/delivery/breaker.ts'
import { createDelivery } from './features/delivery/deliver.ts'
import { domainJobs } from './features/domains/jobs.ts'
import { domainRoutes } from './features/domains/routes.ts'
import { emailsToContacts } from './features/emails/actions.ts'
import { emailRoutes } from './features/emails/routes.ts'
import { createErasure } from './features/erasure/actions.ts'
import { erasureRoutes } from './features/erasure/routes.ts'
import { createEvents } from './features/events/actions.ts'
import { eventRoutes } from './features/events/routes.ts'
import { executionsOfContacts } from './features/executions/contact-queries.ts'
import { createEngine } from './features/executions/engine.ts'
import { executionJobs, failedExecutionJobs } from './features/executions/jobs.ts'
import { executionRoutes } from './features/executions/routes.ts'
import { deleteOldNotifications, processNotification } from './features/feedback/actions.ts'
import { deleteOldReceivedMessages } from './features/feedback/inbound.ts'
import { openInboundServer } from './features/feedback/inbound-server.ts'
import { feedbackRoutes } from './features/feedback/routes.ts'
import { createSnsReceiver } from './features/feedback/sns.ts'
import { galleryRoutes } from './features/gallery/routes.ts'
import { deleteOldContactJobs } from './features/imports/actions.ts'
import { failedImportJobs, importJobs } from './features/imports/jobs.ts'
import { importRoutes } from './features/imports/routes.ts'
import { eventsOfContacts } from './features/journal/actions.ts'
import { journalTallies } from './features/journal/tally-queries.ts'
import { recompileEmails } from './features/layouts/actions.ts'
import { layoutRoutes } from './features/layouts/routes.ts'
import { deleteOldActs } from './features/members/account-limits.ts'
import { deleteOldInvitations } from './features/members/actions.ts'
import { memberRoutes } from './features/members/routes.ts'
import { noticeJobs } from './features/notices/jobs.ts'
import { createProviders } from './features/oauth/providers.ts'
import { oauthRoutes } from './features/oauth/routes.ts'
import { createOutbox } from './features/outbox/actions.ts'
import { outboxRoutes } from './features/outbox/routes.ts'
import { preferenceRoutes } from './features/preferences/routes.ts'
import { createRemoval } from './features/projects/removal.ts'
import { projectRoutes } from './features/projects/routes.ts'
import { deleteOldBodies, deleteOldEmails, deleteOldEvents } from './features/retention/actions.ts'
import { matchingContacts, membershipsOfContacts } from './features/segments/actions.ts'
import { segmentJobs } from './features/segments/jobs.ts'
import { segmentRoutes } from './features/segments/routes.ts'
import { createReadiness } from './features/service/actions.ts'
import { monitoringRoutes, serviceRoutes } from './features/service/routes.ts'
import { openSubmissionServer } from './features/submission/server.ts'
import { suppressionRoutes } from './features/suppressions/routes.ts'
import { tagRoutes } from './features/tags/routes.ts'
import { templateRoutes } from './features/templates/routes.ts'
import { createTracking } from './features/tracking/actions.ts'
import { trackingRoutes } from './features/tracking/routes.ts'
import { createUploads } from './features/uploads/actions.ts'
import { uploadRoutes } from './features/uploads/routes.ts'
import { alignLimits, checkReputations } from './features/usage/actions.ts'
import { deliveryTally, usageTally } from './features/usage/queries.ts'
import { usageRoutes } from './features/usage/routes.ts'
import { createVerification } from './features/verification/actions.ts'
import { verificationRoutes } from './features/verification/routes.ts'
import { workflowRoutes } from './features/workflows/routes.ts'
import { createAdmission, createIdempotencyKeys, deleteOldKeys, deleteOldWindows } from './gate/admission.ts'
import { createGate } from './gate/gate.ts'
import { makePartitions } from './platform/database/partitions.ts'
import { foldTallies, type Tally } from './platform/database/tallies.ts'
import { addDashboard } from './platform/http/assets.ts'
import type { Route } from './platform/http/route.ts'
import { buildServer } from './platform/http/server.ts'
import { type FailureHandlers, type JobHandlers, PRIORITY } from './platform/queue/catalogue.ts'
import type { Timetable } from './platform/queue/timetable.ts'
import { SERVER_FOLDER } from './platform/root.ts'
import type { SmtpListener } from './platform/smtp/listen.ts'
import { VERSION } from './platform/version.ts'
import { createWorkerProcesses } from './platform/worker-processes.ts'
import { addReference } from './reference.ts'
import { removals } from './table-owners.ts'

/** All data about contacts: how it is stopped and then erased when contacts are deleted. */
export const erasure = createErasure([membershipsOfContacts, emailsToContacts, eventsOfContacts, executionsOfContacts])

/** All tables with data of projects, and how their rows are deleted. */
const removal = createRemoval(removals)

/** Every stored count. */
export const tallies: Tally[] = [...journalTallies, usageTally, deliveryTally, contactTally, campaignTally]

export type Services = ReturnType<typeof buildServices>

/**
 * The services that keep state in memory, built once per process; each gets the earlier ones it needs. Building opens
 * nothing, so every process builds all of them, whatever its role.
 */
export function buildServices(ctx: Context) {
  const admission = createAdmission(ctx)
  const idempotencyKeys = createIdempotencyKeys(ctx)
  const signInProviders = createProviders(ctx.settings)
  const events = createEvents(ctx)
  const outbox = createOutbox(ctx)
  const breaker = createBreaker(ctx)
  const delivery = createDelivery(ctx, breaker)
  const tracking = createTracking(ctx)
  const snsReceiver = createSnsReceiver(ctx)
  const checks = createChecks()
  const workflowEngine = createEngine(ctx)
  const verification = createVerification(ctx)
  const uploads = createUploads(ctx)
  const activityStreams = createActivityStreams(ctx)
  const stripe = createStripeAccount(ctx)
  const workerProcesses = createWorkerProcesses(ctx)
  const readiness = createReadiness(ctx, workerProcesses)
  return {
    admission,
    idempotencyKeys,
    signInProviders,
    events,
    outbox,
    breaker,
    delivery,
    tracking,
    snsReceiver,
    checks,
    workflowEngine,
    verification,
    uploads,
    activityStreams,
    stripe,
    workerProcesses,
    readiness,
    /** Safe to call more than once. */
    close(): void {
      activityStreams.close()
      idempotencyKeys.close()
      void checks.close()
    },
  }
}

export const routes: Route<Services>[] = [
  ...outboxRoutes,
  ...emailRoutes,
  ...trackingRoutes,
  ...feedbackRoutes,
  ...eventRoutes,
  ...verificationRoutes,
  ...contactRoutes,
  ...erasureRoutes(erasure),
  ...contactFieldRoutes,
  ...importRoutes(matchingContacts),
  ...suppressionRoutes,
  ...preferenceRoutes,
  ...templateRoutes,
  ...galleryRoutes,
  ...layoutRoutes,
  ...campaignRoutes,
  ...checkRoutes,
  ...workflowRoutes,
  ...executionRoutes,
  ...segmentRoutes,
  ...tagRoutes,
  ...activityRoutes,
  ...analyticsRoutes,
  ...domainRoutes,
  ...uploadRoutes,
  ...projectRoutes(removal),
  ...usageRoutes,
  ...billingRoutes,
  ...memberRoutes,
  ...auditRoutes,
  ...accountRoutes,
  ...oauthRoutes,
  ...serviceRoutes,
]

export const jobs = (
  ctx: Context,
  { breaker, delivery, tracking, uploads, workflowEngine, stripe }: Services,
): JobHandlers => ({
  ...accountJobs(ctx),
  ...importJobs(ctx, erasure, matchingContacts),
  ...executionJobs(ctx, workflowEngine),
  ...segmentJobs(ctx),
  ...campaignJobs(ctx, delivery),
  ...domainJobs(ctx),
  ...noticeJobs(ctx, breaker.record),
  'deliver-email': (payload, { attempt, priority = PRIORITY.transactional }) =>
    delivery.deliverEmail({ ...payload, takeOver: attempt > 1, priority }),
  'process-notification': (payload) => processNotification(ctx, tracking, payload),
  'remove-uploads': () => uploads.removeUploads(),
  'refresh-subscription': (payload) => refreshSubscription(ctx, stripe, payload),
  'end-subscription': (payload) => endSubscription(ctx, stripe, payload),
  'recompile-emails': (payload) => recompileEmails(ctx, payload),
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
    await deleteExpiredSessions(ctx)
    await deleteOldWindows(ctx)
    await deleteOldKeys(ctx)
    await deleteOldInvitations(ctx)
    await deleteOldActs(ctx)
    await deleteOldAuditEntries(ctx)
    await deleteOldContactJobs(ctx)
    await deleteOldNotifications(ctx)
    await deleteOldStripeEvents(ctx)
    await deleteOldReceivedMessages(ctx)
  },
})

/** Records what a job was for as failed, when the queue gives up on it. */
export const failedJobs = (ctx: Context, { delivery, workflowEngine }: Services): FailureHandlers => ({
  ...failedImportJobs(ctx),
  ...failedExecutionJobs(workflowEngine),
  ...failedCampaignJobs(delivery),
  'deliver-email': (payload) => delivery.failEmail(payload),
})

export const timetable: Timetable = [
  { job: 'make-partitions', every: '1 day', atStart: true },
  { job: 'fold-tallies', every: '1 minute' },
  { job: 'set-workflow-alarms', every: '1 minute', atStart: true },
  { job: 'recompute-segments', every: '1 minute' },
  { job: 'recover-campaigns', every: '1 minute', atStart: true },
  { job: 'recheck-domains', every: '5 minutes' },
  { job: 'remove-uploads', every: '15 minutes' },
  { job: 'delete-old-bodies', every: '1 day' },
  { job: 'delete-old-events', every: '1 day' },
  { job: 'delete-old-emails', every: '1 day' },
  { job: 'delete-expired', every: '1 hour' },
]

/** The mail servers that the settings enable. */
export async function openMailServers(ctx: Context, services: Services): Promise<SmtpListener[]> {
  const { INBOUND_SMTP_PORT, SUBMISSION_SMTP_PORT } = ctx.settings
  const opened: SmtpListener[] = []
  if (INBOUND_SMTP_PORT > 0) opened.push(await openInboundServer(ctx, INBOUND_SMTP_PORT))
  if (SUBMISSION_SMTP_PORT > 0) opened.push(await openSubmission(ctx, services, SUBMISSION_SMTP_PORT))
  return opened
}

/** Mail submission: the gate's rate limit and idempotency keys apply to it as to HTTP requests. */
export const openSubmission = (
  ctx: Context,
  { admission, idempotencyKeys, outbox }: Pick<Services, 'admission' | 'idempotencyKeys' | 'outbox'>,
  port: number,
): Promise<SmtpListener> =>
  openSubmissionServer(ctx, { admitKey: admission.admitKey, keys: idempotencyKeys }, outbox, port)

/** The server of a process with ROLE=worker, for monitoring. */
export const buildMonitoring = (ctx: Context, services: Services): FastifyInstance =>
  buildServer(ctx, services, monitoringRoutes, createGate(ctx, services.admission, services.idempotencyKeys))

export function buildApp(ctx: Context, services: Services): FastifyInstance {
  const gate = createGate(ctx, services.admission, services.idempotencyKeys)
  const server = buildServer(ctx, services, routes, gate)
  server.addHook('preClose', async () => services.activityStreams.close()) // closing waits for open responses
  addDashboard(server, path.join(SERVER_FOLDER, '../dashboard/dist'))
  addReference(server, ctx, VERSION)
  return server
}
