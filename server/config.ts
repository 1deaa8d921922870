/**
 * Every setting of Posthorn, one row each: the parser, the default, `--help` and docs/configuration.md all come
 * from this table. The only reader of process.env.
 */
import path from 'node:path'
import { OperatorProblem } from './kernel/errors.ts'
import { IS_CLONE } from './platform/root.ts'
import {
  databaseUrl,
  dnsServers,
  file,
  host,
  hostName,
  integer,
  issuer,
  list,
  mailUrl,
  oneOf,
  optionalHost,
  positiveNumber,
  proxies,
  secret,
  sender,
  text,
  uploadsUrl,
  WrongValue,
  webAddress,
  yesOrNo,
} from './setting-values.ts'

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
  TRUSTED_PROXIES: setting({
    default: '',
    takes: 'address, network, loopback, …',
    help: 'Proxies in front of the service. What they say in X-Forwarded-For about where a request came from is believed. docs/operate.md.',
    parse: proxies,
  }),
  DATA_DIR: setting({
    default: IS_CLONE ? './data' : './posthorn-data',
    takes: 'folder',
    help: 'Holds the embedded database, uploads and generated secrets. Without a clone (npx posthorn): ./posthorn-data.',
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
    default: '100',
    takes: '1–200',
    help: 'Jobs that one worker process runs at once.',
    parse: integer(1, 200),
  }),
  MAIL_URL: setting({
    default: 'capture:',
    takes: 'capture:, smtp://…, smtps://…, ses://region',
    help: 'How mail leaves. capture: keeps it in the database; nothing leaves the machine. docs/mail.md has every option.',
    parse: mailUrl,
  }),
  SEND_RATE_PER_SECOND: setting({
    default: '0',
    takes: '0–100000',
    help: 'Emails a project may send per second. 0: no limit, with ses:// that of the account.',
    parse: integer(0, 100_000),
  }),
  AWS_ACCESS_KEY_ID: setting({ default: '', takes: 'text', help: 'Key for ses://.', parse: (value) => value }),
  AWS_SECRET_ACCESS_KEY: setting({ default: '', takes: 'text', help: 'Secret of that key.', parse: (value) => value }),
  AWS_SESSION_TOKEN: setting({
    default: '',
    takes: 'text',
    help: 'Goes with a temporary key.',
    parse: (value) => value,
  }),
  SES_ENDPOINT: setting({
    default: '',
    takes: 'URL',
    help: "Where SES answers. Empty: Amazon's own address of the region. For LocalStack and tests.",
    parse: webAddress,
  }),
  SYSTEM_FROM: setting({
    default: 'posthorn@localhost',
    takes: 'email address',
    help: "Sender of the service's own mail.",
    parse: sender,
  }),
  DNS_SERVERS: setting({
    default: '',
    takes: 'ip:port, …',
    help: 'DNS servers for domain and address checks, in the order in which they are asked. Empty: those of the system.',
    parse: dnsServers,
  }),
  UPLOADS_URL: setting({
    default: '',
    takes: 's3://…',
    help: 'Where uploaded images are kept. Empty: DATA_DIR/uploads. s3://bucket?region=…&endpoint=… is any S3-compatible store; keys as s3://key:secret@bucket or from the AWS settings.',
    parse: uploadsUrl,
  }),
  DISABLE_SIGNUPS: setting({ default: 'false', takes: 'true, false', help: 'Refuse new accounts.', parse: yesOrNo }),
  GITHUB_CLIENT_ID: setting({
    ...text,
    help: 'Sign in with GitHub: the client id of your OAuth app. docs/accounts.md.',
  }),
  GITHUB_CLIENT_SECRET: setting({ ...text, help: 'Secret of that OAuth app.' }),
  GITHUB_URL: setting({
    default: 'https://github.com',
    takes: 'URL',
    help: 'Address of GitHub, or of your GitHub Enterprise server.',
    parse: webAddress,
  }),
  GOOGLE_CLIENT_ID: setting({ ...text, help: 'Sign in with Google: the client id of your OAuth client.' }),
  GOOGLE_CLIENT_SECRET: setting({ ...text, help: 'Secret of that OAuth client.' }),
  OIDC_ISSUER: setting({
    default: '',
    takes: 'URL',
    help: 'Sign in with any OpenID Connect provider: its issuer, exactly as the provider writes it.',
    parse: issuer,
  }),
  OIDC_CLIENT_ID: setting({ ...text, help: 'Client id at that provider.' }),
  OIDC_CLIENT_SECRET: setting({ ...text, help: 'Secret of that client. Empty: a public client.' }),
  OIDC_NAME: setting({ ...text, default: 'Single sign-on', help: 'What the button for that provider says.' }),
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
  INBOUND_SMTP_PORT: setting({
    default: '0',
    takes: '0–65535',
    help: 'Port on which mail for verified domains is taken in, usually 25. 0: none is. docs/inbound.md.',
    parse: integer(0, 65535),
  }),
  INBOUND_MAX_MB: setting({
    default: '25',
    takes: 'number above 0',
    help: 'Largest message that is taken in, in megabytes.',
    parse: positiveNumber,
  }),
  SUBMISSION_SMTP_PORT: setting({
    default: '0',
    takes: '0–65535',
    help: 'Port on which mail programs hand in mail with the secret key, usually 587. 0: none. docs/smtp.md.',
    parse: integer(0, 65535),
  }),
  SUBMISSION_SMTP_TLS: setting({
    default: 'starttls',
    takes: 'starttls, implicit',
    help: 'How that port encrypts. implicit is TLS from the first byte, usual on port 465.',
    parse: oneOf('starttls', 'implicit'),
  }),
  SMTP_HOST: setting({
    default: '',
    takes: 'address',
    help: 'Address on which both mail ports listen. Empty: HOST. 0.0.0.0 opens them to the network.',
    parse: optionalHost,
  }),
  SMTP_HOSTNAME: setting({
    default: '',
    takes: 'host name',
    help: 'What the mail servers call themselves, and where MX records point. Empty: the host of BASE_URL.',
    parse: hostName,
  }),
  SMTP_TLS_CERT: setting({
    default: '',
    takes: 'file',
    help: 'Certificate chain of the mail servers (PEM), read again when it changes. Empty: a self-signed one is made in DATA_DIR.',
    parse: file,
  }),
  SMTP_TLS_KEY: setting({ default: '', takes: 'file', help: 'Its private key (PEM).', parse: file }),
  WEBHOOK_ALLOW_PRIVATE: setting({
    default: 'false',
    takes: 'true, false',
    help: 'Let webhooks reach loopback and private addresses. Only for local development and tests of your own endpoint.',
    parse: yesOrNo,
  }),
  SNS_TOPIC_ARNS: setting({
    default: '',
    takes: 'arn:aws:sns:…, …',
    help: 'Topics of Amazon SNS whose messages are taken at /webhooks/sns. Empty: any that Amazon signed, for mail sent through `ses:` alone.',
    parse: list(/^arn:[^\s,]+$/, 'a comma list of topic ARNs, or empty'),
  }),
  SNS_TRUSTED_HOSTS: setting({
    default: '',
    takes: 'host or host:port, …',
    help: "Further hosts whose certificates are believed and that may be fetched for SNS. Empty: only Amazon's. For LocalStack and tests.",
    parse: list(/^[\w.[\]:-]+$/, 'a comma list of hosts, or empty'),
  }),
  BODY_RETENTION_DAYS: setting({
    default: '90',
    takes: '0–36500',
    help: 'Bodies and attachments of emails are forgotten after this many days; the ledger stays. 0: never.',
    parse: integer(0, 36_500),
  }),
  EVENT_RETENTION_DAYS: setting({
    default: '0',
    takes: '0–36500',
    help: 'Events older than this many days are dropped, whole months at a time. 0: never. docs/analytics.md.',
    parse: integer(0, 36_500),
  }),
  AUTO_DISABLE: setting({
    default: 'false',
    takes: 'true, false',
    help: 'Disable a project whose bounce or complaint rate becomes critical. docs/billing.md.',
    parse: yesOrNo,
  }),
  STRIPE_SECRET_KEY: setting({ ...text, help: 'Takes payments with Stripe. Empty: no billing. docs/billing.md.' }),
  STRIPE_WEBHOOK_SECRET: setting({
    ...text,
    help: 'Proves that events at /webhooks/incoming/stripe come from Stripe.',
  }),
  STRIPE_PRICE_ID: setting({ ...text, help: 'The price that a checkout subscribes to.' }),
  STRIPE_API_BASE: setting({
    default: '',
    takes: 'URL',
    help: "Where Stripe answers. Empty: Stripe's own address. For tests.",
    parse: webAddress,
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

export class WrongSettings extends OperatorProblem {}

/** A wrong value of these is not repeated: it may hold a password. */
const HOLDS_SECRETS = new Set([
  'SECRET',
  'DATABASE_URL',
  'MAIL_URL',
  'UPLOADS_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
])

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
      const shown = HOLDS_SECRETS.has(name) ? '' : ` (it is "${given}")`
      problems.push(`${name} must be ${error.message}${shown}.`)
    }
  }
  problems.push(...problemsTogether(values as Partial<Settings>))
  if (problems.length > 0) {
    throw new WrongSettings(
      `Posthorn cannot start, ${problems.length === 1 ? 'a setting is' : `${problems.length} settings are`} wrong:\n${problems.map((p) => `  ${p}`).join('\n')}`,
    )
  }
  return values as Settings
}

/** What each setting by itself cannot tell. */
function problemsTogether(values: Partial<Settings>): string[] {
  const { MAIL_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, SMTP_TLS_CERT, SMTP_TLS_KEY } = values
  const lacksKeys = MAIL_URL?.startsWith('ses:') && !(AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)
  return [
    ...(lacksKeys ? ['AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set for ses://.'] : []),
    ...(Boolean(SMTP_TLS_CERT) === Boolean(SMTP_TLS_KEY)
      ? []
      : ['SMTP_TLS_CERT and SMTP_TLS_KEY must be set together.']),
  ]
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
  return `Posthorn is configured by environment variables, or a .env file. None is required.\n\n${rows.join('\n')}\n`
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
