import { describe, expect, it } from 'vitest'
import { withFooter, withUnsubscribeHeaders } from './footer.ts'

const URL = 'https://mail.example/unsubscribe/abc'
const FOOTER = { projectName: 'Acme', language: 'en', unsubscribeUrl: URL } as const

describe('the footer', () => {
  it('is added to marketing email only', () => {
    expect(withFooter('<p>Hi</p>', 'MARKETING', FOOTER)).toContain(`href="${URL}"`)
    for (const type of ['TRANSACTIONAL', 'HEADLESS'] as const)
      expect(withFooter('<p>Hi</p>', type, FOOTER)).toBe('<p>Hi</p>')
  })

  it('contains the name of the project, with any characters', () => {
    const html = withFooter('', 'MARKETING', { ...FOOTER, projectName: '<b>$& Söhne' })
    expect(html).toContain('you subscribed to updates from &lt;b&gt;$&amp; Söhne.')
  })

  it('has the postal address, logo and color of the project', () => {
    const branding = { postalAddress: '1 Main St\n<Town>', logoUrl: 'https://x.example/a?b&c', color: '#123456' }
    const html = withFooter('', 'MARKETING', { ...FOOTER, branding })
    expect(html).toContain('1 Main St<br>&lt;Town&gt;')
    expect(html).toContain('src="https://x.example/a?b&amp;c"')
    expect(html).toContain('color:#123456')
  })

  it('is inserted inside the body if there is one', () => {
    const html = withFooter('<html><body><p>Hi</p></BODY></html>', 'MARKETING', FOOTER)
    expect(html).toMatch(/^<html><body><p>Hi<\/p><p .*<\/p><\/BODY><\/html>$/)
  })

  it.each([
    '<p>Hello</p><!-- end of </body> -->|',
    '<html><body><p>x</p>|</body></html><!-- v2 </body> -->',
    '<p>x</p><!--[if mso]></td></body><![endif]-->|',
    '<p title="</body>">q</p>|',
    '<body><!-- </body> --><script>"</body>"</script>|</body ></html>\n',
    '<body>one</body><body>two|</body><br>',
    '</body',
    '|</body></html>',
  ])('is inserted where it is visible: %s', (marked) => {
    const html = withFooter(marked.replace('|', ''), 'MARKETING', FOOTER)
    const footer = /<p lang="en".*?<\/p>/.exec(html)![0]
    expect(html.replace(footer, '|')).toBe(marked.includes('|') ? marked : `${marked}|`)
  })

  it.each([
    ['fr', 'Se désabonner'],
    ['de', 'Abbestellen'],
    ['en', 'Unsubscribe'],
  ] as const)('is in the language of the recipient: %s', (language, word) => {
    expect(withFooter('', 'MARKETING', { ...FOOTER, language })).toContain(word)
  })
})

describe('the unsubscribe headers', () => {
  it('are added to marketing and headless email', () => {
    for (const type of ['MARKETING', 'HEADLESS'] as const) {
      expect(withUnsubscribeHeaders({ 'X-A': 'b' }, type, URL)).toEqual({
        'List-Unsubscribe': `<${URL}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'X-A': 'b',
      })
    }
    expect(withUnsubscribeHeaders({}, 'TRANSACTIONAL', URL)).toEqual({})
  })

  it('are not added if the caller sets them, in any case', () => {
    const own = { 'list-unsubscribe': '<mailto:out@example.com>' }
    expect(withUnsubscribeHeaders(own, 'MARKETING', URL)).toEqual(own)
  })
})
