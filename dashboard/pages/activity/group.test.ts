import { describe, expect, it } from 'vitest'
import type { Activity } from '../../data/live.ts'
import { groupByEmail, groupNeighbors, isChosen, typesOf } from './group.ts'

const item = (id: string, type: string, emailId?: string): Activity => ({
  id,
  type,
  timestamp: '2026-11-16T12:00:00.000Z',
  contact: null,
  metadata: {},
  email: emailId
    ? {
        id: emailId,
        status: 'DELIVERED',
        sentAt: null,
        deliveredAt: null,
        openedAt: null,
        clickedAt: null,
        bouncedAt: null,
        complainedAt: null,
      }
    : null,
})

describe('groupByEmail', () => {
  it('keeps the latest entry of each email and all other entries', () => {
    const items = [
      item('5', 'email.open', 'a'),
      item('4', 'signup'),
      item('3', 'email.delivery', 'b'),
      item('2', 'email.delivery', 'a'),
      item('1', 'signup'),
    ]
    expect(groupByEmail(items).map(({ id }) => id)).toEqual(['5', '4', '3', '1'])
  })

  it('removes an entry that was both loaded and received live', () => {
    expect(groupByEmail([item('1', 'signup'), item('1', 'signup')])).toHaveLength(1)
  })
})

describe('groupNeighbors', () => {
  const idsOf = (items: Activity[]) => groupNeighbors(items).map((group) => group.map(({ id }) => id).join(''))

  it('groups three or more consecutive entries of the same type', () => {
    const types = ['signup', 'signup', 'signup', 'open', 'signup', 'signup']
    expect(idsOf(types.map((type, i) => item(String(i), type)))).toEqual(['012', '3', '4', '5'])
  })

  it('never groups emails and campaigns, and keeps workflows apart', () => {
    expect(idsOf('abc'.split('').map((id) => item(id, 'email.open', id)))).toEqual(['a', 'b', 'c'])
    expect(idsOf('abc'.split('').map((id) => item(id, 'campaign.sent')))).toEqual(['a', 'b', 'c'])
    const started = (id: string, workflowId: string) => ({ ...item(id, 'workflow.started'), metadata: { workflowId } })
    expect(idsOf([started('1', 'x'), started('2', 'x'), started('3', 'x'), started('4', 'y')])).toEqual(['123', '4'])
  })
})

it('isChosen matches a category, a type, or everything', () => {
  expect([isChosen('tracked', 'signup'), isChosen('tracked', 'email.open')]).toEqual([true, false])
  expect([isChosen('email.open', 'email.open'), isChosen('email.open', 'email.click')]).toEqual([true, false])
  expect(isChosen('', 'anything')).toBe(true)
})

describe('typesOf', () => {
  const all = ['campaign.sent', 'contact.subscribed', 'email.open', 'segment.pro.entry', 'signup', 'workflow.started']

  it('returns the types of a category', () => {
    expect(typesOf('emails', all)).toEqual(['email.open'])
    expect(typesOf('contacts', all)).toEqual(['contact.subscribed', 'segment.pro.entry'])
    expect(typesOf('tracked', all)).toEqual(['signup'])
  })

  it('returns a single type, or undefined for all', () => {
    expect(typesOf('signup', all)).toEqual(['signup'])
    expect(typesOf('', all)).toBeUndefined()
  })
})
