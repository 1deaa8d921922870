import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml } from './parser.ts'
import { parseTemplate, renderTemplate, type Scope, scopeOf } from './template.ts'
import { TemplateError } from './template-error.ts'

// The same cases in every run; change the seed to test others.
fc.configureGlobal({ seed: 20260304 })

const now = new Date('2026-03-04T05:06:07Z')
const subject = (source: string, scope: Scope) => renderTemplate(parseTemplate(source), scope, { escape: false, now })
const body = (source: string, scope: Scope) => renderTemplate(parseTemplate(source), scope, { escape: true, now })

/** The result or the `TemplateError`; any other error fails the property. */
function attempt<T>(work: () => T): T | TemplateError {
  try {
    return work()
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
}

const word = fc.constantFrom(
  'name',
  'first',
  'x',
  'list',
  'deep',
  'größe',
  'size',
  'constructor',
  '__proto__',
  'toString',
  'data',
)
const literal = fc.constantFrom('"q"', "'}}'", '"<&"', '0', '-1.5', 'true', 'nil', 'empty', '(1..3)', '"%Y %c"', '""')
const filter = fc.constantFrom(
  ...'upcase append prepend size first last join split replace remove default date sort map where uniq concat push'.split(
    ' ',
  ),
  ...'slice truncate truncatewords escape escape_once strip strip_html json inspect reverse sum compact plus times'.split(
    ' ',
  ),
  ...'round divided_by modulo url_encode url_decode base64_encode slugify group_by find has sort_natural squish'.split(
    ' ',
  ),
)
const value = fc.oneof(
  word,
  literal,
  fc.tuple(word, word).map((pair) => pair.join('.')),
  fc.tuple(word, word).map((pair) => pair.join(' ')),
  fc.tuple(word, literal).map(([name, key]) => `${name}[${key}]`),
  fc.tuple(word, literal).map((pair) => pair.join(' ?? ')),
)
const filters = fc
  .array(fc.tuple(filter, fc.array(value, { maxLength: 2 })), { maxLength: 3 })
  .map((list) => list.map(([name, args]) => ` | ${name}${args.length ? `: ${args.join(', ')}` : ''}`).join(''))
const expression = fc.tuple(value, filters).map((parts) => parts.join(''))
const condition = fc
  .tuple(value, fc.constantFrom('==', '!=', '<', 'contains', 'and', 'or'), value)
  .map((p) => p.join(' '))

/** Templates of which most can be parsed. */
const { template } = fc.letrec<{ template: string; piece: string }>((tie) => ({
  template: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('text ', '\n', '}} ', '%'),
    expression.map((e) => `{{ ${e} }}`),
    expression.map((e) => `{% echo ${e} %}`),
    expression.map((e) => `{% assign x = ${e} %}`),
    fc.tuple(condition, tie('template')).map(([c, t]) => `{% if ${c} %}${t}{% else %}no{% endif %}`),
    fc.tuple(value, tie('template')).map(([v, t]) => `{% for x in ${v} %}{{ forloop.index }}${t}{% endfor %}`),
    tie('template').map((t) => `{% capture x %}${t}{% endcapture %}`),
    tie('template').map((t) => `{% raw %}${t}{% endraw %}`),
    fc.tuple(value, value).map(([a, b]) => `{% cycle ${a}, ${b} %}{% increment x %}`),
  ),
}))

/** Arbitrary text made of parts that have a meaning. */
const rubble = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{{',
        '}}',
        '{%',
        '%}',
        '{%-',
        '-}}',
        '|',
        '??',
        ':',
        ',',
        '"',
        "'",
        '(',
        ')',
        '[',
        ']',
        '..',
        '.',
        '#',
      ),
      fc.constantFrom(
        ...'if else endif for in endfor case when raw endraw comment liquid assign cycle echo render'.split(' '),
      ),
      fc.constantFrom(' ', '\n', '=', '==', '\\', '\0', '%', '{', '}', '“', ' '),
      word,
      filter,
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''))

const scope = fc.dictionary(fc.oneof(word, fc.string()), fc.jsonValue({ maxDepth: 3 })).map((data) => scopeOf(data))

/** Names as in data: words of letters, digits, `_` and `-`, separated by single spaces. */
const name = fc
  .array(fc.stringMatching(/^[\p{L}_][\p{L}\p{N}_-]{0,8}$/u), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '))
  .filter((text) => !['true', 'false', 'nil', 'null', 'empty', 'blank'].includes(text) && !text.endsWith('-'))

describe('for every template and all data', () => {
  it('only a TemplateError is thrown', () => {
    const source = fc.oneof(template, rubble, fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(source, scope, fc.boolean(), (text, data, isBody) => {
        const result = attempt(() => renderTemplate(parseTemplate(text), data, { escape: isBody, now }))
        expect(typeof result === 'string' || result instanceof TemplateError).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('most generated templates are valid, so that the other properties are meaningful', () => {
    const results = fc.sample(fc.tuple(template, scope), { numRuns: 500, seed: 7 })
    const rendered = results.filter(([text, data]) => typeof attempt(() => body(text, data)) === 'string')
    expect(rendered.length).toBeGreaterThan(300)
  })

  it('the same template and data give the same text, and the data is unchanged', () => {
    fc.assert(
      fc.property(template, scope, (text, data) => {
        const before = JSON.stringify(data)
        const [first, second] = [attempt(() => body(text, data)), attempt(() => body(text, data))]
        expect(second).toEqual(first)
        expect(JSON.stringify(data)).toBe(before)
      }),
      { numRuns: 300 },
    )
  })

  it('no markup from data or literals is written to a body without raw', () => {
    const hostile = scopeOf({
      name: '<b>',
      list: ['<', { first: '<i>' }],
      x: '<x',
      deep: { name: '<"\'>' },
      data: '&lt;<',
    })
    fc.assert(
      fc.property(template, (text) => {
        fc.pre(!text.includes('{% raw %}'))
        const result = attempt(() => body(text, hostile))
        if (typeof result === 'string') expect(result).not.toMatch(/[<"']/)
      }),
      { numRuns: 600 },
    )
  })
})

describe('for every name and value', () => {
  it('the value replaces the name, and no delimiter is left', () => {
    fc.assert(
      fc.property(name, fc.stringMatching(/^[^{}%]*$/), (key, text) => {
        const data = scopeOf({ [key]: text })
        expect(subject(`a {{${key}}} b {{ ${key} }}`, data)).toBe(`a ${text} b ${text}`)
        expect(body(`{{-${key} ?? "x"-}}`, data)).toBe(escapeHtml(text))
        expect(body(`{{ data["${key}"] }}`, scopeOf({ data }))).toBe(escapeHtml(text))
      }),
    )
  })

  it('a value is never evaluated as a template', () => {
    const piece = fc.constantFrom('{{7|plus:1}}', '{{ name }}', '{% if true %}', '{{', '{%', '%}', '}}', 'x')
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          const data = scopeOf({ v: text, list: [text] })
          const ways = [
            '{{ v }}',
            '{{ gone ?? v }}',
            '{% assign a = v %}{{ a }}',
            '{% for i in list %}{{ i }}{% endfor %}',
          ].concat(['{% capture a %}{{ v }}{% endcapture %}{{ a }}', '{{ "" | append: v }}', '{{ list | join }}'])
          for (const way of ways) expect(subject(way, data)).toBe(text)
        },
      ),
    )
  })

  it('the fallback is used only for missing and null values', () => {
    const given = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined))
    fc.assert(
      fc.property(name, given, (key, value) => {
        const expected = value === null || value === undefined ? 'fallback' : String(value)
        for (const source of [
          `{{ ${key} ?? "fallback" }}`,
          `{{${key}??"fallback"}}`,
          `{{ gone ?? ${key} ?? 'fallback' }}`,
        ]) {
          expect(subject(source, scopeOf({ [key]: value }))).toBe(expected)
        }
      }),
    )
  })
})
