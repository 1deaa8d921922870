/** Liquid inside a text: it is found as the engine reads it. */
import { describe, expect, it } from 'vitest'
import {
  decodeEntitiesInLiquid,
  encodeEntitiesInLiquid,
  liquidString,
  mapOutsideLiquid,
  splitLiquid,
} from './liquid-parts.ts'

const liquidIn = (source: string) => splitLiquid(source).flatMap(({ text, isLiquid }) => (isLiquid ? [text] : []))

describe('splitLiquid', () => {
  it.each([
    ['a {{ b }} c {% if d %}', ['{{ b }}', '{% if d %}']],
    ['{{ a | default: "}}" }}x', ['{{ a | default: "}}" }}']],
    [`{{ a | default: 'it\\'s }}' }}x`, [`{{ a | default: 'it\\'s }}' }}`]],
    ['{% if a == "%}" %}', ['{% if a == "%}']],
    ['{%- raw -%}{{ a }}{% b %}{%- endraw -%}{{ c }}', ['{%- raw -%}{{ a }}{% b %}{%- endraw -%}', '{{ c }}']],
    ['{% comment %} {{ {% endcomment %}', ['{% comment %} {{ {% endcomment %}']],
    ['{{ never ends', []],
    [`{{ it's }} {{ "}}" }}`, [`{{ it's }}`, '{{ "}}" }}']],
    ['{% raw %} never ends', []],
    ['{ { a } } % }', []],
  ])('finds the Liquid in %s', (source, expected) => {
    expect(liquidIn(source)).toEqual(expected)
    expect(
      splitLiquid(source)
        .map(({ text }) => text)
        .join(''),
    ).toBe(source)
  })
})

it.each([
  ['in one output', '{{ ', '\\"'],
  ['in each output', '', `{{ \\" \\' }}`],
])('splitLiquid reads 1 MB with quotes that never end %s', (_case, start, repeated) => {
  // Quadratic time would exceed the time limit of the test by far.
  const source = start + repeated.repeat(1_000_000 / repeated.length)
  expect(
    splitLiquid(source)
      .map(({ text }) => text)
      .join(''),
  ).toHaveLength(source.length)
})

it('mapOutsideLiquid changes everything else', () => {
  expect(mapOutsideLiquid('a{{ b }}c', (text) => text.toUpperCase())).toBe('A{{ b }}C')
})

it('liquidString contains no delimiters', () => {
  expect(liquidString('a "b" \\ {{ 1%}')).toBe('"a \\"b\\" \\\\ \\u007b\\u007b 1\\u0025\\u007d"')
})

/** Without the spaces that keep its length. */
const shortened = (text: string) => text.replaceAll(/ +(-?[}%]\})/g, ' $1')

describe('decodeEntitiesInLiquid', () => {
  it.each([
    ['{{ name ?? &quot;you&quot; }}', '{{ name ?? "you" }}'],
    ['{%- if n &gt; 1 &amp;&amp; m -%}', '{%- if n > 1 && m -%}'],
    ['{{ a ?? &#x27;b&#39; }}', `{{ a ?? 'b' }}`],
    ['{{&nbsp;a }}', '{{ a }}'],
    ['{{ &quot;&amp;quot;&quot; }}', '{{ "&quot;" }}'],
    ['&quot;{{ a }}&amp;', '&quot;{{ a }}&amp;'],
    ['{% raw %}{{ &quot; }}{% endraw %}', '{% raw %}{{ &quot; }}{% endraw %}'],
    ['{{ &eacute; &#0; &#x110000; }}', '{{ &eacute; &#0; &#x110000; }}'],
  ])('reads %s', (html, expected) => {
    expect(shortened(decodeEntitiesInLiquid(html))).toBe(expected)
    expect(decodeEntitiesInLiquid(html)).toHaveLength(html.length)
  })

  it('restores what encodeEntitiesInLiquid wrote', () => {
    const source = 'a & b {{ x ?? "&quot; & c" }} {% raw %}{{ & }}{% endraw %}'
    expect(shortened(decodeEntitiesInLiquid(encodeEntitiesInLiquid(source)))).toBe(source)
  })
})
