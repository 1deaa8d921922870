import { describe, expect, it } from 'vitest'
import { imageRules, withoutImages } from './images.ts'

const { hasRemoteImages, measurable } = imageRules('https://mail.acme.io')

const OWN = '<img src="https://mail.acme.io/uploads/p/a.png" alt="a">'
const OTHER = '<img src="https://cdn.example/b.png" alt="b">'

describe('hasRemoteImages', () => {
  it.each([
    [OWN, false],
    [OTHER, true],
    ['<td background="http://cdn.example/c.png">', true],
    ['<p style="background:url(https://cdn.example/d.png)">', true],
    ['<img src="https://mail.acme.io/other.png">', true],
    ['<p>https://mail.acme.io</p>', false],
  ])('%s', (html, expected) => {
    expect(hasRemoteImages(html)).toBe(expected)
  })
})

it('withoutImages leaves nothing to load', () => {
  expect(withoutImages(OWN + OTHER)).toBe('<img alt="a"><img alt="b">')
})

describe('measurable', () => {
  it('keeps uploads, and the images of others only if they are shown', () => {
    expect(measurable(OWN + OTHER, false)).toEqual({
      html: `${OWN}<img alt="b">`,
      sources: ['https://mail.acme.io/uploads/'],
    })
    expect(measurable(OWN + OTHER, true)).toEqual({
      html: OWN + OTHER,
      sources: ['https://mail.acme.io/uploads/', 'https://cdn.example'],
    })
  })

  it.each([
    ['our own server', '<img src="https://mail.acme.io/users/@me">'],
    ['a host that could end the policy', '<img src="https://a;script-src.example/x">'],
    ['several sources', '<img srcset="https://cdn.example/a.png 2x">'],
  ])('loads nothing from %s', (_what, html) => {
    expect(measurable(html, true)).toEqual({ html: '<img>', sources: [] })
  })
})
