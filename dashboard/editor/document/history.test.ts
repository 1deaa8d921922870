import { expect, it } from 'vitest'
import { record, redo, startHistory, undo } from './history.ts'

it('undo and redo return to every recorded value', () => {
  const recorded = ['b', 'c'].reduce((history, value) => record(history, value, undefined, 0), startHistory('a'))
  const once = undo(recorded)
  const twice = undo(once)
  expect([recorded, once, twice, undo(twice)].map(({ present }) => present)).toEqual(['c', 'b', 'a', 'a'])
  expect([redo(twice), redo(redo(twice)), redo(recorded)].map(({ present }) => present)).toEqual(['b', 'c', 'c'])
})

it('a new value after undo removes what could be redone', () => {
  const history = record(undo(record(startHistory('a'), 'b', undefined, 0)), 'c', undefined, 0)
  expect(redo(history).present).toBe('c')
  expect(undo(history).present).toBe('a')
})

it.each([
  ['the same key within a second is one step', ['title', 'title'], 1_000, 'a'],
  ['the same key after a pause is a new step', ['title', 'title'], 5_000, 'b'],
  ['another key is a new step', ['title', 'text'], 10, 'b'],
])('%s', (_, [first, second], pauseMs, expected) => {
  const history = record(record(startHistory('a'), 'b', first, 0), 'c', second, pauseMs)
  expect(undo(history).present).toBe(expected)
})
