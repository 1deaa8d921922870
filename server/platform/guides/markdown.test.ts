import { describe, expect, it } from 'vitest'
import { renderGuide, slugify } from './markdown.ts'
import { resolveLink } from './site-files.ts'

const render = (text: string) => renderGuide(text, (href) => (href.endsWith('.md') ? `/docs/${href}` : undefined))

describe('the Markdown of a guide', () => {
  it('has an anchor at each heading, as on GitHub', () => {
    const { body, headings } = render('# Title\n\n## Send `now`, or later!\n\n## Send now or later\n')
    expect(headings.map(({ id, level }) => [level, id])).toEqual([
      [1, 'title'],
      [2, 'send-now-or-later'],
      [2, 'send-now-or-later-1'],
    ])
    expect(body.markup).toContain('<h2 id="send-now-or-later">Send <code>now</code>, or later! <a class="anchor"')
    expect(slugify('Cc & Bcc: `a_b`')).toBe('cc--bcc-a_b')
  })

  it('shows adjacent code in different languages as one group, and other code alone', () => {
    const code = (language: string) => `\`\`\`${language}\nx\n\`\`\`\n\n`
    const { body } = render(
      `${code('sh')}${code('ts')}${code('python')}Text\n\n${code('sh no-run')}${code('sh')}${code('json')}`,
    )
    const groups = body.markup.split('<div class="samples">')
    expect(groups).toHaveLength(2)
    expect(groups[1]!.split('Text')[0]!.match(/data-language="\w+"/g)).toEqual([
      'data-language="sh"',
      'data-language="ts"',
      'data-language="python"',
    ])
  })

  it('escapes HTML, leaves out comments, and shows only the text of links that lead nowhere', () => {
    const { body } = render(
      'Your <code>x</code> & <script>alert(1)</script>\n\n<!-- note -->\n\n[a](b.md) [c](../d) ![e](f.png)\n',
    )
    expect(body.markup).toBe(
      '<p>Your &lt;code&gt;x&lt;/code&gt; &amp; &lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p><a href="/docs/b.md">a</a> c e</p>\n',
    )
  })
})

it('a link of a guide leads to the page of the guide that it names', () => {
  const names = new Set(['send', 'migrate/resend', 'migrate/mailgun'])
  const linkTo = (page: string, from: string) => `${from} to ${page}`
  const resolve = (href: string, from: string) => resolveLink(href, from, names, linkTo)
  expect(resolve('../send.md#batches', 'migrate/resend')).toBe('migrate/resend to send#batches')
  expect(resolve('mailgun.md', 'migrate/resend')).toBe('migrate/resend to migrate/mailgun')
  expect(resolve('../SECURITY.md', 'send')).toBeUndefined()
  expect(resolve('javascript:alert(1)', 'send')).toBeUndefined()
  expect(resolve('#here', 'send')).toBe('#here')
})
