import { expect, it } from 'vitest'
import { exactChoice, recentFirst, searchChoices } from './search-choices.ts'

const choice = (label: string, group?: string, note?: string) => ({ label, group, note })

const FIELDS = [
  choice('Email address', 'Contact'),
  choice('Subscribed', 'Contact'),
  choice('plan', 'Data'),
  choice('previous plan', 'Data'),
  choice('explanation', 'Data'),
  choice('plan-changed', 'Events'),
]

const found = (typed: string, choices = FIELDS) => searchChoices(choices, typed).map(({ label }) => label)

it.each([
  ['', FIELDS.map(({ label }) => label)],
  ['plan', ['plan', 'previous plan', 'explanation', 'plan-changed']],
  ['plan-', ['plan-changed']],
  ['events plan', ['plan-changed']],
  ['address email', ['Email address']],
  ['zzz', []],
])('searchChoices finds for %j: %j', (typed, labels) => {
  expect(found(typed)).toEqual(labels)
})

it('searchChoices ignores accents and case, and searches notes', () => {
  const people = [choice('ada@example.org', undefined, 'Ada'), choice('jo@example.org', undefined, 'João Silva')]
  expect(found('joao', people)).toEqual(['jo@example.org'])
  expect(found('SILVA', people)).toEqual(['jo@example.org'])
})

it('searchChoices starts with the group of the best match, and keeps groups together', () => {
  const mixed = [choice('my purchase', 'Data'), choice('total', 'Data'), choice('purchase', 'Events')]
  expect(found('purchase', mixed)).toEqual(['purchase', 'my purchase'])
})

it('exactChoice finds a label that was typed as a whole', () => {
  expect(exactChoice(FIELDS, ' PLAN ')?.label).toBe('plan')
  expect(exactChoice(FIELDS, 'pla')).toBeUndefined()
})

it('recentFirst puts recent choices first, below the choice of nothing, and leaves short lists as they are', () => {
  const all = ['', 'a', 'b', 'c', 'd', 'e', 'f'].map((value) => ({ value, label: value || 'None', group: undefined }))
  const headings = { recent: 'Recent', others: 'All' }
  expect(recentFirst(all, ['e', 'gone', 'b'], headings).map(({ value, group }) => `${group ?? ''}:${value}`)).toEqual([
    ':',
    'Recent:e',
    'Recent:b',
    'All:a',
    'All:c',
    'All:d',
    'All:f',
  ])
  expect(recentFirst(all, ['gone'], headings)).toBe(all)
  expect(recentFirst(all.slice(0, 4), ['c'], headings)).toEqual(all.slice(0, 4))
})
