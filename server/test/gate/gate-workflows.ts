/** A workflow for requests to workflow routes: enabled, with a step to change and two that aren't connected yet. */
import type { createProject, TestApp } from '../harness.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const WEBHOOK = {
  type: 'WEBHOOK',
  name: 'Tell them',
  config: {
    url: 'https://example.org/{{id}}',
    method: 'POST',
    headers: { 'X-Plan': '{{data.plan}}' },
    body: { n: ['{{event.n}}'] },
  },
  position: { x: 1 },
}

const WORKFLOW = {
  name: 'Welcome',
  description: 'First mails',
  triggerConfig: { eventName: 'signup' },
  allowReentry: true,
}

const GRAPH: { steps: Json[]; transitions: Json[] } = {
  steps: [
    { ...WEBHOOK, id: '{step}' },
    { id: '{from}', type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } },
    { id: '{to}', type: 'EXIT', config: {} },
  ],
  transitions: [
    { fromStepId: '{step}', toStepId: '{from}' },
    { fromStepId: '{from}', toStepId: '{to}', branch: null },
  ],
}

/** Valid bodies. `{step}`, `{from}` and `{to}` are replaced by `fill`. */
export const WORKFLOW_EXAMPLES: Record<string, Json> = {
  'POST /workflows': { ...WORKFLOW, eventName: 'signup' },
  'PATCH /workflows/{id}': { ...WORKFLOW, triggerType: 'EVENT', enabled: true },
  'POST /workflows/{id}/steps': WEBHOOK,
  'PATCH /workflows/{id}/steps/{stepId}': WEBHOOK,
  'POST /workflows/{id}/transitions': { fromStepId: '{from}', toStepId: '{to}', condition: { branch: null } },
  'POST /workflows/{id}/executions': { contactId: '{contact}', context: { coupon: ['X'] } },
  'POST /workflows/{id}/executions/{executionId}/move': { stepId: '{to}' },
  'POST /workflows/{id}/steps/{stepId}/executions/move': { stepId: '{to}' },
  'POST /workflows/{id}/simulate': { contactId: '{contact}', event: { n: 1 }, context: {}, assumeEvents: true },
  'PUT /workflows/{id}/graph': GRAPH,
  'PUT /workflows/{id}/draft': { ...GRAPH, version: 0 },
  'POST /workflows/{id}/executions/segment': { segmentId: '{segment}' },
  'POST /workflows/import': {
    ...WORKFLOW,
    name: 'Imported', // one of the same name would be changed
    format: 'posthorn.workflow.1',
    steps: [
      { key: 'a', type: 'DELAY', name: 'Wait', config: { amount: 1, unit: 'days' }, position: { x: 1 } },
      { key: 'b', type: 'EXIT', config: { reason: 'end' } },
    ],
    transitions: [{ from: 'a', to: 'b', branch: null }],
    templates: {},
  },
}

export async function createWorkflow(app: TestApp, project: Awaited<ReturnType<typeof createProject>>) {
  const call = async (method: string, path: string, body: unknown): Promise<string> =>
    (await app.request(method, path, { key: project.secretKey, body })).body.id
  const id = await call('POST', '/workflows', WORKFLOW)
  const addStep = (body: object) => call('POST', `/workflows/${id}/steps`, body)
  const stepId = await addStep(WEBHOOK)
  await call('PATCH', `/workflows/${id}`, { enabled: true })
  const from = await addStep({ type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } })
  const to = await addStep({ type: 'EXIT' })
  return {
    id,
    stepId,
    fill: (text: string) =>
      text.replaceAll('{workflow}', id).replaceAll('{step}', stepId).replaceAll('{from}', from).replaceAll('{to}', to),
  }
}
