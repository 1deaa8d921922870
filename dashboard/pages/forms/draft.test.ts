import { expect, it } from 'vitest'
import { bodyOf, draftOf, EMPTY_DRAFT, type Form, keyOfLabel } from './draft.ts'

it.each([
  ['First name', 'firstName'],
  [' Größe (in cm)', 'groEInCm'],
  ['2nd choice', 'ndChoice'],
  ['名前', ''],
])('suggests a key for the label %j', (label, key) => {
  expect(keyOfLabel(label)).toBe(key)
})

it('a form that is opened and saved stays as it is', () => {
  const form = {
    ...bodyOf(EMPTY_DRAFT),
    name: 'Newsletter',
    doubleOptIn: false,
    consentText: 'Once a month.',
    captcha: { provider: 'hcaptcha', siteKey: 'site', endpoint: null, hasSecretKey: true },
  } as Form
  const { captcha, ...same } = bodyOf(draftOf(form))
  expect({ ...same, captcha: null }).toEqual({ ...form, captcha: null })
  expect(captcha).toEqual({ provider: 'hcaptcha', siteKey: 'site', endpoint: null })
})
