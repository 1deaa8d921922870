import { expect, it } from 'vitest'
import type { Condition, Filter } from './condition.ts'
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

it('describeCondition writes counts, periods, properties and workflows as sentences', () => {
  const names = new Map([
    ['1', 'Welcome'],
    ['2', 'Spring sale'],
  ])
  const text = (filter: Filter) => describeCondition({ logic: 'AND', groups: [{ filters: [filter] }] }, names)
  expect(
    text({
      field: 'event.purchase',
      operator: 'countAtLeast',
      value: 3,
      within: { value: 30, unit: 'days' },
      where: [
        { property: 'total', operator: 'greaterThan', value: 50 },
        { property: 'plan', operator: 'exists' },
      ],
    }),
  ).toBe('purchase at least 3 times within the last 30 days, where total is greater than 50 and plan is set')
  expect(text({ field: 'email.sent', operator: 'countAtMost', value: 1 })).toBe('Was sent an email at most 1 time')
  expect(
    text({
      field: 'email.clicked',
      operator: 'triggered',
      where: [
        { property: 'link', operator: 'startsWith', value: 'https://example.com/' },
        { property: 'campaignId', operator: 'equals', value: '2' },
      ],
    }),
  ).toBe('Clicked a link at any time, where link starts with “https://example.com/” and campaign is Spring sale')
  expect(text({ field: 'workflow.1', operator: 'enteredWorkflow', within: { value: 2, unit: 'hours' } })).toBe(
    'Welcome was entered by the contact within the last 2 hours',
  )
  expect(text({ field: 'workflow.9', operator: 'inWorkflow' })).toBe('A workflow has the contact in it now')
})
