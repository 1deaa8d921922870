import { expect, it } from 'vitest'
import { brandingFields } from './branding.ts'
import { textColorOn } from './colors.ts'

it.each([
  ['#ffffff', '#000000'],
  ['#000000', '#ffffff'],
  ['#1d4ed8', '#ffffff'],
  ['#facc15', '#000000'],
])('text on %s is %s', (color, text) => expect(textColorOn(color)).toBe(text))

it.each([
  ['https://example.com/logo.png', true],
  ['http://127.0.0.1:3000/uploads/a.png', true],
  ['http://example.com/logo.png', false],
  ['https://bücher.example:8443/logo.png', true],
  ['https://*/logo.png', false],
  ['https://$`.example/logo.png', false],
  ['javascript:alert(1)', false],
  ['https://example.com/a";x', false],
  ['data:image/png;base64,AA', false],
])('a logo at %s is accepted: %s', (url, accepted) => {
  expect(brandingFields.logoUrl.safeParse(url).success).toBe(accepted)
})
