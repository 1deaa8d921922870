import { expect, it } from 'vitest'
import { readCell } from './cell-values.ts'

it.each([
  ['42', 'number', 42],
  ['-3,5', 'number', -3.5],
  ['0.25', 'number', 0.25],
  ['1,234.5', 'number', 1234.5],
  ['1.234,50', 'number', 1234.5],
  ['-1.234.567', 'number', -1234567],
  ['1.234', 'number', 1.234],
  ['1.23,45', 'number', undefined],
  ['12.34.56', 'number', undefined],
  ['forty', 'number', undefined],
  ['YES', 'boolean', true],
  ['0', 'boolean', false],
  ['maybe', 'boolean', undefined],
  ['2026-11-16', 'date', '2026-11-16'],
  ['2026-11-16T12:00:00+02:00', 'date', '2026-11-16T10:00:00.000Z'],
  ['6.1.2026', 'date', '2026-01-06'],
  ['2026-02-30', 'date', undefined],
  ['01/02/2026', 'date', undefined],
  ['anything', 'string', 'anything'],
] as const)('readCell reads %o as a %s', (text, type, value) => {
  expect(readCell(text, { type })).toBe(value)
})

it.each([
  ['1.234', ',', 1234],
  ['1.234', '.', 1.234],
  ['1,5', ',', 1.5],
  ['1,5', '.', undefined],
  ['1.5', ',', undefined],
  ['1,234.50', '.', 1234.5],
] as const)('readCell reads %o as a number whose decimal sign is %o', (text, decimal, value) => {
  expect(readCell(text, { type: 'number', decimal })).toBe(value)
})
