/** Campaigns over HTTP: creating and changing them, and every action in every state. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  await call('POST', '/contacts', { email: 'reader@example.org', data: { plan: 'pro' } })
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })
const IS_PRO = { logic: 'AND', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] }
const NEWS = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }
const create = async (body: object = {}) => (await call('POST', '/campaigns', { ...NEWS, ...body })).body
const inOneHour = () => new Date(app.clock.now().getTime() + 3_600_000).toISOString()
const ANOTHER_ID = '01a1dd1f-5566-7386-9343-5429898a495c'

/** A campaign in each state; the emails of the one that is SENDING haven't been sent. */
async function campaignIn(status: string) {
  const { id } = await create()
  if (status === 'SCHEDULED') await call('POST', `/campaigns/${id}/send`, { scheduledFor: inOneHour() })
  if (status === 'SENDING' || status === 'SENT' || status === 'CANCELLED') await call('POST', `/campaigns/${id}/send`)
  if (status === 'CANCELLED') await call('POST', `/campaigns/${id}/cancel`)
  if (status === 'SENT') await app.drain()
  expect((await call('GET', `/campaigns/${id}`)).body.status).toBe(status)
  return id as string
}

describe('a new campaign', () => {
  it('is a MARKETING draft, returned both bare and under data', async () => {
    const { status, body } = await call('POST', '/campaigns', { ...NEWS, status: 'SENT', scheduledFor: inOneHour() })
    expect(status).toBe(201)
    const { success, data, ...campaign } = body
    expect(success).toBe(true)
    expect(data).toEqual(campaign)
    expect(campaign).toEqual({
      id: expect.any(String),
      name: 'News',
      feed: null,
      recurrence: null,
      recurrenceOf: null,
      hasExperiment: false,
      timing: null,
      description: null,
      subject: 'Hello',
      body: '<p>Hi</p>',
      editor: 'html',
      version: 1,
      document: null,
      mjml: null,
      text: null,
      preheader: null,
      from: 'us@example.com',
      fromName: null,
      replyTo: null,
      type: 'MARKETING',
      status: 'DRAFT',
      audienceType: 'ALL',
      audienceCondition: null,
      segmentId: null,
      templateId: null,
      topicId: null,
      tags: [],
      waves: [],
      waiting: null,
      isPublic: false,
      utm: null,
      skippedCount: 0,
      scheduledFor: null,
      heldReason: null,
      pausedAt: null,
      totalRecipients: 0,
      sentCount: 0,
      deliveredCount: 0,
      openedCount: 0,
      clickedCount: 0,
      bouncedCount: 0,
      refusedCount: 0,
      projectId: project.id,
      sentAt: null,
      finishedAt: null,
      createdAt: app.clock.now().toISOString(),
      updatedAt: app.clock.now().toISOString(),
    })
    expect((await call('GET', `/campaigns/${campaign.id}`)).body).toEqual(campaign)
  })

  it.each([
    ['has no name', { name: undefined }, 'name', 'invalid_type'],
    ['has no subject', { subject: undefined }, 'subject', 'invalid_type'],
    ['has no body', { body: undefined }, 'body', 'invalid_type'],
    ['has no sender', { from: undefined }, 'from', 'invalid_type'],
    ['has a sender that is no address', { from: 'us' }, 'from', 'invalid_string'],
    ['has no audience', { audienceType: undefined }, 'audienceType', 'invalid_type'],
    ['has an audience for its type', { audienceType: 'MARKETING' }, 'audienceType', 'invalid_enum_value'],
    ['is for a segment that it does not name', { audienceType: 'SEGMENT' }, 'segmentId', 'invalid_type'],
    ['is for a segment that is no id', { audienceType: 'SEGMENT', segmentId: 'x' }, 'segmentId', 'invalid_string'],
    ['is for a filter that it does not have', { audienceType: 'FILTERED' }, 'audienceCondition', 'invalid_type'],
    ['has an unknown type', { type: 'NEWS' }, 'type', 'invalid_enum_value'],
    ['has a line break in its subject', { subject: 'a\nb' }, 'subject', 'invalid_string'],
    ['has broken Liquid', { body: '{% if %}' }, 'body', 'custom'],
    ['has a template that is no id', { templateId: 'x' }, 'templateId', 'invalid_string'],
  ])('is refused with 422 if it %s', async (_what, change, field, code) => {
    const { status, body } = await call('POST', '/campaigns', { ...NEWS, ...change })
    expect(status).toBe(422)
    expect(body.error.code).toBe('VALIDATION_ERROR')
    expect(body.error.errors).toContainEqual(expect.objectContaining({ field, code }))
  })

  it('from a domain that is not verified is refused with 403 and the code of the contract', async () => {
    const { status, body } = await call('POST', '/campaigns', { ...NEWS, from: 'us@unverified.example.com' })
    expect(status).toBe(403)
    expect(body.error.code).toBe('INTERNAL_SERVER_ERROR')
  })

  it('is refused with 404 if its segment or template is of another project, even inside a condition', async () => {
    const other = await createProject(app)
    const segment = await app.request('POST', '/segments', {
      key: other.secretKey,
      body: { name: 'x', type: 'STATIC' },
    })
    const template = await app.request('POST', '/templates', { key: other.secretKey, body: { ...NEWS } })
    const inside = {
      logic: 'AND',
      groups: [{ filters: [{ field: `segment.${segment.body.id}`, operator: 'memberOfSegment' }] }],
    }
    for (const body of [
      { audienceType: 'SEGMENT', segmentId: segment.body.id },
      { audienceType: 'SEGMENT', segmentId: ANOTHER_ID },
      { audienceType: 'FILTERED', audienceCondition: inside },
    ]) {
      const reply = await call('POST', '/campaigns', { ...NEWS, ...body })
      expect(reply.status).toBe(404)
      expect(reply.body.error.code).toBe('SEGMENT_NOT_FOUND')
    }
    const reply = await call('POST', '/campaigns', { ...NEWS, templateId: template.body.id })
    expect(reply.status).toBe(404)
    expect(reply.body.error.code).toBe('TEMPLATE_NOT_FOUND')
  })

  it('accepts audienceFilter as the old name of audienceCondition, and ignores fields its audience does not need', async () => {
    const old = await create({ audienceType: 'FILTERED', audienceFilter: IS_PRO, segmentId: 'not looked at' })
    expect(old).toMatchObject({ audienceType: 'FILTERED', audienceCondition: IS_PRO, segmentId: null })
    const all = await create({ audienceCondition: IS_PRO })
    expect(all).toMatchObject({ audienceType: 'ALL', audienceCondition: null })
  })

  it("uses its template for missing fields, and is listed in the template's usage", async () => {
    const template = (
      await call('POST', '/templates', {
        name: 'T',
        subject: 'From the template',
        body: '<p>T</p>',
        from: 'template@example.com',
        fromName: 'Template',
        replyTo: 'reply@example.org',
        type: 'HEADLESS',
      })
    ).body
    const input = { name: 'By template', subject: 'My own', templateId: template.id, audienceType: 'ALL' }
    const campaign = (await call('POST', '/campaigns', input)).body
    expect(campaign).toMatchObject({
      subject: 'My own',
      body: '<p>T</p>',
      from: 'template@example.com',
      fromName: 'Template',
      replyTo: 'reply@example.org',
      type: 'HEADLESS',
      templateId: template.id,
    })
    const usage = (await call('GET', `/templates/${template.id}/usage`)).body
    expect(usage.campaigns).toEqual([{ id: campaign.id, name: 'By template' }])
    expect((await call('DELETE', `/templates/${template.id}`)).status).toBe(409)
    expect((await call('DELETE', `/campaigns/${campaign.id}`)).status).toBe(204)
    expect((await call('DELETE', `/templates/${template.id}`)).status).toBe(204)
  })
})

describe('a campaign', () => {
  const ACTIONS: Array<[act: string, method: string, path: string, allowed: string[], status: number]> = [
    ['PUT', 'PUT', '', ['DRAFT', 'SCHEDULED'], 200],
    ['send', 'POST', '/send', ['DRAFT', 'SCHEDULED'], 200],
    ['cancel', 'POST', '/cancel', ['SCHEDULED', 'SENDING'], 200],
    ['pause', 'POST', '/pause', ['SENDING'], 200],
    ['resume', 'POST', '/resume', ['SENDING'], 200],
    ['retry-failed', 'POST', '/retry-failed', ['SENDING', 'SENT'], 200],
    ['DELETE', 'DELETE', '', ['DRAFT', 'SENT', 'CANCELLED'], 204],
  ]
  const CASES = ACTIONS.flatMap(([act, method, path, allowed, status]) =>
    ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED'].map(
      (state) => [act, state, method, path, allowed.includes(state) ? status : 409] as const,
    ),
  )
  it.each(CASES)('allows %s in the status %s or returns an error', async (_act, state, method, path, status) => {
    const id = await campaignIn(state)
    const before = (await call('GET', `/campaigns/${id}`)).body
    const reply = await call(method, `/campaigns/${id}${path}`, method === 'PUT' ? NEWS : undefined)
    expect(reply.status).toBe(status)
    if (status !== 409) return
    expect(reply.body.error.code).toBe('CONFLICT')
    expect((await call('GET', `/campaigns/${id}`)).body).toEqual(before)
  })

  it.each(['', '/stats', '/recipients'])("is a 404 for GET of %s if it doesn't exist or is elsewhere", async (path) => {
    const other = await createProject(app)
    const foreign = (await app.request('POST', '/campaigns', { key: other.secretKey, body: NEWS })).body.id
    for (const id of [ANOTHER_ID, 'x', foreign]) {
      const { status, body } = await call('GET', `/campaigns/${id}${path}`)
      expect(status).toBe(404)
      expect(body.error.code).toBe('CAMPAIGN_NOT_FOUND')
    }
  })

  it.each(['send', 'cancel', 'duplicate', 'pause', 'resume', 'retry-failed'])(
    "is a 404 for the action %s if it doesn't exist",
    async (act) => {
      expect((await call('POST', `/campaigns/${ANOTHER_ID}/${act}`)).body.error.code).toBe('CAMPAIGN_NOT_FOUND')
    },
  )

  it('is replaced by PUT, which keeps the schedule', async () => {
    const { id } = await create({ description: 'old', fromName: 'Old', replyTo: 'old@example.org' })
    const scheduledFor = inOneHour()
    await call('POST', `/campaigns/${id}/send`, { scheduledFor })
    const input = { ...NEWS, name: 'New', audienceType: 'FILTERED', audienceCondition: IS_PRO }
    const { body } = await call('PUT', `/campaigns/${id}`, input)
    expect(body).toMatchObject({
      ...input,
      description: null,
      fromName: null,
      replyTo: null,
      status: 'SCHEDULED',
      scheduledFor,
    })
    const bad = await call('PUT', `/campaigns/${id}`, { ...input, from: 'us@unverified.example.com' })
    expect(bad.status).toBe(403)
    expect((await call('PUT', `/campaigns/${id}`, { name: 'x' })).status).toBe(422)
    await call('POST', `/campaigns/${id}/cancel`)
  })

  it('is copied as a draft with its own name', async () => {
    const id = await campaignIn('SENT')
    const original = (await call('GET', `/campaigns/${id}`)).body
    const { status, body } = await call('POST', `/campaigns/${id}/duplicate`)
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'News (Copy)', status: 'DRAFT', sentAt: null, totalRecipients: 0, sentCount: 0 })
    expect(body.id).not.toBe(id)
    expect((await call('GET', `/campaigns/${id}`)).body).toEqual(original)
  })
})

describe('the scheduled time of a campaign', () => {
  it.each([
    ['in the past', '2020-01-01T00:00:00Z'],
    ['no date', 'tomorrow'],
    ['a number', 5],
    ['an object', {}],
    ['in no zone there is', '2027-02-28T10:00:00.000X'],
    ['no day there is', '2027-02-30T10:00:00Z'],
    ['in no month there is', '2027-13-01T10:00:00Z'],
    ['empty', ''],
  ])('is refused with 400 if it is %s', async (_what, scheduledFor) => {
    const { id } = await create()
    const { status, body } = await call('POST', `/campaigns/${id}/send`, { scheduledFor })
    expect(status).toBe(400)
    expect(body.error.code).toBe('BAD_REQUEST')
    expect((await call('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
  })

  it.each([
    ['2099-12-31T23:59:59Z', '2099-12-31T23:59:59.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z'],
    ['2096-02-29T01:00:00.1234567+02:00', '2096-02-28T23:00:00.123Z'],
  ])('can be as far ahead as %s', async (scheduledFor, kept) => {
    const { id } = await create()
    const { body } = await call('POST', `/campaigns/${id}/send`, { scheduledFor })
    expect(body).toMatchObject({ status: 'SCHEDULED', scheduledFor: kept })
    expect((await call('GET', '/activity/upcoming')).status).toBe(200)
    await call('POST', `/campaigns/${id}/cancel`)
  })

  it('is stored, can be changed, and the old one has no effect', async () => {
    const { id } = await create()
    const first = inOneHour()
    expect((await call('POST', `/campaigns/${id}/send`, { scheduledFor: first })).body).toMatchObject({
      status: 'SCHEDULED',
      scheduledFor: first,
      sentAt: null,
    })
    const later = new Date(app.clock.now().getTime() + 7_200_000).toISOString()
    await call('POST', `/campaigns/${id}/send`, { scheduledFor: later })
    app.clock.forward(3_700_000)
    await app.drain()
    expect((await call('GET', `/campaigns/${id}`)).body.status).toBe('SCHEDULED')
    app.clock.forward(3_600_000)
    await app.drain()
    expect((await call('GET', `/campaigns/${id}`)).body).toMatchObject({ status: 'SENT', sentCount: 1 })
  })
})

describe('the list of campaigns', () => {
  it('is paged, filtered by status, searched in name, subject and sender, and sorted with fallbacks', async () => {
    const mine = await createProject(app)
    const key = mine.secretKey
    for (const [name, subject, from] of [
      ['Alpha', 'One', 'x@example.com'],
      ['beta', 'Tw_o', 'y@example.com'],
      ['Gamma', '100% Größe', 'special@example.com'],
    ]) {
      app.clock.forward(1_000)
      await app.request('POST', '/campaigns', { key, body: { ...NEWS, name, subject, from } })
    }
    const names = async (query: string) => {
      const { status, body } = await app.request('GET', `/campaigns?${query}`, { key })
      expect(status).toBe(200)
      return body.data.map(({ name }: { name: string }) => name)
    }
    expect(await names('')).toEqual(['Gamma', 'beta', 'Alpha'])
    expect(await names('sort=bogus&dir=sideways')).toEqual(['Gamma', 'beta', 'Alpha'])
    expect(await names('sort=name&dir=asc')).toEqual(['Alpha', 'beta', 'Gamma'])
    expect(await names('search=SPECIAL')).toEqual(['Gamma'])
    expect(await names('search=one')).toEqual(['Alpha'])
    expect(await names('search=%25')).toEqual(['Gamma'])
    expect(await names('search=GROSE')).toEqual([])
    expect(await names('search=gro%C3%9Fe')).toEqual(['Gamma'])
    expect(await names('search=_')).toEqual(['beta'])
    expect(await names('status=DRAFT&pageSize=2&page=2')).toEqual(['Alpha'])
    expect(await names('status=SENT')).toEqual([])
    expect(await names('page=0&pageSize=abc')).toHaveLength(3)
    const { body } = await app.request('GET', '/campaigns?pageSize=2&page=9', { key })
    expect(body).toEqual({ data: [], page: 9, pageSize: 2, total: 3, totalPages: 2 })
    for (const status of ['BOGUS', 'draft', '']) {
      const reply = await app.request('GET', `/campaigns?status=${status}`, { key })
      expect(reply.status).toBe(400)
      expect(reply.body.error.code).toBe('BAD_REQUEST')
    }
  })
})

describe('GET /campaigns with a filter', () => {
  it('leaves out the contents, and finds those that could not start or continue', async () => {
    const { id: projectId, secretKey: key } = await createProject(app)
    const create = async (body: object) => (await app.request('POST', '/campaigns', { key, body })).body.id
    const document = { version: 1, blocks: [{ id: 'a', type: 'divider' }] }
    const held = await create({ ...NEWS, name: 'Held', body: undefined, document })
    await create({ ...NEWS, name: 'Other' })
    await app.pool.query("update campaigns set held_reason = 'No domain.' where project_id = $1 and id = $2", [
      projectId,
      held,
    ])
    const list = async (query: string) => (await app.request('GET', `/campaigns?${query}`, { key })).body.data
    const [full] = await list('held=true')
    expect(full).toMatchObject({
      id: held,
      editor: 'visual',
      document: { version: 1 },
      body: expect.stringContaining('<'),
    })
    expect(await list('held=true&content=false')).toEqual([{ ...full, body: '', document: null }])
    expect(await list('held=false')).toMatchObject([{ name: 'Other' }])
  })
})

describe('a resource that a campaign uses', () => {
  it("can't be deleted while the campaign is unfinished", async () => {
    const segment = (await call('POST', '/segments', { name: 'Static', type: 'STATIC' })).body
    await call('POST', `/segments/${segment.id}/members`, { emails: ['reader@example.org'] })
    const { id } = await create({ audienceType: 'SEGMENT', segmentId: segment.id })
    expect((await call('DELETE', `/segments/${segment.id}`)).status).toBe(409)
    const domains = (await call('GET', `/domains/project/${project.id}`)).body
    expect((await call('DELETE', `/domains/${domains[0].id}`)).status).toBe(409)
    await call('POST', `/campaigns/${id}/send`)
    expect((await call('DELETE', `/segments/${segment.id}`)).status).toBe(409)
    await app.drain()
    expect((await call('DELETE', `/segments/${segment.id}`)).status).toBe(204)
    expect((await call('GET', `/campaigns/${id}`)).body).toMatchObject({ status: 'SENT', segmentId: segment.id })
    const copy = (await call('POST', `/campaigns/${id}/duplicate`)).body
    const refused = await call('POST', `/campaigns/${copy.id}/send`)
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toMatch(/segment of this campaign was deleted/)
  })

  it('is listed in the usage of a contact field', async () => {
    const { id } = await create({ name: 'For pros', audienceType: 'FILTERED', audienceCondition: IS_PRO })
    const { body } = await call('GET', '/contacts/fields/data.plan/usage')
    expect(body.usedInCampaigns).toContainEqual({ id, name: 'For pros' })
  })
})
