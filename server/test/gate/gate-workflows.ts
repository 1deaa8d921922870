/** A workflow to knock at: enabled, with a step to change and two that nothing connects yet. */
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

/** Good bodies. `{from}` and `{to}` are filled in by `fill`. */
export const WORKFLOW_EXAMPLES: Record<string, Json> = {
  'POST /workflows': { ...WORKFLOW, eventName: 'signup' },
  'PATCH /workflows/{id}': { ...WORKFLOW, triggerType: 'EVENT', enabled: true },
  'POST /workflows/{id}/steps': WEBHOOK,
  'PATCH /workflows/{id}/steps/{stepId}': WEBHOOK,
  'POST /workflows/{id}/transitions': { fromStepId: '{from}', toStepId: '{to}', condition: { branch: null } },
  'POST /workflows/{id}/executions': { contactId: '{contact}', context: { coupon: ['X'] } },
  'POST /workflows/{id}/simulate': { contactId: '{contact}', event: { n: 1 }, context: {}, assumeEvents: true },
  'POST /workflows/import': {
    ...WORKFLOW,
    format: 'posthorn.workflow.1',
    steps: [
      { key: 'a', type: 'DELAY', name: 'Wait', config: { amount: 1, unit: 'days' }, position: { x: 1 } },
      { key: 'b', type: 'EXIT', config: { reason: 'end' } },
    ],
    transitions: [{ from: 'a', to: 'b', branch: null }],
    templates: {},
  },
}

export async function plantWorkflow(app: TestApp, project: Awaited<ReturnType<typeof createProject>>) {
  const ask = async (method: string, path: string, body: unknown): Promise<string> =>
    (await app.request(method, path, { key: project.secretKey, body })).body.id
  const id = await ask('POST', '/workflows', WORKFLOW)
  const addStep = (body: object) => ask('POST', `/workflows/${id}/steps`, body)
  const stepId = await addStep(WEBHOOK)
  await ask('PATCH', `/workflows/${id}`, { enabled: true })
  const from = await addStep({ type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } })
  const to = await addStep({ type: 'EXIT' })
  return { id, stepId, fill: (text: string) => text.replaceAll('{from}', from).replaceAll('{to}', to) }
}
