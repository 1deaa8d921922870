/** Payments with Stripe, against a local double of its API; signatures are made by Stripe's own library. */
import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, signUp, type TestApp } from '../harness.ts'
import { startStripeServer } from './stripe-server.ts'

const KEY = 'sk_test_posthorn'
const SECRET = 'whsec_posthorn'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let stripe: Awaited<ReturnType<typeof startStripeServer>>

beforeAll(async () => {
  stripe = await startStripeServer(KEY)
  app = await openTestApp({
    STRIPE_SECRET_KEY: KEY,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_PRICE_ID: 'price_1',
    STRIPE_API_BASE: stripe.url,
  })
})
afterAll(async () => {
  await app.close()
  await stripe.close()
})

const call = (project: Project, method: string, rest: string, who: object = { key: project.secretKey }) =>
  app.request(method, `/users/@me/projects/${project.id}/${rest}`, { ...who, ...(method === 'POST' && { body: {} }) })

const customerOf = async (project: Project): Promise<string> => {
  const { rows } = await app.pool.query('select customer_id from billing_customers where project_id = $1', [project.id])
  return rows[0]?.customer_id
}

const subscriptionOf = async (project: Project) => (await call(project, 'GET', 'billing-consumption')).body.subscription

async function subscribe(project: Project, status = 'active') {
  await call(project, 'POST', 'checkout')
  const customer = await customerOf(project)
  const subscription = {
    id: `sub_${stripe.subscriptions.length + 1}`,
    customer,
    status,
    created: 1_800_000_000 + stripe.subscriptions.length,
    cancel_at_period_end: false,
    items: { object: 'list' as const, data: [{ current_period_end: 1_802_592_000 }] },
  }
  stripe.subscriptions.push(subscription)
  return subscription
}

let events = 0
const eventAbout = (type: string, object: object, id = `evt_${++events}`) =>
  JSON.stringify({ id, object: 'event', api_version: '2025-01-01', created: 1, type, data: { object } })

const library = new Stripe(KEY)
const signed = (text: string, { secret = SECRET, at = app.clock.now() } = {}) =>
  library.webhooks.generateTestHeaderString({ payload: text, secret, timestamp: Math.floor(at.getTime() / 1000) })

const postEvent = (text: string, signature: string | undefined = signed(text)) =>
  app.request('POST', '/webhooks/incoming/stripe', {
    text,
    headers: { 'content-type': 'application/json; charset=utf-8', ...(signature && { 'stripe-signature': signature }) },
  })

it('the public configuration shows that billing is available', async () => {
  expect((await app.request('GET', '/config')).body.features.billing).toBe(true)
})

describe('a Stripe checkout', () => {
  it('returns a page of Stripe, with the project as the customer', async () => {
    const project = await createProject(app, 'Shop')
    stripe.calls.length = 0
    const reply = await call(project, 'POST', 'checkout', { cookie: project.owner.cookie })
    expect(reply).toMatchObject({ status: 200, body: { url: 'https://checkout.stripe.test/c/pay' } })
    const [customer, session] = stripe.calls
    expect(customer!.form.get('email')).toBe(project.owner.email)
    expect(customer!.form.get('metadata[projectId]')).toBe(project.id)
    expect(Object.fromEntries(session!.form)).toMatchObject({
      mode: 'subscription',
      customer: await customerOf(project),
      client_reference_id: project.id,
      'line_items[0][price]': 'price_1',
      success_url: expect.stringMatching(/^http:\/\/posthorn\.test\/app/),
    })
  })

  it('creates one customer for concurrent requests', async () => {
    const project = await createProject(app)
    const replies = await Promise.all(Array.from({ length: 5 }, () => call(project, 'POST', 'checkout')))
    expect(replies.map((reply) => reply.status)).toEqual(Array(5).fill(200))
    const { rows } = await app.pool.query('select from billing_customers where project_id = $1', [project.id])
    expect(rows).toHaveLength(1)
  })

  it('is refused for a project with a subscription', async () => {
    const project = await createProject(app)
    const subscription = await subscribe(project)
    await postEvent(eventAbout('customer.subscription.created', subscription))
    await app.drain()
    expect(await call(project, 'POST', 'checkout')).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
    expect((await call(project, 'POST', 'billing-portal')).body).toEqual({ url: 'https://billing.stripe.test/p' })
  })

  it('is for owners and admins, and so are the portal and the invoices', async () => {
    const project = await createProject(app)
    const member = await signUp(app)
    await app.pool.query(`insert into members values ($1, $2, 'MEMBER', now())`, [project.id, member.id])
    for (const [method, rest] of [
      ['POST', 'checkout'],
      ['POST', 'billing-portal'],
      ['GET', 'billing-invoices'],
    ] as const) {
      expect((await call(project, method, rest, { cookie: member.cookie })).status).toBe(403)
    }
    expect(await customerOf(project)).toBeUndefined()
  })

  it('reports that Stripe refused the request', async () => {
    const project = await createProject(app)
    stripe.break(true)
    try {
      const reply = await call(project, 'POST', 'checkout')
      expect(reply).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
      expect(JSON.stringify(reply.body)).not.toContain('No such price')
    } finally {
      stripe.break(false)
    }
    expect((await call(project, 'POST', 'checkout')).status).toBe(200)
  })
})

describe('the list of invoices', () => {
  it('returns the invoices of the project', async () => {
    const [project, other] = [await createProject(app), await createProject(app)]
    expect((await call(project, 'GET', 'billing-invoices')).body).toEqual({ data: [] })
    await call(project, 'POST', 'checkout')
    await call(other, 'POST', 'checkout')
    stripe.invoices.push({
      id: 'in_1',
      customer: await customerOf(project),
      number: 'A-1',
      status: 'paid',
      currency: 'eur',
      amount_due: 1500,
      amount_paid: 1500,
      created: 1_800_000_000,
      period_start: 1_797_408_000,
      period_end: 1_800_000_000,
      hosted_invoice_url: 'https://invoice.stripe.test/1',
      invoice_pdf: null,
    })
    expect((await call(project, 'GET', 'billing-invoices')).body.data).toEqual([
      {
        id: 'in_1',
        number: 'A-1',
        status: 'paid',
        currency: 'eur',
        amountDue: 1500,
        amountPaid: 1500,
        createdAt: '2027-01-15T08:00:00.000Z',
        periodStart: '2026-12-16T08:00:00.000Z',
        periodEnd: '2027-01-15T08:00:00.000Z',
        url: 'https://invoice.stripe.test/1',
        pdfUrl: null,
      },
    ])
    expect((await call(other, 'GET', 'billing-invoices')).body).toEqual({ data: [] })
  })
})

describe('the Stripe webhook', () => {
  it('accepts only recent events that Stripe signed', async () => {
    const text = eventAbout('customer.subscription.updated', { id: 'sub_x', customer: 'cus_x' })
    const old = new Date(app.clock.now().getTime() - 600_000)
    for (const [body, signature] of [
      [text, ''],
      [text, 'nonsense'],
      [text, 't=1,v1=00'],
      [text, signed(text, { secret: 'whsec_other' })],
      [text, signed(text, { at: old })],
      [`${text} `, signed(text)],
      [text.replace('cus_x', 'cus_y'), signed(text)],
    ] as const) {
      expect(await postEvent(body, signature)).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } })
    }
    const { rows } = await app.pool.query(`select from stripe_events where id = $1`, [JSON.parse(text).id])
    expect(rows).toEqual([])
    expect(await postEvent(text)).toMatchObject({ status: 200, body: { received: true } })
  })

  it('verifies the bytes as received, whatever they contain', async () => {
    const text = `{\n  "id": "evt_bytes",  "type":"customer.updated", "data": {"object": {"id": "cus_é😀"}}, "object":"event" }\n`
    expect((await postEvent(text)).status).toBe(200)
  })

  it('accepts signed events of any shape', async () => {
    for (const text of [
      '{}',
      '[]',
      'null',
      '"x"',
      '{"id":1,"type":2}',
      '{"id":"evt_a","type":"b"}',
      '{"id":"evt_c","type":"customer.x","data":{"object":null}}',
    ]) {
      expect((await postEvent(text)).status, text).toBeLessThan(500)
    }
  })

  it('handles each event once', async () => {
    const project = await createProject(app)
    const subscription = await subscribe(project)
    const text = eventAbout('customer.subscription.created', subscription)
    await postEvent(text)
    await app.drain()
    expect(await subscriptionOf(project)).toEqual({
      status: 'active',
      periodEndsAt: '2027-02-14T08:00:00.000Z',
      cancelsAtPeriodEnd: false,
    })
    stripe.calls.length = 0
    expect(await Promise.all([postEvent(text), postEvent(text), postEvent(text)])).toMatchObject(
      Array(3).fill({ status: 200 }),
    )
    await app.drain()
    expect(stripe.calls).toEqual([])
  })

  it('stores the current state, in whatever order events arrive', async () => {
    const project = await createProject(app)
    const subscription = await subscribe(project)
    const created = eventAbout('customer.subscription.created', { ...subscription })
    const deleted = eventAbout('customer.subscription.deleted', { ...subscription, status: 'canceled' })
    subscription.status = 'canceled'
    await postEvent(deleted)
    await app.drain()
    await postEvent(created) // late, with the state "active"
    await app.drain()
    expect(await subscriptionOf(project)).toMatchObject({ status: 'canceled' })
    const next = await subscribe(project, 'past_due')
    await postEvent(eventAbout('invoice.payment_failed', { id: 'in_2', customer: next.customer }))
    await app.drain()
    expect(await subscriptionOf(project)).toMatchObject({ status: 'past_due' })
  })
})

describe('the subscription of a deleted project', () => {
  it('is canceled', async () => {
    const project = await createProject(app)
    const subscription = await subscribe(project)
    await postEvent(eventAbout('customer.subscription.created', subscription))
    await app.drain()
    await app.request('DELETE', `/users/@me/projects/${project.id}`, { key: project.secretKey })
    await app.drain()
    expect(subscription.status).toBe('canceled')
    expect(await customerOf(project)).toBeUndefined()
  })
})
