/** Templates and campaigns that are written as a document or as MJML. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { png } from '../uploads/images.ts'
import { uploadFile } from '../uploads/upload.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const MJML =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ name | default: "there" }}</mj-text></mj-column></mj-section></mj-body></mjml>'

const documentOf = (...blocks: object[]) => ({
  version: 1,
  blocks: blocks.map((block, i) => ({ id: `b${i}`, ...block })),
})
const text = (value: string) => ({
  type: 'text',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: value }] }],
})
const DOCUMENT = documentOf(
  { type: 'heading', level: 1, content: [{ type: 'variable', attrs: { name: 'name', fallback: 'You "there"' } }] },
  text('5 < 6 & {{ plan | upcase }}'),
)

const WHOLE = { name: 'Welcome', subject: 'Hello', from: 'hello@example.com', type: 'TRANSACTIONAL' }
const create = (content: object) => call('POST', '/templates', { ...WHOLE, ...content })
const preview = (content: object) => call('POST', '/templates/preview', { subject: 'Hello', ...content })

describe('a template', () => {
  it('is compiled from its document, which is returned unchanged', async () => {
    const { status, body } = await create({ document: DOCUMENT })
    expect(status).toBe(201)
    expect(body).toMatchObject({ editor: 'visual', document: DOCUMENT, mjml: null, preheader: null })
    expect(body.body).toContain('{{ name | default: "You \\"there\\"" }}')
    expect(body.body).toContain('5 &lt; 6 &amp; {{ plan | upcase }}')
    expect((await call('GET', `/templates/${body.id}`)).body).toEqual(body)
  })

  it('has the height of an uploaded image beside its width', async () => {
    const { body: image } = await uploadFile(app, '/uploads/image', png(8, 4), {
      key: project.secretKey,
      field: 'image',
      filename: 'wide.png',
    })
    const block = { type: 'image', src: image.url, alt: 'Wide', width: 300 }
    const { body } = await create({ document: documentOf(block) })
    expect(body.body).toMatch(/<img[^>]* height="150"[^>]* width="300"[^>]*height:auto/)
    const mjml = MJML.replace(/<mj-text>.*<\/mj-text>/, `<mj-image src="${image.url}" alt="" width="200px" />`)
    expect((await create({ mjml })).body.body).toMatch(/ height="100"[^>]* width="200"/)
  })

  it('has the alignment of a heading and of single paragraphs', async () => {
    const words = (value: string) => [{ type: 'text', text: value }]
    const { status, body } = await create({
      document: documentOf(
        { type: 'heading', level: 2, align: 'right', content: words('Heading') },
        {
          type: 'text',
          align: 'center',
          content: [
            { type: 'paragraph', content: words('As the block') },
            { type: 'paragraph', attrs: { textAlign: 'left' }, content: words('Its own') },
          ],
        },
      ),
    })
    expect(status).toBe(201)
    expect(body.body).toMatch(/text-align:right[^"]*"><h2[^>]*>Heading/)
    expect(body.body).toMatch(/text-align:center[^"]*"><p[^>]*>As the block/)
    expect(body.body).toMatch(/text-align:left[^>]*>Its own/)
  })

  it('is compiled from MJML, and Liquid stays as written', async () => {
    const { status, body } = await create({ mjml: MJML })
    expect(status).toBe(201)
    expect(body).toMatchObject({ editor: 'mjml', document: null, mjml: MJML })
    expect(body.body).toContain('Hi {{ name | default: "there" }}')
    expect(body.body).not.toContain('fonts.googleapis.com')
  })

  it('is compiled again when its document changes, and is HTML after its body is set', async () => {
    const { body: template } = await create({ document: DOCUMENT })
    const changed = await call('PATCH', `/templates/${template.id}`, { mjml: MJML })
    expect(changed.body).toMatchObject({ editor: 'mjml', document: null, mjml: MJML })
    const plain = await call('PATCH', `/templates/${template.id}`, { body: '<p>Hi</p>', document: null, mjml: null })
    expect(plain.body).toMatchObject({ editor: 'html', document: null, mjml: null, body: '<p>Hi</p>' })
    const renamed = await call('PATCH', `/templates/${template.id}`, { name: 'Other', preheader: 'Soon' })
    expect(renamed.body).toMatchObject({ editor: 'html', body: '<p>Hi</p>', preheader: 'Soon' })
  })

  it('keeps its document and its preheader when it is duplicated', async () => {
    const { body: template } = await create({ document: DOCUMENT, preheader: 'For {{ name }}' })
    const { body: copy } = await call('POST', `/templates/${template.id}/duplicate`)
    const { document, body, preheader, editor } = template
    expect(copy).toMatchObject({ document, body, preheader, editor })
  })

  it.each([
    ['body and document', { body: '<p>', document: DOCUMENT }, 'document'],
    ['body and mjml', { body: '<p>', mjml: MJML }, 'mjml'],
    ['document and mjml', { document: DOCUMENT, mjml: MJML }, 'mjml'],
    ['none of the three', {}, 'body'],
    ['only null', { document: null, mjml: null }, 'body'],
  ])('is refused if it has %s', async (_, content, field) => {
    const { status, body } = await create(content)
    expect(status).toBe(422)
    expect(body.error.errors).toMatchObject([{ field }])
  })

  it.each([
    ['a tag that is not closed', '<mjml><mj-body><mj-section></mj-body></mjml>', /./],
    ['text that is not MJML', 'Hello', /./],
    ['an unknown element', '<mjml><mj-body><mj-foo /></mj-body></mjml>', /mj-foo is unknown/],
    ['an include', '<mjml><mj-body><mj-include path="/etc/passwd" /></mj-body></mjml>', /mj-include is not supported/],
    ['an include in the head', '<mjml><mj-head><mj-include path="a.css" /></mj-head><mj-body /></mjml>', /mj-include/],
    ['broken Liquid', MJML.replace('}}', '}'), /not closed/],
    [
      'deep nesting',
      `<mjml><mj-body>${'<mj-wrapper>'.repeat(9_000)}${'</mj-wrapper>'.repeat(9_000)}</mj-body></mjml>`,
      /nested too deeply/,
    ],
    [
      'attributes that multiply',
      `<mjml><mj-head><mj-attributes><mj-text font-family="${'a'.repeat(100_000)}" /></mj-attributes></mj-head><mj-body><mj-section><mj-column>${'<mj-text>x</mj-text>'.repeat(9_000)}</mj-column></mj-section></mj-body></mjml>`,
      /too large|too long|too much/,
    ],
  ])('whose MJML has %s is refused, and the next one compiles', async (_, mjml, message) => {
    const { status, body } = await create({ mjml })
    expect(status).toBe(422)
    expect(body.error.errors).toMatchObject([{ field: 'mjml', message: expect.stringMatching(message) }])
    expect((await create({ mjml: MJML })).status).toBe(201)
  })

  it.each([
    ['a script', '<p>Hi</p><SCRIPT>alert(1)</script>', /script/],
    ['a handler', '<img src="x" onerror="alert(1)">', /onerror/],
    ['a script as URL', '<a href=" javascript:alert(1)">x</a>', /href/],
    ['an encoded script as URL', '<a href="java&#115;cript:alert(1)">x</a>', /href/],
    ['a script as URL with a line break', '<a href="java\n\tscript:alert(1)">x</a>', /href/],
    ['a script after control characters', '<a href="&#1;javascript:alert(1)">x</a>', /href/],
    ['a script as URL of an SVG link', '<svg><a xlink:href="javascript:alert(1)">x</a></svg>', /xlink:href/],
    ['a script as URL of a button', '<button formaction="javascript:alert(1)">x</button>', /formaction/],
    ['a script in a style', '<p style="background:url(javascript:alert(1))">x</p>', /style/],
    ['a script in a style sheet', '<style>p { width: expression(alert(1)) }</style>', /style/],
    ['a frame', '<iframe src="https://example.org"></iframe>', /iframe/],
    ['a page that replaces this one', '<meta http-equiv="refresh" content="0;url=https://example.org">', /meta/],
    ['another base for URLs', '<base href="https://example.org">', /base/],
    ['a literal script in an output', '<p>{{ "<scr" | raw }}{{ x ?? "ipt>" | raw }}</p>', /script/],
    ['a URL from a fallback', '<a href="{{ x ?? "javascript" }}:1">x</a>', /href/],
  ])('is refused with the place of the block if an HTML block has %s', async (_, code, message) => {
    const inColumn = { type: 'columns', columns: [{ id: 'c', blocks: [{ id: 'h', type: 'html', code }] }] }
    const { status, body } = await create({ document: documentOf(text('x'), inColumn) })
    expect(status).toBe(422)
    const field = 'document.blocks.1.columns.0.blocks.0.code'
    expect(body.error.errors).toMatchObject([{ field, message: expect.stringMatching(message) }])
  })

  it('can contain styles whose names resemble those of scripts', async () => {
    const code = '<style>a { scroll-behavior: smooth }</style><p style="overscroll-behavior:none">x</p>'
    expect((await create({ document: documentOf({ type: 'html', code }) })).status).toBe(201)
  })

  it('is refused if a link of its document has a dangerous scheme, or if its blocks are too many', async () => {
    const button = { type: 'button', label: 'Go', url: '{{x}}javascript:alert(1)' }
    const script = await create({ document: documentOf(button) })
    expect(script.status).toBe(422)
    expect(JSON.stringify(script.body)).toContain('url')
    const many = await create({ document: documentOf(...Array.from({ length: 301 }, () => text('x'))) })
    expect(many.status).toBe(422)
  })

  it('is refused if its blocks are nested too deeply', async () => {
    const depth = 2_000
    const opening = (i: number) =>
      `{"id":"c${i}","type":"condition","if":{"variable":"a","operator":"exists"},"blocks":[`
    const blocks = `${Array.from({ length: depth }, (_, i) => opening(i)).join('')}${']}'.repeat(depth)}`
    // Written as text, because JSON.stringify would need more stack than some machines have.
    const whole = JSON.stringify(WHOLE).slice(0, -1)
    const { status, body } = await app.request('POST', '/templates', {
      key: project.secretKey,
      text: `${whole},"document":{"version":1,"blocks":[${blocks}]}}`,
    })
    expect(status).toBe(422)
    expect(body.error.errors[0].field).toMatch(/^document\.blocks/)
  })

  it('is refused if the compiled HTML is too long', async () => {
    const content = [{ type: 'paragraph', content: [{ type: 'text', text: '&'.repeat(20_000) }] }]
    const text = (i: number) => ({ type: 'text', id: `t${i}`, content })
    const { status, body } = await create({ document: documentOf(...Array.from({ length: 12 }, (_, i) => text(i))) })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringMatching(/the maximum is 1000000/)])
  })

  it('is refused if its blocks are too long', async () => {
    const html = (i: number) => ({ type: 'html', id: `h${i}`, code: 'x'.repeat(90_000) })
    const { status, body } = await create({ document: documentOf(...Array.from({ length: 6 }, (_, i) => html(i))) })
    expect([status, body.error.errors]).toEqual([
      422,
      [{ field: 'document.blocks', code: 'too_big', message: expect.stringMatching(/the maximum is 500000/) }],
    ])
  })
})

describe('a preview', () => {
  it('returns the MJML of a document, which compiles to the same HTML', async () => {
    const fromDocument = await preview({ document: DOCUMENT })
    const fromMjml = await preview({ mjml: fromDocument.body.mjml })
    expect(fromMjml.body).toEqual(fromDocument.body)
    expect((await preview({ body: '<p>Hi</p>' })).body).not.toHaveProperty('mjml')
  })

  it('compiles a document and renders it for the contact, with the preheader hidden', async () => {
    const { status, body } = await preview({
      document: DOCUMENT,
      preheader: '{{ plan }} & more',
      data: { plan: 'pro', name: 'Zoë <z>' },
    })
    expect(status).toBe(200)
    expect(body.html).toContain('Zoë &lt;z&gt;')
    expect(body.html).toContain('PRO')
    expect(body.html).toMatch(/<body[^>]*><div style="display:none[^>]*>pro &amp; more/)
    expect(body.preheader).toBe('pro & more')
    expect(body.text).not.toContain('more')
    expect(body.body).toContain('{{ plan | upcase }}')
  })

  it('shows blocks of conditions and loops for the data', async () => {
    const document = documentOf(
      {
        type: 'condition',
        if: { variable: 'plan', operator: 'equals', value: 'pro' },
        blocks: [{ id: 'y', ...text('For professionals') }],
        otherwise: [{ id: 'n', ...text('Upgrade now') }],
      },
      {
        type: 'loop',
        list: 'or.lines',
        item: 'line',
        limit: 2,
        blocks: [{ id: 'l', ...text('Line {{ line.name }}') }],
      },
      { type: 'items', list: 'order', title: 'title', price: 'price', image: 'image', url: 'url', text: 'note' },
    )
    const order = [
      { title: 'Pen & ink', price: '€3', image: 'https://example.org/pen.png', url: 'https://example.org' },
    ]
    const or = { lines: [{ name: 'one' }, { name: 'two' }, { name: 'three' }] }
    const { body } = await preview({ document, data: { plan: 'pro', or, order } })
    expect(body.text).toContain('For professionals')
    expect(body.text).not.toContain('Upgrade now')
    expect(body.text).toMatch(/Line one\s+Line two/)
    expect(body.text).not.toContain('three')
    expect(body.html).toContain('<strong>Pen &amp; ink</strong>')
    expect(body.html).toContain('src="https://example.org/pen.png"')
    expect((await preview({ document, data: {} })).body.text).toContain('Upgrade now')
  })

  it('has one footer: that of the document, or the default one', async () => {
    const footer = { type: 'footer', content: [] }
    const links = (html: string) => html.match(/\/unsubscribe\//g)?.length
    const own = await preview({ type: 'MARKETING', document: documentOf(text('Hi'), footer) })
    expect(links(own.body.html)).toBe(1)
    expect(own.body.html).toContain('posthorn-unsubscribe')
    const usual = await preview({ type: 'MARKETING', document: documentOf(text('Hi')) })
    expect(links(usual.body.html)).toBe(1)
    const without = await preview({
      type: 'MARKETING',
      document: documentOf(text('Hi'), { ...footer, unsubscribe: false }),
    })
    expect(links(without.body.html)).toBe(1)
  })
})

describe('a document with a design', () => {
  const words = (value: string) => [{ type: 'text', text: value }]
  const heading = (value: string, style: object = {}) => ({
    type: 'heading',
    level: 2,
    content: words(value),
    ...style,
  })
  const card = (kind: string, ...blocks: object[]) => ({
    type: 'columns',
    card: kind,
    columns: [{ id: `column-${kind}`, blocks: blocks.map((block, i) => ({ id: `${kind}-${i}`, ...block })) }],
  })
  const htmlOf = async (document: object) => {
    const { status, body } = await preview({ document, data: { order: { total: '€46.00' } } })
    expect(status).toBe(200)
    return body.html as string
  }

  it('shows labels and values in rows, with a line above the total', async () => {
    const rows = [
      { label: 'Items & more', value: '2' },
      { label: 'Total', value: '{{ order.total }}', bold: true },
    ]
    const html = await htmlOf(documentOf({ type: 'details', rows }))
    const found = [...html.matchAll(/<tr><td style="([^"]*)">([^<]*)<\/td><td style="([^"]*)">([^<]*)<\/td><\/tr>/g)]
    expect(found.map(([, , label, , value]) => [label, value])).toEqual([
      ['Items &amp; more', '2'],
      ['Total', '€46.00'],
    ])
    expect(found[0]![1]).not.toContain('border-top')
    expect(found[1]![1]).toContain('border-top:1px solid')
    expect(found[1]![3]).toContain('text-align:right;font-weight:700')
  })

  it('keeps text readable on cards in the brand color', async () => {
    const html = await htmlOf(
      documentOf(card('brand', heading('On blue'), { type: 'button', label: 'Go', url: 'https://example.org' })),
    )
    expect(html).toMatch(
      /background-color:#1d4ed8[^"]*border-radius:10px|border-radius:10px[^"]*background-color:#1d4ed8/,
    )
    expect(/color:(#\w{6});?"[^>]*><h2[^>]*>On blue/.exec(html)?.[1]).toBe('#ffffff')
    expect(html).toMatch(/background:#ffffff[^"]*color:#000000[^"]*"[^>]*>\s*Go/)
    const [gray, border] = [await htmlOf(documentOf(card('gray'))), await htmlOf(documentOf(card('border')))]
    expect(gray).toContain('background-color:#f2f2f3')
    expect(border).toContain('border:1px solid #e0e1e3')
  })

  it('has round corners and a margin, with the footer below the content', async () => {
    const blocks = documentOf(heading('Inside', { size: 40 }), {
      type: 'footer',
      content: [{ type: 'paragraph', content: words('Outside') }],
    })
    const html = await htmlOf({ ...blocks, settings: { margin: 32, radius: 12, padding: 36, background: '#eeeeee' } })
    const [content, footer] = [html.slice(0, html.indexOf('Outside')), html.slice(html.indexOf('Inside'))]
    expect(content).toContain('border-radius:12px')
    expect(content).toMatch(/font-size:40px[^>]*>Inside/)
    expect(content).toContain('padding:10px 36px 10px')
    expect(footer.slice(0, footer.indexOf('Outside'))).toContain('background-color:#eeeeee')
  })

  it('separates the items of a list with lines if the block sets `lines`', async () => {
    const items = { type: 'items', list: 'items', title: 'name' }
    const data = { items: [{ name: 'Pen' }] }
    const htmlWith = async (fields: object) =>
      (await preview({ document: documentOf({ ...items, ...fields }), data })).body.html
    expect(await htmlWith({})).not.toContain('border-bottom:1px')
    expect(await htmlWith({ lines: true })).toMatch(/border-bottom:1px solid #\w{6}"><strong>Pen/)
  })
})

describe('a campaign', () => {
  const BASE = { name: 'News', subject: 'Hello', from: 'hello@example.com', audienceType: 'ALL' }

  it('can be written as a document or as MJML', async () => {
    const { status, body } = await call('POST', '/campaigns', { ...BASE, document: DOCUMENT })
    expect(status).toBe(201)
    expect(body).toMatchObject({ editor: 'visual', document: DOCUMENT, mjml: null })
    const { body: changed } = await call('PUT', `/campaigns/${body.id}`, { ...BASE, mjml: MJML, preheader: 'Soon' })
    expect(changed).toMatchObject({ editor: 'mjml', document: null, mjml: MJML, preheader: 'Soon' })
    const { body: copy } = await call('POST', `/campaigns/${body.id}/duplicate`)
    expect(copy).toMatchObject({ editor: 'mjml', mjml: MJML, body: changed.body, preheader: 'Soon' })
  })

  it('has the document of its template, unless it has content of its own', async () => {
    const { body: template } = await create({ document: DOCUMENT, preheader: 'Soon' })
    const fromTemplate = { name: 'News', audienceType: 'ALL', templateId: template.id }
    const { body } = await call('POST', '/campaigns', { ...fromTemplate, document: null, mjml: null })
    expect(body).toMatchObject({ editor: 'visual', document: DOCUMENT, body: template.body, preheader: 'Soon' })
    const { body: own } = await call('POST', '/campaigns', { ...fromTemplate, body: '<p>Hi</p>' })
    expect(own).toMatchObject({ editor: 'html', document: null, mjml: null, body: '<p>Hi</p>' })
  })

  it('is refused if it has two contents', async () => {
    const { status, body } = await call('POST', '/campaigns', { ...BASE, body: '<p>', mjml: MJML })
    expect(status).toBe(422)
    expect(body.error.errors).toMatchObject([{ field: 'mjml' }])
  })
})
