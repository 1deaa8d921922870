/** HTML that React and React Email render: characters inside Liquid are written as entities. */
import { createRequire } from 'node:module'
import { afterAll, describe, expect, it } from 'vitest'
import { createRenderer, refuseBrokenLiquid } from './renderer.ts'
import { scopeOf } from './template.ts'

/** Not imported: React's types declare empty DOM types, which would replace those of other tests. */
const require = createRequire(import.meta.url)
const { createElement } = require('react')
const { renderToStaticMarkup } = require('react-dom/server')

const renderer = createRenderer()
afterAll(() => renderer.close())

const PROJECT = 'p'
const now = new Date('2026-01-02T03:04:05Z')
const render = (source: string, scope: object, isHtml = true) =>
  renderer.render(PROJECT, source, scopeOf(scope), { escape: isHtml, now })

describe('entities inside Liquid', () => {
  it.each([
    [`Hello {{ name ?? "you" }}`, {}, '<p>Hello you</p>'],
    [`Hello {{ name ?? 'you' }}`, { name: 'Ada & Bob' }, '<p>Hello Ada &amp; Bob</p>'],
    [`{% if n > 1 and n < 9 %}many{% else %}"few" & <none>{% endif %}`, { n: 2 }, '<p>many</p>'],
    [`{% if n > 1 %}many{% else %}"few" & <none>{% endif %}`, {}, '<p>&quot;few&quot; &amp; &lt;none&gt;</p>'],
    [`{{ "a & b" }}`, {}, '<p>a &amp; b</p>'],
    [`{% raw %}{{ "x" }}{% endraw %}`, {}, '<p>{{ &quot;x&quot; }}</p>'],
  ])('%s is rendered as written when React has encoded it', async (text, scope, expected) => {
    const html = renderToStaticMarkup(createElement('p', null, text))
    expect(html).toContain('&')
    await refuseBrokenLiquid(renderer, PROJECT, { body: html })
    expect(await render(html, scope)).toBe(expected)
  })

  it('are decoded in attributes', async () => {
    const html = renderToStaticMarkup(createElement('a', { href: '{{ url ?? "https://example.org/?a=1&b=2" }}' }, 'x'))
    expect(await render(html, {})).toBe('<a href="https://example.org/?a=1&amp;b=2">x</a>')
  })

  it('are not decoded in subjects, which are not HTML', async () => {
    const subject = '{{ name ?? &quot;you&quot; }}'
    await expect(refuseBrokenLiquid(renderer, PROJECT, { subject })).rejects.toThrow()
    expect(await render('{{ name ?? "&quot;" }}', {}, false)).toBe('&quot;')
  })

  it('leave the place of an error as it is in what the author wrote', async () => {
    const body = '<p>{{ a ?? &quot;b&quot; }}</p>{% if x %}'
    const message = expect.stringContaining(`(line 1, column ${body.indexOf('{%') + 1})`)
    await expect(refuseBrokenLiquid(renderer, PROJECT, { body })).rejects.toMatchObject({
      extras: { problems: [{ field: 'body', message }] },
    })
  })
})
