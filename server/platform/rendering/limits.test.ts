import { describe, expect, it } from 'vitest'
import { SOURCE_MAX } from '../../kernel/content/template-limits.ts'
import { parseTemplate, renderTemplate, scopeOf } from './template.ts'
import { TemplateError } from './template-error.ts'

const scope = scopeOf({ s: 'a'.repeat(1000), empties: Array(20_000).fill(''), rows: Array(1000).fill({ id: 1 }) })
/** Much longer than the limits allow, so that a busy machine doesn't fail the test but a missing limit does. */
const LIMIT_MS = 10_000

function fault(source: string): TemplateError {
  const start = performance.now()
  try {
    renderTemplate(parseTemplate(source), scope, { escape: true, now: new Date(0) })
  } catch (error) {
    expect(performance.now() - start).toBeLessThan(LIMIT_MS)
    if (error instanceof TemplateError) return error
    throw error
  }
  throw new Error(`It was rendered: ${source.slice(0, 100)}`)
}

const filled = (begin: string, unit: string, end = '') =>
  begin + unit.repeat((SOURCE_MAX - begin.length - end.length) / unit.length) + end

const loop = (inside: string) => `{% for i in (1..100000) %}${inside}{% endfor %}`
const million = '{% assign a = s | replace: "a", s %}'

describe('a malicious template ends in time with an error', () => {
  it.each<[what: string, source: string]>([
    ['a huge range', '{{ (1..1000000000) }}'],
    ['an endless range', '{{ (1..x) | size }}{% assign x = 1 | divided_by: 0 %}{{ (1..x) }}'],
    ['loops in loops', loop(loop(loop('')))],
    ['text that doubles', `{% assign a = "x" %}${loop('{% assign a = a | append: a %}')}`],
    ['a capture that doubles', `{% assign a = "x" %}${loop('{% capture a %}{{ a }}{{ a }}{% endcapture %}')}`],
    ['a list that holds itself twice', `{% assign a = s | split: "" %}${loop('{% assign a = a | push: a %}')}{{ a }}`],
    ['lists in lists', `{% assign e = "" | split: "" %}${loop('{% assign a = e | push: a %}')}{{ a | join }}`],
    ['a replacement that multiplies', `${million}{{ a | replace: "a", s }}`],
    [
      'a search of the worst kind',
      `${million}{% assign n = "b" | append: s %}${loop('{% assign b = a | split: n %}')}`,
    ],
    [
      'a comparison of the worst kind',
      `{% assign a = (1..100000) %}{% if a == a${' and a == a'.repeat(3000)} %}{% endif %}`,
    ],
    [
      'contains, again and again',
      `${million}{% assign n = "b" | append: s %}${loop('{% if a contains n %}{% endif %}')}`,
    ],
    ['sorting, again and again', `{% assign a = s | split: "" %}${loop('{% assign b = a | sort | reverse %}')}`],
    ['nothing, again and again', loop('{{ empties }}')],
    ['a wide date', '{{ "now" | date: "%999999d" }}'],
    [
      'a wide date of its own making',
      '{% assign w = 9999999 %}{% assign f = "%" | append: w | append: "d" %}{{ "now" | date: f }}',
    ],
    ['much output', loop('{{ s }}')],
    ['a filter for every letter', filled('{{ s', '|upcase', '}}')],
    ['tags without end', filled('', '{% if a %}')],
    ['outputs without end', filled('', '{{a}}')],
    ['fallbacks without end', filled('{{ a', ' ?? a', '}}')],
    ['brackets in brackets', filled('{{ a', '[a', '}}')],
    ['parentheses in parentheses', filled('{{ ', '(', '}}')],
    ['loops nested too deeply', '{% for a in b %}'.repeat(200) + '{% endfor %}'.repeat(200)],
    ['a comment of line breaks', filled('{% # a', '\n', 'x%}')],
    ['operators without end', filled('{% if a', ' and a', '%}{% endif %}')],
    ['a source that is too long', filled('', 'x').concat('x')],
  ])('%s', (_, source) => {
    expect(fault(source)).toBeInstanceOf(TemplateError)
  })

  it.each<[what: string, source: string, length: number]>([
    ['a name of a million letters', filled('{{ a', 'a', '}}'), 0],
    ['a name with a million blanks', filled('{{ a', ' ', 'b}}'), 0],
    ['a range above 2 ** 53', '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}', 3],
    ['a million braces', filled('{', ' ', '}'), SOURCE_MAX],
  ])('%s is rendered without an error', (_, source, length) => {
    expect(renderTemplate(parseTemplate(source), scope, { escape: true, now: new Date(0) })).toHaveLength(length)
  })

  it('reports whether the time or the size was exceeded', () => {
    expect(fault(loop(loop(loop(''))))).toMatchObject({
      reason: 'time',
      message: 'The template took too long to render.',
    })
    expect(fault('{{ (1..1000000000) }}')).toMatchObject({ reason: 'size' })
  })
})
