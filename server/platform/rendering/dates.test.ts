import { describe, expect, it } from 'vitest'
import { parseTemplate, renderTemplate, scopeOf } from './template.ts'
import { TemplateError } from './template-error.ts'

const now = new Date('2026-03-04T15:06:07.089Z')
const render = (source: string, scope: object = {}) =>
  renderTemplate(parseTemplate(source), scopeOf(scope), { escape: false, now })
const formatDate = (value: unknown, format: string) => render('{{ value | date: format }}', { value, format })

describe('dates in templates', () => {
  it.each<[format: string, expected: string]>([
    ['%Y-%m-%d %H:%M:%S', '2026-03-04 15:06:07'],
    ['%a %A %b %B %h', 'Wed Wednesday Mar March Mar'],
    ['%e|%-d|%_d|%03d|%5d|%-l%P|%I %p|%k|%l', ' 4|4| 4|004|00004|3pm|03 PM|15| 3'],
    ['%y %C %j %u %w %U %W %V %G', '26 20 063 3 3 09 09 10 2026'],
    ['%s %L %N %3N', '1772636767 089 089000000 089'],
    ['%z %:z %Z', '+0000 +00:00 UTC'],
    [
      '%c|%x|%X|%D|%F|%T|%R|%r',
      'Wed Mar  4 15:06:07 2026|03/04/26|15:06:07|03/04/26|2026-03-04|15:06:07|15:06|03:06:07 PM',
    ],
    ['%^a %#B %d%q', 'WED MARCH 04th'],
    ['100%% %K %!', '100% %K %!'],
  ])('format now as %s', (format, expected) => {
    expect(formatDate('now', format)).toBe(expected)
  })

  it.each<[value: unknown, expected: string]>([
    ['2024-02-03', '2024-02-03 00:00:00'],
    ['2024-02-03T04:05:06Z', '2024-02-03 04:05:06'],
    ['2024-02-03T04:05:06+02:00', '2024-02-03 02:05:06'],
    ['2024-02-03 04:05', '2024-02-03 04:05:00'],
    ['2024-02-03T04:05:06.5', '2024-02-03 04:05:06'],
    ['March 14, 2024', '2024-03-14 00:00:00'],
    ['Thu, 14 Mar 2024 10:00:00 GMT', '2024-03-14 10:00:00'],
    [1700000000, '2023-11-14 22:13:20'],
    ['1700000000', '2023-11-14 22:13:20'],
    ['today', '2026-03-04 15:06:07'],
    ['no date', 'no date'],
    ['2024-13-45', '2024-13-45'],
    [null, ''],
  ])('parse %j, in UTC if no zone is given', (value, expected) => {
    expect(formatDate(value, '%Y-%m-%d %H:%M:%S')).toBe(expected)
  })

  it('can be formatted for any zone', () => {
    const source = '{{ "2024-07-01T12:00:00Z" | date: "%H:%M %z %Z", zone }}'
    expect(render(source, { zone: 'Europe/Berlin' })).toBe('14:00 +0200 Europe/Berlin')
    expect(render(source, { zone: 'America/St_Johns' })).toBe('09:30 -0230 America/St_Johns')
    expect(render(source, { zone: 300 })).toBe('07:00 -0500 -0500')
    expect(() => render(source, { zone: 'Nowhere/At_All' })).toThrow(TemplateError)
  })

  it('have the short forms of the other filters', () => {
    const value = '2024-03-02T01:02:03Z'
    expect(render('{{ value | date }}', { value })).toBe('Saturday, March 2, 2024 at 1:02 am +0000')
    expect(render('{{ value | date_to_xmlschema }}', { value })).toBe('2024-03-02T01:02:03+00:00')
    expect(render('{{ value | date_to_rfc822 }}', { value })).toBe('Sat, 02 Mar 2024 01:02:03 +0000')
    expect(render('{{ value | date_to_string }}', { value })).toBe('02 Mar 2024')
    expect(render('{{ value | date_to_long_string: "ordinal", "US" }}', { value })).toBe('March 2nd, 2024')
  })

  it('refuse excessive widths and formats', () => {
    expect(() => formatDate('now', '%9999999d')).toThrow(TemplateError)
    expect(() => formatDate('now', '%999999999N')).toThrow(TemplateError)
    expect(() => formatDate('now', '%c'.repeat(1000))).toThrow(TemplateError)
    expect(formatDate('now', '%99999999999d')).toBe('%99999999999d')
  })

  it('do not depend on the time zone of the machine', () => {
    const before = process.env.TZ
    try {
      for (const [zone, offset] of [
        ['Asia/Kolkata', -330],
        ['America/New_York', 240],
        ['UTC', 0],
      ] as const) {
        process.env.TZ = zone
        expect(new Date('2024-07-01').getTimezoneOffset()).toBe(offset)
        expect(formatDate('2024-03-31 02:30', '%c %z')).toBe('Sun Mar 31 02:30:00 2024 +0000')
        expect(formatDate('2024/03/31', '%F')).toBe('2024-03-31')
      }
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })
})
