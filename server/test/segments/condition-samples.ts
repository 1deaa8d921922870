/**
 * Contacts with difficult values, and conditions about them: every operator on every kind of field. Tests compare two
 * implementations with them.
 */
import fc from 'fast-check'
import type { Condition, ConditionFilter } from '../../kernel/conditions/condition.ts'
import { conditionTree } from '../../kernel/conditions/condition-schema.ts'
import { newId } from '../../kernel/ids.ts'
import type { NaiveContact } from './conditions-naive.ts'

export const NOW = new Date('2026-03-10T12:00:00.000Z')
export const ago = (ms: number) => new Date(NOW.getTime() - ms)
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

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
export const FIELD_NAMES = [...KEYS, 'a.b.c.d', 'plan.x', 'a.0', 'a.b.c.d.e.f', 'a..b', 'missing']
const EVENTS = ['signup', 'data.plan', 'with space', 'a/b', 'ünï', "quote'", 'email.open', '%']
const CAMPAIGNS = [newId(NOW), newId(NOW)]
export const STORED = newId(NOW)
export const INLINE = newId(NOW)
export const WORKFLOWS = [newId(NOW), newId(NOW)]
const LINKS = [
  'https://example.com/a',
  'https://example.com/a?utm_source=x&utm_medium=email#top',
  'https://example.com/a?b=1&utm_source=x',
  'https://example.com/100%_of\\it',
  'https://example.org/',
]
export const ACTIVITIES = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const

export const scalar = fc.oneof(
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
export const data = fc.dictionary(fc.constantFrom(...KEYS), nested.value, {
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

export const contact: fc.Arbitrary<Omit<NaiveContact, 'email' | 'segments'>> = fc.record({
  subscribed: fc.boolean(),
  createdAt: moment,
  updatedAt: moment,
  data,
  events: fc.array(fc.record({ name: fc.constantFrom(...EVENTS), at: moment, data }), { maxLength: 5 }),
  emails: fc.array(
    fc.record({
      at: fc.dictionary(fc.constantFrom(...ACTIVITIES), moment, { noNullPrototype: true }),
      campaignId: fc.constantFrom(null, ...CAMPAIGNS),
      clicks: fc.uniqueArray(fc.record({ link: fc.constantFrom(...LINKS), at: moment }), {
        selector: ({ link }) => link,
        maxLength: 3,
      }),
    }),
    { maxLength: 3 },
  ),
  executions: fc.array(
    fc
      .record({
        workflowId: fc.constantFrom(...WORKFLOWS),
        status: fc.constantFrom('RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED'),
        startedAt: moment,
        completedAt: moment,
      })
      .map((one) => (['RUNNING', 'WAITING'].includes(one.status) ? { ...one, completedAt: null } : one)),
    { maxLength: 2 },
  ),
})
const COMPARING = ['equals', 'notEquals', 'greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual'] as const
export const ON_DATA = [...COMPARING, 'contains', 'notContains', 'exists', 'notExists', 'within', 'olderThan'] as const
const TRIGGERED = ['triggered', 'notTriggered', 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'] as const
const TIMED = /[wW]ithin|lderThan/

const amount = fc.constantFrom(1, 2, 0.5, 24, 30, 1e9, 1e300)
const unit = fc.constantFrom('minutes', 'hours', 'days')

export const filterOf = (field: fc.Arbitrary<string>, operators: readonly string[], value: fc.Arbitrary<unknown>) =>
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

const period = fc.option(fc.record({ value: amount, unit }), { nil: undefined })

/** A condition that leaves out what is undefined, as a request does. */
const behavior = fc
  .record({
    about: fc.oneof(
      fc.record({
        field: fc.constantFrom(...EVENTS, 'never').map((name) => `event.${name}`),
        where: fc.array(
          filterOf(fc.constantFrom(...FIELD_NAMES), ON_DATA, scalar).map(({ field, ...rest }) => ({
            property: field,
            ...rest,
          })),
          { maxLength: 2 },
        ),
      }),
      fc.record({
        field: fc.constantFrom(...ACTIVITIES, 'open', 'click').map((name) => `email.${name}`),
        where: fc.array(
          fc.constantFrom(...CAMPAIGNS).map((value) => ({ property: 'campaignId', operator: 'equals', value })),
          { maxLength: 1 },
        ),
      }),
      fc.record({
        field: fc.constantFrom('email.clicked', 'email.click'),
        where: fc.tuple(
          fc
            .tuple(
              fc.constantFrom('equals', 'startsWith', 'contains'),
              fc.constantFrom(...LINKS, 'https://example.com/'),
            )
            .map(([operator, value]) => ({ property: 'link', operator, value })),
          fc.constantFrom(...CAMPAIGNS).map((value) => ({ property: 'campaignId', operator: 'equals', value })),
        ),
      }),
      fc.record({
        field: fc.constant('email.clicked'),
        where: fc
          .constantFrom('example.com/a', '%', '_', '\\')
          .map((value) => [{ property: 'link', operator: 'contains', value }]),
      }),
    ),
    count: fc.record({
      operator: fc.constantFrom('countAtLeast', 'countAtMost', 'countExactly'),
      value: fc.integer({ min: 1, max: 3 }),
      within: period,
    }),
    time: filterOf(fc.constant(''), TRIGGERED, fc.constant(null)),
    counts: fc.boolean(),
  })
  .map(({ about, count, time, counts }) => {
    const { within, ...times } = count
    const { field: _, ...triggered } = time
    const what = counts ? { ...times, ...(within ? { within } : {}) } : triggered
    return { field: about.field, ...what, ...(about.where.length > 0 ? { where: about.where } : {}) } as ConditionFilter
  })

const workflow = fc
  .record({
    id: fc.constantFrom(...WORKFLOWS),
    operator: fc.constantFrom(
      'inWorkflow',
      'notInWorkflow',
      'enteredWorkflow',
      'notEnteredWorkflow',
      'completedWorkflow',
      'notCompletedWorkflow',
    ),
    within: period,
  })
  .map(
    ({ id, operator, within }) =>
      ({
        field: `workflow.${id}`,
        operator,
        ...(within && !operator.toLowerCase().includes('inworkflow') ? { within } : {}),
      }) as ConditionFilter,
  )

export const filters = fc.oneof(
  { weight: 4, arbitrary: behavior },
  { weight: 1, arbitrary: workflow },
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

export function just(filter: unknown): unknown {
  return { logic: 'AND', groups: [{ filters: [filter] }] }
}

export const tree = fc.letrec<{ node: Condition }>((tie) => ({
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
