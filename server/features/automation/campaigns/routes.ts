/** Campaigns over HTTP. */
import { idOf, route } from '../../../platform/http/route.ts'
import { type Checker, checkSaved } from '../../content/checks/actions.ts'
import { Checks } from '../../content/checks/schemas.ts'
import { versionRoutes } from '../../content/documents/version-routes.ts'
import { actorOf } from '../../record/audit/actions.ts'
import {
  cancelCampaign,
  deleteCampaign,
  getCampaign,
  listCampaigns,
  pauseCampaign,
  requireCampaign,
  resumeCampaign,
  retryFailed,
  sendCampaign,
  testCampaign,
} from './actions.ts'
import { previewCampaignAudience } from './audience/preview.ts'
import {
  createCampaign,
  duplicateCampaign,
  patchCampaign,
  replaceCampaign,
  restoreCampaign,
  versionsOf,
} from './editing.ts'
import { listVariants } from './experiments/actions.ts'
import { Comparison, compareCampaign } from './results/comparison.ts'
import { createFollowUp } from './results/follow-up.ts'
import { getCampaignReport, getCampaignStats, listCampaignRecipients } from './results/results.ts'
import {
  AudienceInput,
  AudiencePreview,
  Campaign,
  CampaignChanges,
  CampaignInput,
  CampaignListQuery,
  CampaignPage,
  CampaignReport,
  CampaignStats,
  CreatedCampaign,
  FollowUp,
  RecipientListQuery,
  RecipientPage,
  Retried,
  SendOptions,
  TestReply,
  TestRequest,
} from './schemas.ts'

const shared = { access: 'project', tag: 'Campaigns' } as const
const one = { ...shared, params: { id: idOf('campaign') } } as const

export const campaignRoutes = [
  route({
    ...shared,
    method: 'GET',
    path: '/campaigns',
    client: 'campaigns.list',
    replica: true,
    summary: 'List campaigns',
    description: 'Newest first, unless `sort` and `dir` are set.',
    query: CampaignListQuery,
    replies: { 200: { description: 'A page of campaigns.', schema: CampaignPage } },
    handle: (ctx, { caller, query }) => listCampaigns(ctx, caller.projectId, query),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/campaigns',
    client: 'campaigns.create',
    summary: 'Create a campaign',
    description:
      'The campaign is created as a draft. The response contains it at the top level and, repeated, under `data`.',
    body: CampaignInput,
    example: {
      name: 'News',
      subject: 'Hello {{name}}',
      body: '<p>Hello {{name}}</p>',
      from: 'hello@example.com',
      audienceType: 'ALL',
    },
    replies: { 201: { description: 'The campaign, as a draft.', schema: CreatedCampaign } },
    refusals: [403, 404],
    handle: (ctx, { caller, body, facts }) => createCampaign(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/campaigns/audience-preview',
    client: 'campaigns.previewAudience',
    replica: true,
    expensive: true,
    readOnly: true,
    summary: 'Preview an audience',
    body: AudienceInput,
    replies: {
      200: {
        description:
          'The number of recipients, a sample of ten, the number of excluded contacts, and how many recipients would be skipped.',
        schema: AudiencePreview,
      },
    },
    refusals: [404],
    handle: (ctx, { caller, body }) => previewCampaignAudience(ctx, caller.projectId, body),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/campaigns/{id}',
    client: 'campaigns.get',
    summary: 'Get a campaign',
    replies: { 200: { description: 'The campaign.', schema: Campaign } },
    handle: (ctx, { caller, params }) => getCampaign(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'PUT',
    path: '/campaigns/{id}',
    client: 'campaigns.update',
    summary: 'Replace a campaign',
    description:
      'Only possible while the campaign is DRAFT or SCHEDULED. Omitted fields are cleared; the schedule and the tags are kept.',
    body: CampaignInput,
    example: {
      name: 'News',
      subject: 'Hello {{name}}',
      body: '<p>Hello {{name}}</p>',
      from: 'hello@example.com',
      audienceType: 'ALL',
    },
    replies: { 200: { description: 'The campaign.', schema: Campaign } },
    refusals: [403, 409],
    ifMatch: true,
    handle: (ctx, { caller, params, body, facts }) =>
      replaceCampaign(ctx, caller.projectId, params.id, body, actorOf(caller, facts), facts.ifMatch),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/campaigns/{id}',
    client: 'campaigns.patch',
    summary: 'Tag or publish a campaign',
    strict: true,
    description:
      'Replaces the tags, or adds it to the public archive and removes it from there. Possible in any status.',
    body: CampaignChanges,
    example: { tags: ['newsletter'] },
    replies: { 200: { description: 'The campaign.', schema: Campaign } },
    ifMatch: true,
    handle: (ctx, { caller, params, body, facts }) =>
      patchCampaign(ctx, caller.projectId, params.id, body, actorOf(caller, facts), facts.ifMatch),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/campaigns/{id}',
    client: 'campaigns.delete',
    summary: 'Delete a campaign',
    description: 'Not possible while the campaign is SCHEDULED or SENDING. Its emails are kept.',
    replies: { 204: { description: 'Deleted.' } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      deleteCampaign(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/duplicate',
    client: 'campaigns.duplicate',
    summary: 'Duplicate a campaign',
    replies: { 201: { description: 'The copy, as a draft.', schema: Campaign } },
    handle: (ctx, { caller, params, facts }) =>
      duplicateCampaign(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/send',
    client: 'campaigns.send',
    summary: 'Send or schedule a campaign',
    description:
      'The audience is determined when sending starts. Each contact in it receives one email: all as soon as possible, each at a time in their time zone (`localTime`), evenly over some time (`spreadMinutes`), or at the hour at which they usually open emails (`bestHour`).',
    body: SendOptions,
    replies: { 200: { description: 'The campaign, SENDING or SCHEDULED.', schema: Campaign } },
    refusals: [400, 402, 403, 409],
    handle: (ctx, { caller, params, body, facts }) =>
      sendCampaign(ctx, caller.projectId, params.id, body ?? {}, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/cancel',
    client: 'campaigns.cancel',
    summary: 'Cancel a campaign',
    description: "Emails that haven't been sent yet won't be sent.",
    replies: { 200: { description: 'The campaign, CANCELLED.', schema: Campaign } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      cancelCampaign(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/pause',
    client: 'campaigns.pause',
    summary: 'Pause a campaign',
    description:
      'The status stays SENDING and `pausedAt` is set. No more emails are sent, except those already in progress.',
    replies: { 200: { description: 'The campaign.', schema: Campaign } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) => pauseCampaign(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/resume',
    client: 'campaigns.resume',
    summary: 'Resume a campaign',
    replies: { 200: { description: 'The campaign.', schema: Campaign } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      resumeCampaign(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/test',
    client: 'campaigns.test',
    expensive: true,
    summary: 'Send a test email',
    description:
      'Sends the campaign to any address. A suppressed address is refused unless the campaign is TRANSACTIONAL. No contact is created and nothing is counted. At most 20 tests per minute.',
    body: TestRequest,
    replies: { 200: { description: 'The test email was queued.', schema: TestReply } },
    refusals: [403, 409],
    handle: (ctx, { caller, params, body, facts }) =>
      testCampaign(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/campaigns/{id}/stats',
    client: 'campaigns.stats',
    replica: true,
    summary: 'Get campaign statistics',
    description:
      'Updated live while the campaign is being sent. Each email counts once, no matter how often it was opened or clicked.',
    replies: { 200: { description: 'Counts, and rates from 0 to 1.', schema: CampaignStats } },
    handle: (ctx, { caller, params }) => getCampaignStats(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/campaigns/{id}/report',
    client: 'campaigns.report',
    replica: true,
    expensive: true,
    summary: 'Get a campaign report',
    description: 'When the campaign was opened and clicked, which links were clicked, and why emails bounced.',
    replies: { 200: { description: 'The report.', schema: CampaignReport } },
    handle: (ctx, { caller, params }) => getCampaignReport(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/campaigns/{id}/comparison',
    client: 'campaigns.compare',
    replica: true,
    expensive: true,
    summary: 'Compare a campaign with earlier ones',
    description:
      'The five campaigns that were sent before this one, each with its numbers at the same age: as long after the start of its sending as this one is now.',
    replies: { 200: { description: 'The age, and the numbers of earlier campaigns.', schema: Comparison } },
    handle: (ctx, { caller, params }) => compareCampaign(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/follow-up',
    client: 'campaigns.followUp',
    expensive: true,
    summary: 'Create a follow-up campaign',
    description:
      'Creates a draft with the same content for the recipients who opened or clicked, or who did not, and a STATIC segment of them.',
    body: FollowUp,
    replies: { 201: { description: 'The draft.', schema: Campaign } },
    refusals: [409],
    handle: (ctx, { caller, params, body, facts }) =>
      createFollowUp(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/campaigns/{id}/recipients',
    client: 'campaigns.recipients',
    replica: true,
    summary: 'List campaign recipients',
    description:
      "Returns each recipient with the status of their email. Recipients whose emails haven't been created yet are not listed; `pendingCount` in the statistics includes them.",
    query: RecipientListQuery,
    replies: { 200: { description: 'A page of recipients.', schema: RecipientPage } },
    handle: (ctx, { caller, params, query }) => listCampaignRecipients(ctx, caller.projectId, params.id, query),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/retry-failed',
    client: 'campaigns.retryFailed',
    summary: 'Retry failed emails of a campaign',
    replies: { 200: { description: 'The number of emails queued again.', schema: Retried } },
    refusals: [403, 409],
    handle: (ctx, { caller, params, facts }) => retryFailed(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  ...versionRoutes({
    resource: 'campaign',
    tag: 'Campaigns',
    path: '/campaigns',
    client: 'campaigns',
    ownerOf: versionsOf,
    restored: {
      schema: Campaign,
      description:
        'Replaces the subject, preheader, text and body with those of the version, and adds a new version. Only possible while the campaign is DRAFT or SCHEDULED.',
      refusals: [409],
      restore: restoreCampaign,
    },
  }),
  route({
    method: 'GET',
    path: '/campaigns/{id}/checks',
    client: 'campaigns.checks',
    access: 'project',
    expensive: true,
    tag: 'Campaigns',
    summary: 'Check a campaign',
    description:
      'Runs the checks of `POST /templates/check` on the saved campaign, or on each variant of its experiment, and its audience.',
    params: { id: idOf('campaign') },
    replies: { 200: { description: 'The findings.', schema: Checks } },
    handle: async (ctx, { caller: { projectId }, params: { id } }, { checks }: { checks: Checker }) => {
      const campaign = await requireCampaign(ctx, projectId, id)
      return checkSaved(ctx, checks, projectId, campaign, await listVariants(ctx, projectId, id))
    },
  }),
]
