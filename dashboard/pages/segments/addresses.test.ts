import { expect, it } from 'vitest'
import { addressesIn } from './addresses.ts'

it('addressesIn returns each address once, whatever separates them', () => {
  expect(addressesIn(' a@example.org,\nb@example.org; a@example.org\tc@example.org ')).toEqual([
    'a@example.org',
    'b@example.org',
    'c@example.org',
  ])
  expect(addressesIn(' \n ')).toEqual([])
})
