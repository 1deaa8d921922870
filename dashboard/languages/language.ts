/**
 * The language of the texts. The English ones are where they are used; those of other languages are in a folder for each
 * language and are loaded before the first page. To add a language, see ARCHITECTURE.md.
 */

/** The languages of the dashboard, each under its own name. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
}

export type Language = keyof typeof LANGUAGES

/** Texts of a language, by the name that `translated` gets. */
export type Texts = Readonly<Record<string, unknown>>

let language: Language = 'en'
let locale: string | undefined
let texts: Texts = {}

/** What numbers and dates follow: undefined for the browser's own setting. */
export const currentLocale = (): string | undefined => locale

export const currentLanguage = (): Language => language

/** Has no effect on modules that have read their texts, so it comes before they are loaded. */
export function setLanguage(chosen: Language, chosenLocale: string | undefined): void {
  language = chosen
  locale = chosenLocale
}

export function setTexts(loaded: Texts): void {
  texts = loaded
}

/** The English texts, or those of the current language with the same name. */
export const translated = <T extends object>(name: string, english: T): T => (texts[name] as T | undefined) ?? english
