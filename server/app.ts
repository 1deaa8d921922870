/** Everything the service consists of: every service, route, consumer of events and mail server. Jobs are in jobs.ts. */
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { consentsOfContacts, listConsents } from './features/audience/consents/actions.ts'
import { consentRoutes } from './features/audience/consents/routes.ts'
import { createErasure } from './features/audience/contacts/erasure.ts'
import { erasureRoutes } from './features/audience/contacts/erasure-routes.ts'
import { contactFieldRoutes } from './features/audience/contacts/field-routes.ts'
import { contactTally } from './features/audience/contacts/fields/field-queries.ts'
import {
  exportPerson,
  type PersonalDataList,
  personalDataRoutes,
  withoutFields,
} from './features/audience/contacts/personal-data-routes.ts'
import { contactRoutes } from './features/audience/contacts/routes.ts'
import { decisionsOfContacts } from './features/audience/contacts/topics.ts'
import { createEvents, listContactEvents } from './features/audience/events/actions.ts'
import { eventRoutes } from './features/audience/events/routes.ts'
import { signupsOfContacts } from './features/audience/forms/actions.ts'
import { publicFormRoutes } from './features/audience/forms/public-routes.ts'
import { formRoutes } from './features/audience/forms/routes.ts'
import { createSignupForms } from './features/audience/forms/signups.ts'
import { importRoutes } from './features/audience/imports/routes.ts'
import { suppressionImportRoutes } from './features/audience/imports/suppression-routes.ts'
import { preferenceRoutes } from './features/audience/preferences/routes.ts'
import { listContactSegments, membershipsOfContacts } from './features/audience/segments/actions.ts'
import { segmentRoutes } from './features/audience/segments/routes.ts'
import { listSuppressionsOf } from './features/audience/suppressions/actions.ts'
import { suppressionRoutes } from './features/audience/suppressions/routes.ts'
import { getContactTopics } from './features/audience/topics/actions.ts'
import { topicRoutes } from './features/audience/topics/routes.ts'
import { transferRoutes } from './features/audience/transfers/routes.ts'
import { archiveRoutes } from './features/automation/campaigns/archive/routes.ts'
import { experimentRoutes } from './features/automation/campaigns/experiments/routes.ts'
import { campaignTally } from './features/automation/campaigns/queries.ts'
import { recurrenceRoutes } from './features/automation/campaigns/recurrences/routes.ts'
import { campaignRoutes } from './features/automation/campaigns/routes.ts'
import { campaignConsumer, sentEmailConsumer } from './features/automation/campaigns/sending-queries.ts'
import { listExecutionsOf } from './features/automation/executions/actions.ts'
import { bulkTools } from './features/automation/executions/bulk-tools.ts'
import { executionsOfContacts } from './features/automation/executions/contact-queries.ts'
import { createEngine } from './features/automation/executions/engine.ts'
import { workflowConsumer } from './features/automation/executions/queries.ts'
import { executionRoutes } from './features/automation/executions/routes.ts'
import { workflowRoutes } from './features/automation/workflows/routes.ts'
import { createChecks } from './features/content/checks/actions.ts'
import { checkRoutes } from './features/content/checks/routes.ts'
import { galleryRoutes } from './features/content/gallery/routes.ts'
import { layoutRoutes } from './features/content/layouts/routes.ts'
import { templateRoutes } from './features/content/templates/routes.ts'
import { createUploads } from './features/content/uploads/actions.ts'
import { uploadRoutes } from './features/content/uploads/routes.ts'
import { activityRoutes } from './features/insight/activity/routes.ts'
import { createActivityStreams } from './features/insight/activity/stream.ts'
import { analyticsRoutes } from './features/insight/analytics/routes.ts'
import { tagRoutes } from './features/insight/analytics/tag-routes.ts'
import { webhooksOfContacts } from './features/insight/webhooks/actions.ts'
import { webhookAnnouncements, webhookConsumer } from './features/insight/webhooks/queries.ts'
import { webhookRoutes } from './features/insight/webhooks/routes.ts'
import { createWebhookSender } from './features/insight/webhooks/sender.ts'
import { compatRoutes } from './features/mail/compat/routes.ts'
import { createConfirmations } from './features/mail/confirmations/actions.ts'
import { confirmationRoutes } from './features/mail/confirmations/routes.ts'
import { createBreaker } from './features/mail/delivery/breaker.ts'
import { createDelivery } from './features/mail/delivery/deliver.ts'
import { emailsToContacts } from './features/mail/emails/actions.ts'
import { listEmails } from './features/mail/emails/list.ts'
import { emailRoutes } from './features/mail/emails/routes.ts'
import { createScheduledEmails } from './features/mail/emails/scheduled.ts'
import { createOutbox } from './features/mail/outbox/actions.ts'
import { endedEmailFanOut, sentEmailFanOut } from './features/mail/outbox/change-queries.ts'
import { outboxRoutes } from './features/mail/outbox/routes.ts'
import { openInboundServer } from './features/mail/received/server.ts'
import { reportRoutes } from './features/mail/reports/routes.ts'
import { createSnsReceiver } from './features/mail/reports/sns.ts'
import { openSubmissionServer } from './features/mail/submission/server.ts'
import { createTracking } from './features/mail/tracking/actions.ts'
import { conversionConsumer } from './features/mail/tracking/click-queries.ts'
import { trackingRoutes } from './features/mail/tracking/routes.ts'
import { createVerification } from './features/mail/verification/actions.ts'
import { verificationRoutes } from './features/mail/verification/routes.ts'
import { exportRoutes } from './features/operations/exports/routes.ts'
import { createReadiness } from './features/operations/service/actions.ts'
import { monitoringRoutes, serviceRoutes } from './features/operations/service/routes.ts'
import { auditRoutes } from './features/record/audit/routes.ts'
import { eventsOfContacts } from './features/record/journal/actions.ts'
import { announcementFanOut, eventFanOut } from './features/record/journal/queries.ts'
import { journalTallies } from './features/record/journal/tally-queries.ts'
import { createRequestLog } from './features/record/requests/log.ts'
import { requestRoutes } from './features/record/requests/routes.ts'
import { accountRoutes } from './features/tenants/accounts/routes.ts'
import { billingRoutes } from './features/tenants/billing/routes.ts'
import { createStripeAccount } from './features/tenants/billing/stripe.ts'
import { domainRoutes } from './features/tenants/domains/routes.ts'
import { keyRoutes } from './features/tenants/keys/routes.ts'
import { memberRoutes } from './features/tenants/members/routes.ts'
import { createProviders } from './features/tenants/oauth/providers.ts'
import { oauthRoutes } from './features/tenants/oauth/routes.ts'
import { createRemoval } from './features/tenants/projects/removal.ts'
import { projectRoutes } from './features/tenants/projects/routes.ts'
import { deliveryTally, usageTally } from './features/tenants/usage/queries.ts'
import { usageRoutes } from './features/tenants/usage/routes.ts'
import { createAdmission, createIdempotencyKeys } from './gate/admission.ts'
import { createGate } from './gate/gate.ts'
import type { Tally } from './platform/database/tallies.ts'
import { addDashboard } from './platform/http/assets.ts'
import { addMcp } from './platform/http/mcp.ts'
import type { Route } from './platform/http/route.ts'
import { buildServer } from './platform/http/server.ts'
import { addReference } from './platform/openapi/serve-reference.ts'
import { SERVER_FOLDER } from './platform/root.ts'
import type { SmtpListener } from './platform/smtp/listen.ts'
import { createWorkerProcesses } from './platform/worker-processes.ts'
import { removals } from './table-owners.ts'

/** All data about contacts: how it is stopped and then erased when contacts are deleted. */
export const erasure = createErasure([
  membershipsOfContacts,
  decisionsOfContacts,
  emailsToContacts,
  eventsOfContacts,
  consentsOfContacts,
  signupsOfContacts,
  executionsOfContacts,
  webhooksOfContacts,
])

/** What the export of a person contains besides the contact. */
const personalData = {
  topics: async (ctx, project, contact) => ({ ...(await getContactTopics(ctx, project, contact)), cursor: null }),
  consents: listConsents,
  suppressions: listSuppressionsOf,
  emails: (ctx, projectId, contactId, page) =>
    listEmails(ctx, projectId, { contactId, from: undefined, to: undefined, ...page }),
  events: listContactEvents,
  segments: async (ctx, project, contact) => ({ data: await listContactSegments(ctx, project, contact), cursor: null }),
  workflowExecutions: listExecutionsOf,
} satisfies Record<string, PersonalDataList>

/** What a person can download: the same without the people who made changes, and without other recipients who aren't shown. */
const ownData: Record<string, PersonalDataList> = {
  ...personalData,
  consents: withoutFields(personalData.consents, 'by'),
  emails: withoutFields(personalData.emails, 'bcc', 'skipped'),
}

/** All tables with data of projects, and how their rows are deleted. */
export const removal = createRemoval(removals)

/** Every stored count. */
export const tallies: Tally[] = [...journalTallies, usageTally, deliveryTally, contactTally, campaignTally]

/** Who reacts to events, to other changes, and to emails that ended or were sent: the statement that records one adds their jobs. */
eventFanOut.setConsumers([workflowConsumer, webhookConsumer, conversionConsumer])
announcementFanOut.setConsumers([webhookAnnouncements])
endedEmailFanOut.setConsumers([campaignConsumer])
sentEmailFanOut.setConsumers([sentEmailConsumer])

export type Services = ReturnType<typeof buildServices>

/**
 * The services that keep state in memory, built once per process; each gets the earlier ones it needs. Building opens
 * nothing, so every process builds all of them, whatever its role.
 */
export function buildServices(ctx: Context) {
  const requestLog = createRequestLog(ctx)
  const admission = createAdmission(ctx)
  const idempotencyKeys = createIdempotencyKeys(ctx)
  const signInProviders = createProviders(ctx.settings)
  const events = createEvents(ctx)
  const signupForms = createSignupForms(ctx)
  const outbox = createOutbox(ctx)
  const confirmations = createConfirmations(ctx)
  const breaker = createBreaker(ctx)
  const delivery = createDelivery(ctx, breaker)
  const tracking = createTracking(ctx)
  const scheduledEmails = createScheduledEmails(ctx)
  const snsReceiver = createSnsReceiver(ctx)
  const checks = createChecks()
  const workflowEngine = createEngine(ctx)
  const verification = createVerification(ctx)
  const uploads = createUploads(ctx)
  const activityStreams = createActivityStreams(ctx)
  const webhookSender = createWebhookSender(ctx)
  const stripe = createStripeAccount(ctx)
  const workerProcesses = createWorkerProcesses(ctx)
  const readiness = createReadiness(ctx, workerProcesses)
  return {
    requestLog,
    admission,
    idempotencyKeys,
    signInProviders,
    events,
    signupForms,
    outbox,
    confirmations,
    breaker,
    delivery,
    tracking,
    scheduledEmails,
    snsReceiver,
    checks,
    workflowEngine,
    verification,
    uploads,
    activityStreams,
    webhookSender,
    stripe,
    workerProcesses,
    readiness,
    /** Safe to call more than once. */
    async close(): Promise<void> {
      activityStreams.close()
      idempotencyKeys.close()
      void checks.close()
      await requestLog.stop()
    },
  }
}

export const routes: Route<Services>[] = [
  ...outboxRoutes,
  ...emailRoutes,
  ...compatRoutes,
  ...trackingRoutes,
  ...reportRoutes,
  ...eventRoutes,
  ...verificationRoutes,
  ...contactRoutes,
  ...erasureRoutes(erasure),
  ...consentRoutes,
  ...personalDataRoutes(personalData),
  ...contactFieldRoutes,
  ...importRoutes(bulkTools),
  ...transferRoutes,
  ...suppressionRoutes,
  ...suppressionImportRoutes,
  ...topicRoutes,
  ...formRoutes,
  ...publicFormRoutes,
  ...preferenceRoutes((ctx, projectId, contactId) => exportPerson(ctx, ownData, projectId, contactId)),
  ...confirmationRoutes,
  ...templateRoutes,
  ...galleryRoutes,
  ...layoutRoutes,
  ...campaignRoutes,
  ...experimentRoutes,
  ...recurrenceRoutes,
  ...archiveRoutes,
  ...checkRoutes,
  ...workflowRoutes,
  ...executionRoutes,
  ...segmentRoutes,
  ...tagRoutes,
  ...activityRoutes,
  ...analyticsRoutes,
  ...webhookRoutes,
  ...domainRoutes,
  ...uploadRoutes,
  ...projectRoutes(removal),
  ...keyRoutes,
  ...usageRoutes,
  ...billingRoutes,
  ...memberRoutes,
  ...auditRoutes,
  ...requestRoutes,
  ...accountRoutes,
  ...oauthRoutes,
  ...exportRoutes,
  ...serviceRoutes,
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
): Promise<SmtpListener> => openSubmissionServer(ctx, { ...admission, keys: idempotencyKeys }, outbox, port)

/** The server of a process with ROLE=worker, for monitoring. */
export const buildMonitoring = (ctx: Context, services: Services): FastifyInstance =>
  buildServer(ctx, services, monitoringRoutes, gateOf(ctx, services))

const gateOf = (ctx: Context, { admission, idempotencyKeys, requestLog }: Services) =>
  createGate(ctx, admission, idempotencyKeys, requestLog)

export function buildApp(ctx: Context, services: Services): FastifyInstance {
  const server = buildServer(ctx, services, routes, gateOf(ctx, services))
  server.addHook('preClose', async () => services.activityStreams.close()) // closing waits for open responses
  addDashboard(server, path.join(SERVER_FOLDER, '../dashboard/dist'))
  addMcp(server, ctx, path.join(SERVER_FOLDER, '../docs'))
  addReference(server, ctx, path.join(SERVER_FOLDER, 'dist/reference'))
  return server
}
