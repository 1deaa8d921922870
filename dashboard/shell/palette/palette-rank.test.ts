import { expect, it } from 'vitest'
import { rankGroups } from './palette-rank.ts'

const group = (heading: string, labels: string[], isFound = false) => ({
  heading,
  isFound,
  entries: labels.map((label) => ({ label, isLast: label.startsWith('Settings: ') })),
})

const PAGES = group('Go to', ['Overview', 'Contacts', 'Campaigns', 'Domains'])
const COMMANDS = group('Commands', ['Add contact', 'Create campaign', 'Create workflow', 'Sign out'])
const SETTINGS = group('Settings', ['Settings: Members', 'Settings: Account'])

const first = (search: string, ...found: string[]) =>
  rankGroups([group('Contacts', found, true), PAGES, COMMANDS, SETTINGS], search)[0]?.entries[0]?.label

it.each([
  ['new campaign', [], 'Create campaign'],
  ['new contact', [], 'Add contact'],
  ['new workflow', [], 'Create workflow'],
  ['sign', [], 'Sign out'],
  ['members', [], 'Settings: Members'],
  ['domains', ['domains@example.org'], 'Domains'],
  ['bounce@sim', ['soft-bounce@simulator.test', 'bounce@simulator.test'], 'bounce@simulator.test'],
  ['lovelace', ['ada@example.org'], 'ada@example.org'],
])('for %j, with %j found, the first row is %j', (search, found, expected) => {
  expect(first(search, ...found)).toBe(expected)
})

it('rankGroups leaves out what does not match, and keeps everything without a search', () => {
  expect(rankGroups([PAGES, COMMANDS], 'zzz')).toEqual([])
  expect(rankGroups([PAGES, group('Empty', [])], '')).toEqual([PAGES])
})
