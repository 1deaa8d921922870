/**
 * Every setting of Posthorn, one row each: the parser, the default, `--help` and docs/configuration.md all come
 * from this table. The only reader of process.env.
 */
import { isIP } from 'node:net'
import path from 'node:path'
import { isEmailAddress } from './kernel/email-address.ts'

interface Setting<T> {
  /** The default as a person would type it; empty means "not set". */
  default: string
  /** What may be typed, in a few words. */
  takes: string
  help: string
  /** Throws an Error that completes the sentence "NAME must be …". */
  parse(text: string): T
}

const setting = <T>(row: Setting<T>): Setting<T> => row

class WrongValue extends Error {}

function integer(min: number, max: number) {
  return (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new WrongValue(`a whole number from ${min} to ${max}`)
    }
    return number
  }
}

function positiveNumber(value: string): number {
  const number = Number(value)
  if (!(number > 0) || !Number.isFinite(number)) throw new WrongValue('a number above 0')
  return number
}

function yesOrNo(value: string): boolean {
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw new WrongValue('true or false')
}

function oneOf<const T extends string>(...choices: T[]) {
  return (value: string): T => {
    const choice = choices.find((c) => c === value)
    if (!choice) throw new WrongValue(`one of ${choices.join(', ')}`)
    return choice
  }
}

function webAddress(value: string): string {
  if (value === '') return ''
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new WrongValue('an http:// or https:// address without query')
  }
  return value.replace(/\/+$/, '')
}

function databaseUrl(value: string): string {
  if (value !== '' && !(/^postgres(ql)?:\/\/.+/.test(value) && URL.canParse(value))) {
    throw new WrongValue('a postgres:// address, or empty for the embedded database')
  }
  return value
}

function host(value: string): string {
  if (isIP(value) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value)) {
    throw new WrongValue('an IP address or a host name')
  }
  return value
}

function mailUrl(value: string): string {
  if (value !== 'capture:') throw new WrongValue('capture:')
  return value
}

function sender(value: string): string {
  if (!isEmailAddress(value) && !/^[^\s@]+@localhost$/.test(value)) throw new WrongValue('an email address')
  return value
}

function secret(value: string): string {
  if (value !== '' && value.length < 16) throw new WrongValue('at least 16 characters, or empty to have one made')
  return value
}

export const SETTINGS = {
  PORT: setting({
    default: '3000',
    takes: '0–65535',
    help: 'Port of the web server. 0 takes any free one.',
    parse: integer(0, 65535),
  }),
  HOST: setting({
    default: '127.0.0.1',
    takes: 'address',
    help: 'Address to listen on. 0.0.0.0 opens it to the network.',
    parse: host,
  }),
  BASE_URL: setting({
    default: '',
    takes: 'URL',
    help: 'Public address, used in links and pixels. Empty: http://HOST:PORT.',
    parse: webAddress,
  }),
  DATA_DIR: setting({
    default: './data',
    takes: 'folder',
    help: 'Holds the embedded database, uploads and generated secrets.',
    parse: (value) => path.resolve(value),
  }),
  DATABASE_URL: setting({
    default: '',
    takes: 'postgres://…',
    help: 'A PostgreSQL server, 15 or newer. Empty: an embedded one under DATA_DIR.',
    parse: databaseUrl,
  }),
  DATABASE_POOL_SIZE: setting({
    default: '20',
    takes: '2–500',
    help: 'Most database connections of one process.',
    parse: integer(2, 500),
  }),
  ROLE: setting({
    default: 'all',
    takes: 'all, api, worker',
    help: 'What this process does. Many of each may share one database.',
    parse: oneOf('all', 'api', 'worker'),
  }),
  WORKER_CONCURRENCY: setting({
    default: '20',
    takes: '1–200',
    help: 'Jobs that one worker process runs at once.',
    parse: integer(1, 200),
  }),
  MAIL_URL: setting({
    default: 'capture:',
    takes: 'capture:',
    help: 'How mail leaves. capture: keeps it in the database; nothing leaves the machine.',
    parse: mailUrl,
  }),
  SYSTEM_FROM: setting({
    default: 'posthorn@localhost',
    takes: 'email address',
    help: "Sender of the service's own mail.",
    parse: sender,
  }),
  DISABLE_SIGNUPS: setting({ default: 'false', takes: 'true, false', help: 'Refuse new accounts.', parse: yesOrNo }),
  RATE_LIMIT_PER_MINUTE: setting({
    default: '1000',
    takes: '0–10000000',
    help: 'Requests a project may make per minute with its keys, and the same again from the dashboard. 0: no limit.',
    parse: integer(0, 10_000_000),
  }),
  IDEMPOTENCY_KEY_TTL_HOURS: setting({
    default: '24',
    takes: 'number above 0',
    help: 'How long an Idempotency-Key is remembered. Fractions are allowed.',
    parse: positiveNumber,
  }),
  ATTACHMENT_MAX_MB: setting({
    default: '10',
    takes: 'number above 0',
    help: 'Largest sum of the attachments of one email, decoded, in megabytes.',
    parse: positiveNumber,
  }),
  MESSAGE_MAX_MB: setting({
    default: '40',
    takes: 'number above 0',
    help: 'Largest request to POST /v1/send, in megabytes.',
    parse: positiveNumber,
  }),
  BODY_RETENTION_DAYS: setting({
    default: '90',
    takes: '0–36500',
    help: 'Bodies and attachments of emails are forgotten after this many days; the ledger stays. 0: never.',
    parse: integer(0, 36_500),
  }),
  SECRET: setting({
    default: '',
    takes: '16 characters or more',
    help: 'Signs sessions and links, encrypts keys. Empty: made once and kept in DATA_DIR/secret. Processes on several machines need the same one.',
    parse: secret,
  }),
  LOG_LEVEL: setting({
    default: 'info',
    takes: 'debug, info, warn, error, silent',
    help: 'How much is logged.',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
  LOG_FORMAT: setting({
    default: 'auto',
    takes: 'auto, json, text',
    help: 'JSON lines for machines or text for people; auto is text on a terminal.',
    parse: oneOf('auto', 'json', 'text'),
  }),
}

export type SettingName = keyof typeof SETTINGS
export type Settings = { readonly [N in SettingName]: ReturnType<(typeof SETTINGS)[N]['parse']> }

export class WrongSettings extends Error {}

/** Reads all settings; every wrong value is reported at once. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, row] of Object.entries(SETTINGS)) {
    const given = env[name]?.trim() || row.default
    try {
      values[name] = row.parse(given)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      const shown = name === 'SECRET' || name === 'DATABASE_URL' ? '' : ` (it is "${given}")`
      problems.push(`${name} must be ${error.message}${shown}.`)
    }
  }
  if (problems.length > 0) {
    throw new WrongSettings(
      `Posthorn cannot start, ${problems.length === 1 ? 'a setting is' : `${problems.length} settings are`} wrong:\n${problems.map((p) => `  ${p}`).join('\n')}`,
    )
  }
  return values as Settings
}

/** The environment, with a `.env` file in the working directory as a fallback for what is not set. */
export function readEnvironment(): Record<string, string | undefined> {
  try {
    process.loadEnvFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return process.env
}

export function settingsHelp(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, row]) =>
      `  ${name.padEnd(24)} ${row.help}\n  ${''.padEnd(24)} Takes ${row.takes}. Default: ${row.default || 'empty'}.`,
  )
  return `Usage: npm start\n\nPosthorn is configured by environment variables, or a .env file. None is required.\n\n${rows.join('\n')}\n`
}

export function settingsDocument(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, row]) => `| \`${name}\` | ${row.default ? `\`${row.default}\`` : 'empty'} | ${row.takes} | ${row.help} |`,
  )
  return [
    '# Configuration',
    '',
    'Posthorn is configured by environment variables, or a `.env` file in the folder it is started from. None is required.',
    'Wrong values are all reported at once, before anything starts. `npm start -- --help` prints the same table.',
    '',
    '| setting | default | takes | what it does |',
    '|---|---|---|---|',
    ...rows,
    '',
    'This page is generated by `npm run generate`.',
    '',
  ].join('\n')
}
