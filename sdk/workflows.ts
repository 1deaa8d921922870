/** Workflows, their steps and transitions, and their executions. */
import type { Call, Unchanged } from './call.ts'
import type { Body, Query } from './shapes.ts'

export const workflows = (call: Call) => ({
  list: (query?: Query<'GET /workflows'>) => call('GET /workflows', { query }),
  /** The fields that CONDITION steps can use. */
  fields: (query?: Query<'GET /workflows/fields'>) => call('GET /workflows/fields', { query }),
  /** The active and recently completed executions of enabled workflows. */
  counts: () => call('GET /workflows/counts'),
  /** What failed in the last 24 hours, by workflow and step. */
  failures: () => call('GET /workflows/failures'),
  create: (workflow: Body<'POST /workflows'>) => call('POST /workflows', { body: workflow }),
  /** With its steps and transitions. */
  get: (id: string) => call('GET /workflows/{id}', { path: { id } }),
  update: (id: string, changes: Body<'PATCH /workflows/{id}'>, condition?: Unchanged) =>
    call('PATCH /workflows/{id}', { path: { id }, body: changes, ...condition }),
  delete: (id: string) => call('DELETE /workflows/{id}', { path: { id } }),
  duplicate: (id: string) => call('POST /workflows/{id}/duplicate', { path: { id } }),
  export: (id: string) => call('GET /workflows/{id}/export', { path: { id } }),
  import: (workflow: Body<'POST /workflows/import'>) => call('POST /workflows/import', { body: workflow }),
  /** Simulates the workflow for a contact. Nothing is sent or changed. */
  simulate: (id: string, trial: Body<'POST /workflows/{id}/simulate'>) =>
    call('POST /workflows/{id}/simulate', { path: { id }, body: trial, repeatable: true }),

  /** Replaces all steps and transitions at once. */
  replaceGraph: (id: string, graph: Body<'PUT /workflows/{id}/graph'>) =>
    call('PUT /workflows/{id}/graph', { path: { id }, body: graph }),
  /** How many executions are at each step, and the outcomes of the steps. */
  stats: (id: string, query?: Query<'GET /workflows/{id}/stats'>) =>
    call('GET /workflows/{id}/stats', { path: { id }, query }),

  /** The graph that the dashboard edits. It has no effect until it is published with `replaceGraph`. */
  draft: {
    get: (id: string) => call('GET /workflows/{id}/draft', { path: { id } }),
    save: (id: string, draft: Body<'PUT /workflows/{id}/draft'>) =>
      call('PUT /workflows/{id}/draft', { path: { id }, body: draft }),
    discard: (id: string) => call('DELETE /workflows/{id}/draft', { path: { id } }),
  },

  versions: {
    list: (id: string) => call('GET /workflows/{id}/versions', { path: { id } }),
    get: (id: string, number: number) =>
      call('GET /workflows/{id}/versions/{number}', { path: { id, number: String(number) } }),
  },

  /** The secret that signs the requests of WEBHOOK steps. */
  webhookSecret: {
    get: () => call('GET /workflows/webhook-secret'),
    rotate: () => call('POST /workflows/webhook-secret/rotate'),
  },

  steps: {
    create: (id: string, step: Body<'POST /workflows/{id}/steps'>) =>
      call('POST /workflows/{id}/steps', { path: { id }, body: step }),
    update: (id: string, stepId: string, changes: Body<'PATCH /workflows/{id}/steps/{stepId}'>) =>
      call('PATCH /workflows/{id}/steps/{stepId}', { path: { id, stepId }, body: changes }),
    /** `splice: true` connects the previous steps to the next step. */
    delete: (id: string, stepId: string, query?: Query<'DELETE /workflows/{id}/steps/{stepId}'>) =>
      call('DELETE /workflows/{id}/steps/{stepId}', { path: { id, stepId }, query }),
    /** Every execution that waits at the step continues now. */
    skipWait: (id: string, stepId: string) =>
      call('POST /workflows/{id}/steps/{stepId}/executions/skip-wait', { path: { id, stepId } }),
    /** Every execution that waits at the step continues at another one. */
    moveExecutions: (id: string, stepId: string, to: Body<'POST /workflows/{id}/steps/{stepId}/executions/move'>) =>
      call('POST /workflows/{id}/steps/{stepId}/executions/move', { path: { id, stepId }, body: to }),
  },

  transitions: {
    create: (id: string, transition: Body<'POST /workflows/{id}/transitions'>) =>
      call('POST /workflows/{id}/transitions', { path: { id }, body: transition }),
    delete: (id: string, transitionId: string) =>
      call('DELETE /workflows/{id}/transitions/{transitionId}', { path: { id, transitionId } }),
  },

  executions: {
    start: (id: string, execution: Body<'POST /workflows/{id}/executions'>) =>
      call('POST /workflows/{id}/executions', { path: { id }, body: execution }),
    startSegment: (id: string, start: Body<'POST /workflows/{id}/executions/segment'>) =>
      call('POST /workflows/{id}/executions/segment', { path: { id }, body: start }),
    list: (id: string, query?: Query<'GET /workflows/{id}/executions'>) =>
      call('GET /workflows/{id}/executions', { path: { id }, query }),
    get: (id: string, executionId: string) =>
      call('GET /workflows/{id}/executions/{executionId}', { path: { id, executionId } }),
    cancel: (id: string, executionId: string) =>
      call('DELETE /workflows/{id}/executions/{executionId}', { path: { id, executionId } }),
    cancelAll: (id: string) => call('POST /workflows/{id}/executions/cancel-all', { path: { id } }),
    retry: (id: string, executionId: string) =>
      call('POST /workflows/{id}/executions/{executionId}/retry', { path: { id, executionId } }),
    /** It continues now, as if the time of its wait were over. */
    skipWait: (id: string, executionId: string) =>
      call('POST /workflows/{id}/executions/{executionId}/skip-wait', { path: { id, executionId } }),
    /** It continues at another step of the published workflow. */
    move: (id: string, executionId: string, to: Body<'POST /workflows/{id}/executions/{executionId}/move'>) =>
      call('POST /workflows/{id}/executions/{executionId}/move', { path: { id, executionId }, body: to }),
  },
})
