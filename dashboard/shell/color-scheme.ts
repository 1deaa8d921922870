/** Shows an email in light or dark mode, whichever the browser itself is in. */

const SCHEME = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi
const ALWAYS = '(min-width:0)'
const NEVER = '(max-width:0)'

export const hasDarkColors = (html: string): boolean => /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/i.test(html)

export const withColorScheme = (html: string, dark: boolean): string =>
  html.replace(SCHEME, (_, scheme: string) => ((scheme.toLowerCase() === 'dark') === dark ? ALWAYS : NEVER))
