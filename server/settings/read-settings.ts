/** Reads the settings from the environment. The only reader of process.env. */

import { OperatorProblem } from '../kernel/errors.ts'
import { SETTINGS, type Settings } from './config.ts'
import { OPENTELEMETRY_SETTINGS } from './opentelemetry-settings.ts'
import { WrongValue } from './setting-values.ts'

export class WrongSettings extends OperatorProblem {}

/** Invalid values of these settings are not printed, because they may contain a password. */
const SECRET_SETTINGS = new Set([
  'SECRET',
  'PREVIOUS_SECRETS',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'MAIL_URL',
  'UPLOADS_URL',
  'ARCHIVE',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
])

/** Reads all settings; reports every invalid value at once. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  // Some platforms set OTEL_* for every program, with values that only other programs support.
  const ignored = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() ? {} : OPENTELEMETRY_SETTINGS
  for (const [name, row] of Object.entries(SETTINGS)) {
    const given = (name in ignored ? '' : env[name]?.trim()) || row.default
    try {
      values[name] = row.parse(given)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      const shown = SECRET_SETTINGS.has(name) ? '' : ` (it is "${given}")`
      problems.push(`${name} must be ${error.message}${shown}.`)
    }
  }
  problems.push(...combinedProblems(values as Partial<Settings>))
  if (problems.length > 0) {
    throw new WrongSettings(
      `Posthorn can't start: ${problems.length === 1 ? 'a setting is' : `${problems.length} settings are`} invalid:\n${problems.map((p) => `  ${p}`).join('\n')}`,
    )
  }
  return values as Settings
}

/** Problems with combinations of settings. */
function combinedProblems(values: Partial<Settings>): string[] {
  const { MAIL_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, SMTP_TLS_CERT, SMTP_TLS_KEY } = values
  const lacksKeys = MAIL_URL?.startsWith('ses:') && !(AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)
  return [
    ...(values.DATABASE_REPLICA_URL && values.DATABASE_URL === ''
      ? ['DATABASE_URL must be set together with DATABASE_REPLICA_URL.']
      : []),
    ...(lacksKeys ? ['AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set for ses://.'] : []),
    ...(Boolean(SMTP_TLS_CERT) === Boolean(SMTP_TLS_KEY)
      ? []
      : ['SMTP_TLS_CERT and SMTP_TLS_KEY must be set together.']),
  ]
}

/** The environment; a `.env` file in the working directory provides values that are not set. */
export function readEnvironment(): Record<string, string | undefined> {
  try {
    process.loadEnvFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return process.env
}
