import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { deriveSecrets } from '../../../platform/secrets.ts'
import { withFooter, withUnsubscribeHeaders } from './additions.ts'
import { clickUrls, openUrl, readClickToken, readOpenToken } from './links.ts'

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

it('the English footer leaves an ASCII email ASCII, which is faster to compose', () => {
  expect(withFooter('<p>Hi</p>', 'MARKETING', FOOTER)).toMatch(/^[ -~]*$/)
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

const secrets = deriveSecrets('a secret for tests only')
const email = { projectId: newId(new Date()), emailId: newId(new Date()) }
const BASE = 'https://mail.example'
const urlOf = clickUrls(secrets, BASE, email)
const tokenOf = (link: string) => urlOf(link)!.slice(`${BASE}/t/c/`.length)

describe('a tracked link', () => {
  it.each([
    'https://example.org/',
    'HTTP://EXAMPLE.org/a?b=1&c=2#d',
    'https://münchen.example/straße?q=ü 1',
    `https://example.org/${'x'.repeat(1_980)}`,
    'https://example.org/"quoted"\'<>',
  ])('redirects to the original URL: %s', (link) => {
    expect(readClickToken(secrets, tokenOf(link))).toEqual({ ...email, link })
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'mailto:a@example.org',
    'tel:+123',
    'sms:+123',
    'cid:logo',
    '#top',
    '',
    '/relative',
    '//example.org/',
    'ftp://example.org/',
    'https://',
    'https://exa mple.org/',
    'java\nscript:alert(1)',
    `https://example.org/${'x'.repeat(4_000)}`,
  ])('is not created for %j', (link) => expect(urlOf(link)).toBeUndefined())

  it('is the same on every call', () => expect(urlOf('https://example.org/')).toBe(urlOf('https://example.org/')))

  it('has fewer than 3,000 characters for a link of 2,000', () => {
    expect(urlOf(`https://example.org/${'x'.repeat(1_980)}`)!.length).toBeLessThan(3_000)
  })

  it('is invalid if any character is changed', () => {
    const token = tokenOf('https://example.org/some/path?x=y')
    const place = fc.nat(token.length - 1)
    const character = fc.constantFrom(...'ABCxyz019-_')
    fc.assert(
      fc.property(place, character, (at, other) => {
        const forged = token.slice(0, at) + other + token.slice(at + 1)
        expect(readClickToken(secrets, forged)).toEqual(
          forged === token ? { ...email, link: 'https://example.org/some/path?x=y' } : undefined,
        )
      }),
    )
  })

  it('is invalid if it is shortened, extended, from another installation or for another purpose', () => {
    const token = tokenOf('https://example.org/')
    const open = openUrl(secrets, BASE, email).slice(`${BASE}/t/o/`.length, -4)
    const foreign = clickUrls(deriveSecrets('another secret'), BASE, email)('https://example.org/')!
    const others = [
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      foreign.split('/').at(-1)!,
      open,
      '',
      'é',
    ]
    for (const other of others) expect(readClickToken(secrets, other)).toBeUndefined()
  })
})

describe('an open pixel', () => {
  const token = openUrl(secrets, BASE, email).slice(`${BASE}/t/o/`.length)

  it('identifies its email', () => {
    expect(readOpenToken(secrets, token)).toEqual(email)
    expect(readOpenToken(secrets, token.replace('.gif', ''))).toEqual(email)
  })

  it('is invalid if any character is changed', () => {
    for (let at = 0; at < 64; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      expect(readOpenToken(secrets, token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined()
    }
  })
})
