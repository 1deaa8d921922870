import { describe, expect, it } from 'vitest'
import { isReservedEvent } from './actions.ts'

describe('event names', () => {
  it.each([
    'email.sent',
    'EMAIL.Sent',
    'email.',
    'email.anything.else',
    'contact.subscribed',
    'contact.unsubscribed',
    'segment.vip.entry',
    'segment.big-spenders.exit',
    'segment..entry', // of a segment called "!!!"
  ])('%s is reserved', (name) => {
    expect(isReservedEvent(name)).toBe(true)
  })

  it.each([
    'email',
    'emails.sent',
    'contact.created',
    'contact.subscribed.twice',
    'segment.vip',
    'segment.vip.joined',
    'signup',
  ])('%s is not reserved', (name) => {
    expect(isReservedEvent(name)).toBe(false)
  })
})
