import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

it('toCsv quotes cells where needed, and prevents formulas', () => {
  expect(
    toCsv([
      ['Name', 'Sent'],
      ['A "new", one', 1200],
      ['=SUM(A1)', null],
    ]),
  ).toBe('Name,Sent\r\n"A ""new"", one",1200\r\n\'=SUM(A1),\r\n')
})
