import { describe, expect, it } from 'vitest'
import { isStatic, parseTemplate, renderTemplate, templateScope } from './template.ts'
import { TemplateError } from './template-error.ts'

const now = new Date('2026-03-04T05:06:07.089Z')

const scope = templateScope({
  requestData: {
    zero: 0,
    no: false,
    empty: '',
    none: null,
    html: `<b>"O'Neil" & co</b>`,
    lines: 'a<\nb',
    evil: '{{ 7 | plus: 1 }}{% if true %}x{% endif %}',
    'first name': 'ann',
    'terms and conditions': 'agreed',
    größe: 'L',
    'e-mail': 'hyphen',
    '2nd address': 'second',
    'home address': { city: 'Rome', 'zip code': '00100' },
    'order lines': [{ price: 5 }],
    list: [3, 'a', null, { x: 1 }],
    orders: [{ items: ['p', 'q'] }, { items: ['r'] }],
    object: { a: 1, toString: 'own' },
  },
  contactData: { name: 'bob', profile: { tier: 'gold' } },
  contact: { id: 'c1', email: 'bob@example.com' },
  links: { unsubscribeUrl: 'https://u', subscribeUrl: 'https://s', manageUrl: 'https://m' },
})

const body = (source: string) => renderTemplate(parseTemplate(source), scope, { escape: true, now })
const subject = (source: string) => renderTemplate(parseTemplate(source), scope, { escape: false, now })

function problem(source: string): TemplateError {
  try {
    body(source)
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
  throw new Error(`No error in ${source}`)
}

/** Each row is a template and its result in a body. */
function rows(table: [source: string, expected: string][]) {
  it.each(table)('%j renders as %j', (source, expected) => {
    expect(body(source)).toBe(expected)
  })
}

describe('names in a template', () => {
  rows([
    ['Hi {{name}}, {{ profile.tier }}', 'Hi bob, gold'],
    ['{{first name}}', 'ann'],
    ['{{ first name | capitalize }}', 'Ann'],
    ['{{first\n   name}}', 'ann'],
    ['{{data["first name"] | capitalize}}', 'Ann'],
    ["{{data['first name']}}", 'ann'],
    ['{{data.first name}}', 'ann'],
    ['{{home address.city}} {{ home address.zip code }}', 'Rome 00100'],
    ['{{order lines[0].price}}', '5'],
    ['{{terms and conditions}}', 'agreed'],
    ['{{größe}} {{e-mail}} {{2nd address}}', 'L hyphen second'],
    ['[{{missing}}] [{{missing.deeper.still}}] [{{missing name}}] [{{none}}] [{{ }}]', '[] [] [] [] []'],
    ['{{size}}{{first}}{{last}}', ''],
    [
      '{{id}} {{email}} {{unsubscribeUrl}} {{subscribeUrl}} {{manageUrl}}',
      'c1 bob@example.com https://u https://s https://m',
    ],
    ['{% if first name == "ann" and name %}yes{% endif %}', 'yes'],
    ['{% assign x = first name %}{{ x }}', 'ann'],
    ['{% for line in order lines %}{{ line.price }}{% endfor %}', '5'],
    ['{% for line in home address.zip code %}{{ line }}{% endfor %}', '00100'],
    ['{% for x in list reversed limit: 1 %}{{ x }}{% endfor %}', '3'],
    ['{% for x in order lines reversed offset : 0 %}{{ x.price }}{% endfor %}', '5'],
    ['{% for x in missing list ?? order lines limit:1 %}{{ x.price }}{% endfor %}', '5'],
    [
      '{% tablerow x in order lines cols:2 %}{{ x.price }}{% endtablerow %}',
      '<tr class="row1"><td class="col1">5</td></tr>',
    ],
    ['{{ name | append: first name }}', 'bobann'],
  ])
})

describe('fallbacks in a template', () => {
  rows([
    ['{{ name ?? "you" }}', 'bob'],
    ['{{ missing ?? "you" }} {{missing??"you"}} {{missing ??name}}', 'you you bob'],
    ["{{ missing ?? 'single' }}", 'single'],
    ['{{ missing ?? "}} | ?? {{" }}', '}} | ?? {{'],
    ['{{ missing ?? 5 }} {{ missing ?? 1.5 }} {{ missing ?? true }} {{ missing ?? false }}', '5 1.5 true false'],
    ['{{ missing ?? none ?? name ?? "x" }}', 'bob'],
    ['{{ missing ?? none }}', ''],
    ['{{ zero ?? 1 }} {{ no ?? 1 }} [{{ empty ?? 1 }}] {{ none ?? 1 }}', '0 false [] 1'],
    ['{{5??1}} {{true??2}} {{nil??3}} {{"q"??4}}', '5 true 3 q'],
    ['{{ missing ?? "you" | upcase }}', 'YOU'],
    ['{{first name ?? "friend" | capitalize}} {{nick name ?? "friend" | capitalize}}', 'Ann Friend'],
    ['{{ nick name ?? first name }}', 'ann'],
    ['a {{- missing ?? "x" -}} b', 'axb'],
    ['{% assign x = missing ?? "b" %}{{ x }}', 'b'],
    ['{% if missing ?? name == "bob" %}yes{% endif %}', 'yes'],
    ['{% for i in missing ?? list limit: missing ?? 2 %}{{ i }},{% endfor %}', '3,a,'],
    ['{{ name | append: missing ?? "!" }}', 'bob!'],
    ['{{ data[missing ?? "name"] }}', 'bob'],
    ['{% raw %}{{ x ?? "y" }}{% endraw %} {{ "a ?? b" }}', '{{ x ?? "y" }} a ?? b'],
  ])
})

describe('standard Liquid in a template', () => {
  rows([
    ['{% if no %}a{% elsif zero %}b{% else %}c{% endif %}', 'b'],
    ['{% unless no %}a{% endunless %}', 'a'],
    ['{% case name %}{% when "al", "bob" %}b{% else %}e{% endcase %}', 'b'],
    ['{% for o in orders %}{% for i in o.items %}{{ forloop.index }}{{ i }}{% endfor %};{% endfor %}', '1p2q;1r;'],
    ['{% for i in missing %}x{% else %}none{% endfor %}', 'none'],
    ['{% for i in (1..4) reversed %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}', '43'],
    ["{% comment %} it's {{ broken {% endcomment %}ok", 'ok'],
    ['{%- # a note -%}ok', 'ok'],
    ['a{% raw %}{{ x }} {% if %}{%- endraw -%} b', 'a{{ x }} {% if %}b'],
    ['a  {%- if name -%}  b  {%- endif -%}  c', 'abc'],
    ['{% liquid\n assign a = 1\n if a == 1\n echo first name\n endif\n%}', 'ann'],
    ['{% increment n %}{% increment n %}{% decrement name %}{{ n }}{{ name }}', '01-12bob'],
    ['{% cycle "a", "b" %}{% cycle "a", "b" %}', 'ab'],
    [
      '{{ name.size }}{{ list.size }}{{ list.first }}{{ name.first }}{{ name.last }}{{ list | last | json | raw }}',
      '343bb{"x":1}',
    ],
    ['{{ list | join: "-" }}', '3-a--{&quot;x&quot;:1}'],
    ['{{ list }} {{ object | raw }}', '3a{&quot;x&quot;:1} {"a":1,"toString":"own"}'],
  ])

  it('restarts counters at every rendering', () => {
    const template = parseTemplate('{% increment visits %}')
    const options = { escape: true, now }
    expect([renderTemplate(template, scope, options), renderTemplate(template, scope, options)]).toEqual(['0', '0'])
  })
})

describe('HTML escaping in a template', () => {
  const escaped = '&lt;b&gt;&quot;O&#39;Neil&quot; &amp; co&lt;/b&gt;'
  rows([
    ['{{ html }}', escaped],
    ['{{ html | raw }}', `<b>"O'Neil" & co</b>`],
    ['{{ html | raw | upcase }}', `<B>"O'NEIL" & CO</B>`],
    ['{{ html | escape }}', escaped],
    ['{{ html | escape | append: "<" }}', `${escaped}&lt;`],
    ['{{ html | append: "" | escape_once }}', escaped],
    ['{{ lines | newline_to_br }}', 'a&lt;<br />\nb'],
    ['{% echo html %}{% cycle html %}', escaped + escaped],
    ['{% assign x = html %}{{ x }}', escaped],
    [
      '{% capture x %}<i>{{ html }}</i> {% endcapture %}{{ x }}|{{ x | strip }}',
      `<i>${escaped}</i> |<i>${escaped}</i>`,
    ],
    ['{% capture x %}{{ html }}{% endcapture %}{{ x | default: "y" }}{{ x | size }}', `${escaped}50`],
    [
      '{% capture x %}{{ name }}{% endcapture %}{% if x == "bob" and x.size == 3 %}{{ missing ?? x }}{% endif %}',
      'bob',
    ],
  ])

  it('is not applied to subjects', () => {
    expect(subject('{{ html }}{% capture x %}{{ html }}{% endcapture %}{{ x }}')).toBe(`<b>"O'Neil" & co</b>`.repeat(2))
    expect(subject('{{ html | escape }}')).toBe(escaped)
  })
})

describe('values in a template', () => {
  rows([
    ['{{ evil }}', '{{ 7 | plus: 1 }}{% if true %}x{% endif %}'],
    ['{% capture x %}{{ evil }}{% endcapture %}{{ x }}', '{{ 7 | plus: 1 }}{% if true %}x{% endif %}'],
    ['{{ object.constructor }}{{ list.constructor }}{{ name.constructor }}{{ name.length }}', ''],
    ['{{ object.__proto__ }}{{ object.hasOwnProperty }}{{ constructor }}{{ __proto__ }}{{ toString }}', ''],
    ['{{ object.toString }}', 'own'],
    ['{% for i in orders %}{{ forloop.constructor }}{{ forloop.__proto__ }}{{ forloop.next }}{% endfor %}', ''],
    ['{{ object | upcase | raw }} {{ object | plus: 1 }}', '{"A":1,"TOSTRING":"OWN"} 1'],
  ])
})

describe('an invalid template', () => {
  it.each<[source: string, message: string, line: number, column: number]>([
    ['a\n  {{ name', 'This {{ is not closed with }}, or a quote inside it is not closed.', 2, 3],
    ['{% if x', 'This {% is not closed with %}.', 1, 1],
    ['a\nb {% if x %}', 'This {% if %} is not closed with {% endif %}.', 2, 3],
    ['{% raw %}', 'This {% raw %} is not closed with {% endraw %}.', 1, 1],
    ['a {% comment %} b', 'This {% comment %} is not closed with {% endcomment %}.', 1, 3],
    ['\n\n{% endif %}', '{% endif %} is used without the tag it belongs to.', 3, 1],
    ['{% nosuch %}', 'The tag "nosuch" does not exist.', 1, 1],
    ['a {{ name | nosuch }}', 'The filter "nosuch" does not exist.', 1, 13],
    ['{{ x | sample }}', 'The filter "sample" does not exist.', 1, 8],
    ['{{ x | where_exp: "i", "i" }}', 'The filter "where_exp" does not exist.', 1, 8],
    ['{{ name ?? }}', 'Expected a value after "??".', 1, 11],
    ['{{ name "x" }}', 'Expected an operator or "|" between two values.', 1, 9],
    ['{{ name ~ x }}', 'Unexpected text after the value. Filters start with "|".', 1, 10],
    ['{% assign x %}', 'An assignment must have the form {% assign name = value %}.', 1, 12],
    ['{% for x of y %}{% endfor %}', 'A loop must have the form {% for item in list %}.', 1, 1],
    ['{{ a[0 }}', 'This [ is not closed with ].', 1, 7],
    ['{% # one\n two %}', 'Every line of this comment must start with "#".', 1, 1],
  ])('%j is refused with a plain message', (source, message, line, column) => {
    expect(problem(source)).toMatchObject({ reason: 'syntax', message, line, column })
  })

  it.each(['include "a"', 'render "a"', 'layout "a"', 'block a'])('the tag %s is refused', (tag) => {
    expect(problem(`\n{% ${tag} %}`)).toMatchObject({
      line: 2,
      column: 1,
      message: expect.stringContaining('not supported'),
    })
  })

  it("a value that a filter can't use is an error of the rendering", () => {
    expect(problem('{{ "%" | url_decode }}')).toMatchObject({ reason: 'value' })
  })
})

describe('a parsed template', () => {
  it('is static if it needs no rendering', () => {
    expect(isStatic('a { b } % c }} %}')).toBe(true)
    expect(isStatic('{{a}}')).toBe(false)
    expect(isStatic('{% a %}')).toBe(false)
  })

  it('is cached', () => {
    expect(parseTemplate('{{ once }}')).toBe(parseTemplate('{{ once }}'))
  })

  it.each<[kind: string, source: string, plain: boolean]>([
    [
      'names, conditions and loops',
      '{{ a ?? "x" | upcase }}{% if a %}{% for i in b %}{{ i }}{% endfor %}{% endif %}',
      true,
    ],
    ['a range', '{% for i in (1..3) %}{% endfor %}', false],
    ['a search', '{{ name | replace: "a", "b" }}', false],
    ['a sort', '{% assign x = list | sort %}', false],
    [
      'loops in loops in loops',
      '{% for a in l %}{% for b in a %}{% for c in b %}{% endfor %}{% endfor %}{% endfor %}',
      false,
    ],
    ['a very long text', `{{ a }}${'x'.repeat(200_000)}`, false],
  ])('for %s is classified as plain or not', (_, source, plain) => {
    expect(parseTemplate(source).plain).toBe(plain)
  })
})
