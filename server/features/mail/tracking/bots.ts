/**
 * Distinguishes people from automatic clients: security scanners follow every link, chats and browsers fetch previews.
 * Mail clients that load images through a proxy (Gmail, Yahoo) do so for a reader.
 */
export interface HitFacts {
  method: string
  headers: Record<string, string | string[] | undefined>
}

const SCANNERS = [
  ...['barracuda', 'proofpoint', 'mimecast', 'symantec', 'messagelabs', 'trend ?micro', 'sophos', 'forcepoint'],
  ...['fireeye', 'cloudmark', 'checkpoint', 'zscaler', 'safelinks', 'urlscan', 'virustotal', 'phishtank', 'ironport'],
]
const PREVIEWS = [
  ...['bot\\b', 'crawl', 'spider', 'slurp', 'facebookexternalhit', 'whatsapp', 'telegram', 'skypeuripreview'],
  ...['bingpreview', 'preview', 'embedly', 'slack-imgproxy', 'discord', 'headlesschrome', 'phantomjs', 'lighthouse'],
]
/** Programs instead of people; in development they are the developer. */
const LIBRARIES = [
  ...['^curl', '^wget', 'python', '^java/', 'okhttp', 'go-http-client', '^ruby', 'libwww', 'apache-httpclient', '^php'],
  ...['^axios', '^node', '^undici', 'node-fetch', 'guzzle', 'winhttp', 'scrapy', 'postman'],
]

const KNOWN = new RegExp([...SCANNERS, ...PREVIEWS].join('|'), 'i')
const PROGRAMS = new RegExp(LIBRARIES.join('|'), 'i')
const PREFETCHES = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz']

/** `inDevelopment`: emails are captured, so only the developer has the link. */
export function isBot({ method, headers }: HitFacts, inDevelopment: boolean): boolean {
  if (method === 'HEAD') return true
  if (PREFETCHES.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? '')))) return true
  const agent = String(headers['user-agent'] ?? '')
  if (KNOWN.test(agent)) return true
  return !inDevelopment && (agent === '' || PROGRAMS.test(agent))
}
