import { expect, it } from 'vitest'
import { moneyWords } from './money.ts'

it('knows how many decimals a currency has', () => {
  expect(moneyWords(1250, 'eur', 'en-US')).toBe('€12.50')
  expect(moneyWords(1250, 'jpy', 'en-US')).toBe('¥1,250')
})
