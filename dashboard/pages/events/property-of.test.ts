import { expect, it } from 'vitest'
import { propertyOf } from './property-of.ts'

it.each([
  [{ total: 1234.5 }, 'total', '1,234.5'],
  [{ cart: { total: 5 } }, 'cart.total', '5'],
  [{ 'cart.total': 'own' }, 'cart.total', 'own'],
  [{ paid: false }, 'paid', 'No'],
  [{ items: [1, 2] }, 'items', '[1,2]'],
  [{ cart: null }, 'cart.total', ''],
  [{}, 'total', ''],
])('propertyOf %j: %s is %j', (data, property, text) => {
  expect(propertyOf(data, property)).toBe(text)
})
