/** Checks that every text of the dashboard exists in every language, with the same elements. TypeScript compares their values. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from './language.ts'
import { pickLanguage, pickLocale } from './load.ts'
import { allTexts, readEnglish, readTranslation, type Text, textFiles } from './read-texts.ts'

const english = await readEnglish()
const englishTexts = allTexts(english)

/** Elements and variables, which a sentence has in every language. */
const marksOf = (text: Text | undefined): string[] => [
  ...new Set([...String(text).matchAll(/<\/?[a-z][A-Za-z]*\/?>|\{\{\w[\w.]*/g)].map(([mark]) => mark).sort()),
]

const CHECKS = path.join(import.meta.dirname, '../../server/features/content/checks')
const AREAS =
  'address|audience|body|check|client|contrast|image|link|preheader|size|spam|subject|text|unsubscribe|variable'

/** The codes in the rules of the checks. */
function findingCodes(): string[] {
  const rules = readdirSync(CHECKS).filter((file) => !file.endsWith('.test.ts'))
  const code = rules.map((file) => readFileSync(path.join(CHECKS, file), 'utf8')).join('\n')
  const found = code.matchAll(new RegExp(`'((?:${AREAS})\\.[a-z]+)'`, 'g'))
  return [...new Set([...found].map(([, name]) => name!))].toSorted()
}

const found = (file: string, pattern: RegExp): string[] => {
  const code = readFileSync(path.join(import.meta.dirname, '../../server/features', file), 'utf8')
  return [...new Set([...code.matchAll(pattern)].map(([, name]) => name!))]
}
const slugs = ['account', 'order', 'marketing'].flatMap((name) =>
  found(`content/gallery/${name}-templates.ts`, /^ {4}slug: '(.+)'/gm),
)
const domainCodes = found('tenants/domains/doctor.ts', /'((?:dns|spf|dmarc|mx)\.[a-z-]+)'/g).filter(
  (code) => !code.endsWith('.ok'), // they aren't shown
)

const isSentence = (text: Text): boolean => typeof text === 'string' && /[a-z]+ [a-z]+ [a-z]+/.test(text)

it('the English texts have names of their own, and are exported', () => {
  const files = textFiles()
  for (const { file, exports, calls } of files) expect([file, exports.length]).toEqual([file, calls])
  const names = files.flatMap(({ exports }) => exports.map(({ name }) => name))
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  expect(englishTexts.size).toBeGreaterThan(2_000)
})

describe.each(Object.keys(LANGUAGES).filter((language) => language !== 'en'))('the texts in %s', async (language) => {
  const translation = await readTranslation(language)
  const texts = allTexts(translation)

  it('are complete', () => {
    expect(Object.keys(translation).toSorted()).toEqual(Object.keys(english).toSorted())
    const own = [...texts.keys()].filter((at) => !/^(finding|galleryEntry|domainFinding)\./.test(at))
    expect(own.toSorted()).toEqual([...englishTexts.keys()].toSorted())
  })

  it('have what the checks of the service find, which it writes in English', () => {
    expect(Object.keys(translation.finding as object).toSorted()).toEqual(findingCodes())
    expect(Object.keys(translation.galleryEntry as object).toSorted()).toEqual(slugs.toSorted())
    expect(Object.keys(translation.domainFinding as object).toSorted()).toEqual(domainCodes.toSorted())
  })

  it('have the elements and variables of the English ones', () => {
    for (const [at, text] of englishTexts) {
      expect([at, typeof texts.get(at), marksOf(texts.get(at))]).toEqual([at, typeof text, marksOf(text)])
    }
  })

  it('are not left in English', () => {
    const same = [...englishTexts].filter(([at, text]) => isSentence(text) && texts.get(at) === text)
    expect(same).toEqual([])
  })

  it('load no English texts, which would be read before the language is known', () => {
    const folder = path.join(import.meta.dirname, language)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue
      const code = readFileSync(path.join(folder, file), 'utf8')
      const loaded = [...code.matchAll(/^(?:import|export) (?!type\b)[^']*? from '(.+)'/gm)].map(([, from]) =>
        path.relative(import.meta.dirname, path.join(folder, path.dirname(file), from!)),
      )
      const others = loaded.filter((from) => from !== '../figures/format.ts' && !from.startsWith(`${language}/`))
      expect([file, others]).toEqual([file, []])
    }
  })
})

describe('the language', () => {
  it.each([
    [null, ['de-AT', 'en'], 'de', 'de-AT'],
    [null, ['pl', 'fr-CA', 'en'], 'fr', 'fr-CA'],
    [null, ['pl-PL'], 'en', undefined],
    [null, ['en-GB', 'de'], 'en', 'en-GB'],
    [null, [], 'en', undefined],
    ['pt', ['de', 'en'], 'pt', 'pt'],
    ['en', ['de', 'en-GB'], 'en', 'en-GB'],
    ['es', ['es-MX', 'es'], 'es', 'es-MX'],
  ] as const)('is chosen for an account with %s in a browser with %j: %s, with the formats of %s', (...row) => {
    const [chosen, browser, language, locale] = row
    expect(pickLanguage(chosen, browser)).toBe(language)
    expect(pickLocale(language, browser)).toBe(locale)
  })
})
