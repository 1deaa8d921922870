/** "Firefox on Linux" out of what a browser says of itself. Order matters: they all claim to be each other. */

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
  if (!browser) return 'Unknown browser'
  return system ? `${browser} on ${system}` : browser
}
