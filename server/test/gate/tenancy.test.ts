/**
 * IDs of another project in every place of every route: the response is the same as for an ID that doesn't exist, and
 * nothing changes. Routes come from the list the server and the OpenAPI document are built from, so a new one is
 * covered automatically.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../app.ts'
import type { Route } from '../../platform/http/route.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { type ChangedTables, watchTables } from './changed-tables.ts'
import { CAMPAIGN, EXAMPLES, LAYOUT, SAVED_BLOCKS, TEMPLATE } from './gate-examples.ts'
import { createWorkflow } from './gate-workflows.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let changedTables: ChangedTables
let attacker: Project
let victim: Project
let own: Record<string, string>
let foreign: Record<string, string>

beforeAll(async () => {
  app = await openTestApp()
  attacker = await createProject(app)
  victim = await createProject(app)
  own = await createResources(attacker)
  foreign = await createResources(victim)
  changedTables = await watchTables(app)
})
afterAll(() => app.close())

/** One resource of each kind, by name. */
async function createResources(project: Project): Promise<Record<string, string>> {
  const make = async (path: string, body: unknown) =>
    (await app.request('POST', path, { key: project.secretKey, body })).body
  const contact = await make('/contacts', { email: 'someone@example.org' })
  const workflow = await createWorkflow(app, project)
  const sent = await make('/v1/send', {
    to: 'a@example.org',
    from: 'a@example.com',
    subject: 's',
    body: 'b',
  })
  const execution = await make(`/workflows/${workflow.id}/executions`, { contactId: contact.id })
  const segment = await make('/segments', { name: 'List', type: 'STATIC' })
  const ids = {
    contact: contact.id,
    template: (await make('/templates', TEMPLATE)).id,
    campaign: (await make('/campaigns', CAMPAIGN)).id,
    layout: (await make('/layouts', LAYOUT)).id,
    'saved blocks': (await make('/saved-blocks', SAVED_BLOCKS)).id,
    segment: segment.id,
    workflow: workflow.id,
    step: workflow.stepId,
    execution: execution.id,
    email: sent.data.emails[0].email,
    domain: (await make('/domains', { domain: 'other.example' })).id,
    job: (await make('/contacts/bulk-subscribe', { contactIds: [contact.id] })).jobId,
    invitation: (await make(`/projects/${project.id}/invitations`, { email: 'x@example.org', role: 'MEMBER' })).id,
    member: project.owner.id,
    project: project.id,
  }
  await app.drain()
  return ids
}

const nameOf = (route: Route) => `${route.method} ${route.path}`

/** A response without the ID in question and without values that always differ. */
const essence = ({ status, body }: { status: number; body: unknown }, id: string) =>
  `${status} ${JSON.stringify(body)}`.replaceAll(id, 'ID').replaceAll(/"(requestId|timestamp)":"[^"]*"/g, '')

const parentOf: Record<string, string> = { '/workflows': 'workflow', '/segments': 'segment', '/campaigns': 'campaign' }

/** Paths with the ID in every place, and after one of the caller's own. */
function pathsWith(route: Route, id: string): string[] {
  const everywhere = route.path.replaceAll(/\{\w+\}/g, id)
  const parent = own[parentOf[route.path.split('/{')[0]!] ?? ''] ?? attacker.id
  const behind = route.path.replace(/\{\w+\}/, parent).replaceAll(/\{\w+\}/g, id)
  return (route.path.match(/\{/g) ?? []).length > 1 ? [everywhere, behind] : [everywhere]
}

const withIds = routes.filter(
  ({ params, access }) =>
    (access === 'project' || access === 'own-project') && Object.values(params ?? {}).some((kind) => kind !== 'text'),
)

describe('ids of another project in a path', () => {
  it.each(withIds.map((route) => [nameOf(route), route] as const))('%s', async (name, route) => {
    const unknown = randomUUID()
    const call = (path: string) =>
      app.request(route.method, path, { key: attacker.secretKey, ...(route.body && { body: EXAMPLES[name] ?? {} }) })
    const expected = await Promise.all(
      pathsWith(route, unknown).map(async (path) => essence(await call(path), unknown)),
    )
    await changedTables()
    for (const [kind, id] of Object.entries(foreign)) {
      for (const [i, path] of pathsWith(route, id).entries()) {
        expect(essence(await call(path), id), `${kind} in ${path}`).toBe(expected[i])
      }
    }
    expect(await changedTables()).toEqual([])
  })
})

describe('ids of another project in a query', () => {
  const cases = routes
    .filter(({ access, query, params }) => access === 'project' && query instanceof z.ZodObject && !params)
    .filter((route) => route.replies[200]?.contentType !== 'text/event-stream')
    .flatMap((route) =>
      Object.keys((route.query as unknown as z.ZodObject).shape)
        .filter((name) => /Id$|^cursor$|^search$/.test(name))
        .map((name) => [`${nameOf(route)}?${name}`, route, name] as const),
    )

  it.each(cases)('%s', async (_name, route, name) => {
    const unknown = randomUUID()
    const call = (id: string) => app.request(route.method, `${route.path}?${name}=${id}`, { key: attacker.secretKey })
    const expected = essence(await call(unknown), unknown)
    for (const [kind, id] of Object.entries(foreign)) expect(essence(await call(id), id), kind).toBe(expected)
  })
})

describe('ids of another project in a body', () => {
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
  const bodies: Array<[string, (id: string) => unknown]> = [
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
    ['POST /workflows/{workflow}/transitions', (id) => ({ fromStepId: own.step, toStepId: id })],
    ['POST /workflows/{workflow}/transitions', (id) => ({ fromStepId: id, toStepId: own.step })],
    ['POST /workflows/{workflow}/executions', (id) => ({ contactId: id })],
    ['POST /workflows/{workflow}/simulate', (id) => ({ contactId: id })],
    ['POST /domains', (id) => ({ domain: 'theirs.example', projectId: id })],
  ]

  it.each(bodies)('%s (%#)', async (name, bodyWith) => {
    const [method, template] = name.split(' ') as [string, string]
    const path = template.replaceAll(/\{(\w+)\}/g, (_all, kind: string) => own[kind]!)
    const call = (id: string) => app.request(method, path, { key: attacker.secretKey, body: bodyWith(id) })
    const unknown = randomUUID()
    const first = await call(unknown)
    expect(first.status).toBeGreaterThanOrEqual(400)
    await changedTables()
    for (const [kind, id] of Object.entries(foreign)) {
      expect(essence(await call(id), id), kind).toBe(essence(first, unknown))
    }
    expect(await changedTables()).toEqual([])
  })

  it.each(['subscribe', 'unsubscribe', 'delete'])('POST /contacts/bulk-%s', async (action) => {
    const rows = async () => (await app.pool.query('select * from contacts where project_id = $1', [victim.id])).rows
    const before = await rows()
    const contactIds = Object.values(foreign)
    const { status, body } = await app.request('POST', `/contacts/bulk-${action}`, {
      key: attacker.secretKey,
      body: { contactIds },
    })
    expect(status).toBe(202)
    await app.drain()
    const job = await app.request('GET', `/contacts/bulk/${body.jobId}`, { key: attacker.secretKey })
    expect(job.body.result).toMatchObject({ successCount: 0, failureCount: contactIds.length })
    expect(await rows()).toEqual(before)
  })
})
