/**
 * Everything that the services under test log, and what they return in errors, metrics and exports, is searched for the
 * secrets that were used: keys, sessions, passwords, tokens and codes. Checked at the end of every test file
 * (record-statements.ts), because a secret may be logged before the test gets it.
 */
import { type DestinationStream, pino } from 'pino'
import { textStream } from '../platform/log.ts'

/** What tests use in place of a secret is often shorter, such as "wrong". */
const CHARACTERS_MIN = 10
const OUTPUT_MAX = 50_000_000

const secrets = new Map<string, string>()
const outputs: Array<{ where: string; text: string }> = []
let length = 0

export function learnSecret(what: string, secret: unknown): void {
  if (typeof secret === 'string' && secret.length >= CHARACTERS_MIN) secrets.set(secret, what)
}

/** The fields of requests and responses that hold a secret. */
const SECRET_FIELDS = new Set(['password', 'newPassword', 'token', 'recoveryCodes', 'recoveryCode'])

/** Finds secrets in a request or in a response. `secret` is the key of a project or of a second factor. */
export function learnSecretsIn(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (SECRET_FIELDS.has(key)) for (const one of [inner].flat()) learnSecret(key, one)
    else if (key === 'secret' && typeof inner === 'string') learnSecret(key, inner)
    else if (key === 'key' && typeof inner === 'string' && inner.startsWith('phk_')) learnSecret('an API key', inner)
    else learnSecretsIn(inner)
  }
}

export function recordOutput(where: string, text: string): void {
  length += text.length
  if (length < OUTPUT_MAX) outputs.push({ where, text })
}

/** A log of every level, which is printed too if TEST_LOG names a level. */
export function openCheckedLog() {
  const write = (text: string) => recordOutput('the log', text)
  const streams: Array<{ level: string; stream: DestinationStream }> = [{ level: 'trace', stream: { write } }]
  if (process.env.TEST_LOG) streams.push({ level: process.env.TEST_LOG, stream: textStream() })
  return pino({ level: 'trace', base: undefined }, pino.multistream(streams as pino.StreamEntry[]))
}

/** For the next test file of the same process. */
export function forgetOutputs(): void {
  secrets.clear()
  outputs.length = 0
  length = 0
}

export function findLeaks(
  given: ReadonlyArray<{ where: string; text: string }> = outputs,
  known: ReadonlyMap<string, string> = secrets,
): string[] {
  const texts = new Map<string, string[]>()
  for (const { where, text } of given) {
    const parts = texts.get(where)
    if (parts) parts.push(text)
    else texts.set(where, [text])
  }
  return [...texts].flatMap(([where, parts]) => {
    const whole = parts.join('\n')
    return [...known]
      .filter(([secret]) => whole.includes(secret))
      .map(([secret, what]) => `${what} is in ${where}: ${secret}`)
  })
}
