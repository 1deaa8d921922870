import { expect, it } from 'vitest'
import { eventsIn } from './stream.ts'

it('eventsIn returns complete events and keeps the incomplete rest', () => {
  const { events, rest } = eventsIn('retry: 3000\n\n: beat\n\nid: 1\ndata: {"a":1}\n\nid: 2\ndata: {"b"')
  expect(events).toEqual([{ id: '1', data: '{"a":1}' }])
  expect(eventsIn(`${rest}:2}\n\n`).events).toEqual([{ id: '2', data: '{"b":2}' }])
})

it('eventsIn joins the data lines of one event', () => {
  expect(eventsIn('data: one\ndata: two\n\n').events).toEqual([{ id: undefined, data: 'one\ntwo' }])
})
