/** The subscription rules: SQL and the kernel agree in every case, and every source applies them. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  excludedFromMarketingSql,
  publicKeyMaySubscribeSql,
  subscriptionSql,
} from '../../features/audience/contacts/queries.ts'
import {
  excludedFromMarketing,
  publicKeyMaySubscribe,
  type Subscription,
  subscriptionAfter,
  subscriptionState,
} from '../../kernel/subscription.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const STATES = {
  subscribed: { subscribed: true, optedOut: false },
  unsubscribed: { subscribed: false, optedOut: true },
  never: { subscribed: false, optedOut: false },
  byApi: { subscribed: false, optedOut: true, optedOutByApi: true },
  pending: { subscribed: false, optedOut: false, pending: true },
  pendingAgain: { subscribed: false, optedOut: true, pending: true },
}

const WISHES = [undefined, true, false].flatMap((subscribed) =>
  [false, true].map((byContact) => ({ subscribed, byContact })),
)

const CASES = Object.values(STATES).flatMap((before) => WISHES.map((wish) => ({ before, wish })))

const flag = (state: Partial<Subscription>, name: keyof Subscription): boolean => state[name] ?? false

describe('the subscription rule', () => {
  it.each(CASES)('is the same in SQL and in the kernel for $before and $wish', async ({ before, wish }) => {
    const { id } = (
      await app.request('POST', '/contacts', { key: project.secretKey, body: { email: 'a@example.org' } })
    ).body
    await app.pool.query(
      'update contacts set subscribed = $2, opted_out = $3, opted_out_by_api = $4, pending = $5 where id = $1',
      [id, before.subscribed, before.optedOut, flag(before, 'optedOutByApi'), flag(before, 'pending')],
    )
    const asked = { subscribed: sql`${wish.subscribed ?? null}::boolean`, byContact: wish.byContact }
    const { rows } = await sql`
      update contacts c set ${subscriptionSql('c', asked)} where id = ${id}
      returning subscribed, subscribed_before as before, opted_out as "optedOut", opted_out_by_api as "optedOutByApi", pending`.execute(
      app.db,
    )
    expect(rows).toEqual([{ ...subscriptionAfter(before, wish), before: before.subscribed }])
  })

  it.each(Object.values(STATES))(
    'is the same in SQL and in the kernel about who receives marketing email, for %o',
    async (state) => {
      const { rows } = await sql`
      select ${excludedFromMarketingSql('c', 'audience')} as audience, ${excludedFromMarketingSql('c', 'request')} as request,
        ${publicKeyMaySubscribeSql('c')} as "byPublicKey"
      from (select ${state.subscribed}::boolean as subscribed, ${state.optedOut}::boolean as opted_out,
        ${flag(state, 'optedOutByApi')}::boolean as opted_out_by_api, ${flag(state, 'pending')}::boolean as pending) as c`.execute(
        app.db,
      )
      const { audience, request } = excludedFromMarketing
      expect(rows).toEqual([
        { audience: audience(state), request: request(state), byPublicKey: publicKeyMaySubscribe(state) },
      ])
    },
  )

  it.each([
    { from: 'subscribed', wish: { subscribed: false }, to: 'unsubscribed' },
    { from: 'unsubscribed', wish: { subscribed: true }, to: 'subscribed' },
    { from: 'never', wish: { subscribed: true }, to: 'subscribed' },
    { from: 'never', wish: { subscribed: false }, to: 'never' },
    { from: 'never', wish: { subscribed: false, byContact: true }, to: 'unsubscribed' },
    { from: 'unsubscribed', wish: { subscribed: undefined, byContact: true }, to: 'unsubscribed' },
    { from: 'unsubscribed', wish: { subscribed: true, byPublicKey: true }, to: 'unsubscribed' },
    { from: 'byApi', wish: { subscribed: true, byPublicKey: true }, to: 'subscribed' },
    { from: 'pending', wish: { subscribed: true, byPublicKey: true }, to: 'never' },
  ] as const)('changes $from to $to by $wish', ({ from, wish, to }) => {
    expect(subscriptionState(subscriptionAfter(STATES[from], wish))).toBe(to)
  })
})

describe('a request without a subscription', () => {
  const key = () => ({ key: project.secretKey })
  const stateOf = async (email: string) =>
    (await app.pool.query('select subscribed, opted_out from contacts where email = $1', [email])).rows[0]

  it.each([
    ['/contacts', (email: string) => ({ email }), true],
    ['/events/track', (email: string) => ({ email, event: 'seen' }), true],
    ['/v1/send', (to: string) => ({ to, from: 'hello@example.com', subject: 'Hi', body: 'Hi' }), false],
  ])('by POST %s keeps that of each contact, even in concurrent requests', async (path, body, ifNew) => {
    const email = `new-${path.slice(-4)}@example.org`
    await app.request('POST', path, { ...key(), body: body(email) })
    expect(await stateOf(email)).toEqual({ subscribed: ifNew, opted_out: false })
    const optedOut = `out-${path.slice(-4)}@example.org`
    const { id } = (await app.request('POST', '/contacts', { ...key(), body: { email: optedOut } })).body
    await app.request('PATCH', `/contacts/${id}`, { ...key(), body: { subscribed: false } })
    const changed = { ...body(optedOut), data: { plan: path } }
    const asked = { ...body(email), subscribed: !ifNew }
    await Promise.all([changed, asked, changed].map((each) => app.request('POST', path, { ...key(), body: each })))
    expect(await stateOf(optedOut)).toEqual({ subscribed: false, opted_out: true })
    expect(await stateOf(email)).toEqual({ subscribed: !ifNew, opted_out: ifNew })
  })
})
