/** Facts about a received message that are derived from its headers. Pure. */
import type { ParsedMessage } from '../../../platform/mime/parse-message.ts'

const HEADERS_MAX = 50
const VALUE_MAX = 998
/** Stored elsewhere, or added by servers in transit. */
const NOT_KEPT =
  /^(from|to|subject|message-id|received|return-path|delivered-to|mime-version|dkim-signature|authentication-results|received-spf|arc-.*|content-.*|x-google-.*|x-ms-exchange-.*|x-microsoft-.*)$/i

type Headers = ParsedMessage['headers']

/** The headers to store; if a name occurs several times, the first. */
export function keptHeaders(headers: Headers): Record<string, string> {
  const kept = new Map<string, { name: string; value: string }>()
  for (const { name, value } of headers) {
    const key = name.toLowerCase()
    if (kept.size >= HEADERS_MAX) break
    if (!NOT_KEPT.test(name) && value.length <= VALUE_MAX && !kept.has(key)) kept.set(key, { name, value })
  }
  return Object.fromEntries([...kept.values()].map(({ name, value }) => [name, value]))
}

const headerOf = (headers: Headers, wanted: string): string =>
  headers
    .find(({ name }) => name.toLowerCase() === wanted)
    ?.value.trim()
    .toLowerCase() ?? ''

/** Automatic replies cause no event, so that automatic replies don't answer each other. */
export const isAutomaticReply = (headers: Headers): boolean =>
  headerOf(headers, 'auto-submitted').startsWith('auto-replied') ||
  headerOf(headers, 'precedence') === 'auto_reply' ||
  headerOf(headers, 'x-autoreply') !== '' ||
  headerOf(headers, 'x-autorespond') !== ''

/** How many servers the message passed through. */
export const hopsOf = (headers: Headers): number =>
  headers.filter(({ name }) => name.toLowerCase() === 'received').length
