import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html, inlineText, joined, proseText } from './html.ts'

describe('an html template', () => {
  it('escapes inserted text', () => {
    expect(html`<p title="${'"><script>'}">${"it's <b> & co"}</p>`.markup).toBe(
      '<p title="&quot;&gt;&lt;script&gt;">it&#39;s &lt;b&gt; &amp; co</p>',
    )
  })

  it('inserts other templates unchanged, alone or in a list', () => {
    expect(html`<ul>${[1, 2].map((n) => html`<li>${n}`)}</ul>${html`<hr>`}`.markup).toBe('<ul><li>1<li>2</ul><hr>')
    expect(joined([html`<b>a</b>`, html`<b>b</b>`], ' & ').markup).toBe('<b>a</b> &amp; <b>b</b>')
  })

  it('shows nothing for absent values', () => {
    expect(html`${undefined}${false}${0}${''}`.markup).toBe('0')
  })

  it('prevents text from opening a tag or leaving an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const made of [html`${text}`, inlineText(text), proseText(text)]) {
          const rest = made.markup.replace(/<\/?(?:p|ul|li|code)>/g, '')
          expect(rest).not.toMatch(/[<>"']/)
        }
      }),
    )
  })
})

describe('a description in Markdown', () => {
  it('marks code, in which everything is literal', () => {
    expect(inlineText('Use `<b>` & `x`.').markup).toBe('Use <code>&lt;b&gt;</code> &amp; <code>x</code>.')
  })

  it('leaves a single backtick unchanged', () => {
    expect(inlineText('a ` b').markup).toBe('a ` b')
  })

  it('separates paragraphs and lists at blank lines', () => {
    expect(proseText('One.\n\n- a\n- `b`\n\nTwo.').markup).toBe(
      '<p>One.</p><ul><li>a<li><code>b</code></ul><p>Two.</p>',
    )
  })
})
