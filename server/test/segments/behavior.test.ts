/** Segments of contacts by what they did: counts of events with properties, emails, clicks and workflows, through the API. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recomputeSegments } from '../../features/audience/segments/actions.ts'
import { newId } from '../../kernel/ids.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const DAY = 86_400_000

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  project = await createProject(app)
})

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })
const just = (filter: object) => ({ logic: 'AND', groups: [{ filters: [filter] }] })
const track = (email: string, event: string, data: object = {}) => call('POST', '/events/track', { email, event, data })
async function matching(filter: object): Promise<string[]> {
  const { body } = await call('POST', '/segments/preview', { condition: just(filter), pageSize: 100 })
  return body.sample.map(({ email }: { email: string }) => email.split('@')[0]).sort()
}

describe('a segment by events', () => {
  it('counts the events with their properties within the period', async () => {
    for (const total of [20, 60, 80])
      await track('often@example.org', 'purchase', { total: { value: total, persistent: false } })
    await track('once@example.org', 'purchase', { total: { value: 90, persistent: false } })
    await call('POST', '/contacts', { email: 'never@example.org' })
    const purchases = { field: 'event.purchase' }
    const where = [{ property: 'total', operator: 'greaterThan', value: 50 }]
    expect(await matching({ ...purchases, operator: 'countAtLeast', value: 3 })).toEqual(['often'])
    expect(await matching({ ...purchases, operator: 'countAtLeast', value: 3, where })).toEqual([])
    expect(await matching({ ...purchases, operator: 'countExactly', value: 2, where })).toEqual(['often'])
    expect(await matching({ ...purchases, operator: 'countAtMost', value: 1 })).toEqual(['never', 'once'])
    expect(await matching({ ...purchases, operator: 'countExactly', value: 0 })).toEqual(['never'])
    expect(await matching({ ...purchases, operator: 'triggered', where })).toEqual(['often', 'once'])
    app.clock.forward(10 * DAY)
    await track('once@example.org', 'purchase')
    const within = { value: 7, unit: 'days' }
    expect(await matching({ ...purchases, operator: 'countAtLeast', value: 1, within })).toEqual(['once'])
  })

  it('shows the same segments on the page of a contact', async () => {
    const contact = (await track('a@example.org', 'login')).body.data.contact
    await track('a@example.org', 'login')
    for (const [name, value] of [
      ['two', 2],
      ['three', 3],
    ]) {
      const condition = just({ field: 'event.login', operator: 'countAtLeast', value })
      await call('POST', '/segments', { name, condition })
    }
    const { body } = await call('GET', `/contacts/${contact}/segments`)
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['two'])
  })

  it('records an entry when the count is reached, and an exit when the period is over', async () => {
    const condition = just({
      field: 'event.login',
      operator: 'countAtLeast',
      value: 2,
      within: { value: 1, unit: 'days' },
    })
    const { body: segment } = await call('POST', '/segments', { name: 'Active', condition, trackMembership: true })
    await call('POST', `/segments/${segment.id}/compute`)
    await track('a@example.org', 'login')
    await track('a@example.org', 'login')
    const names = async () =>
      (await call('GET', '/events')).body.data
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => name.startsWith('segment.'))
    app.clock.forward(61_000)
    await recomputeSegments(app.ctx)
    expect(await names()).toEqual(['segment.active.entry'])
    app.clock.forward(DAY)
    await recomputeSegments(app.ctx)
    expect(await names()).toEqual(['segment.active.exit', 'segment.active.entry'])
  })

  it('is listed as a user of the event', async () => {
    await track('a@example.org', 'login')
    const condition = just({ field: 'event.login', operator: 'countAtMost', value: 2 })
    const { body: segment } = await call('POST', '/segments', { name: 'Idle', condition })
    const { body } = await call('GET', '/events/login/usage')
    expect(body.usedInSegments).toEqual([{ id: segment.id, name: 'Idle' }])
  })

  it('counts no events of other projects', async () => {
    const other = await createProject(app)
    await call('POST', '/events/track', { email: 'a@example.org', event: 'login' }, other.secretKey)
    await call('POST', '/contacts', { email: 'a@example.org' })
    expect(await matching({ field: 'event.login', operator: 'countAtLeast', value: 1 })).toEqual([])
  })
})

describe('a segment by emails and clicks', () => {
  it('finds those who clicked a link of a campaign, and those who got few emails', async () => {
    const { body: contact } = await call('POST', '/contacts', { email: 'a@example.org', subscribed: true })
    await call('POST', '/contacts', { email: 'b@example.org' })
    const campaign = await createCampaign()
    const now = app.clock.now()
    for (const [i, link] of ['https://example.com/a?utm_source=x', 'https://example.com/b'].entries()) {
      const id = newId(now)
      await app.pool.query(
        `insert into emails (project_id, id, contact_id, content_id, to_email, from_email, source_type, campaign_id, sent_at,
           clicked_at, created_at, updated_at)
         values ($1, $2, $3, $2, 'a@example.org', 'x@example.com', 'CAMPAIGN', $4, $5, $5, $5, $5)`,
        [project.id, id, contact.id, i === 0 ? campaign : null, now],
      )
      await app.pool.query(
        `insert into link_clicks (project_id, email_id, link_hash, link, contact_id, campaign_id, clicks, first_at, last_at)
         values ($1, $2, md5($3)::uuid, $3, $4, $5, 1, $6, $6)`,
        [project.id, id, link, contact.id, i === 0 ? campaign : null, now],
      )
    }
    const clicked = (...where: object[]) => matching({ field: 'email.clicked', operator: 'triggered', where })
    const a = { property: 'link', operator: 'equals', value: 'https://example.com/a' }
    const inCampaign = { property: 'campaignId', operator: 'equals', value: campaign }
    expect(await clicked(a)).toEqual(['a'])
    expect(await clicked(a, inCampaign)).toEqual(['a'])
    expect(await clicked({ ...a, value: 'https://example.com/b' }, inCampaign)).toEqual([])
    expect(await clicked({ ...a, operator: 'startsWith', value: 'https://example.com/' })).toEqual(['a'])
    expect(await matching({ field: 'email.sent', operator: 'countAtLeast', value: 2 })).toEqual(['a'])
    const within = { value: 7, unit: 'days' }
    expect(await matching({ field: 'email.sent', operator: 'countAtMost', value: 1, within })).toEqual(['b'])
    app.clock.forward(8 * DAY)
    expect(await matching({ field: 'email.sent', operator: 'countAtMost', value: 1, within })).toEqual(['a', 'b'])
  })

  it('is refused if the campaign belongs to another project', async () => {
    const campaign = await createCampaign()
    project = await createProject(app)
    const where = [{ property: 'campaignId', operator: 'equals', value: campaign }]
    const { status, body } = await call('POST', '/segments', {
      name: 'X',
      condition: just({ field: 'email.clicked', operator: 'triggered', where }),
    })
    expect(status).toBe(422)
    expect(body.error.errors).toEqual([
      expect.objectContaining({ field: 'condition.groups.0.filters.0.where.0.value', code: 'unknown_campaign' }),
    ])
    expect((await call('GET', '/segments')).body).toEqual([])
  })
})

describe('a segment by workflows', () => {
  it('contains those who are in a workflow, entered it or completed it', async () => {
    const { body: workflow } = await call('POST', '/workflows', { name: 'W', triggerType: 'MANUAL' })
    const now = app.clock.now()
    for (const [name, status] of [
      ['waiting', 'WAITING'],
      ['done', 'COMPLETED'],
      ['out', 'EXITED'],
      ['failed', 'FAILED'],
    ]) {
      const { body: contact } = await call('POST', '/contacts', { email: `${name}@example.org` })
      await app.pool.query(
        `insert into workflow_executions (project_id, id, workflow_id, contact_id, status, only_once, seen_up_to, started_at,
           completed_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, false, $2, $6::timestamptz, case when $5 <> 'WAITING' then $6::timestamptz end, $6, $6)`,
        [project.id, newId(now), workflow.id, contact.id, status, now],
      )
    }
    await call('POST', '/contacts', { email: 'never@example.org' })
    const by = (operator: string, more: object = {}) =>
      matching({ field: `workflow.${workflow.id}`, operator, ...more })
    expect(await by('inWorkflow')).toEqual(['waiting'])
    expect(await by('notInWorkflow')).toEqual(['done', 'failed', 'never', 'out'])
    expect(await by('enteredWorkflow')).toEqual(['done', 'failed', 'out', 'waiting'])
    expect(await by('completedWorkflow')).toEqual(['done', 'out'])
    expect(await by('notCompletedWorkflow')).toEqual(['failed', 'never', 'waiting'])
    app.clock.forward(2 * DAY)
    const within = { value: 1, unit: 'days' }
    expect(await by('enteredWorkflow', { within })).toEqual([])
    expect(await by('notEnteredWorkflow', { within })).toHaveLength(5)
  })

  it.each([
    ['segments', 'condition', (condition: object) => ({ name: 'X', condition })],
    ['segments/preview', 'condition', (condition: object) => ({ condition })],
  ])('POST /%s returns 422 if the workflow does not exist', async (path, at, body) => {
    const field = `workflow.${newId(app.clock.now())}`
    const { status, body: answer } = await call('POST', `/${path}`, body(just({ field, operator: 'inWorkflow' })))
    expect(status).toBe(422)
    expect(answer.error.errors).toEqual([
      expect.objectContaining({
        field: `${at}.groups.0.filters.0.field`,
        code: 'unknown_workflow',
        message: expect.stringContaining('GET /workflows'),
      }),
    ])
  })
})

async function createCampaign(): Promise<string> {
  const id = newId(app.clock.now())
  await app.pool.query(
    `insert into campaigns (project_id, id, name, subject, body, from_email, from_domain, type, audience_type, status, created_at, updated_at)
     values ($1, $2, 'C', 'S', 'B', 'x@example.com', 'example.com', 'MARKETING', 'ALL', 'DRAFT', $3, $3)`,
    [project.id, id, app.clock.now()],
  )
  return id
}
