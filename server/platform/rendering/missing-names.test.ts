import { Token } from 'liquidjs'
import { describe, expect, it, vi } from 'vitest'
import { missingNames } from './missing-names.ts'
import { parseTemplate, templateScope } from './template.ts'

const missing = (source: string, data: Record<string, unknown> = {}) =>
  missingNames(
    parseTemplate(source),
    templateScope({
      contactData: data,
      contact: { id: '', email: 'contact@example.com' },
      links: { unsubscribeUrl: '', subscribeUrl: '', manageUrl: '' },
    }),
  )

describe('the missing names of a template', () => {
  it.each<[kind: string, source: string, data: Record<string, unknown>, names: string[]]>([
    ['what is not there or null, each once', '{{ b }}{{ a }}{{ b }}{{ n }}', { n: null }, ['b', 'a', 'n']],
    ['nothing that is false, 0 or empty', '{{ f }}{{ z }}{{ e }}{{ l }}', { f: false, z: 0, e: '', l: [] }, []],
    ['nothing that the service gives', '{{ id }}{{ email }}{{ unsubscribeUrl }}{{ data.x }}', { x: 1 }, []],
    ['nested names', '{{ p.tier }}{{ p.age }}{{ data.q }}', { p: { tier: 'gold' } }, ['p.age', 'data.q']],
    ['places in a list', '{{ l[0] }}{{ l[1].x }}{{ l.first }}{{ l[-1] }}', { l: ['a'] }, ['l.1.x']],
    ['no lengths', '{{ l.size }}{{ t.size }}{{ m.size }}', { l: [], t: '' }, ['m.size']],
    ['names with spaces', '{{ first name }}{{ data["last name"] }}', { 'first name': 'A' }, ['data.last name']],
    ['names with dots', '{{ data["a.b"] }}{{ data["a.c"] }}', { 'a.b': 1 }, ['data.a.c']],
    ['not what ?? provides for', '{{ a ?? "x" }}{{ b ?? c ?? 1 | upcase }}', {}, []],
    ['the last of a chain of ??', '{{ a ?? b }}', {}, ['b']],
    ['a name with and without ??', '{{ a ?? "x" }}{{ a }}', {}, ['a']],
    ['not what ?? means elsewhere', '{{ a | append: "??" }}{{ data["x ?? y"] }}', {}, ['a', 'data.x ?? y']],
    ['not what the default filter provides for', '{{ a | default: "x" }}{{ b | upcase | default: c }}', {}, ['c']],
    ['what filters take', '{{ "x" | append: a | truncate: n, "" }}{{ "x" | date: f }}', {}, ['a', 'n', 'f']],
    [
      'what conditions ask for',
      '{% if a == b ?? 1 %}{% elsif c %}{% endif %}{% unless d %}{% endunless %}',
      {},
      'acd'.split(''),
    ],
    ['what cases ask for', '{% case a %}{% when b %}{{ c }}{% else %}{{ d }}{% endcase %}', {}, 'abcd'.split('')],
    [
      'lists, but not their items',
      '{% for o in os limit: n %}{{ o.x }}{{ forloop.index }}{{ y }}{% endfor %}',
      {},
      ['os', 'n', 'y'],
    ],
    [
      'the names of items outside of their loop',
      '{% for o in l %}{% else %}{{ e }}{% endfor %}{{ o }}',
      { l: [] },
      ['e', 'o'],
    ],
    ['the ends of a range', '{% for i in (1..n) %}{{ i }}{% endfor %}', {}, ['n']],
    [
      'not what it sets itself',
      '{{ a }}{% assign a = b %}{{ a }}{% capture c %}{{ d }}{% endcapture %}{{ c }}',
      {},
      ['a', 'b', 'd'],
    ],
    ['keys known only when rendering', '{{ t[k].x }}{{ t[m] }}', { t: {}, k: 'x' }, ['m']],
    ['nothing of a text', '{{ "a".size }}{{ 5 }}{{ true }}{{ nil }}{{ }}', {}, []],
    ['nothing in comments and raw text', '{% comment %}{{ a }}{% endcomment %}{% raw %}{{ b }}{% endraw %}', {}, []],
    [
      'nothing that reaches into objects',
      '{{ p.constructor }}{{ __proto__ }}',
      { p: {} },
      ['p.constructor', '__proto__'],
    ],
  ])('are %s', (_kind, source, data, names) => {
    expect(missing(source, data)).toEqual(names)
  })

  it('are found in linear time in a long text', () => {
    const names = Array.from({ length: 6000 }, (_, i) => `n${i}`)
    const countingLines = vi.spyOn(Token.prototype, 'getPosition')
    expect(missing(names.map((name) => `{{ ${name} }}`).join(''))).toEqual(names)
    expect(countingLines).not.toHaveBeenCalled()
    countingLines.mockRestore()
  })
})
