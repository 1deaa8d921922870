/**
 * Every setting of Posthorn, one row each: the parser, the default, `--help` and docs/configuration.md are derived from
 * this table.
 */
import path from 'node:path'
import { OPENTELEMETRY_SETTINGS } from './opentelemetry-settings.ts'
import { IS_CLONE } from './platform/root.ts'
import {
  archive,
  databaseUrl,
  dnsServers,
  file,
  host,
  hostName,
  integer,
  issuer,
  list,
  mailUrl,
  offByDefault,
  oneOf,
  optionalHost,
  optionalSecret,
  optionalUrl,
  positiveNumber,
  proxies,
  sender,
  setting,
  text,
  uploadsUrl,
  webAddress,
} from './setting-values.ts'

export const SETTINGS = {
  PORT: setting({
    default: '3000',
    takes: '0–65535',
    help: 'Port of the web server. 0 chooses a free port.',
    parse: integer(0, 65535),
  }),
  WORKER_PORT: setting({
    default: '3001',
    takes: '0–65535',
    help: 'Port on which a process with ROLE=worker serves /health, /ready and /metrics. 0 chooses a free port. If the port is taken, the worker runs without them.',
    parse: integer(0, 65535),
  }),
  HOST: setting({
    default: '127.0.0.1',
    takes: 'address',
    help: 'Address to listen on. 0.0.0.0 accepts connections from the network.',
    parse: host,
  }),
  BASE_URL: setting({
    ...optionalUrl,
    help: 'Public URL, used in links and tracking pixels. Empty: http://HOST:PORT.',
  }),
  TRUSTED_PROXIES: setting({
    default: '',
    takes: 'address, network, loopback, …',
    help: 'Reverse proxies whose X-Forwarded-For header is trusted. See docs/operate.md.',
    parse: proxies,
  }),
  DATA_DIR: setting({
    default: IS_CLONE ? './data' : './posthorn-data',
    takes: 'folder',
    help: 'Folder for the embedded database, uploads and generated secrets. When run as a package (npx posthorn): ./posthorn-data.',
    parse: (value) => path.resolve(value),
  }),
  DATABASE_URL: setting({
    default: '',
    takes: 'postgres://…',
    help: 'PostgreSQL server, version 15 or newer. Empty: an embedded server in DATA_DIR.',
    parse: databaseUrl,
  }),
  DATABASE_REPLICA_URL: setting({
    default: '',
    takes: 'postgres://…',
    help: 'A standby of the PostgreSQL server, from which lists, analytics and exports are read. Empty: none. See docs/scale.md.',
    parse: databaseUrl,
  }),
  DATABASE_REPLICA_MAX_LAG_MS: setting({
    default: '200',
    takes: '1–60000',
    help: 'How long a read waits for the standby to catch up before the primary serves it, in milliseconds.',
    parse: integer(1, 60_000),
  }),
  DATABASE_POOL_SIZE: setting({
    default: '20',
    takes: '2–500',
    help: 'Maximum number of database connections per process.',
    parse: integer(2, 500),
  }),
  ROLE: setting({
    default: 'all',
    takes: 'all, api, worker',
    help: 'What to run: the API, a worker, or the API with worker processes (all). Any number of processes can share a database.',
    parse: oneOf('all', 'api', 'worker'),
  }),
  WORKERS: setting({
    default: '1',
    takes: '0–32',
    help: 'Number of worker processes with ROLE=all. 0: jobs run in the same process as the API, which saves about 50 MB of memory.',
    parse: integer(0, 32),
  }),
  WORKER_CONCURRENCY: setting({
    default: '100',
    takes: '1–200',
    help: 'Maximum number of jobs a worker process runs at the same time.',
    parse: integer(1, 200),
  }),
  MAIL_URL: setting({
    default: 'capture:',
    takes: 'capture:, smtp://…, smtps://…, ses://region',
    help: 'How email is sent. capture: stores it without delivering it. See docs/mail.md for all options.',
    parse: mailUrl,
  }),
  SEND_RATE_PER_SECOND: setting({
    default: '0',
    takes: '0–100000',
    help: "Maximum number of emails per second for each project. 0: no limit; with ses://, the account's limit always applies.",
    parse: integer(0, 100_000),
  }),
  AWS_ACCESS_KEY_ID: setting({
    default: '',
    takes: 'text',
    help: 'AWS access key, required for ses://.',
    parse: (value) => value,
  }),
  AWS_SECRET_ACCESS_KEY: setting({
    default: '',
    takes: 'text',
    help: 'AWS secret access key, required for ses://.',
    parse: (value) => value,
  }),
  AWS_SESSION_TOKEN: setting({
    default: '',
    takes: 'text',
    help: 'Session token of a temporary AWS access key.',
    parse: (value) => value,
  }),
  SES_ENDPOINT: setting({
    ...optionalUrl,
    help: "URL of the SES API. Empty: Amazon's endpoint for the region. For LocalStack and tests.",
  }),
  SYSTEM_FROM: setting({
    default: 'posthorn@localhost',
    takes: 'email address',
    help: 'Sender of account and notification emails.',
    parse: sender,
  }),
  DNS_SERVERS: setting({
    default: '',
    takes: 'ip:port, …',
    help: "DNS servers for domain and address checks, in the order in which they are queried. Empty: the system's resolvers.",
    parse: dnsServers,
  }),
  UPLOADS_URL: setting({
    default: '',
    takes: 's3://…',
    help: 'Where uploaded images are stored. Empty: DATA_DIR/uploads. s3://bucket?region=…&endpoint=… uses an S3-compatible store, with credentials from s3://key:secret@bucket or the AWS settings.',
    parse: uploadsUrl,
  }),
  OPERATOR_EMAILS: setting({
    default: '',
    takes: 'email address, …',
    help: 'Accounts that can open the installation page and read captured system mail. Their addresses must be confirmed. Empty: the first account.',
    parse: list(/^[^\s,@]+@[^\s,@]+$/, 'a list of email addresses separated by commas, or empty'),
  }),
  DISABLE_SIGNUPS: setting({
    ...offByDefault,
    help: 'Disable sign-up, except for invited people.',
  }),
  GITHUB_CLIENT_ID: setting({
    ...text,
    help: 'Client ID of your GitHub OAuth app, to sign in with GitHub. See docs/accounts.md.',
  }),
  GITHUB_CLIENT_SECRET: setting({ ...text, help: 'Client secret of the GitHub OAuth app.' }),
  GITHUB_URL: setting({
    default: 'https://github.com',
    takes: 'URL',
    help: 'URL of GitHub or of your GitHub Enterprise server.',
    parse: webAddress,
  }),
  GOOGLE_CLIENT_ID: setting({ ...text, help: 'Client ID of your Google OAuth client, to sign in with Google.' }),
  GOOGLE_CLIENT_SECRET: setting({ ...text, help: 'Client secret of the Google OAuth client.' }),
  OIDC_ISSUER: setting({
    default: '',
    takes: 'URL',
    help: 'Issuer URL of an OpenID Connect provider to sign in with, exactly as the provider states it.',
    parse: issuer,
  }),
  OIDC_CLIENT_ID: setting({ ...text, help: 'Client ID at the OpenID Connect provider.' }),
  OIDC_CLIENT_SECRET: setting({
    ...text,
    help: 'Client secret at the OpenID Connect provider. Empty: a public client.',
  }),
  OIDC_NAME: setting({
    ...text,
    default: 'Single sign-on',
    help: 'Name of the OpenID Connect provider on the sign-in button.',
  }),
  RATE_LIMIT_PER_MINUTE: setting({
    default: '1000',
    takes: '0–10000000',
    help: 'Maximum number of requests per minute for each project with API keys, and separately from the dashboard. 0: no limit.',
    parse: integer(0, 10_000_000),
  }),
  IDEMPOTENCY_KEY_TTL_HOURS: setting({
    default: '24',
    takes: 'number above 0',
    help: 'How long an Idempotency-Key is stored. Fractions are allowed.',
    parse: positiveNumber,
  }),
  IDEMPOTENCY_SCOPE: setting({
    default: 'project',
    takes: 'project, key',
    help: "Where an Idempotency-Key must be unique: in the project, or separately for its public key (key), so that visitors of your website can't use up the keys of your server.",
    parse: oneOf('project', 'key'),
  }),
  ATTACHMENT_MAX_MB: setting({
    default: '10',
    takes: 'number above 0',
    help: 'Maximum total size of the attachments of an email, decoded, in megabytes.',
    parse: positiveNumber,
  }),
  MESSAGE_MAX_MB: setting({
    default: '40',
    takes: 'number above 0',
    help: 'Maximum size of a request to POST /v1/send, in megabytes.',
    parse: positiveNumber,
  }),
  INBOUND_SMTP_PORT: setting({
    default: '0',
    takes: '0–65535',
    help: 'Port that receives email for verified domains, usually 25. 0: off. See docs/inbound.md.',
    parse: integer(0, 65535),
  }),
  INBOUND_MAX_MB: setting({
    default: '25',
    takes: 'number above 0',
    help: 'Maximum size of a received message, in megabytes.',
    parse: positiveNumber,
  }),
  SUBMISSION_SMTP_PORT: setting({
    default: '0',
    takes: '0–65535',
    help: 'Port that accepts email from SMTP clients, usually 587. 0: off. See docs/smtp.md.',
    parse: integer(0, 65535),
  }),
  SUBMISSION_SMTP_TLS: setting({
    default: 'starttls',
    takes: 'starttls, implicit',
    help: 'Encryption of the submission port: STARTTLS, or implicit TLS, usually on port 465.',
    parse: oneOf('starttls', 'implicit'),
  }),
  SMTP_HOST: setting({
    default: '',
    takes: 'address',
    help: 'Address on which the SMTP ports listen. Empty: HOST. 0.0.0.0 accepts connections from the network.',
    parse: optionalHost,
  }),
  SMTP_HOSTNAME: setting({
    default: '',
    takes: 'host name',
    help: 'Host name of the SMTP servers, to which MX records point. Empty: the host of BASE_URL.',
    parse: hostName,
  }),
  SMTP_TLS_CERT: setting({
    default: '',
    takes: 'file',
    help: 'Certificate chain of the SMTP servers (PEM), reloaded when it changes. Empty: a self-signed certificate is created in DATA_DIR.',
    parse: file,
  }),
  SMTP_TLS_KEY: setting({ default: '', takes: 'file', help: 'Private key of the certificate (PEM).', parse: file }),
  WEBHOOK_ALLOW_PRIVATE: setting({
    ...offByDefault,
    help: 'Allow webhooks to call loopback and private addresses. Only for development.',
  }),
  SNS_TOPIC_ARNS: setting({
    default: '',
    takes: 'arn:aws:sns:…, …',
    help: 'Amazon SNS topics accepted at /webhooks/sns. Empty: any topic signed by Amazon, but only for email sent through `ses:`, not for received email or new subscriptions.',
    parse: list(/^arn:[^\s,]+$/, 'a list of topic ARNs separated by commas, or empty'),
  }),
  SNS_TRUSTED_HOSTS: setting({
    default: '',
    takes: 'host or host:port, …',
    help: "Additional hosts trusted for SNS certificates and subscriptions. Empty: only Amazon's. For LocalStack and tests.",
    parse: list(/^[\w.[\]:-]+$/, 'a list of hosts separated by commas, or empty'),
  }),
  METRICS_TOKEN: setting({
    ...optionalSecret,
    help: 'Token that requests to /metrics must send as `Authorization: Bearer …`. Empty: anyone who can reach the port can read the metrics.',
  }),
  ...OPENTELEMETRY_SETTINGS,
  BODY_RETENTION_DAYS: setting({
    default: '90',
    takes: '0–36500',
    help: 'Delete bodies and attachments of emails after this many days; the list of emails is kept. 0: never.',
    parse: integer(0, 36_500),
  }),
  EVENT_RETENTION_DAYS: setting({
    default: '0',
    takes: '0–36500',
    help: 'Delete events older than this many days, in whole months. Counts by day are kept. 0: never. See docs/retention.md.',
    parse: integer(0, 36_500),
  }),
  EMAIL_RETENTION_DAYS: setting({
    default: '0',
    takes: '0–36500',
    help: 'Delete emails older than this many days, in whole months, with their bodies and attachments. Statistics are kept. 0: never. See docs/retention.md.',
    parse: integer(0, 36_500),
  }),
  ARCHIVE: setting({
    default: '',
    takes: 'folder or s3://…',
    help: 'Where events and emails are written before the retention settings delete them: a folder, or an S3-compatible store in the form of UPLOADS_URL, such as s3://bucket/archive. Several workers need a shared folder. Empty: they are not archived.',
    parse: archive,
  }),
  AUTO_DISABLE: setting({
    ...offByDefault,
    help: 'Disable projects whose bounce or complaint rate becomes critical. See docs/billing.md.',
  }),
  STRIPE_SECRET_KEY: setting({
    ...text,
    help: 'Stripe secret key, to accept payments. Empty: no billing. See docs/billing.md.',
  }),
  STRIPE_WEBHOOK_SECRET: setting({
    ...text,
    help: 'Signing secret of the Stripe webhook /webhooks/incoming/stripe.',
  }),
  STRIPE_PRICE_ID: setting({ ...text, help: 'Stripe price of the subscription.' }),
  STRIPE_API_BASE: setting({
    ...optionalUrl,
    help: "URL of the Stripe API. Empty: Stripe's own. For tests.",
  }),
  SECRET: setting({
    ...optionalSecret,
    help: 'Signs sessions and links and encrypts stored keys. Empty: generated and stored in DATA_DIR/secret. Must be the same on all machines.',
  }),
  PREVIOUS_SECRETS: setting({
    default: '',
    takes: 'secret, …',
    help: "Earlier values of SECRET, separated by commas; a value that contains a comma can't be listed. Data encrypted or signed with them stays valid. See docs/operate.md.",
    parse: list(/^.{16,}$/, 'a list of secrets of 16 characters or more separated by commas, or empty'),
  }),
  DATA_ENCRYPTION: setting({
    default: 'off',
    takes: 'on, off',
    help: 'Encrypt bodies, attachments and variables of emails in the database, with a key derived from SECRET. See docs/operate.md.',
    parse: oneOf('on', 'off'),
  }),
  LOG_LEVEL: setting({
    default: 'info',
    takes: 'debug, info, warn, error, silent',
    help: 'Minimum level of log messages.',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
  LOG_FORMAT: setting({
    default: 'auto',
    takes: 'auto, json, text',
    help: 'Format of log messages: JSON lines or text. auto: text on a terminal, otherwise JSON.',
    parse: oneOf('auto', 'json', 'text'),
  }),
}

export type SettingName = keyof typeof SETTINGS
export type Settings = { readonly [N in SettingName]: ReturnType<(typeof SETTINGS)[N]['parse']> }
