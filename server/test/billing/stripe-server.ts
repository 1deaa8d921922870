/**
 * A double of Stripe's API on loopback: customers, sessions, subscriptions and invoices, as its documentation describes
 * them.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StripeCall {
  method: string
  path: string
  query: URLSearchParams
  form: URLSearchParams
  idempotencyKey: string | undefined
}

interface Subscription {
  id: string
  customer: string
  status: string
  created: number
  cancel_at_period_end: boolean
  items: { object: 'list'; data: Array<{ current_period_end: number }> }
}

export async function startStripeServer(secretKey: string) {
  const calls: StripeCall[] = []
  const subscriptions: Subscription[] = []
  const invoices: Array<Record<string, unknown> & { customer: string }> = []
  const byKey = new Map<string, unknown>()
  let made = 0
  let broken = false

  const answers: Record<string, (call: StripeCall) => unknown> = {
    'POST /v1/customers': ({ form }) => ({ id: `cus_${++made}`, object: 'customer', email: form.get('email') }),
    'POST /v1/checkout/sessions': () => ({ id: `cs_${++made}`, url: 'https://checkout.stripe.test/c/pay' }),
    'POST /v1/billing_portal/sessions': () => ({ id: `bps_${++made}`, url: 'https://billing.stripe.test/p' }),
    'GET /v1/subscriptions': ({ query }) => listOf(subscriptions, query),
    'GET /v1/invoices': ({ query }) => listOf(invoices, query),
    'DELETE /v1/subscriptions': ({ path }) => {
      const subscription = subscriptions.find(({ id }) => path.endsWith(id))!
      subscription.status = 'canceled'
      return subscription
    },
  }

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const url = new URL(request.url!, 'http://stripe.test')
      const call: StripeCall = {
        method: request.method!,
        path: url.pathname,
        query: url.searchParams,
        form: new URLSearchParams(body),
        idempotencyKey: request.headers['idempotency-key'] as string | undefined,
      }
      calls.push(call)
      const reply = (status: number, value: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (request.headers.authorization !== `Bearer ${secretKey}`) {
        return reply(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } })
      }
      if (broken) return reply(400, { error: { type: 'invalid_request_error', message: 'No such price' } })
      const answer = answers[`${call.method} ${call.path.replace(/\/sub_\w+$/, '')}`]
      if (!answer) return reply(404, { error: { type: 'invalid_request_error', message: 'Unrecognized request URL' } })
      const kept = call.idempotencyKey && byKey.get(call.idempotencyKey)
      const value = kept || answer(call)
      if (call.idempotencyKey) byKey.set(call.idempotencyKey, value)
      return reply(200, value)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    subscriptions,
    invoices,
    break: (isBroken: boolean) => {
      broken = isBroken
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const listOf = (rows: Array<{ customer: string }>, query: URLSearchParams) => ({
  object: 'list',
  url: '/v1/list',
  has_more: false,
  data: rows.filter((row) => row.customer === query.get('customer')),
})
