/** The endpoints of executions and simulations. */
import { idOf, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import {
  cancelAllExecutions,
  cancelExecution,
  getExecution,
  getStats,
  listCounts,
  listExecutions,
  listFailures,
  retryExecution,
  startExecution,
  startForSegment,
} from './actions.ts'
import { moveExecution, moveExecutions, skipWait, skipWaits } from './moves/moves.ts'
import {
  Cancelled,
  Execution,
  ExecutionListQuery,
  ExecutionPage,
  ExecutionWithSteps,
  Move,
  MovesQueued,
  NewExecution,
  SegmentStart,
  SegmentStarted,
  Simulation,
  SimulationRequest,
  WorkflowCounts,
  WorkflowFailures,
  WorkflowStats,
} from './schemas.ts'
import { simulateWorkflow } from './simulate.ts'

const common = { access: 'project', tag: 'Workflows' } as const
const workflow = { id: idOf('workflow') }
const execution = { ...workflow, executionId: idOf('execution') }
const step = { ...workflow, stepId: idOf('step') }

export const executionRoutes = [
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/executions',
    client: 'workflows.executions.start',
    summary: 'Start a workflow for a contact',
    description: "Not possible while the workflow is disabled, or for a contact that can't enter it again.",
    params: workflow,
    body: NewExecution,
    replies: { 201: { description: 'The execution.', schema: Execution } },
    refusals: [409],
    handle: (ctx, { caller, params, body, facts }) =>
      startExecution(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/executions/segment',
    client: 'workflows.executions.startSegment',
    summary: 'Start a workflow for a segment',
    description:
      "Starts an execution for each contact in the segment. Contacts that can't enter the workflow again are skipped. Not possible while the workflow is disabled.",
    params: workflow,
    body: SegmentStart,
    replies: { 202: { description: 'The executions start shortly.', schema: SegmentStarted } },
    refusals: [409],
    handle: (ctx, { caller, params, body, facts }) =>
      startForSegment(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/stats',
    client: 'workflows.stats',
    replica: true,
    expensive: true,
    summary: 'Get counts for each step',
    description:
      'How many executions are at each step now, and the outcomes of the step in the newest 5,000 executions. Steps without executions are omitted.',
    params: workflow,
    replies: { 200: { description: 'The counts.', schema: WorkflowStats } },
    handle: (ctx, { caller, params }) => getStats(ctx, caller.projectId, params.id),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/counts',
    client: 'workflows.counts',
    replica: true,
    expensive: true,
    summary: 'Count executions',
    description:
      'For each enabled workflow: how many executions are active, and how many were completed in the last 7 days. Counts at most 5,000 active ones of each workflow, and the newest 5,000 completed ones of all workflows.',
    replies: { 200: { description: 'The counts.', schema: WorkflowCounts } },
    handle: (ctx, { caller }) => listCounts(ctx, caller.projectId),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/failures',
    client: 'workflows.failures',
    replica: true,
    summary: 'List recent failures',
    description: 'The executions that failed in the last 24 hours, counted by the step at which they failed.',
    replies: { 200: { description: 'The failures, most frequent first.', schema: WorkflowFailures } },
    handle: (ctx, { caller }) => listFailures(ctx, caller.projectId),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/executions',
    client: 'workflows.executions.list',
    replica: true,
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
    client: 'workflows.executions.cancelAll',
    summary: 'Cancel all active executions',
    params: workflow,
    replies: { 200: { description: 'The number of executions canceled.', schema: Cancelled } },
    handle: (ctx, { caller, params, facts }) =>
      cancelAllExecutions(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/executions/{executionId}',
    client: 'workflows.executions.get',
    summary: 'Get an execution',
    params: execution,
    replies: { 200: { description: 'The execution with its step runs.', schema: ExecutionWithSteps } },
    handle: (ctx, { caller, params }) => getExecution(ctx, caller.projectId, params.id, params.executionId),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/workflows/{id}/executions/{executionId}',
    client: 'workflows.executions.cancel',
    summary: 'Cancel an execution',
    params: execution,
    replies: { 200: { description: 'The canceled execution.', schema: ExecutionWithSteps } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      cancelExecution(ctx, caller.projectId, params.id, params.executionId, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/executions/{executionId}/retry',
    client: 'workflows.executions.retry',
    summary: 'Retry a failed execution',
    description:
      'Continues at the step that failed. A webhook keeps its `webhook-id`, so that the receiver can recognize the repeated request.',
    params: execution,
    replies: { 200: { description: 'The execution.', schema: ExecutionWithSteps } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      retryExecution(ctx, caller.projectId, params.id, params.executionId, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/executions/{executionId}/skip-wait',
    client: 'workflows.executions.skipWait',
    summary: 'Skip a wait',
    description:
      'The execution continues now, as if the time of its DELAY or WAIT_FOR_EVENT were over. Not possible while it waits for the sending window of an email.',
    params: execution,
    replies: { 200: { description: 'The execution.', schema: ExecutionWithSteps } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      skipWait(ctx, caller.projectId, params.id, params.executionId, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/executions/{executionId}/move',
    client: 'workflows.executions.move',
    summary: 'Move an execution to another step',
    description: 'Ends the wait of the execution and continues at a step of the published workflow.',
    params: execution,
    body: Move,
    replies: { 200: { description: 'The execution.', schema: ExecutionWithSteps } },
    refusals: [409],
    handle: (ctx, { caller, params, body, facts }) =>
      moveExecution(ctx, caller.projectId, params.id, params.executionId, body.stepId, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/steps/{stepId}/executions/skip-wait',
    client: 'workflows.steps.skipWait',
    summary: 'Skip the wait of all executions at a step',
    description: 'Every execution that waits at the step continues now, in the background.',
    params: step,
    replies: { 202: { description: 'The executions continue shortly.', schema: MovesQueued } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      skipWaits(ctx, caller.projectId, params.id, params.stepId, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/steps/{stepId}/executions/move',
    client: 'workflows.steps.moveExecutions',
    summary: 'Move all executions at a step to another step',
    description: 'Every execution that waits at the step continues at the other one, in the background.',
    params: step,
    body: Move,
    replies: { 202: { description: 'The executions continue shortly.', schema: MovesQueued } },
    handle: (ctx, { caller, params, body, facts }) =>
      moveExecutions(ctx, caller.projectId, params.id, params.stepId, body.stepId, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/simulate',
    client: 'workflows.simulate',
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
