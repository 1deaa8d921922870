import { expect, it } from 'vitest'
import type { Condition } from './condition.ts'
import { describeCondition } from './describe-condition.ts'

it('describeCondition writes filters, groups and nested conditions as one line', () => {
  const condition: Condition = {
    logic: 'OR',
    groups: [
      {
        filters: [
          { field: 'data.plan', operator: 'equals', value: 'pro' },
          { field: 'subscribed', operator: 'equals', value: true },
        ],
      },
      { filters: [{ field: 'event.opened-app', operator: 'triggeredWithin', value: 7, unit: 'days' }] },
      {
        filters: [],
        conditions: {
          logic: 'AND',
          groups: [{ filters: [{ field: 'segment.1', operator: 'memberOfSegment' }] }],
        },
      },
    ],
  }
  expect(describeCondition(condition, new Map([['1', 'Panel']]))).toBe(
    '(plan is “pro” and Subscribed) or opened-app within the last 7 days or (Panel includes the contact)',
  )
})
