/** The endpoints of workflows, their graphs and the secret that signs webhooks. */
import { CustomResponse, idOf, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import { getWebhookSecret, rotateWebhookSecret } from '../steps/step-webhook.ts'
import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflowFields,
  listWorkflows,
  patchWorkflow,
} from './actions.ts'
import { addStep, addTransition, changeStep, removeStep, removeTransition } from './graph-changes.ts'
import { discardDraft, getDraft, getVersion, listVersions, publishGraph, saveDraft } from './publishing.ts'
import {
  DraftInput,
  ExportedWorkflow,
  FieldList,
  FieldListQuery,
  GraphInput,
  NewStep,
  NewTransition,
  NewWorkflow,
  StepChanges,
  StepDeletion,
  VersionList,
  WebhookSecret,
  Workflow,
  WorkflowChanges,
  WorkflowDocument,
  WorkflowDraft,
  WorkflowListQuery,
  WorkflowPage,
  WorkflowStep,
  WorkflowTransition,
  WorkflowVersion,
  WorkflowWithGraph,
} from './schemas.ts'
import { duplicateWorkflow } from './transfer/duplicate.ts'
import { exportWorkflow } from './transfer/export.ts'
import { importWorkflow } from './transfer/import.ts'

const common = { access: 'project', tag: 'Workflows' } as const
const workflow = { id: idOf('workflow') }
const step = { ...workflow, stepId: idOf('step') }
const transition = { ...workflow, transitionId: idOf('transition') }

export const workflowRoutes = [
  route({
    ...common,
    method: 'GET',
    path: '/workflows',
    client: 'workflows.list',
    replica: true,
    summary: 'List workflows',
    description: 'Newest first, unless `sort` and `dir` are set.',
    query: WorkflowListQuery,
    replies: { 200: { description: 'A page of workflows.', schema: WorkflowPage } },
    handle: (ctx, { caller, query }) => listWorkflows(ctx, caller.projectId, query),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/fields',
    client: 'workflows.fields',
    summary: 'List fields for CONDITION steps',
    query: FieldListQuery,
    replies: { 200: { description: 'Fields of contacts and of recent events.', schema: FieldList } },
    handle: (ctx, { caller, query }) => listWorkflowFields(ctx, caller.projectId, query.eventName),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows',
    client: 'workflows.create',
    summary: 'Create a workflow',
    description:
      'A new workflow has no steps, the trigger type EVENT, and is disabled, whatever the request contains. Change it with a PATCH request.',
    body: NewWorkflow,
    example: { name: 'Onboarding', eventName: 'signed-up' },
    replies: { 201: { description: 'The workflow.', schema: Workflow } },
    handle: (ctx, { caller, body, facts }) => createWorkflow(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/import',
    client: 'workflows.import',
    summary: 'Import a workflow',
    description:
      'Accepts the response of `GET /workflows/{id}/export`. If there is a workflow with the name in the document, it becomes what the document says, in one transaction: steps with the same key and type keep their executions, and the workflow stays enabled or disabled. Importing a document again changes nothing. Of several workflows with the name, the one that was changed last is meant. A new workflow is disabled.',
    body: WorkflowDocument,
    example: { name: 'Onboarding', steps: [{ key: 'wait', type: 'DELAY', config: { amount: 1, unit: 'days' } }] },
    replies: {
      200: { description: 'The workflow that has this name.', schema: WorkflowWithGraph },
      201: { description: 'A new workflow.', schema: WorkflowWithGraph },
    },
    refusals: [404, 409],
    handle: async (ctx, { caller, body, facts }) => {
      const { isNew, workflow } = await importWorkflow(ctx, caller.projectId, body, actorOf(caller, facts))
      return isNew ? new CustomResponse(201, workflow) : workflow
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}',
    client: 'workflows.get',
    summary: 'Get a workflow',
    params: workflow,
    replies: { 200: { description: 'The workflow with its steps and transitions.', schema: WorkflowWithGraph } },
    handle: (ctx, { caller, params }) => getWorkflow(ctx, caller.projectId, params.id),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: '/workflows/{id}',
    client: 'workflows.update',
    summary: 'Update a workflow',
    description:
      'Only the fields you send change. A workflow can be enabled if it has an event that starts it (unless it is MANUAL) and exactly one first step. While it is disabled, no executions start; active executions continue.',
    params: workflow,
    body: WorkflowChanges,
    example: { name: 'Onboarding', allowReentry: true },
    replies: { 200: { description: 'The workflow.', schema: Workflow } },
    ifMatch: true,
    handle: (ctx, { caller, params, body, facts }) =>
      patchWorkflow(ctx, caller.projectId, params.id, body, actorOf(caller, facts), facts.ifMatch),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/workflows/{id}',
    client: 'workflows.delete',
    summary: 'Delete a workflow',
    description: 'Also deletes its executions. Not possible while some of them are active.',
    params: workflow,
    replies: { 204: { description: 'Deleted.' } },
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      deleteWorkflow(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/duplicate',
    client: 'workflows.duplicate',
    summary: 'Duplicate a workflow',
    description: 'The copy is disabled and has no executions.',
    params: workflow,
    replies: { 201: { description: 'The copy.', schema: WorkflowWithGraph } },
    handle: (ctx, { caller, params, facts }) =>
      duplicateWorkflow(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/export',
    client: 'workflows.export',
    summary: 'Export a workflow',
    description:
      'For version control: steps have keys instead of IDs and are in the order in which they run, and the fields of their configuration are in alphabetical order. The key of a step never changes.',
    params: workflow,
    replies: { 200: { description: 'A document that can be imported again.', schema: ExportedWorkflow } },
    handle: (ctx, { caller, params }) => exportWorkflow(ctx, caller.projectId, params.id),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/steps',
    client: 'workflows.steps.create',
    summary: 'Add a step',
    params: workflow,
    body: NewStep,
    example: { type: 'DELAY', config: { amount: 1, unit: 'days' } },
    replies: { 201: { description: 'The step.', schema: WorkflowStep } },
    handle: (ctx, { caller, params, body, facts }) =>
      addStep(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: '/workflows/{id}/steps/{stepId}',
    client: 'workflows.steps.update',
    summary: 'Update a step',
    description:
      '`config` is replaced as a whole. Executions that wait at the step keep the ends of their waits, unless `waiting` is `apply`, and then continue with the new configuration.',
    params: step,
    body: StepChanges,
    example: { name: 'Wait', config: { amount: 2, unit: 'days' } },
    replies: { 200: { description: 'The step.', schema: WorkflowStep } },
    ifMatch: true,
    handle: (ctx, { caller, params, body, facts }) =>
      changeStep(ctx, caller.projectId, params.id, params.stepId, body, actorOf(caller, facts), facts.ifMatch),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/workflows/{id}/steps/{stepId}',
    client: 'workflows.steps.delete',
    summary: 'Delete a step',
    description:
      'Also deletes its transitions. Executions at the step fail, unless `executions` moves them to the next step or cancels them.',
    params: step,
    query: StepDeletion,
    replies: { 204: { description: 'Deleted.' } },
    handle: (ctx, { caller, params, query, facts }) =>
      removeStep(ctx, caller.projectId, params.id, params.stepId, query, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/{id}/transitions',
    client: 'workflows.transitions.create',
    summary: 'Connect two steps',
    description: 'Loops are refused. Transitions from a CONDITION step need a `branch`.',
    params: workflow,
    body: NewTransition,
    replies: { 201: { description: 'The transition.', schema: WorkflowTransition } },
    handle: (ctx, { caller, params, body, facts }) =>
      addTransition(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/workflows/{id}/transitions/{transitionId}',
    client: 'workflows.transitions.delete',
    summary: 'Delete a transition',
    params: transition,
    replies: { 204: { description: 'Deleted.' } },
    handle: (ctx, { caller, params, facts }) =>
      removeTransition(ctx, caller.projectId, params.id, params.transitionId, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'PUT',
    path: '/workflows/{id}/graph',
    client: 'workflows.replaceGraph',
    summary: 'Replace the graph',
    description:
      'Replaces all steps and transitions in one transaction, or nothing if any of them is refused. Executions stay at steps that keep their ID. If executions are at a removed step, `executions` must contain a choice for it; otherwise the response is 409, and `details.steps` lists these steps with the number of contacts. Deletes the draft and adds a version.',
    params: workflow,
    body: GraphInput,
    example: {
      steps: [
        { id: '0198f2c4-6b7a-7c3e-9d41-000000000001', type: 'DELAY', config: { amount: 1, unit: 'days' } },
        { id: '0198f2c4-6b7a-7c3e-9d41-000000000002', type: 'EXIT', config: { reason: 'done' } },
      ],
      transitions: [
        { fromStepId: '0198f2c4-6b7a-7c3e-9d41-000000000001', toStepId: '0198f2c4-6b7a-7c3e-9d41-000000000002' },
      ],
    },
    replies: { 200: { description: 'The workflow with its new graph.', schema: WorkflowWithGraph } },
    refusals: [409],
    ifMatch: true,
    handle: (ctx, { caller, params, body, facts }) =>
      publishGraph(ctx, caller.projectId, params.id, body, actorOf(caller, facts), facts.ifMatch),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/draft',
    client: 'workflows.draft.get',
    summary: 'Get the draft of the graph',
    description: 'The draft that the dashboard edits. If there is none, the published graph as version 0.',
    params: workflow,
    replies: { 200: { description: 'The draft.', schema: WorkflowDraft } },
    handle: (ctx, { caller, params }) => getDraft(ctx, caller.projectId, params.id),
  }),
  route({
    ...common,
    method: 'PUT',
    path: '/workflows/{id}/draft',
    client: 'workflows.draft.save',
    summary: 'Save the draft of the graph',
    description:
      'A draft can be incomplete and has no effect on executions. `problems` lists what has to be corrected before it can be published with `PUT /workflows/{id}/graph`.',
    params: workflow,
    body: DraftInput,
    example: {
      steps: [
        { id: '0198f2c4-6b7a-7c3e-9d41-000000000001', type: 'DELAY', config: { amount: 1, unit: 'days' } },
        { id: '0198f2c4-6b7a-7c3e-9d41-000000000002', type: 'EXIT', config: { reason: 'done' } },
      ],
      transitions: [
        { fromStepId: '0198f2c4-6b7a-7c3e-9d41-000000000001', toStepId: '0198f2c4-6b7a-7c3e-9d41-000000000002' },
      ],
    },
    replies: { 200: { description: 'The draft.', schema: WorkflowDraft } },
    refusals: [409],
    handle: (ctx, { caller, params, body }) => saveDraft(ctx, caller.projectId, params.id, body),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/workflows/{id}/draft',
    client: 'workflows.draft.discard',
    summary: 'Discard the draft of the graph',
    params: workflow,
    replies: { 204: { description: 'Discarded.' } },
    handle: (ctx, { caller, params }) => discardDraft(ctx, caller.projectId, params.id),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/versions',
    client: 'workflows.versions.list',
    summary: 'List published versions',
    description: 'Newest first. The last 100 versions are kept.',
    params: workflow,
    replies: { 200: { description: 'The versions.', schema: VersionList } },
    handle: (ctx, { caller, params }) => listVersions(ctx, caller.projectId, params.id),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/{id}/versions/{number}',
    client: 'workflows.versions.get',
    summary: 'Get a published version',
    description: 'Its steps and transitions can be saved as a draft or published again.',
    params: { ...workflow, number: 'text' },
    replies: { 200: { description: 'The version.', schema: WorkflowVersion } },
    handle: (ctx, { caller, params }) => getVersion(ctx, caller.projectId, params.id, params.number),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/workflows/webhook-secret',
    client: 'workflows.webhookSecret.get',
    role: 'ADMIN',
    scope: 'workflows:write', // with the secret, webhooks can be forged
    summary: 'Get the webhook secret',
    replies: { 200: { description: 'The secret that signs webhooks.', schema: WebhookSecret } },
    handle: (ctx, { caller }) => getWebhookSecret(ctx, caller.projectId),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/webhook-secret/rotate',
    client: 'workflows.webhookSecret.rotate',
    role: 'ADMIN',
    summary: 'Rotate the webhook secret',
    description: 'For one day, webhooks are signed with both the old and the new secret.',
    replies: { 200: { description: 'The new secret.', schema: WebhookSecret } },
    handle: (ctx, { caller, facts }) => rotateWebhookSecret(ctx, caller.projectId, actorOf(caller, facts)),
  }),
]
