import { expect, it } from 'vitest'
import { keyOf } from './key-of.ts'

it.each([
  ['Product news', 'product-news'],
  [' Événements à Zürich! ', 'evenements-a-zurich'],
  ['x'.repeat(60), 'x'.repeat(50)],
  ['ニュース', ''],
])('suggests a key for the name %j', (name, key) => {
  expect(keyOf(name)).toBe(key)
})
