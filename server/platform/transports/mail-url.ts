/** Parses MAIL_URL and its options. Pure, so that an invalid value is reported before anything starts. */

export interface SmtpOptions {
  kind: 'smtp'
  host: string
  port: number
  /** Implicit TLS (`smtps:`), required STARTTLS, STARTTLS if offered, or none. */
  tls: 'implicit' | 'required' | 'preferred' | 'off'
  /** False accepts any certificate. */
  verify: boolean
  auth: { user: string; pass: string } | undefined
  /** The maximum number of connections of one process. */
  pool: number
  /** Messages per connection before it is closed and a new one is opened. */
  messages: number
  timeoutMs: number
  /** The name in EHLO; the host name if empty. */
  name: string
  /** False for a relay that signs messages itself. */
  dkim: boolean
}

export interface SesOptions {
  kind: 'ses'
  region: string
  configurationSet: string
}

export type MailOptions = { kind: 'capture' } | SmtpOptions | SesOptions

const FORMS = 'capture:, smtp://user:password@host:port, smtps://… or ses://region'

export class WrongMailUrl extends Error {}

/** Throws a `WrongMailUrl` whose message completes "MAIL_URL must be …" and never contains a password. */
export function parseMailUrl(value: string): MailOptions {
  if (value === 'capture:') return { kind: 'capture' }
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'smtp:' || url?.protocol === 'smtps:') return smtpOptions(url)
  if (url?.protocol === 'ses:') return sesOptions(url)
  throw new WrongMailUrl(FORMS)
}

function smtpOptions(url: URL): SmtpOptions {
  const implicit = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (host === '' || (url.pathname !== '' && url.pathname !== '/')) throw new WrongMailUrl(FORMS)
  const query = optionsOf(url, ['tls', 'verify', 'pool', 'messages', 'timeout', 'name', 'dkim'])
  const auth = url.username === '' ? undefined : { user: decoded(url.username), pass: decoded(url.password) }
  return {
    kind: 'smtp',
    host,
    port: url.port ? Number(url.port) : implicit ? 465 : 587,
    tls: implicit ? 'implicit' : oneOf(query, 'tls', ['required', 'preferred', 'off'], defaultTls(host, auth)),
    verify: oneOf(query, 'verify', ['true', 'false'], 'true') === 'true',
    auth,
    pool: whole(query, 'pool', 1, 200, 20),
    messages: whole(query, 'messages', 1, 1_000_000, 500),
    timeoutMs: whole(query, 'timeout', 1, 40, 30) * 1000,
    name: query.get('name') ?? '',
    dkim: oneOf(query, 'dkim', ['on', 'off'], 'on') === 'on',
  }
}

/** A password is never sent unencrypted over a network unless this is explicitly configured. */
const defaultTls = (host: string, auth: unknown) =>
  auth && !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host) ? 'required' : 'preferred'

function sesOptions(url: URL): SesOptions {
  if (!/^[a-z]{2}(-[a-z0-9]+)+$/.test(url.hostname))
    throw new WrongMailUrl('ses:// with a region, such as ses://eu-west-1')
  const query = optionsOf(url, ['configurationSet'])
  return { kind: 'ses', region: url.hostname, configurationSet: query.get('configurationSet') ?? '' }
}

function optionsOf(url: URL, known: string[]): URLSearchParams {
  for (const name of url.searchParams.keys()) {
    if (!known.includes(name)) throw new WrongMailUrl(`a URL with no options other than ${known.join(', ')}`)
  }
  return url.searchParams
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new WrongMailUrl('a URL whose user and password are percent-encoded')
  }
}

function oneOf<const T extends string>(query: URLSearchParams, name: string, choices: T[], otherwise: T): T {
  const value = query.get(name) ?? otherwise
  const choice = choices.find((c) => c === value)
  if (choice === undefined) throw new WrongMailUrl(`a URL with ${name} set to one of ${choices.join(', ')}`)
  return choice
}

function whole(query: URLSearchParams, name: string, min: number, max: number, otherwise: number): number {
  const text = query.get(name) ?? String(otherwise)
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new WrongMailUrl(`a URL with ${name} from ${min} to ${max}`)
  }
  return value
}
