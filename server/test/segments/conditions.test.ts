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
import {
  ACTIVITIES,
  ago,
  contact,
  DAY,
  data,
  FIELD_NAMES,
  filterOf,
  filters,
  INLINE,
  just,
  NOW,
  ON_DATA,
  STORED,
  scalar,
  tree,
  WORKFLOWS,
} from './condition-samples.ts'
import { matches, type NaiveContact } from './conditions-naive.ts'

let app: Awaited<ReturnType<typeof openTestDatabase>>
const project = { id: newId(NOW) }
const people: Array<NaiveContact & { id: string }> = []
let segments: Map<string, NamedSegment>
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
  for (const id of WORKFLOWS) {
    await app.pool.query(
      "insert into workflows (project_id, id, name, trigger_type, created_at, updated_at) values ($1, $2, 'W', 'MANUAL', $3, $3)",
      [project.id, id, NOW],
    )
  }
  const made = fc.sample(contact, { numRuns: 250, seed: 7 })
  for (const [i, person] of made.entries()) {
    const member = i % 3 === 0
    const whole = {
      ...person,
      executions: unique(person.executions),
      id: newId(NOW),
      email: `${i % 2 ? 'user' : 'o_%'}${i}@example${i % 5}.org`,
      segments: new Set<string>(),
    }
    if (member) whole.segments.add(STORED)
    if (matches(INLINE_CONDITION, whole, { now: NOW })) whole.segments.add(INLINE)
    people.push(whole)
    await store(whole, member)
  }
  // Without statistics, thousands of plans read whole tables for every contact.
  await app.pool.query('analyze contacts, events, workflow_executions, emails, link_clicks, segment_members')
  segments = new Map<string, NamedSegment>([
    [STORED, { stored: true }],
    [INLINE, { stored: false, condition: INLINE_CONDITION }],
  ])
})
afterAll(() => app.close())

/** A contact is in a workflow once at a time. */
function unique(executions: NaiveContact['executions']): NaiveContact['executions'] {
  const isActive = ({ status }: { status: string }) => status === 'RUNNING' || status === 'WAITING'
  return executions.filter(
    (one, i) =>
      !isActive(one) || !executions.slice(0, i).some((two) => isActive(two) && two.workflowId === one.workflowId),
  )
}

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
  for (const { name, at, data } of person.events) {
    await app.pool.query(
      'insert into events (project_id, id, name, contact_id, created_at, data) values ($1, $2, $3, $4, $5, $6)',
      [project.id, newId(at), name, person.id, at, JSON.stringify(data)],
    )
  }
  for (const { workflowId, status, startedAt, completedAt } of person.executions) {
    await app.pool.query(
      `insert into workflow_executions (project_id, id, workflow_id, contact_id, status, only_once, seen_up_to, started_at, completed_at,
         created_at, updated_at) values ($1, $2, $3, $4, $5, false, $2, $6, $7, $6, $6)`,
      [project.id, newId(startedAt), workflowId, person.id, status, startedAt, completedAt],
    )
  }
  for (const email of person.emails) {
    const id = newId(ago(90 * DAY))
    const at = ACTIVITIES.map((name) => email.at[name] ?? null)
    await app.pool.query(
      `insert into emails (project_id, id, contact_id, content_id, to_email, from_email, source_type, created_at, updated_at,
         sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at, campaign_id)
       values ($1, $2, $3, $2, $4, 'x@example.com', 'TRANSACTIONAL', $5, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [project.id, id, person.id, person.email, ago(90 * DAY), ...at, email.campaignId],
    )
    for (const { link, at: clickedAt } of email.clicks) {
      await app.pool.query(
        `insert into link_clicks (project_id, email_id, link_hash, link, contact_id, campaign_id, clicks, first_at, last_at)
         values ($1, $2, md5($3)::uuid, $3, $4, $5, 2, $6, $7)`,
        [project.id, id, link, person.id, email.campaignId, ago(90 * DAY), clickedAt],
      )
    }
  }
  if (member) {
    await app.pool.query(
      'insert into segment_members (project_id, segment_id, contact_id, created_at) values ($1, $2, $3, $4)',
      [project.id, STORED, person.id, NOW],
    )
  }
}

async function matchingInSql(
  condition: Condition,
  event?: Record<string, unknown>,
  someContacts = false,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from contacts where contacts.project_id = ${project.id}
      and ${conditionSql(condition, { projectId: project.id, now: NOW, segments, event, someContacts })} `.execute(
    app.db,
  )
  return rows.map((row) => row.email).sort()
}

const matchingNaively = (condition: Condition, event?: Record<string, unknown>): string[] =>
  people
    .filter((person) => matches(condition, person, { now: NOW, ...(event ? { event } : {}) }))

    .map(({ email }) => email)
    .sort()

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
        const expected = matchingNaively(condition)
        expectSame(await matchingInSql(condition), expected)
        expectSame(await matchingInSql(condition, undefined, true), expected)
      }),
      { numRuns: 1000, seed: 1 },
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

  it('matches no contact if its workflow was deleted, in any form', async () => {
    for (const operator of ['inWorkflow', 'notInWorkflow', 'notEnteredWorkflow', 'notCompletedWorkflow']) {
      expect(await matchingInSql(conditionTree.parse(just({ field: `workflow.${GONE}`, operator })))).toEqual([])
    }
  })
})
