import { expect, it } from 'vitest'
import { hasDarkColors, withColorScheme } from './color-scheme.ts'

const HTML = '<style>@media screen and (prefers-color-scheme: dark) { p { color: #fff } }</style><p>Hi</p>'

it('an email is shown in its dark colors in dark mode only, whatever the mode of the browser', () => {
  expect(hasDarkColors(HTML)).toBe(true)
  expect(withColorScheme(HTML, true)).toContain('@media screen and (min-width:0) {')
  expect(withColorScheme(HTML, false)).toContain('@media screen and (max-width:0) {')
  expect(withColorScheme('@media (prefers-color-scheme:light) {}', true)).toBe('@media (max-width:0) {}')
})

it('an email without dark colors is not changed', () => {
  expect(hasDarkColors('<p>dark</p>')).toBe(false)
  expect(withColorScheme('<p>dark</p>', true)).toBe('<p>dark</p>')
})
