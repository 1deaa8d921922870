/** The table of settings: which values are accepted and refused, and that the documentation matches. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../settings/config.ts'
import { readSettings, WrongSettings } from '../../settings/read-settings.ts'
import { settingsDocument, settingsHelp } from '../../settings/settings-text.ts'

/** Without it, the settings of OpenTelemetry are not read. */
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

function complaintOf(env: Record<string, string>): string {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof WrongSettings) return error.message
    throw error
  }
  throw new Error('It was accepted.')
}

describe('settings that are not set', () => {
  it('have the values of the contract', () => {
    expect(readSettings({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      BASE_URL: '',
      DATA_DIR: path.resolve('./data'),
      DATABASE_URL: '',
      ROLE: 'all',
      MAIL_URL: 'capture:',
      DISABLE_SIGNUPS: false,
      RATE_LIMIT_PER_MINUTE: 1000,
      ATTACHMENT_MAX_MB: 10,
      MESSAGE_MAX_MB: 40,
      SECRET: '',
      SYSTEM_FROM: 'posthorn@localhost',
    })
  })

  it('include empty and blank ones', () => {
    const blank = Object.fromEntries(Object.keys(SETTINGS).map((name, i) => [name, i % 2 ? '' : '  ']))
    expect(readSettings(blank)).toEqual(readSettings({}))
  })
})

it('DATABASE_REPLICA_URL needs DATABASE_URL, and is never printed', () => {
  const replica = 'postgres://u:replica-password@standby/posthorn'
  expect(complaintOf({ DATABASE_REPLICA_URL: replica })).toContain(
    'DATABASE_URL must be set together with DATABASE_REPLICA_URL.',
  )
  expect(readSettings({ DATABASE_URL: 'postgres://db/posthorn', DATABASE_REPLICA_URL: replica })).toMatchObject({
    DATABASE_REPLICA_URL: replica,
    DATABASE_REPLICA_MAX_LAG_MS: 200,
  })
  expect(complaintOf({ DATABASE_REPLICA_URL: 'mysql://u:replica-password@standby' })).not.toContain('replica-password')
})

describe('a setting', () => {
  it.each([
    ['PORT', '0', 0],
    ['PORT', ' 8080 ', 8080],
    ['PORT', '65535', 65535],
    ['HOST', '0.0.0.0', '0.0.0.0'],
    ['HOST', '::1', '::1'],
    ['HOST', 'localhost', 'localhost'],
    ['BASE_URL', 'https://mail.example.com/', 'https://mail.example.com'],
    ['BASE_URL', 'http://localhost:3000', 'http://localhost:3000'],
    ['TRUSTED_PROXIES', 'loopback', ['loopback']],
    ['TRUSTED_PROXIES', '192.0.2.1, 10.0.0.0/8,2001:db8::/32', ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32']],
    ['DATA_DIR', '/var/lib/posthorn', '/var/lib/posthorn'],
    ['DATABASE_URL', 'postgres://u:p@db/posthorn', 'postgres://u:p@db/posthorn'],
    ['DATABASE_URL', 'postgresql://db/posthorn?sslmode=require', 'postgresql://db/posthorn?sslmode=require'],
    ['ROLE', 'api', 'api'],
    ['ROLE', 'worker', 'worker'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://localhost:4318/', 'http://localhost:4318'],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'authorization=Basic%20YTpi, x-scope = 1',
      { authorization: 'Basic YTpi', 'x-scope': '1' },
    ],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a.b=1,c=', { 'a.b': '1', c: '' }],
    ['OTEL_TRACES_SAMPLER_ARG', '0.25', 0.25],
    ['DNS_SERVERS', '192.0.2.1', ['192.0.2.1']],
    ['DNS_SERVERS', '192.0.2.1:5353, 2001:db8::1,[::1]:53', ['192.0.2.1:5353', '2001:db8::1', '[::1]:53']],
    ['UPLOADS_URL', 's3://images?region=eu-west-1', 's3://images?region=eu-west-1'],
    ['UPLOADS_URL', 's3://k:s@images?endpoint=http://127.0.0.1:9000', 's3://k:s@images?endpoint=http://127.0.0.1:9000'],
    ['ARCHIVE', 's3://old/archive?region=eu-west-1', 's3://old/archive?region=eu-west-1'],
    ['ARCHIVE', '/var/archive', path.resolve('/var/archive')],
    ['DISABLE_SIGNUPS', 'true', true],
    ['DISABLE_SIGNUPS', 'false', false],
    ['RATE_LIMIT_PER_MINUTE', '0', 0],
    ['ATTACHMENT_MAX_MB', '0.5', 0.5],
    ['WEBHOOK_RETRY_SECONDS', '0.5, 0,5', [0.5, 0, 5]],
    ['SYSTEM_FROM', 'noreply@example.com', 'noreply@example.com'],
    ['SECRET', 'x'.repeat(16), 'x'.repeat(16)],
  ])('%s can be "%s"', (name, given, value) => {
    expect(readSettings({ ...ENDPOINT, [name]: given })).toMatchObject({ [name]: value })
  })

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '1e3'],
    ['PORT', 'http'],
    ['HOST', 'not a host'],
    ['HOST', 'http://localhost'],
    ['BASE_URL', 'mail.example.com'],
    ['BASE_URL', 'ftp://example.com'],
    ['BASE_URL', 'https://example.com/?a=1'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '127.0.0.1,'],
    ['DATABASE_URL', 'mysql://db'],
    ['DATABASE_URL', 'db.example.com'],
    ['ROLE', 'API'],
    ['ROLE', 'everything'],
    ['MAIL_URL', 'sendmail:'],
    ['MAIL_URL', 'capture'],
    ['DISABLE_SIGNUPS', 'maybe'],
    ['RATE_LIMIT_PER_MINUTE', '-5'],
    ['RATE_LIMIT_PER_MINUTE', '1000 per minute'],
    ['ATTACHMENT_MAX_MB', '0'],
    ['WEBHOOK_RETRY_SECONDS', '5,,300'],
    ['WEBHOOK_RETRY_SECONDS', '-1'],
    ['WEBHOOK_RETRY_SECONDS', '604801'],
    ['ATTACHMENT_MAX_MB', 'Infinity'],
    ['MESSAGE_MAX_MB', 'ten'],
    ['SYSTEM_FROM', 'nobody'],
    ['DNS_SERVERS', 'dns.example.com'],
    ['DNS_SERVERS', '192.0.2.1:0'],
    ['DNS_SERVERS', '192.0.2.1:99999'],
    ['DNS_SERVERS', '192.0.2.1,'],
    ['DNS_SERVERS', '[192.0.2.1]:53'],
    ['DNS_SERVERS', '[2001:db8::1]'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://user:password@otlp.example.com'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a-key'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'not a name=1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%0d%0a'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['UPLOADS_URL', '/var/uploads'],
    ['ARCHIVE', 's3://'],
    ['ARCHIVE', 'https://bucket.example.com'],
    ['UPLOADS_URL', 's3://'],
    ['UPLOADS_URL', 'https://bucket.example.com'],
    ['UPLOADS_URL', 's3://images?endpoint=ftp://x'],
    ['SECRET', 'short'],
  ])('%s can\'t be "%s", and the error names it', (name, given) => {
    expect(complaintOf({ ...ENDPOINT, [name]: given })).toMatch(new RegExp(`^  ${name} must be .+\\.$`, 'm'))
  })

  it('is reported with all others, in one message, if it is invalid', () => {
    const complaint = complaintOf({ PORT: 'x', ROLE: 'y', HOST: 'good.example.com', MESSAGE_MAX_MB: '-1' })
    expect(complaint.match(/must be/g)).toHaveLength(3)
    for (const name of ['PORT', 'ROLE', 'MESSAGE_MAX_MB']) expect(complaint).toContain(name)
    expect(complaint).not.toContain('HOST')
  })

  it('is not printed if it is secret', () => {
    const complaint = complaintOf({
      SECRET: 'hush',
      DATABASE_URL: 'mysql://u:pass-word@db',
      OTEL_EXPORTER_OTLP_HEADERS: 'pass-word',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://u:pass-word@otlp.example.com',
      PORT: 'x',
    })
    expect(complaint).not.toMatch(/hush|pass-word/)
  })

  it('is ignored without an endpoint if it is of OpenTelemetry', () => {
    const env = {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_TRACES_EXPORTER: 'console',
      OTEL_METRIC_EXPORT_INTERVAL: 'x',
    }
    expect(readSettings(env).OTEL_EXPORTER_OTLP_PROTOCOL).toBe('http/json')
    expect(complaintOf({ ...ENDPOINT, ...env }).match(/must be/g)).toHaveLength(3)
  })

  it('is ignored if it is unknown', () => {
    expect(() => readSettings({ PATH: '/bin', PGHOST: 'x', NODE_ENV: 'production' })).not.toThrow()
  })
})

describe('the documentation of settings', () => {
  it('in docs/configuration.md is generated from the table', async () => {
    const page = await readFile(path.join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
    expect(page).toBe(settingsDocument())
  })

  it.each(Object.entries(SETTINGS))(
    'has %s in the help and in the document, with its default',
    (name, { help, default: usual }) => {
      for (const text of [settingsHelp(), settingsDocument()]) {
        expect(text).toMatch(new RegExp(`\\b${name}\\b`))
        expect(text).toContain(help)
      }
      expect(settingsDocument()).toContain(`| \`${name}\` | ${usual ? `\`${usual}\`` : 'empty'} |`)
      expect(() => SETTINGS[name as keyof typeof SETTINGS].parse(usual)).not.toThrow()
    },
  )

  it('has one valid table row per setting', () => {
    const rows = settingsDocument()
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    expect(rows).toHaveLength(Object.keys(SETTINGS).length)
    for (const row of rows) expect(row.split('|')).toHaveLength(6)
  })
})
