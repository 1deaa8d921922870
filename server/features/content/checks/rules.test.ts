/** Each rule of the checks: what it reports, and what it doesn't. */
import { describe, expect, it } from 'vitest'
import type { Branding } from '../../../kernel/content/branding.ts'
import { contrastRatio, parseColor } from '../../../kernel/content/colors.ts'
import type { EmailDocument } from '../../../kernel/content/email-document.ts'
import { htmlToPlainText } from '../../../platform/html/html-to-plain-text.ts'
import { checkClients } from './client-rules.ts'
import { checkContrast } from './contrast-rules.ts'
import { checkDocument, checkSamples } from './document-rules.ts'
import { checkEmail, type EmailToCheck } from './email-rules.ts'
import { maskLiquid, withoutLiquid } from './finding.ts'
import { checkImages, checkLinks } from './link-rules.ts'
import { addressPlaceOf, checkAddress, checkUnsubscribe } from './sender-rules.ts'
import { checkPhrases, checkPreheader, checkSubject, checkTextAndSize } from './text-rules.ts'

const codes = (found: { code: string }[]) => found.map(({ code }) => code)

describe('the check of a subject', () => {
  it.each<[string, string, string[]]>([
    ['is empty', ' ', ['subject.empty']],
    ['is ordinary', 'Your order has been shipped', []],
    ['has 60 characters', 'a'.repeat(60), []],
    ['has 61 characters', 'a'.repeat(61), ['subject.long']],
    ['is long only because of Liquid', `Hello {{ ${'name | append: "x"'.repeat(5)} }}`, []],
    ['is in capitals', 'READ THIS NOW', ['subject.capitals']],
    ['is in capitals of a script without case', '重要なお知らせがございます', []],
    ['is a short word in capitals', 'FAQ', []],
    ['has two exclamation marks', 'New! Improved!', ['subject.punctuation']],
    ['has one exclamation mark', 'Welcome!', []],
    ['looks like a reply', 'Re: our call', ['subject.reply']],
    ['starts with a word that begins like a reply', 'Reminder: our call', []],
  ])('has the right findings for one that %s', (_case, subject, expected) => {
    expect(codes(checkSubject({ subject }))).toEqual(expected)
  })
})

describe('the check of a preheader', () => {
  it.each<[string, string, string[]]>([
    ['is missing', '', ['preheader.missing']],
    ['adds to the subject', 'Three steps to get started.', []],
    ['repeats the subject', 'welcome', ['preheader.repeated']],
    ['is long', 'a'.repeat(111), ['preheader.long']],
  ])('has the right findings for one that %s', (_case, preheader, expected) => {
    expect(codes(checkPreheader({ subject: 'Welcome', preheader }))).toEqual(expected)
  })
})

describe('the check for phrases of spam', () => {
  it.each<[string, string, string, string[]]>([
    ['none', 'Hello', '<p>How are you?</p>', []],
    ['one in the subject', 'Act now', '<p>Hello</p>', ['subject']],
    ['one that is split over lines in the HTML', 'Hello', '<p>click\n here</p>', ['html']],
    ['one with a straight apostrophe', 'Hello', "<p>You're a winner</p>", ['html', 'html']],
    ['a part of a longer word', 'Winners circle', '<p>Hello</p>', []],
  ])('finds %s', (_case, subject, html, expected) => {
    const found = checkPhrases({ subject, html, text: htmlToPlainText(html) })
    expect(found.map((one) => ('field' in one ? one.field : 'html'))).toEqual(expected)
  })
})

describe('the check of text and size', () => {
  const text = `<p>${'Some words. '.repeat(10)}</p>`
  it.each<[string, string, string[]]>([
    ['nothing', ' ', ['body.empty']],
    ['enough text', text, []],
    ['an image and hardly any text', '<img src="https://a.example/b.png" alt=""><p>Hi</p>', ['text.little']],
    ['links only', '<a href="https://a.example/a-very-long-address-that-is-no-text">x</a>', ['text.little']],
    ['102 KB', `${text + '<!--'.padEnd(102 * 1024 - text.length - 3, 'x')}-->`, []],
    ['more than 102 KB', `${text + '<!--'.padEnd(102 * 1024, 'x')}-->`, ['size.clipped']],
  ])('has the right findings for %s', (_case, html, expected) => {
    expect(codes(checkTextAndSize({ html, text: htmlToPlainText(html) }))).toEqual(expected)
  })
})

describe('the check of links', () => {
  it.each<[string, string, string[]]>([
    ['https', 'https://acme.io/a?b=c&amp;d', []],
    ['http', 'http://acme.io', ['link.insecure']],
    ['mailto and tel', 'mailto:a@acme.io', []],
    ['Liquid', '{{ url | default: "https://acme.io" }}', []],
    ['Liquid at the end', 'https://acme.io/{{ id }}', []],
    ['Liquid after http', 'http://acme.io/{{ id }}', ['link.insecure']],
    ['an anchor', '#top', []],
    ['an example domain', 'https://www.example.com/story', ['link.example']],
    ['a reserved domain', 'http://shop.example/', ['link.example']],
    ['a domain that only looks like one', 'https://myexample.com', []],
    ['this machine', 'http://localhost:3000/', ['link.private']],
    ['a private address', 'https://192.168.1.5/a', ['link.private']],
    ['a private address of IPv6', 'https://[fd00::1]/', ['link.private']],
    ['a name in a local network', 'https://wiki.internal', ['link.private']],
    ['a public address', 'https://172.32.0.1/', []],
    ['nothing', '', ['link.empty']],
    ['a number sign', '#', ['link.empty']],
    ['a path', '/pricing', ['link.relative']],
    ['a domain without a scheme', 'acme.io/pricing', ['link.relative']],
    ['a script', 'javascript:alert(1)', ['link.unsafe']],
    ['a host without a dot', 'https://exa/mple', ['link.broken']],
    ['a space', 'https://exam ple.com', ['link.broken']],
    ['an unknown scheme', 'htps://acme.io', ['link.broken']],
  ])('to %s', (_case, href, expected) => {
    expect(codes(checkLinks({ html: `<p><a class="x" href="${href}">text</a></p>` }))).toEqual(expected)
  })

  it('reports the same problem of the same address once, at its first position', () => {
    const html = '<a href="http://a.io">a</a>\n<a href="http://a.io">b</a>\n<a href="http://b.io">c</a>'
    const found = checkLinks({ html })
    expect(found.map(({ needle, at }) => [needle, html.slice(0, at).split('\n').length])).toEqual([
      ['http://a.io', 1],
      ['http://b.io', 3],
    ])
  })

  it('ignores what is not a link: comments, scripts and text', () => {
    expect(checkLinks({ html: '<!-- <a href="http://x.io"> --> <a name="here">x</a> a href="http://y"' })).toEqual([])
  })
})

describe('the check of images', () => {
  const src = 'https://mail.example/uploads/p/a.png'
  it.each<[string, string, string[]]>([
    ['has a description', `<img src="${src}" alt="A horn">`, []],
    ['is decoration', `<img src="${src}" alt="">`, []],
    ['has no alt attribute', `<img src="${src}">`, ['image.alt']],
    [
      'is the only content of a link, without a description',
      `<a href="#x"><img src="${src}" alt=""></a>`,
      ['image.alt'],
    ],
    ['is in a link with text', `<a href="#x"><img src="${src}" alt=""> Shop</a>`, []],
    ['has no address', '<img src="" alt="x">', ['image.empty']],
    ['has a relative address', '<img src="logo.png" alt="x">', ['image.broken']],
    ['is not encrypted', '<img src="http://a.example/x.png" alt="x">', ['image.insecure']],
    ['is on this machine', '<img src="http://localhost/x.png" alt="x">', ['image.private']],
    ['is on a private address', '<img src="https://10.0.0.1/x.png" alt="x">', ['image.private']],
    ['is embedded', '<img src="data:image/png;base64,aGk=" alt="x">', ['image.embedded']],
    ['is an attachment', '<img src="cid:logo" alt="x">', []],
    ['comes from Liquid', '<img src="{{ item.image }}" alt="{{ item.name }}">', []],
  ])('has the right findings for one that %s', (_case, html, expected) => {
    expect(codes(checkImages({ html }, new Map()))).toEqual(expected)
  })

  it.each([
    [200 * 1024, []],
    [200 * 1024 + 1, ['image.large']],
  ])('has the right findings for one of %d bytes', (size, expected) => {
    const html = `<img src="${src}" alt="A horn">`
    expect(codes(checkImages({ html }, new Map([[src, size]])))).toEqual(expected)
  })
})

it('an own upload on this machine is not reported as private', () => {
  const src = 'http://localhost:3000/uploads/p/a.png'
  expect(codes(checkImages({ html: `<img src="${src}" alt="x">` }, new Map([[src, 10]])))).toEqual([])
})

describe('the check for a postal address', () => {
  it.each<['MARKETING' | 'HEADLESS' | 'TRANSACTIONAL', Branding, string[]]>([
    ['MARKETING', {}, ['address.missing']],
    ['MARKETING', { postalAddress: 'Main St. 1' }, []],
    ['MARKETING', { addressInContent: true }, []],
    ['HEADLESS', { postalAddress: 'Main St. 1' }, ['address.missing']],
    ['HEADLESS', { addressInContent: true }, []],
    ['TRANSACTIONAL', {}, []],
  ])('has the right findings for a %s email of a project with %j', (type, branding, expected) => {
    expect(codes(checkAddress({ type, addressIn: addressPlaceOf(branding) }))).toEqual(expected)
  })
})

describe('the check of blocks', () => {
  const image = (fields: object) => ({ id: 'a', type: 'image', src: 'https://acme.io/a.png', alt: '', ...fields })
  it.each<[string, object, string[]]>([
    ['without alternative text', {}, ['image.alt']],
    ['with alternative text', { alt: 'A horn' }, []],
    ['that is decorative', { decorative: true }, []],
  ])('finds an image %s', (_case, fields, expected) => {
    const found = checkDocument({ document: { blocks: [image(fields)] } as unknown as EmailDocument })
    expect(codes(found)).toEqual(expected)
    expect(found.every(({ blockId }) => blockId === 'a')).toBe(true)
  })
})

it('a text of the gallery is reported until it is changed, and its short texts never', () => {
  const samples = ['Three new colleagues joined our support team in March.', 'Read more']
  const check = (text: string) => codes(checkSamples({ html: `<p>${text}</p>`, text, samples }))
  expect(check('Three new colleagues\njoined our support team in March. Read more')).toEqual(['text.sample'])
  expect(check('Three new colleagues joined our support team in May. Read more')).toEqual([])
})

describe('the check for an unsubscribe link', () => {
  it.each<['MARKETING' | 'HEADLESS' | 'TRANSACTIONAL', string, string[]]>([
    ['MARKETING', '<p>News</p>', []],
    ['TRANSACTIONAL', '<p>Receipt</p>', []],
    ['HEADLESS', '<p>News</p>', ['unsubscribe.missing']],
    ['HEADLESS', '<a href="{{ unsubscribeUrl }}">x</a>', []],
    ['HEADLESS', '<a href="{{manageUrl}}">x</a>', []],
  ])('has the right findings for a %s email: %s', (type, html, expected) => {
    expect(codes(checkUnsubscribe({ html, type }))).toEqual(expected)
  })
})

describe('the check of what mail clients support', () => {
  it.each<[string, string[]]>([
    ['<p style="display:block;color:red">x</p>', []],
    ['<script>x</script>', ['html-script']],
    ['<form action="/x"><input></form>', ['html-form']],
    ['<video src="x"></video>', ['html-video']],
    ['<div style="display: flex">x</div>', ['css-display-flex']],
    ['<div style="DISPLAY:GRID">x</div>', ['css-display-grid']],
    ['<div style="position:absolute">x</div>', ['css-position']],
    ['<p style="text-transform:uppercase">x</p>', []],
    ['<div style="color:var(--brand)">x</div>', ['css-variables']],
    ['<style>@import url(x);.a{width:calc(1px + 2px)}</style>', ['css-at-import', 'css-unit-calc']],
    ['<link rel="stylesheet" href="x">', ['html-link']],
    ['<!--[if mso]><form><![endif]-->', []],
    ['<p>display: flex</p>', []],
  ])('in %s', (html, expected) => {
    const found = checkClients({ html }).map(({ message }) => /features\/([\w-]+)/.exec(message)?.[1])
    expect(found).toEqual(expected)
  })

  it('reports a feature once, and scripts as an error', () => {
    const found = checkClients({ html: '<script></script><script></script>' })
    expect(found.map(({ severity }) => severity)).toEqual(['error'])
  })
})

describe('the check of contrast', () => {
  it.each<[string, string, string[]]>([
    ['black on white', '<p>text</p>', []],
    ['light gray on white', '<p style="color:#ccc">text</p>', ['#cccccc on #ffffff']],
    ['white on a dark table', '<table bgcolor="#111111"><tr><td style="color:#fff">text</td></tr></table>', []],
    ['dark on a dark parent', '<div style="background:#222"><p>text</p></div>', ['#000000 on #222222']],
    ['gray that is enough for large text', '<h1 style="color:#888;font-size:28px">text</h1>', []],
    ['the same gray in small text', '<p style="color:#888">text</p>', ['#888888 on #ffffff']],
    ['a hidden text', '<div style="display:none;color:#fff">text</div>', []],
    ['an empty element', '<p style="color:#fff"> &nbsp; </p>', []],
    ['an image behind the text', '<td background="x.png" style="color:#fff">text</td>', []],
    ['a color from Liquid', '<p style="color:{{ color }}">text</p>', []],
    [
      'a link color on a dark background',
      '<div style="background-color:#000"><a href="#">text</a></div>',
      ['#0000ee on #000000'],
    ],
    ['an element after a closed one', '<b style="color:#fff"></b><p>text</p>', []],
    ['two texts of the same colors', '<p style="color:#ccc">a</p><p style="color:#ccc">b</p>', ['#cccccc on #ffffff']],
  ])('has the right findings for %s', (_case, html, expected) => {
    const found = checkContrast({ html }).map(({ message }) => /#\w+ on #\w+/.exec(message)?.[0])
    expect(found).toEqual(expected)
  })

  it('is 21:1 for black on white and reads the usual forms of colors', () => {
    expect(contrastRatio([0, 0, 0], [255, 255, 255])).toBeCloseTo(21)
    expect(['#fff', '#FFFFFF', 'rgb(255, 255, 255)', 'white'].map(parseColor)).toEqual(
      Array.from({ length: 4 }, () => [255, 255, 255]),
    )
    expect(['hsl(0 0% 0%)', 'constructor', '__proto__'].map(parseColor)).toEqual([undefined, undefined, undefined])
    expect(parseColor('rgb(300, 0, 0)')).toEqual([255, 0, 0])
  })
})

describe('Liquid in checked content', () => {
  it('is masked without moving what follows', () => {
    const masked = maskLiquid('a{{ "x" }}\n{% if\na %}b')
    expect(masked).toHaveLength('a{{ "x" }}\n{% if\na %}b'.length)
    expect(masked.split('\n')).toHaveLength(3)
    expect(masked.replaceAll('\uE000', '')).toBe('a\n\nb')
    expect(withoutLiquid('a{{ x }}b{% y %}c{{ open')).toBe('abc{{ open')
  })

  it.each([
    ['delimiters that are never closed', '{{'.repeat(100_000)],
    ['tags that are never closed', '<b>'.repeat(50_000) + '</i>'.repeat(50_000)],
    ['one long word', 'a'.repeat(400_000)],
    ['many entities', '&#'.repeat(100_000)],
    ['style sheets that end in capitals', '<style>a</STYLE>'.repeat(62_500)],
  ])('and hostile text are read in linear time: %s', (_case, html) => {
    const subject = ''
    const found = [
      ...checkTextAndSize({ html, text: html }),
      ...checkLinks({ html }),
      ...checkImages({ html }, new Map()),
      ...checkClients({ html }),
      ...checkContrast({ html }),
      ...checkPhrases({ subject, html, text: html }),
    ]
    expect(codes(found)).toContain('size.clipped')
  })
})

describe('checkEmail', () => {
  const email = (html: string): EmailToCheck => ({
    subject: 'News',
    preheader: 'Soon',
    html,
    text: 'A text that is long enough to be a real email.',
    type: 'MARKETING',
    document: null,
    mjml: null,
    imageSizes: new Map(),
    samples: [],
    addressIn: 'footer',
    variables: [],
  })

  it('reports the first 20 problems of a kind, with their lines', () => {
    const links = Array.from({ length: 60_000 }, (_, i) => `<a href=q${i}>x`).join('\n')
    const found = checkEmail(email(links)).filter(({ code }) => code === 'link.relative')
    expect(found.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  })
})
