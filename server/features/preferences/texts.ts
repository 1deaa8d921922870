/** Which languages the preference pages speak, and which of them a reader gets. */
import { da, de, en, nl, sv } from './texts-germanic.ts'
import { ja, pl, zh } from './texts-others.ts'
import { es, fr, it, pt } from './texts-romance.ts'
import type { PreferenceTexts } from './words.ts'

const TEXTS = { en, de, fr, es, it, nl, pt, pl, sv, da, ja, zh } satisfies Record<string, PreferenceTexts>

export type Language = keyof typeof TEXTS

export const LANGUAGES = Object.keys(TEXTS) as Language[]

export const textsIn = (language: Language): PreferenceTexts => TEXTS[language]

/**
 * The first of these that has texts, else English. `de`, `de-AT`, `de_AT` and `DE` are German. A reader gets the language
 * of the contact's locale, then that of the project.
 */
export function languageOf(...locales: unknown[]): Language {
  for (const locale of locales) {
    const name = typeof locale === 'string' ? /^\s*([a-z]+)(?![a-z0-9])/i.exec(locale)?.[1]?.toLowerCase() : undefined
    const known = LANGUAGES.find((language) => language === name)
    if (known) return known
  }
  return 'en'
}

/** For readers of whom nothing is known: what their browser asks for first. */
export const languageAsked = (acceptLanguage: unknown): Language =>
  languageOf(typeof acceptLanguage === 'string' ? acceptLanguage.split(/[,;]/)[0] : undefined)
