/**
 * Bodies with an ID in each place where one can stand. A field of a body doesn't say that it is an ID, so this list is
 * written manually; paths and queries are walked in attackers.test.ts.
 */
import { CAMPAIGN, TEMPLATE } from '../gate/gate-examples.ts'
import type { Ids } from './world.ts'

const audience = (condition: object) => ({ ...(CAMPAIGN as object), audienceCondition: condition })
const inSegment = (id: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: `segment.${id}`, operator: 'memberOfSegment' }] }],
})
const email = { to: 'a@example.org', from: 'a@example.com', subject: 's', body: 'b' }
const withLayout = (id: string) => ({ document: { version: 1, layoutId: id, blocks: [] } })
const { body: _template, ...template } = TEMPLATE as { body: string }
const { body: _campaign, ...campaign } = CAMPAIGN as { body: string }
const step = (config: object) => ({ type: 'SEND_EMAIL', name: 'Send', config })
/** Words in braces in a path, and `own`, are the IDs of the caller. */
export const BODIES_WITH_IDS: Array<[string, (id: string, own: Ids) => unknown]> = [
  ['POST /v1/send', (id) => ({ ...email, template: id })],
  ['POST /campaigns', (id) => ({ ...(CAMPAIGN as object), templateId: id })],
  ['POST /campaigns', (id) => ({ ...(CAMPAIGN as object), audienceType: 'SEGMENT', segmentId: id })],
  ['POST /campaigns', (id) => audience(inSegment(id))],
  ['POST /campaigns', (id) => ({ ...campaign, ...withLayout(id) })],
  ['PATCH /templates/{template}', (id) => withLayout(id)],
  ['POST /templates', (id) => ({ ...template, ...withLayout(id) })],
  ['POST /templates/preview', (id) => ({ subject: 's', ...withLayout(id) })],
  ['PUT /campaigns/{campaign}', (id) => audience(inSegment(id))],
  ['POST /campaigns/audience-preview', (id) => ({ type: 'MARKETING', audienceType: 'SEGMENT', segmentId: id })],
  ['POST /segments', (id) => ({ name: 'Theirs', condition: inSegment(id) })],
  ['POST /segments/preview', (id) => ({ condition: inSegment(id) })],
  ['POST /templates/preview', (id) => ({ subject: 's', body: 'b', contactId: id })],
  [
    'POST /templates/check',
    (id) => ({ subject: 's', body: 'b', audience: { audienceType: 'SEGMENT', segmentId: id } }),
  ],
  ['POST /workflows/{workflow}/steps', (id) => step({ templateId: id })],
  ['POST /workflows/{workflow}/steps', (id) => ({ type: 'CONDITION', name: 'Check', config: inSegment(id) })],
  ['POST /workflows/{workflow}/transitions', (id, own) => ({ fromStepId: own.step, toStepId: id })],
  ['POST /workflows/{workflow}/transitions', (id, own) => ({ fromStepId: id, toStepId: own.step })],
  ['POST /workflows/{workflow}/executions', (id) => ({ contactId: id })],
  ['POST /workflows/{workflow}/simulate', (id) => ({ contactId: id })],
  ['POST /domains', (id) => ({ domain: 'theirs.example', projectId: id })],
]
