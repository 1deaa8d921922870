/** The subscription rules: SQL and the kernel agree in every case, and every source applies them. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { excludedFromMarketingSql, exclusionReasonSql } from '../../features/audience/contacts/marketing-queries.ts'
import { publicKeyMaySubscribeSql, subscriptionSql } from '../../features/audience/contacts/subscription-queries.ts'
import {
  EXCLUSIONS,
  exclusionOf,
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

  it('is the same in SQL and in the kernel about who receives which marketing email', async () => {
    const now = new Date('2026-11-18T12:00:00Z')
    const pauses = [null, new Date(now.getTime() + 1), now, new Date(now.getTime() - 1)]
    const readers = Object.values(STATES).flatMap((state) =>
      pauses.flatMap((pausedUntil) => [[], [7], [-7], [8, -9]].map((topics) => ({ ...state, pausedUntil, topics }))),
    )
    const emails = (['audience', 'request'] as const).flatMap((by) =>
      [undefined, true, false].map((isDefault) => {
        const topic = isDefault === undefined ? undefined : { number: 7, defaultSubscribed: isDefault }
        return { by, topic, now }
      }),
    )
    for (const { by, topic } of emails) {
      const inSql = topic && { number: sql`${topic.number}::int`, isDefault: sql`${topic.defaultSubscribed}::boolean` }
      const { rows } = await sql`
        select ${exclusionReasonSql('c', { by, topic: inSql, now })} as reason, ${excludedFromMarketingSql('c', { by, topic: inSql, now })} as excluded
        from jsonb_to_recordset(${JSON.stringify(readers)}::jsonb)
          as r(subscribed boolean, "optedOut" boolean, pending boolean, "pausedUntil" timestamptz, topics int[])
        cross join lateral (
          select r.subscribed, r."optedOut" as opted_out, coalesce(r.pending, false) as pending, r."pausedUntil" as paused_until, r.topics
        ) as c`.execute(app.db)
      const expected = readers.map((reader) => exclusionOf(reader, { by, topic, now }))
      expect(rows).toEqual(
        expected.map((kind) => ({ reason: kind ? EXCLUSIONS[kind] : null, excluded: kind !== undefined })),
      )
    }
  })

  it.each(Object.values(STATES))('is the same about what the public key may do, for %o', async (state) => {
    const { rows } = await sql`
      select ${publicKeyMaySubscribeSql('c')} as may
      from (select ${state.optedOut}::boolean as opted_out, ${flag(state, 'optedOutByApi')}::boolean as opted_out_by_api,
        ${flag(state, 'pending')}::boolean as pending) as c`.execute(app.db)
    expect(rows).toEqual([{ may: publicKeyMaySubscribe(state) }])
  })

  it('is that of email without a topic if the topic was deleted', async () => {
    const gone = { number: sql`null::int`, isDefault: sql`null::boolean` }
    const { rows } = await sql`
      select ${excludedFromMarketingSql('c', { by: 'request', topic: gone, now: new Date() })} as request,
        ${excludedFromMarketingSql('c', { by: 'audience', topic: gone, now: new Date() })} as audience
      from (select false as subscribed, false as opted_out, false as pending, null::timestamptz as paused_until, '{-7}'::int[] as topics) as c`.execute(
      app.db,
    )
    expect(rows).toEqual([{ request: false, audience: true }])
  })

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
