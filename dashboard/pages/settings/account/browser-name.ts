/** "Firefox on Linux" from a user agent string. The order matters, because browsers also list each other's names. */
import { texts } from '../texts.ts'

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
]
const SYSTEMS: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

export function browserOf(userAgent: string | null): string {
  const nameOf = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = nameOf(BROWSERS)
  const system = nameOf(SYSTEMS)
  if (!browser) return texts.unknownBrowser
  return system ? texts.browserOnSystem(browser, system) : browser
}
