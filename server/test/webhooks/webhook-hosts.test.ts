/** How many requests an endpoint and a host get at a time, and that slow endpoints don't delay those of another project. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { openWebhooks } from './webhook-fixture.ts'

let hooks: Awaited<ReturnType<typeof openWebhooks>>
beforeAll(async () => {
  hooks = await openWebhooks()
})
afterAll(() => hooks.close())

it('a project whose endpoints do not respond leaves places on the host for another project', async () => {
  const ENDPOINTS = 6
  const EVENTS = 12
  const open: ServerResponse[] = []
  let isReleased = false
  let fast = 0
  hooks.respondWith((reply, { body }) => {
    if (body.type === 'fast') fast++
    if (body.type === 'slow' && !isReleased) open.push(reply)
    else reply.end('ok')
  })
  for (let i = 0; i < ENDPOINTS; i++) await hooks.createEndpoint(['slow'])
  for (let i = 0; i < EVENTS; i++) await hooks.track(`slow-${i}@example.org`, 'slow')
  const other = await createProject(hooks.app)
  await hooks.ask('POST', '/webhook-endpoints', { url: hooks.url, eventTypes: ['fast'] }, other.secretKey)

  const sending = hooks.app.drain()
  await expect.poll(() => open.length).toBe(40)
  await hooks.app.request('POST', '/v1/track', {
    key: other.publicKey,
    body: { email: 'fast@example.org', event: 'fast' },
  })
  const sendingFast = hooks.app.services.webhookSender.sendDue()
  await expect.poll(() => fast).toBe(1)
  expect(open).toHaveLength(40)

  isReleased = true
  for (const reply of open) reply.end('ok')
  await Promise.all([sending, sendingFast])
  expect(hooks.received.filter(({ body }) => body.type === 'slow')).toHaveLength(ENDPOINTS * EVENTS)
})

it('an endpoint that has not responded yet gets the events that follow', async () => {
  let long: ServerResponse | undefined
  let short: { isLongOpen: boolean } | undefined
  hooks.respondWith((reply, { body }) => {
    if (body.type === 'long' && !long) long = reply
    else reply.end('ok')
    if (body.type === 'short') short = { isLongOpen: long?.closed === false }
  })
  await hooks.createEndpoint(['long', 'short'])
  await hooks.track('long@example.org', 'long')
  const sending = hooks.app.drain()
  await expect.poll(() => long !== undefined).toBe(true)
  await hooks.track('short@example.org', 'short')
  const sendingShort = hooks.app.services.webhookSender.sendDue()
  await expect.poll(() => short).toEqual({ isLongOpen: true })
  long!.end('ok')
  await Promise.all([sending, sendingShort])
})

it('an endpoint gets at most ten requests at a time', async () => {
  const open: ServerResponse[] = []
  let most = 0
  hooks.respondWith((reply) => {
    most = Math.max(most, open.push(reply))
    setImmediate(() => open.splice(open.indexOf(reply), 1)[0]!.end('ok'))
  })
  await hooks.createEndpoint(['busy'])
  for (let i = 0; i < 30; i++) await hooks.track(`busy-${i}@example.org`, 'busy')
  await hooks.app.drain()
  expect(most).toBeLessThanOrEqual(10)
  expect(hooks.received.filter(({ body }) => body.type === 'busy')).toHaveLength(30)
})
