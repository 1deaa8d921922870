import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { at, base, countComposedAsWhole, expectSame } from './both-ways.ts'

// The same cases in every run; change the seed to test others.
fc.configureGlobal({ seed: 20261119 })

const piece = fc.constantFrom(
  'Hello, {{ a }}! ',
  '<p>{{ a }} {{ b }}{{ c }}</p>',
  '<p> {{ a }}\n</p>',
  'the fox & {{ b }}; &{{ a }}; &am{{ a }} &copy{{ b }} ',
  '<a href="https://x.example/">the fox</a>',
  '<a href="https://x.example/{{ a }}?q={{ b }}&amp;r=1#{{ c }}">{{ a }}</a>',
  '<a href="https://x.example/{{ b }}">x.example/{{ b }}</a>',
  '<a href="{{ url }}">{{ url }}</a>',
  "<a href='{{ url }}'>Confirm</a>",
  '<a href="{{ url }}"><img src="{{ url }}" alt="{{ a }}"></a>',
  '<a href="{{ a }}:{{ b }}">x</a><a href="java{{ a }}">y</a><a href=" /{{ a }}">z</a>',
  '<a href={{ url }}>bare</a><img alt={{ a }}>',
  '<a href="mailto:{{ a }}@example.org">{{ a }}@example.org</a>',
  '<a href="https://{{ a }}.example/">{{ a }}</a>',
  '<a data-no-track href="https://x.example/{{ a }}">{{ a }}</a>',
  '<a class="posthorn-unsubscribe" href="{{ unsubscribeUrl }}">Unsubscribe</a>',
  '<a class="{{ b }}" href="{{ unsubscribeUrl }}">Unsubscribe</a>',
  '<a href="{{ manageUrl }}">{{ manageUrl }}</a> <a href="{{ viewInBrowserUrl }}">View</a>',
  '<div style="{{ b }}">{{ a }}</div><div style="display:none">{{ a }}</div>',
  '<{{ a }}>x</{{ a }}> <!-- {{ a }} --><!--{{ b }}> <!-{{ b }} ',
  '<style>{{ a }}</{{ b }}></style><title>{{ a }}</title>',
  '<pre>\n{{ a }}\n  {{ b }}</pre>',
  '<ul><li>{{ a }}</li><li>{{ b }}</li></ul><table><tr><td>{{ a }}</td><td>{{ c }}</td></tr></table>',
  '{% if a %}<p>yes {{ a }}</p>{% else %}<a href="https://x.example/no">no</a>{% endif %}',
  '{% for x in list %}<li><a href="{{ x }}">{{ x }}</a></li>{% endfor %}',
  '{% assign d = a | upcase %}{{ d | append: "!" }} {{ b | raw }} {{ a | newline_to_br }}',
  '{% capture e %}<b>{{ a }}</b>{% endcapture %}{{ e }}',
  '</body><p>{{ missing ?? "nobody" }}</p>',
  '<body>Grüße 🦊 {{ email }}',
)

const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Ada', 'Ada Lovelace', 'Zoë', '李', 'https://shop.example/cart', 7, true) },
  fc.constantFrom('', ' ', ' x', 'x ', 'a  b', 'a\nb', '\u00a0', '\u200b', '-', '/', 'o’clock', "O'Neill", '<b>x</b>'),
  fc.constantFrom('a & b', 'amp', 'lt;', 'style', 'script', 'display:none', 'javascript', 'posthorn-unsubscribe'),
  fc.constantFrom(
    'https://shop.example/?a=1&b=2',
    'mailto:x@example.org',
    'javascript:x',
    '#top',
    `${base}/view/x`,
    '--',
    '"',
    'b\0c',
    null,
  ),
  fc.string(),
)
const person = fc.record({
  a: value,
  b: value,
  c: value,
  url: value,
  list: fc.array(value, { maxLength: 2 }),
})
const content = fc.record({
  content_body: fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
  content_type: fc.constantFrom('MARKETING', 'TRANSACTIONAL'),
  content_plain: fc.constantFrom(null, null, 'Hello, {{ a }}'),
  tracking: fc.constantFrom('ENABLED', 'ENABLED', 'DISABLED'),
  utm: fc.constantFrom(null, null, { source: 'news', campaign: '{{ a }}' }),
  contact_id: fc.constantFrom(newId(at), newId(at), null),
})

it('an email from prepared pieces is the same as one that is composed as a whole', async () => {
  const people = fc.array(person, { minLength: 2, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(content, people, async (given, everyone) => {
      const ordinary = { a: 'Ada', b: 'Lovelace', c: 1, url: 'https://shop.example/1', list: ['x'] }
      await expectSame(given, [ordinary, ordinary, ...everyone])
    }),
    { numRuns: 150 },
  )
})

it('emails of the same content are put together from prepared pieces, from the third on', async () => {
  const body =
    '<p>{{ name }}</p>{% if plan %}<a href="https://x.example/{{ plan }}">Plan</a>{% endif %}<a href="{{ url }}">{{ url }}</a>'
  const people = ['Ada', 'Grace', 'Zoë', 'Edsger'].map((name, i) => ({
    name,
    plan: i,
    url: `https://shop.example/${i}`,
  }))
  const before = countComposedAsWhole()
  await expectSame({ content_body: body }, people)
  expect(countComposedAsWhole() - before).toBe(1)
  await expectSame({ content_body: body }, [{ name: '<b>', plan: 1, url: '' }])
  expect(countComposedAsWhole() - before).toBe(2)
})

it.each([
  ['the path of a page of the service', `<a href="${base}/{{ a }}">Page</a>`, ['view/1', 'view/2', 'view/3', 'other']],
  ['the end of the path of a page', `<a href="${base}/un{{ a }}/1">Page</a>`, ['subscribe', 'subscribe', 'subscribe']],
  ['the end of a long number of a character', `<p>&#${'0'.repeat(50)}{{ a }};</p>`, ['65', '66', '67']],
  ['the same in a link', `<a href="https://x.example/?q=&#x${'0'.repeat(50)}{{ a }};">Page</a>`, ['65', '66', '67']],
])('a value can be %s', async (_, content_body, values) => {
  const people = values.map((a) => ({ a }))
  for (const utm of [null, { source: 'news' }]) await expectSame({ content_body, utm }, people)
})
