import { describe, expect, it } from 'vitest'
import { LANGUAGES, languageAsked, languageOf, textsIn } from './texts.ts'

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
