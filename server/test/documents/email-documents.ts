/** Arbitrary documents of the visual editor, for property tests. */
import fc from 'fast-check'

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 })

/** Any text that isn't broken Liquid: characters of all kinds, markup and complete Liquid. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll(/[{}%\0]|\p{Surrogate}/gu, '')),
  fc.constantFrom(
    '<b>',
    '&',
    '"',
    "'",
    '\\',
    '</mj-text>',
    '<!--',
    ']]>',
    '{{ name }}',
    '{{ a | default: "}}" }}',
    'é👩‍👩‍👧',
  ),
  fc.constantFrom(
    '{% if a %}x{% endif %}',
    '{% raw %}{ {{ }{% endraw %}',
    '<mj-text>',
    'xq0z',
    '\u00a0',
    '{',
    '}',
    '%',
  ),
)
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(' '))

const color = fc.constantFrom('#1d4ed8', '#FFFFFF', '#000000', '#facc15', '#f3f4f6', '#6B7280')
const align = fc.constantFrom('left', 'center', 'right')
const url = fc.constantFrom(
  'https://example.org/?a=1&b=2',
  'mailto:a@example.org',
  '{{ link }}',
  'https://example.org/{{ name | url_encode }}/ü',
)
const variable = fc.constantFrom('name', 'order.lines', 'or.x', 'größe', 'a-b.0', 'limit', 'data.true')
const fallback = fc.oneof(text, fc.constantFrom('"', '\'"', '}}', '%}', '\\', '100%', '\\"'), fc.constant(null))

const mark = fc.oneof(
  fc.constantFrom('bold', 'italic', 'underline', 'strike').map((type) => ({ type })),
  url.map((href) => ({ type: 'link', attrs: { href } })),
  color.map((value) => ({ type: 'textStyle', attrs: { color: value } })),
)
const marks = optional(fc.array(mark, { maxLength: 3 }))
const inline = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text'), text, marks }),
    fc.record({ type: fc.constant('variable'), attrs: fc.record({ name: variable, fallback }), marks }),
    fc.constant({ type: 'hardBreak' }),
  ),
  { maxLength: 4 },
)
const paragraph = fc.record({
  type: fc.constant('paragraph'),
  attrs: optional(fc.record({ textAlign: fc.oneof(align, fc.constant(null)) })),
  content: optional(inline),
})
const list = fc.record({
  type: fc.constantFrom('bulletList', 'orderedList'),
  content: fc.array(fc.record({ type: fc.constant('listItem'), content: fc.array(paragraph, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
})

const every = {
  hideOn: optional(fc.constantFrom('mobile', 'desktop')),
  background: optional(color),
  paddingTop: optional(fc.integer({ min: 0, max: 100 })),
  paddingBottom: optional(fc.integer({ min: 0, max: 100 })),
}
const block = <T>(type: string, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({ type: fc.constant(type), ...every, ...fields })

const width = optional(fc.integer({ min: 10, max: 800 }))
const link = fc.record({ network: fc.constantFrom('website', 'x', 'github'), url })

const content: fc.Arbitrary<object> = fc.oneof(
  block('heading', {
    level: fc.constantFrom(1, 2, 3),
    content: inline,
    align: optional(align),
    color: optional(color),
    size: optional(fc.integer({ min: 12, max: 60 })),
  }),
  block('text', {
    content: fc.array(fc.oneof(paragraph, list), { maxLength: 3 }),
    align: optional(align),
    color: optional(color),
    size: optional(fc.constant(14)),
  }),
  block('button', {
    label: text.map((label) => label || 'Go'),
    url,
    align: optional(align),
    color: optional(color),
    textColor: optional(color),
    borderColor: optional(color),
    radius: optional(fc.constant(9)),
    fullWidth: optional(fc.boolean()),
  }),
  block('image', { src: url, alt: text, url: optional(url), width, align: optional(align) }),
  block('divider', { color: optional(color), thickness: optional(fc.integer({ min: 1, max: 20 })) }),
  block('spacer', { height: fc.integer({ min: 4, max: 200 }) }),
  block('social', { links: optional(fc.array(link, { maxLength: 3 })), align: optional(align) }),
  block('logo', { src: optional(url), alt: optional(text), url: optional(url), width, align: optional(align) }),
  block('footer', {
    content: optional(fc.array(paragraph, { maxLength: 2 })),
    address: optional(fc.boolean()),
    unsubscribe: optional(fc.boolean()),
    align: optional(align),
    color: optional(color),
  }),
  block('html', {
    code: fc.constantFrom('<p class=x>a<br>b & c', '<!--[if mso]><table><![endif]-->', '{{ name }}', '</td>', ''),
  }),
  block('items', {
    list: variable,
    title: variable,
    text: optional(variable),
    price: optional(variable),
    image: optional(variable),
    url: optional(variable),
    limit: optional(fc.integer({ min: 1, max: 100 })),
    lines: optional(fc.boolean()),
  }),
  block('details', {
    rows: fc.array(fc.record({ label: text, value: text, bold: optional(fc.boolean()) }), { maxLength: 3 }),
  }),
)
const columns = block('columns', {
  columns: fc.array(
    fc.record({ width: optional(fc.integer({ min: 5, max: 95 })), blocks: fc.array(content, { maxLength: 2 }) }),
    { minLength: 1, maxLength: 4 },
  ),
  stack: optional(fc.boolean()),
  card: optional(fc.constantFrom('border', 'gray', 'light', 'brand')),
})
const comparison = fc.oneof(
  fc.record({ variable, operator: fc.constantFrom('exists', 'notExists') }),
  fc.record({
    variable,
    operator: fc.constantFrom('equals', 'notEquals', 'contains', 'greaterThan', 'lessThan'),
    value: fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
  }),
)
const around = (blocks: fc.Arbitrary<object[]>) =>
  fc.oneof(
    block('condition', { if: comparison, blocks, otherwise: optional(blocks) }),
    block('loop', {
      list: variable,
      item: fc.constantFrom('item', 'line'),
      limit: optional(fc.integer({ min: 1, max: 100 })),
      blocks,
    }),
  )
const flow = fc.oneof(content, columns)
const flows = fc.array(flow, { maxLength: 2 })
const inner = fc.array(fc.oneof(flow, around(flows)), { maxLength: 2 })

/** Blocks need different ids, which depend on their place. */
function numbered<T>(document: T): T {
  let count = 0
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).flatMap(([key, inside]) =>
      inside === undefined ? [] : [[key, visit(inside)]],
    )
    const needsId =
      'blocks' in value ? !('version' in value) : 'type' in value && !('text' in value && 'marks' in value)
    return { ...(needsId ? { id: `b${count++}` } : {}), ...Object.fromEntries(entries) }
  }
  return visit(document) as T
}

export const emailDocuments = fc
  .record({
    version: fc.constant(1),
    settings: optional(
      fc.record({
        width: optional(fc.integer({ min: 320, max: 800 })),
        background: optional(color),
        textColor: optional(color),
        font: optional(fc.constantFrom('sans', 'serif', 'rounded', 'mono')),
        padding: optional(fc.integer({ min: 0, max: 60 })),
        margin: optional(fc.constantFrom(0, 1, 100)),
        radius: optional(fc.constantFrom(0, 50)),
        contentBackground: optional(color),
        linkColor: optional(color),
        darkMode: optional(fc.boolean()),
      }),
    ),
    blocks: fc.array(fc.oneof(flow, around(inner)), { maxLength: 4 }),
  })
  .map(numbered)
