/** The endpoints of executions and simulations. */
import { idOf, route } from '../../platform/http/route.ts'
import {
  cancelAllExecutions,
  cancelExecution,
  getExecution,
  getStats,
  listExecutions,
  retryExecution,
  startExecution,
  startForSegment,
} from './actions.ts'
import {
  Cancelled,
  Execution,
  ExecutionListQuery,
  ExecutionPage,
  ExecutionWithSteps,
  NewExecution,
  SegmentStart,
  SegmentStarted,
  Simulation,
  SimulationRequest,
  WorkflowStats,
} from './schemas.ts'
import { simulateWorkflow } from './simulate.ts'

const common = { access: 'project', tag: 'Workflows' } as const
const workflow = { id: idOf('workflow') }
const execution = { ...workflow, executionId: idOf('execution') }

export const executionRoutes = [
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/executions',
    summary: 'Start a workflow for a contact',
    description: "Not possible while the workflow is disabled, or for a contact that can't enter it again.",
    params: workflow,
    body: NewExecution,
    replies: { 201: { description: 'The execution.', schema: Execution } },
    refusals: [409],
    handle: (ctx, { caller, params, body }) => startExecution(ctx, caller.projectId, params.id, body),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/executions/segment',
    summary: 'Start a workflow for a segment',
    description:
      "Starts an execution for each contact in the segment. Contacts that can't enter the workflow again are skipped. Not possible while the workflow is disabled.",
    params: workflow,
    body: SegmentStart,
    replies: { 202: { description: 'The executions start shortly.', schema: SegmentStarted } },
    refusals: [409],
    handle: (ctx, { caller, params, body }) => startForSegment(ctx, caller.projectId, params.id, body),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/stats',
    expensive: true,
    summary: 'Get the counts of each step',
    description:
      'How many executions are at each step now, and how the step ended in the newest 5,000 executions. Steps without executions are left out.',
    params: workflow,
    replies: { 200: { description: 'The counts.', schema: WorkflowStats } },
    handle: (ctx, { caller, params }) => getStats(ctx, caller.projectId, params.id),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/executions',
    summary: 'List executions',
    description: 'Newest first.',
    params: workflow,
    query: ExecutionListQuery,
    replies: { 200: { description: 'A page of executions.', schema: ExecutionPage } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => listExecutions(ctx, caller.projectId, params.id, query),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/executions/cancel-all',
    summary: 'Cancel all active executions',
    params: workflow,
    replies: { 200: { description: 'The number of executions canceled.', schema: Cancelled } },
    handle: (ctx, { caller, params }) => cancelAllExecutions(ctx, caller.projectId, params.id),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/executions/{executionId}',
    summary: 'Get an execution',
    params: execution,
    replies: { 200: { description: 'The execution with its step runs.', schema: ExecutionWithSteps } },
    handle: (ctx, { caller, params }) => getExecution(ctx, caller.projectId, params.id, params.executionId),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/workflows/{id}/executions/{executionId}',
    summary: 'Cancel an execution',
    params: execution,
    replies: { 200: { description: 'The canceled execution.', schema: ExecutionWithSteps } },
    refusals: [409],
    handle: (ctx, { caller, params }) => cancelExecution(ctx, caller.projectId, params.id, params.executionId),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/executions/{executionId}/retry',
    summary: 'Retry a failed execution',
    description:
      'Continues at the step that failed. A webhook keeps its `webhook-id`, so that the receiver can recognize the repeated request.',
    params: execution,
    replies: { 200: { description: 'The execution.', schema: ExecutionWithSteps } },
    refusals: [409],
    handle: (ctx, { caller, params }) => retryExecution(ctx, caller.projectId, params.id, params.executionId),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/simulate',
    readOnly: true,
    summary: 'Simulate a workflow',
    description:
      'Simulates the workflow for a contact. Nothing is sent or changed. Returns the path, why each branch was taken, and the emails and requests that would be sent.',
    params: workflow,
    body: SimulationRequest,
    replies: { 200: { description: 'The simulation.', schema: Simulation } },
    handle: (ctx, { caller, params, body }) => simulateWorkflow(ctx, caller.projectId, params.id, body),
  }),
]
