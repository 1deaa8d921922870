/** Campaigns, segments and tags. */
import type { Call, Unchanged } from './call.ts'
import type { Body, Query } from './shapes.ts'

export const campaigns = (call: Call) => ({
  list: (query?: Query<'GET /campaigns'>) => call('GET /campaigns', { query }),
  create: (campaign: Body<'POST /campaigns'>) => call('POST /campaigns', { body: campaign }),
  get: (id: string) => call('GET /campaigns/{id}', { path: { id } }),
  /** Replaces the whole campaign. */
  update: (id: string, campaign: Body<'PUT /campaigns/{id}'>, condition?: Unchanged) =>
    call('PUT /campaigns/{id}', { path: { id }, body: campaign, ...condition }),
  /** Its tags, and whether it is in the public archive; in any status. */
  patch: (id: string, changes: Body<'PATCH /campaigns/{id}'>) =>
    call('PATCH /campaigns/{id}', { path: { id }, body: changes }),
  delete: (id: string) => call('DELETE /campaigns/{id}', { path: { id } }),
  duplicate: (id: string) => call('POST /campaigns/{id}/duplicate', { path: { id } }),
  /** Sends the campaign now or, with `scheduledFor`, at that time. */
  send: (id: string, when?: Body<'POST /campaigns/{id}/send'>) =>
    call('POST /campaigns/{id}/send', { path: { id }, body: when }),
  cancel: (id: string) => call('POST /campaigns/{id}/cancel', { path: { id } }),
  pause: (id: string) => call('POST /campaigns/{id}/pause', { path: { id } }),
  resume: (id: string) => call('POST /campaigns/{id}/resume', { path: { id } }),
  /** With `contactId`, the test is rendered with the data of that contact. */
  test: (id: string, email: string, contactId?: string) =>
    call('POST /campaigns/{id}/test', {
      path: { id },
      body: contactId === undefined ? { email } : { email, contactId },
    }),
  /** All versions of the content, newest first. */
  versions: (id: string) => call('GET /campaigns/{id}/versions', { path: { id } }),
  version: (id: string, number: number) =>
    call('GET /campaigns/{id}/versions/{number}', { path: { id, number: String(number) } }),
  /** A version with a name is deleted last; null removes the name. */
  nameVersion: (id: string, number: number, name: string | null) =>
    call('PATCH /campaigns/{id}/versions/{number}', { path: { id, number: String(number) }, body: { name } }),
  restoreVersion: (id: string, number: number) =>
    call('POST /campaigns/{id}/versions/{number}/restore', { path: { id, number: String(number) } }),
  /** Mistakes in the saved campaign, and values that its recipients don't have. */
  checks: (id: string) => call('GET /campaigns/{id}/checks', { path: { id } }),
  stats: (id: string) => call('GET /campaigns/{id}/stats', { path: { id } }),
  /** A draft for the recipients who opened or clicked, or who did not. */
  followUp: (id: string, choice: Body<'POST /campaigns/{id}/follow-up'>) =>
    call('POST /campaigns/{id}/follow-up', { path: { id }, body: choice }),
  /** Opens and clicks over time, clicks by link, and bounces by domain and reason. */
  report: (id: string) => call('GET /campaigns/{id}/report', { path: { id } }),
  /** Earlier campaigns with their numbers at the same age. */
  compare: (id: string) => call('GET /campaigns/{id}/comparison', { path: { id } }),
  recipients: (id: string, query?: Query<'GET /campaigns/{id}/recipients'>) =>
    call('GET /campaigns/{id}/recipients', { path: { id }, query }),
  /** Part of the audience receives the variants, and the rest the winner. */
  setExperiment: (id: string, experiment: Body<'PUT /campaigns/{id}/experiment'>) =>
    call('PUT /campaigns/{id}/experiment', { path: { id }, body: experiment }),
  /** With the results of each variant. */
  experiment: (id: string) => call('GET /campaigns/{id}/experiment', { path: { id } }),
  deleteExperiment: (id: string) => call('DELETE /campaigns/{id}/experiment', { path: { id } }),
  /** The rest of the audience receives this variant, from now on. */
  chooseWinner: (id: string, variant: string) =>
    call('POST /campaigns/{id}/experiment/winner', { path: { id }, body: { variant } }),
  /** A copy of the draft is sent every day, week or month. */
  setRecurrence: (id: string, recurrence: Body<'PUT /campaigns/{id}/recurrence'>) =>
    call('PUT /campaigns/{id}/recurrence', { path: { id }, body: recurrence }),
  recurrence: (id: string) => call('GET /campaigns/{id}/recurrence', { path: { id } }),
  deleteRecurrence: (id: string) => call('DELETE /campaigns/{id}/recurrence', { path: { id } }),
  pauseRecurrence: (id: string) => call('POST /campaigns/{id}/recurrence/pause', { path: { id } }),
  resumeRecurrence: (id: string) => call('POST /campaigns/{id}/recurrence/resume', { path: { id } }),
  /** The campaign that was made each time, or why nothing was sent. */
  occurrences: (id: string, query?: Query<'GET /campaigns/{id}/recurrence/occurrences'>) =>
    call('GET /campaigns/{id}/recurrence/occurrences', { path: { id }, query }),
  /** What a campaign with this feed would have as `feed` now. */
  previewFeed: (feed: Body<'POST /campaigns/feed-preview'>) =>
    call('POST /campaigns/feed-preview', { body: feed, repeatable: true }),
  retryFailed: (id: string) => call('POST /campaigns/{id}/retry-failed', { path: { id } }),
  /** The number of recipients, a sample of them, and how many contacts are excluded. */
  previewAudience: (audience: Body<'POST /campaigns/audience-preview'>) =>
    call('POST /campaigns/audience-preview', { body: audience, repeatable: true }),
})

export const segments = (call: Call) => ({
  /** All segments of the project, or those with a tag. */
  list: (query?: Query<'GET /segments'>) => call('GET /segments', { query }),
  create: (segment: Body<'POST /segments'>) => call('POST /segments', { body: segment }),
  get: (id: string) => call('GET /segments/{id}', { path: { id } }),
  update: (id: string, changes: Body<'PATCH /segments/{id}'>, condition?: Unchanged) =>
    call('PATCH /segments/{id}', { path: { id }, body: changes, ...condition }),
  delete: (id: string) => call('DELETE /segments/{id}', { path: { id } }),
  /** How many contacts it had, by day. */
  history: (id: string, query?: Query<'GET /segments/{id}/history'>) =>
    call('GET /segments/{id}/history', { path: { id }, query }),
  contacts: (id: string, query?: Query<'GET /segments/{id}/contacts'>) =>
    call('GET /segments/{id}/contacts', { path: { id }, query }),
  addMembers: (id: string, members: Body<'POST /segments/{id}/members'>) =>
    call('POST /segments/{id}/members', { path: { id }, body: members, repeatable: true }),
  removeMembers: (id: string, emails: string[]) =>
    call('DELETE /segments/{id}/members', { path: { id }, body: { emails } as Body<'DELETE /segments/{id}/members'> }),
  /** Recomputes the members of a tracked segment, and records entry and exit events. */
  compute: (id: string) => call('POST /segments/{id}/compute', { path: { id } }),
  /** Updates only the member count. */
  refresh: (id: string) => call('POST /segments/{id}/refresh', { path: { id } }),
  /** The number of contacts that match a condition, and a page of them. */
  preview: (condition: Body<'POST /segments/preview'>) =>
    call('POST /segments/preview', { body: condition, repeatable: true }),
})

export const tags = (call: Call) => ({
  /** All tags, with how many campaigns, templates, segments and workflows have each. */
  list: () => call('GET /tags'),
})
