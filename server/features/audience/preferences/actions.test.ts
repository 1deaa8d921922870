import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { deriveSecrets } from '../../../platform/secrets.ts'
import {
  LANGUAGES,
  languageAsked,
  languageOf,
  preferenceLinks,
  preferenceToken,
  readPreferenceToken,
  textsIn,
} from './actions.ts'

const secrets = deriveSecrets('one secret')
const projectId = newId(new Date())
const contactId = newId(new Date())
const token = preferenceToken(secrets, projectId, contactId)

describe('a preference link', () => {
  it('identifies its contact, fits into a header and is the same on every call', () => {
    const links = preferenceLinks(secrets, 'https://mail.example.com', projectId, contactId)
    expect(links).toEqual({
      unsubscribeUrl: `https://mail.example.com/unsubscribe/${token}`,
      subscribeUrl: `https://mail.example.com/subscribe/${token}`,
      manageUrl: `https://mail.example.com/manage/${token}`,
    })
    expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/)
    expect(readPreferenceToken(secrets, token)).toEqual({ projectId, contactId })
    expect(preferenceToken(secrets, projectId, contactId)).toBe(token)
  })

  it('is invalid if a single character is changed', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
    for (let at = 0; at < token.length; at++) {
      for (const letter of letters) {
        if (letter === token[at]) continue
        expect(readPreferenceToken(secrets, token.slice(0, at) + letter + token.slice(at + 1))).toBeUndefined()
      }
    }
  })

  it('is invalid if the IDs are swapped, or with another secret', () => {
    const swapped = Buffer.from(token, 'base64url')
    const forged = Buffer.concat([swapped.subarray(16, 32), swapped.subarray(0, 16), swapped.subarray(32)])
    expect(readPreferenceToken(secrets, forged.toString('base64url'))).toBeUndefined()
    expect(readPreferenceToken(deriveSecrets('another secret'), token)).toBeUndefined()
  })

  it("can't be guessed from any text", () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => readPreferenceToken(secrets, text) === undefined))
    for (const text of [`${token}=`, `${token}A`, token.slice(1), ` ${token}`, `${token}\n`]) {
      expect(readPreferenceToken(secrets, text)).toBeUndefined()
    }
  })
})

describe('the language of a recipient', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['de_CH', 'de'],
    ['DE', 'de'],
    [' pt-BR', 'pt'],
    ['zh-Hant-TW', 'zh'],
    ['en-GB', 'en'],
    ['eo', 'en'],
    ['deutsch', 'en'],
    ['', 'en'],
    ['-', 'en'],
    ['constructor', 'en'],
    [undefined, 'en'],
    [null, 'en'],
    [5, 'en'],
    [['de'], 'en'],
  ])('for the locale %j is %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language)
  })

  it('is the first of several that has texts', () => {
    expect(languageOf(undefined, 'de')).toBe('de')
    expect(languageOf('fr', 'de')).toBe('fr')
    expect(languageOf('fi', 'pt-BR')).toBe('pt')
    expect(languageOf('fi', 'tlh')).toBe('en')
  })

  it.each([
    ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    ['it;q=0.9', 'it'],
    ['*', 'en'],
    [undefined, 'en'],
  ])('for a browser with Accept-Language %j is %s', (header, language) => {
    expect(languageAsked(header)).toBe(language)
  })
})

/** `manage.question` → `{email} {project}` */
function placeholders(texts: object, path = ''): Array<[string, string]> {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [[`${path}${key}`, (text.match(/\{.*?\}/g) ?? []).sort().join(' ')] as [string, string]]
      : placeholders(text, `${path}${key}.`),
  )
}

describe.each(LANGUAGES)('the preference texts in %s', (language) => {
  it('contain the project and the address where the English ones do', () => {
    expect(placeholders(textsIn(language))).toEqual(placeholders(textsIn('en')))
  })

  it('exist and are translated', () => {
    const values = JSON.stringify(textsIn(language)).match(/:"(.*?)"/g)!
    const english = JSON.stringify(textsIn('en')).match(/:"(.*?)"/g)!
    expect(values.every((value) => value.length > 3)).toBe(true)
    if (language !== 'en') expect(values.filter((value) => english.includes(value))).toEqual([])
  })
})
