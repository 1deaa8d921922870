import { describe, expect, it } from 'vitest'
import { createFormats } from './format.ts'

const english = createFormats('en-US', 'en')
const german = createFormats('de-DE', 'en')

describe('numbers', () => {
  it('formatPercent writes the percent sign as the locale does', () => {
    expect(english.formatPercent(0.9942)).toBe('99.4%')
    expect(german.formatPercent(0.9942)).toBe('99,4\u00a0%')
    expect(english.formatPercent(0.00125, 2)).toBe('0.13%')
  })

  it('formatShare shows a dash for an empty whole and never exceeds 100%', () => {
    expect(english.formatShare(1, 3)).toBe('33.3%')
    expect(english.formatShare(0, 0)).toBe('–')
    expect(english.formatShare(3, 2)).toBe('100%')
  })

  it('formatShare does not round a tiny share to zero', () => {
    expect(english.formatShare(1, 6127)).toBe('0.02%')
    expect(english.formatShare(0, 6127)).toBe('0%')
  })

  it('formatShare shows less than the smallest share instead of 0%, and less than all instead of 100%', () => {
    expect(english.formatShare(12, 1_000_000)).toBe('<0.01%')
    expect(english.formatShare(99_984, 100_000)).toBe('99.98%')
    expect(english.formatShare(999_999, 1_000_000)).toBe('>99.99%')
    expect(english.formatShare(1_000_000, 1_000_000)).toBe('100%')
  })

  it('formatCount uses the singular for one only and groups digits by locale', () => {
    const contacts = { one: 'contact', other: 'contacts' }
    expect(english.formatCount(1, contacts)).toBe('1 contact')
    expect(english.formatCount(0, contacts)).toBe('0 contacts')
    expect(english.formatCount(2041, contacts)).toBe('2,041 contacts')
    expect(german.formatCount(2041, contacts)).toBe('2.041 contacts')
  })

  it('formatKilobytes rounds up to whole kilobytes', () => {
    expect(english.formatKilobytes(1)).toBe('1 kB')
    expect(english.formatKilobytes(3_000_000)).toBe('2,930 kB')
  })

  it('formatMoney uses the number of decimals of the currency', () => {
    expect(english.formatMoney(1250, 'eur')).toBe('€12.50')
    expect(english.formatMoney(1250, 'jpy')).toBe('¥1,250')
  })
})

describe('dates', () => {
  const now = new Date('2026-11-16T12:00:00Z')
  const ago = (seconds: number) => english.formatRelative(new Date(now.getTime() - seconds * 1000), now)

  it('formatRelative uses the largest unit that fits within a week', () => {
    expect(ago(5)).toBe('now')
    expect(ago(180)).toBe('3 minutes ago')
    expect(ago(-7_200)).toBe('in 2 hours')
    expect(ago(86_400)).toBe('yesterday')
  })

  it('formatRelative rounds times in the future', () => {
    expect(ago(-(3 * 86_400 - 60))).toBe('in 3 days')
    expect(ago(-(2 * 3_600 - 5))).toBe('in 2 hours')
    expect(ago(-(23 * 3_600))).toBe('in 23 hours')
  })

  it('formatRelative shows the date for anything older than a week', () => {
    expect(ago(10 * 86_400)).toBe('Nov 6, 2026')
  })

  it('formatRelative keeps the language of the texts in other locales', () => {
    expect(german.formatRelative(new Date(now.getTime() - 180_000), now)).toBe('3 minutes ago')
  })

  it('formatDay and formatMonth read their values as UTC', () => {
    expect(english.formatDay('2026-11-01')).toBe('Nov 1, 2026')
    expect(german.formatDay('2026-11-01')).toBe('01.11.2026')
    expect(english.formatMonth('2026-11')).toBe('November 2026')
  })
})

it.each([
  [20, '1 minute'],
  [300, '5 minutes'],
  [5_400, '1h 30m'],
  [1_000_000, '12 days'],
])('formatDuration shows %i seconds as "%s"', (seconds, text) => {
  expect(english.formatDuration(seconds)).toBe(text)
})

it('formatList joins items with commas and a conjunction', () => {
  expect(english.formatList(['A'])).toBe('A')
  expect(english.formatList(['A', 'B', 'C'])).toBe('A, B, and C')
})
