/** Which URLs a document can contain. Liquid is allowed in them; schemes such as `javascript:` are not. */
import { splitLiquid } from './liquid-parts.ts'

const SAFE_START = /^(https?:\/\/|mailto:|tel:|\{\{)/i
const SCHEME = /^\s*[a-z][a-z0-9+.-]*:/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const NOT_IN_URL = /[\u0000-\u001f"<>\\]/

/**
 * Values may contain any character, and be empty, so the rest must not begin with another scheme. Not a regular
 * expression: for thousands of opening braces it would take seconds.
 */
export function isSafeUrl(text: string): boolean {
  const parts = splitLiquid(text)
  const rest = parts.map(({ text, isLiquid }) => (isLiquid ? '' : text)).join('')
  return (
    SAFE_START.test(text) &&
    (SAFE_START.test(rest) || !SCHEME.test(rest)) &&
    parts.every(({ text, isLiquid }) => (isLiquid && text.startsWith('{{')) || !NOT_IN_URL.test(text))
  )
}
