/**
 * The meaning of conditions: every operator on every kind of field, compared with a second implementation that shares
 * no code with the first, on contacts with difficult values.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filterMatching } from '../../features/audience/segments/actions.ts'
import { conditionSql, type NamedSegment } from '../../features/audience/segments/condition-queries.ts'
import type { Condition, ConditionFilter } from '../../kernel/conditions/condition.ts'
import { conditionTree, stepCondition } from '../../kernel/conditions/condition-schema.ts'
import { newId } from '../../kernel/ids.ts'
import { openTestDatabase } from '../harness.ts'
import { matches, type NaiveContact } from './conditions-naive.ts'

const NOW = new Date('2026-03-10T12:00:00.000Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Strings that look like something else, and a few that are what they look like. */
const TEXTS = [
  '', 'a', 'A', 'abc', 'ä', 'a\u0308', '😀', '10', '9', '1.0', 'true', 'null', '%', '_', '\\', "'", '"', '{}', 'Z',
  '2026-01-02', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00.000Z', '2026-01-02T00:00:00.001Z', '2026-01-02T00:00:01Z',
  '2026-02-30', '2026-13-45', '2024-02-29', '2023-02-29', '1900-02-29', '2000-02-29', '2026-04-31', '0000-01-01', '0000-02-29',
  '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-01-02T24:00:00Z', '2026-01-02T00:00:60Z', '2026-01-02T00:00:00+00:00',
  '2026-01-02T00:00:00.00Z', '2026-01-02T00:00:00', '2026-01-02\n', ' 2026-01-02', '2026-1-2', '٢٠٢٦-01-02',
  '2026-03-10T12:00:00.000Z', '2026-03-10T12:00:00Z', '2026-03-10', '2026-03-09', '2026-03-10T11:00:00Z', '2026-03-10T10:59:59.999Z', '2026-03-11T00:00:00Z', '1950-01-01T00:00:00Z',
] // biome-ignore format: a pool of values
const NUMBERS = [0, -0, 1, -1, 5, 9, 10, 0.1, 0.30000000000000004, 1e21, 1e308, -1e308, 5e-324, 9007199254740991, 2026]
const SCALARS: Array<string | number | boolean> = [...TEXTS, ...NUMBERS, true, false]

/** Stored text is compared as it is, not normalized. */
const KEYS = [
  'plan',
  'a',
  'a.b',
  'a.b.c',
  'it"s',
  "o'clock",
  'naïve ключ',
  '100%',
  '{a,b}',
  '\\',
  '0',
  '-1',
  '$.x',
  'toString',
  ' ',
  'x->y',
]
const FIELD_NAMES = [...KEYS, 'a.b.c.d', 'plan.x', 'a.0', 'a.b.c.d.e.f', 'a..b', 'missing']
const EVENTS = ['signup', 'data.plan', 'with space', 'a/b', 'ünï', "quote'", 'email.open', '%']
const ACTIVITIES = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const

const scalar = fc.oneof(
  fc.constantFrom(...SCALARS),
  fc.string({ unit: 'binary' }).map(storable),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
)
const leaf = fc.oneof(
  { weight: 8, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom(null, [], ['a'], [null, 1], {}) },
)
const nested = fc.letrec((tie) => ({
  value: fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: tie('object') }),
  object: fc.dictionary(fc.constantFrom(...KEYS, 'b', 'c', 'b.c', 'x'), tie('value'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}))
const data = fc.dictionary(fc.constantFrom(...KEYS), nested.value, {
  minKeys: 1,
  maxKeys: 6,
  noNullPrototype: true,
}) as fc.Arbitrary<Record<string, unknown>>

function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

const moment = fc.oneof(
  fc.constantFrom(
    NOW,
    ago(HOUR),
    ago(DAY),
    ago(DAY + 1),
    ago(30 * DAY),
    new Date('2026-01-02T00:00:00.000Z'),
    new Date('2026-01-02T23:59:59.999Z'),
    new Date('2026-01-03T00:00:00.000Z'),
  ),
  fc.integer({ min: 0, max: 90 * DAY }).map(ago),
)

const contact: fc.Arbitrary<Omit<NaiveContact, 'email' | 'segments'>> = fc.record({
  subscribed: fc.boolean(),
  createdAt: moment,
  updatedAt: moment,
  data,
  events: fc.array(fc.record({ name: fc.constantFrom(...EVENTS), at: moment }), { maxLength: 4 }),
  emails: fc.array(fc.dictionary(fc.constantFrom(...ACTIVITIES), moment, { noNullPrototype: true }), { maxLength: 3 }),
})

let app: Awaited<ReturnType<typeof openTestDatabase>>
const project = { id: newId(NOW) }
const people: Array<NaiveContact & { id: string }> = []
let segments: Map<string, NamedSegment>
const STORED = newId(NOW)
const INLINE = newId(NOW)
const GONE = newId(NOW)
const INLINE_CONDITION: Condition = {
  logic: 'OR',
  groups: [
    { filters: [{ field: 'subscribed', operator: 'equals', value: true }] },
    { filters: [{ field: 'data.plan', operator: 'greaterThan', value: 5 }] },
  ],
}

beforeAll(async () => {
  app = await openTestDatabase()
  await app.pool.query(
    "insert into projects (id, name, public_key, secret_key_hint, created_at, updated_at) values ($1, 'x', 'x', 'x', $2, $2)",
    [project.id, NOW],
  )
  const made = fc.sample(contact, { numRuns: 250, seed: 7 })
  for (const [i, person] of made.entries()) {
    const member = i % 3 === 0
    const whole = {
      ...person,
      id: newId(NOW),
      email: `${i % 2 ? 'user' : 'o_%'}${i}@example${i % 5}.org`,
      segments: new Set<string>(),
    }
    if (member) whole.segments.add(STORED)
    if (matches(INLINE_CONDITION, whole, { now: NOW })) whole.segments.add(INLINE)
    people.push(whole)
    await store(whole, member)
  }
  segments = new Map<string, NamedSegment>([
    [STORED, { stored: true }],
    [INLINE, { stored: false, condition: INLINE_CONDITION }],
  ])
})
afterAll(() => app.close())

async function store(person: NaiveContact & { id: string }, member: boolean): Promise<void> {
  await app.pool.query(
    `insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
     values ($1, $2, $3, $4, $4, $5, $6, $7)`,
    [
      project.id,
      person.id,
      person.email,
      person.subscribed,
      JSON.stringify(person.data),
      person.createdAt,
      person.updatedAt,
    ],
  )
  for (const { name, at } of person.events) {
    await app.pool.query(
      'insert into events (project_id, id, name, contact_id, created_at) values ($1, $2, $3, $4, $5)',
      [project.id, newId(at), name, person.id, at],
    )
  }
  for (const email of person.emails) {
    const at = ACTIVITIES.map((name) => email[name] ?? null)
    await app.pool.query(
      `insert into emails (project_id, id, contact_id, content_id, to_email, from_email, source_type, created_at, updated_at,
         sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at)
       values ($1, $2, $3, $2, $4, 'x@example.com', 'TRANSACTIONAL', $5, $5, $6, $7, $8, $9, $10, $11)`,
      [project.id, newId(ago(90 * DAY)), person.id, person.email, ago(90 * DAY), ...at],
    )
  }
  if (member) {
    await app.pool.query(
      'insert into segment_members (project_id, segment_id, contact_id, created_at) values ($1, $2, $3, $4)',
      [project.id, STORED, person.id, NOW],
    )
  }
}

async function matchingInSql(condition: Condition, event?: Record<string, unknown>): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from contacts where contacts.project_id = ${project.id}
      and ${conditionSql(condition, { projectId: project.id, now: NOW, segments, event })} `.execute(app.db)
  return rows.map((row) => row.email).sort()
}

const matchingNaively = (condition: Condition, event?: Record<string, unknown>): string[] =>
  people
    .filter((person) => matches(condition, person, { now: NOW, ...(event ? { event } : {}) }))

    .map(({ email }) => email)
    .sort()

const COMPARING = ['equals', 'notEquals', 'greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual'] as const
const ON_DATA = [...COMPARING, 'contains', 'notContains', 'exists', 'notExists', 'within', 'olderThan'] as const
const TRIGGERED = ['triggered', 'notTriggered', 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'] as const
const TIMED = /[wW]ithin|lderThan/

const amount = fc.constantFrom(1, 2, 0.5, 24, 30, 1e9, 1e300)
const unit = fc.constantFrom('minutes', 'hours', 'days')

const filterOf = (field: fc.Arbitrary<string>, operators: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.tuple(field, fc.constantFrom(...operators), value, amount, unit).map(
    ([name, operator, wanted, howMuch, which]) =>
      ({
        field: name,
        operator,
        ...(TIMED.test(operator) ? { value: howMuch, unit: which } : { value: wanted }),
      }) as ConditionFilter,
  )

const dates = fc.constantFrom(
  ...TEXTS.filter(
    (text) => conditionTree.safeParse(just({ field: 'createdAt', operator: 'equals', value: text })).success,
  ),
)

const filters = fc.oneof(
  {
    weight: 6,
    arbitrary: filterOf(
      fc.constantFrom(...FIELD_NAMES).map((name) => `data.${name}`),
      ON_DATA,
      scalar,
    ),
  },
  {
    weight: 1,
    arbitrary: filterOf(
      fc.constant('email'),
      ['equals', 'notEquals', 'contains', 'notContains'],
      fc.constantFrom('user', 'O_%', '%', '_', '', ' USER1@EXAMPLE1.ORG ', 'user1@example1.org', '\\'),
    ),
  },
  { weight: 1, arbitrary: filterOf(fc.constant('subscribed'), ['equals', 'notEquals'], fc.boolean()) },
  {
    weight: 1,
    arbitrary: filterOf(fc.constantFrom('createdAt', 'updatedAt'), [...COMPARING, 'within', 'olderThan'], dates),
  },
  {
    weight: 2,
    arbitrary: filterOf(
      fc.constantFrom(...EVENTS, 'never').map((name) => `event.${name}`),
      TRIGGERED,
      fc.constant(null),
    ),
  },
  {
    weight: 2,
    arbitrary: filterOf(
      fc.constantFrom(...ACTIVITIES, 'delivery', 'open', 'click', 'bounce', 'complaint').map((name) => `email.${name}`),
      TRIGGERED,
      fc.constant(null),
    ),
  },
  {
    weight: 1,
    arbitrary: filterOf(
      fc.constantFrom(`segment.${STORED}`, `segment.${INLINE}`),
      ['memberOfSegment', 'notMemberOfSegment'],
      fc.constant(null),
    ),
  },
)

function just(filter: unknown): unknown {
  return { logic: 'AND', groups: [{ filters: [filter] }] }
}

const tree = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.record({
    logic: fc.constantFrom('AND' as const, 'OR' as const),
    groups: fc.array(
      fc.oneof(
        { depthSize: 'small' },
        fc.record({ filters: fc.array(filters, { minLength: 1, maxLength: 3 }) }),
        fc.record({ filters: fc.array(filters, { maxLength: 2 }), conditions: tie('node') }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
})).node

/** The contacts on which the two differ, with all their data. */
function expectSame(found: string[], expected: string[]): void {
  const only = (some: string[], others: string[]) =>
    people.filter(({ email }) => some.includes(email) && !others.includes(email)).slice(0, 1)
  expect({ tooMany: only(found, expected), missing: only(expected, found) }).toEqual({ tooMany: [], missing: [] })
}

describe('a segment that is named several times', () => {
  const [FIRST, SECOND] = [newId(NOW), newId(NOW)]
  const named = (id: string, operator = 'memberOfSegment') => ({ field: `segment.${id}`, operator }) as ConditionFilter
  const doubled = (id: string): Condition => ({
    logic: 'OR',
    groups: [{ filters: [named(id), named(STORED)] }, { filters: [named(id), named(STORED, 'notMemberOfSegment')] }],
  })
  const chain = () =>
    new Map<string, NamedSegment>([
      ...segments,
      [FIRST, { stored: false, condition: doubled(INLINE) }],
      [SECOND, { stored: false, condition: doubled(FIRST) }],
    ])
  const selected = (condition: Condition) => sql<{ email: string }>`
    select email from contacts where contacts.project_id = ${project.id}
      and ${conditionSql(condition, { projectId: project.id, now: NOW, segments: chain() })}`

  it('is evaluated once, even through other segments', () => {
    const { sql: text } = selected(doubled(SECOND)).compile(app.db)
    expect(text.match(/contacts\.subscribed =/g)).toHaveLength(1)
  })

  it('matches the same contacts as if it were named once', async () => {
    const expected = people.filter((person) => person.segments.has(INLINE)).map(({ email }) => email)
    expect(expected.length).toBeGreaterThan(0)
    const { rows } = await selected(doubled(SECOND)).execute(app.db)
    expect(rows.map(({ email }) => email).sort()).toEqual(expected.sort())
    const others = await selected({
      logic: 'AND',
      groups: [{ filters: [named(SECOND, 'notMemberOfSegment'), named(FIRST, 'notMemberOfSegment')] }],
    }).execute(app.db)
    expect(others.rows).toHaveLength(people.length - expected.length)
  })
})

describe('a condition in SQL', () => {
  it('matches the reference implementation, filter by filter', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const condition = conditionTree.parse(just(filter))
        expectSame(await matchingInSql(condition), matchingNaively(condition))
      }),
      { numRuns: 800, seed: 1 },
    )
  })

  it('matches the reference implementation for whole trees', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (given) => {
        const condition = conditionTree.parse(given)
        expectSame(await matchingInSql(condition), matchingNaively(condition))
      }),
      { numRuns: 300, seed: 2 },
    )
  })

  it('is the same for one contact and for all, with and without a trigger event', async () => {
    const eventFilter = filterOf(
      fc.constantFrom(...FIELD_NAMES).map((name) => `event.data.${name}`),
      ON_DATA,
      scalar,
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(eventFilter, filters), fc.option(data, { nil: undefined }), async (filter, event) => {
        const condition = stepCondition.parse(filter)
        const found = await matchingInSql(condition, event)
        expectSame(found, matchingNaively(condition, event))
        const [first] = people
        const one = (await filterMatching(app.db, project.id, [first!.id], condition, { now: NOW, event })).has(
          first!.id,
        )
        if (!filter.field.startsWith('segment.')) expect(one).toBe(found.includes(first!.email))
      }),
      { numRuns: 250, seed: 3 },
    )
  })

  it('matches no contact if its segment was deleted, in either form', async () => {
    for (const operator of ['memberOfSegment', 'notMemberOfSegment'] as const) {
      expect(await matchingInSql(conditionTree.parse(just({ field: `segment.${GONE}`, operator })))).toEqual([])
    }
  })
})
