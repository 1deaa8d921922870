/** Chooses the language: that of the account, which this browser keeps, or the first that the browser's user reads. */
import { currentLanguage, LANGUAGES, type Language, setLanguage, setTexts, type Texts } from './language.ts'

const KEY = 'posthorn.language'

/** The texts of a language are one file, which is loaded only by those who read it. */
const TRANSLATIONS: Record<Exclude<Language, 'en'>, () => Promise<Texts>> = {
  de: () => import('./de/all.ts'),
  es: () => import('./es/all.ts'),
  fr: () => import('./fr/all.ts'),
  pt: () => import('./pt/all.ts'),
}

const isLanguage = (value: string | null): value is Language => value !== null && Object.hasOwn(LANGUAGES, value)

/** The choice of the account that was last signed in here. */
function storedLanguage(): Language | null {
  const stored = localStorage.getItem(KEY)
  return isLanguage(stored) ? stored : null
}

const baseOf = (locale: string): string => locale.split('-')[0]!.toLowerCase()

/** The chosen language, or else the first of the browser's languages that the dashboard has. */
export function pickLanguage(chosen: Language | null, browser: readonly string[]): Language {
  return chosen ?? browser.map(baseOf).find(isLanguage) ?? 'en'
}

/** The browser's own locale for English as before; for another language, the region that the browser has for it. */
export function pickLocale(language: Language, browser: readonly string[]): string | undefined {
  if (language === 'en' && !browser.map(baseOf).some((base) => base !== 'en' && isLanguage(base))) return undefined
  return browser.find((locale) => baseOf(locale) === language) ?? language
}

export async function loadLanguage(): Promise<void> {
  const language = pickLanguage(storedLanguage(), navigator.languages)
  start(language)
  if (language === 'en') return
  try {
    setTexts(await TRANSLATIONS[language]())
  } catch {
    start('en') // the texts can't be reached, and English ones are already here
  }
}

function start(language: Language): void {
  document.documentElement.lang = language
  setLanguage(language, pickLocale(language, navigator.languages))
}

/** Keeps the choice of an account, and starts the dashboard again if that changes its language. */
export function followLanguage(chosen: Language | null): void {
  if (chosen === storedLanguage()) return
  if (chosen) localStorage.setItem(KEY, chosen)
  else localStorage.removeItem(KEY)
  if (pickLanguage(chosen, navigator.languages) !== currentLanguage()) location.reload()
}
