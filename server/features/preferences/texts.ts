/** The languages of the preference pages, and the choice of a recipient's language. */

import type { PreferenceTexts } from './text-types.ts'
import { da, de, en, nl, sv } from './texts-germanic.ts'
import { ja, pl, zh } from './texts-others.ts'
import { es, fr, it, pt } from './texts-romance.ts'

const TEXTS = { en, de, fr, es, it, nl, pt, pl, sv, da, ja, zh } satisfies Record<string, PreferenceTexts>

export type Language = keyof typeof TEXTS

export const LANGUAGES = Object.keys(TEXTS) as Language[]

export const textsIn = (language: Language): PreferenceTexts => TEXTS[language]

/**
 * The first of these languages that has texts, otherwise English. `de`, `de-AT`, `de_AT` and `DE` are German. The
 * language of the contact's locale comes first, then that of the project.
 */
export function languageOf(...locales: unknown[]): Language {
  for (const locale of locales) {
    const name = typeof locale === 'string' ? /^\s*([a-z]+)(?![a-z0-9])/i.exec(locale)?.[1]?.toLowerCase() : undefined
    const known = LANGUAGES.find((language) => language === name)
    if (known) return known
  }
  return 'en'
}

/** If the contact is unknown: the browser's preferred language. */
export const languageAsked = (acceptLanguage: unknown): Language =>
  languageOf(typeof acceptLanguage === 'string' ? acceptLanguage.split(/[,;]/)[0] : undefined)
