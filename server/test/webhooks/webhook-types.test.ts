/** Every kind of event that Posthorn sends to webhook endpoints, caused by the real change. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { uploadFile } from '../uploads/upload.ts'
import { openWebhooks } from './webhook-fixture.ts'

let hooks: Awaited<ReturnType<typeof openWebhooks>>

beforeAll(async () => {
  hooks = await openWebhooks()
  await hooks.createEndpoint(['*'])
})
afterAll(() => hooks.close())
beforeEach(() => {
  hooks.received.length = 0
})

const bodyOf = (type: string) => hooks.received.find(({ body }) => body.type === type)?.body

it('an email that is sent is an event with the email and its contact', async () => {
  const content = { subscribed: true, subject: 'Hi', body: '<p>Hi</p>', from: 'shop@example.com' }
  const { body } = await hooks.ask('POST', '/v1/send', { to: 'ada@example.org', tags: { order: '7' }, ...content })
  await hooks.app.drain()
  const [{ email: id, contact }] = body.data.emails
  expect(bodyOf('email.sent').data).toMatchObject({
    contact: { id: contact.id, email: 'ada@example.org', subscribed: true },
    email: {
      id,
      subject: 'Hi',
      from: 'shop@example.com',
      to: 'ada@example.org',
      campaignId: null,
      workflowId: null,
      tags: { order: '7' },
    },
    data: { emailId: id, sourceType: 'TRANSACTIONAL' },
  })
  hooks.received.length = 0
  await hooks.ask('POST', `/emails/${id}/simulate`, { outcome: 'bounce' })
  await hooks.app.drain()
  expect(hooks.received.map(({ body }) => body.type).sort()).toEqual([
    'contact.unsubscribed',
    'contact.updated',
    'email.bounce',
    'suppression.added',
  ])
  expect(bodyOf('suppression.added').data.data).toEqual({ email: 'ada@example.org', reason: 'BOUNCE' })
})

it('a campaign is announced when it starts, pauses, is canceled and has been sent', async () => {
  await hooks.ask('POST', '/contacts', { email: 'reader@example.org' })
  const campaign = {
    name: 'News',
    subject: 'News',
    body: '<p>News</p>',
    from: 'shop@example.com',
    type: 'MARKETING',
    audienceType: 'ALL',
  }
  const create = async () => (await hooks.ask('POST', '/campaigns', campaign)).body.id
  const sent = await create()
  await hooks.ask('POST', `/campaigns/${sent}/send`, {})
  await hooks.app.drain()
  await hooks.app.drain()
  expect(bodyOf('campaign.started').data.data).toEqual({ campaignId: sent, name: 'News' })
  expect(bodyOf('campaign.sent').data.data).toEqual({ campaignId: sent, name: 'News' })
  const stopped = await create()
  await hooks.ask('POST', `/campaigns/${stopped}/send`, {})
  await hooks.ask('POST', `/campaigns/${stopped}/pause`)
  await hooks.ask('POST', `/campaigns/${stopped}/cancel`)
  await hooks.app.drain()
  expect(bodyOf('campaign.paused').data.data).toEqual({ campaignId: stopped, name: 'News', reason: null })
  expect(bodyOf('campaign.cancelled').data.data).toEqual({ campaignId: stopped, name: 'News' })
})

it('an import and a verified domain are announced', async () => {
  await uploadFile(hooks.app, '/contacts/import', 'email\none@example.org\ntwo@example.org', {
    key: hooks.project.secretKey,
  })
  const { body: domain } = await hooks.ask('POST', '/domains', { domain: 'news.example' })
  await hooks.ask('GET', `/domains/${domain.id}/verify`)
  await hooks.app.drain()
  expect(bodyOf('import.completed').data.data).toMatchObject({ status: 'COMPLETED', totalRows: 2, createdCount: 2 })
  expect(bodyOf('domain.verified').data.data).toEqual({ domainId: domain.id, domain: 'news.example' })
  expect(hooks.received.filter(({ body }) => body.type === 'contact.created')).toHaveLength(2)
})

it('the end of a workflow is announced with its contact', async () => {
  const { body: workflow } = await hooks.ask('POST', '/workflows', { name: 'W', eventName: 'go' })
  await hooks.ask('POST', `/workflows/${workflow.id}/steps`, { type: 'EXIT', config: {} })
  await hooks.ask('PATCH', `/workflows/${workflow.id}`, { triggerType: 'EVENT', enabled: true })
  await hooks.track('walker@example.org', 'go')
  await hooks.app.drain()
  expect(bodyOf('workflow.execution.completed').data).toMatchObject({
    contact: { email: 'walker@example.org' },
    data: { workflowId: workflow.id, status: 'EXITED' },
  })
})
