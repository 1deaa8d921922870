/**
 * Operation ids from method and path: `GET /contacts` is `listContacts`, `POST /campaigns/{id}/send` is `sendCampaign`.
 * Clients are generated from them, so a name depends only on its own route. If two routes would have the same name,
 * both use the long form with the whole path.
 */
interface Place {
  method: string
  path: string
}

const ENTRY_VERBS: Record<string, string> = { GET: 'get', PUT: 'replace', PATCH: 'update', DELETE: 'delete' }

/** Words that end in s but are singular. */
const NO_LISTS = new Set(['analytics', 'metrics', 'sns', 'stats', 'status', 'timeseries'])

export function operationIds(places: Place[]): string[] {
  const short = places.map(shortName)
  const uses = new Map<string, number>()
  for (const name of short) uses.set(name, (uses.get(name) ?? 0) + 1)
  return places.map((place, i) => (uses.get(short[i]!) === 1 ? short[i]! : longName(place)))
}

function shortName({ method, path }: Place): string {
  const parts = segments(path)
  const last = parts.at(-1)
  if (last === undefined) return `${method.toLowerCase()}Root`
  if (isParameter(last)) return ENTRY_VERBS[method] ? ENTRY_VERBS[method] + nouns(parts) : longName({ method, path })

  const ofOne = isParameter(parts.at(-2) ?? '')
  const owner = nouns(parts.slice(0, -1), ofOne)
  if (method === 'GET') return (isPlural(last) ? 'list' : 'get') + nouns(parts, false)
  if (method !== 'POST') return ENTRY_VERBS[method] + nouns(parts, false)
  if (isPlural(last)) return `create${nouns(parts)}`
  const action = pascal(last) + owner
  return action.charAt(0).toLowerCase() + action.slice(1)
}

function longName({ method, path }: Place): string {
  const parts = path.split('/')
  const words = parts.map((part) => (isParameter(part) ? `By${pascal(part)}` : pascal(part)))
  return method.toLowerCase() + words.join('')
}

/** `/v1` is a version, not a noun. */
const segments = (path: string) => path.split('/').filter((part) => part !== '' && !/^v\d+$/.test(part))

/** The literal words of a path, each singular except the last, which is singular only if `one` is set. */
function nouns(parts: string[], one = true): string {
  const words = parts.filter((part) => !isParameter(part))
  return words.map((word, i) => pascal(one || i < words.length - 1 ? singular(word) : word)).join('')
}

const isParameter = (part: string) => part.startsWith('{')

const isPlural = (word: string) => word.endsWith('s') && !word.endsWith('ss') && !NO_LISTS.has(word)

export function singular(word: string): string {
  if (!isPlural(word)) return word
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1)
}

const pascal = (word: string) =>
  (word.match(/[A-Za-z0-9]+/g) ?? []).map((piece) => piece.charAt(0).toUpperCase() + piece.slice(1)).join('')
