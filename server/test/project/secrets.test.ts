/**
 * Secrets appear in no output: everything that the service logs, returns, measures and exports while people and
 * programs use it, with correct and incorrect requests, and every table and backup afterwards.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { backup } from '../../commands/backup.ts'
import { textStream } from '../../platform/log.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { codeAt } from '../accounts/authenticator.ts'
import { newestEmailTo } from '../captured-mail.ts'
import { createProject, openTestApp, type TestApp, type TestReply, type TestRequest } from '../harness.ts'
import { findLeaks } from '../known-secrets.ts'

const PASSWORD = 'the-password-of-a-person'
const NEW_PASSWORD = 'the-next-password-of-a-person'
const METRICS_TOKEN = 'the-token-for-metrics'
const STRIPE_SECRET = 'sk_test_the_key_for_payments'
/** As in the harness. */
const SECRET = 'a secret for tests only'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let folder: string
const logged: string[] = []
const answered: string[] = []
/** Name → secret. Some are shown once, to the person who requests them. */
const secrets = new Map<string, string>([
  ['the password', PASSWORD],
  ['the next password', NEW_PASSWORD],
  ['METRICS_TOKEN', METRICS_TOKEN],
  ['STRIPE_SECRET_KEY', STRIPE_SECRET],
])

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-secrets-'))
  app = await openTestApp({ METRICS_TOKEN, STRIPE_SECRET_KEY: STRIPE_SECRET, STRIPE_API_BASE: 'http://127.0.0.1:9' })
  const write = (text: string) => logged.push(text) > 0
  const both = pino.multistream([
    { level: 'trace', stream: { write } },
    { level: 'trace', stream: textStream({ write } as unknown as NodeJS.WritableStream) },
  ])
  app.ctx.log = pino({ level: 'trace' }, both)
  project = await createProject(app)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** `shows`: secrets that this response may contain. */
async function call(method: string, url: string, options: TestRequest = {}, shows: string[] = []): Promise<TestReply> {
  const reply = await app.request(method, url, options)
  const { 'set-cookie': _, ...headers } = reply.headers
  let text = JSON.stringify([reply.body, headers])
  for (const secret of shows) text = text.replaceAll(secret, '')
  answered.push(text)
  return reply
}

const cookieOf = (reply: TestReply) => String(reply.headers['set-cookie']).split(';')[0]!

async function useEverything(): Promise<void> {
  const email = 'person@example.org'
  const signUp = await call('POST', '/auth/signup', { body: { email, password: PASSWORD } })
  let cookie = cookieOf(signUp)
  secrets.set('the session', cookie)
  secrets.set('the link of the confirmation', (await newestEmailTo(app, email)).token!)
  await call('POST', '/auth/login', { body: { email, password: NEW_PASSWORD } })
  await call('POST', '/auth/login', { body: { email, password: PASSWORD, extra: { password: PASSWORD } } })
  await call('POST', '/auth/login', { body: { email, password: [PASSWORD] } })
  await call('POST', '/auth/login', { text: `{"email": "${email}", "password": "${PASSWORD}"` })

  const begun = await app.request('POST', '/auth/two-factor', { cookie, body: { password: PASSWORD } })
  secrets.set('the secret of the second factor', begun.body.secret)
  const code = codeAt(begun.body.secret, app.clock.now())
  const confirmed = await app.request('POST', '/auth/two-factor/confirm', { cookie, body: { code } })
  secrets.set('a recovery code', confirmed.body.recoveryCodes[0])
  await call('GET', '/auth/two-factor', { cookie })
  const change = { password: PASSWORD, newPassword: NEW_PASSWORD }
  cookie = cookieOf(await call('POST', '/auth/change-password', { cookie, body: change }))
  secrets.set('the next session', cookie)
  await call('GET', '/auth/sessions', { cookie })
  await call('POST', '/auth/request-password-reset', { body: { email } })
  secrets.set('the link of the reset', (await newestEmailTo(app, email)).token!)

  secrets.set('the secret key', project.secretKey)
  const key = project.secretKey
  await call('GET', '/contacts', { key: `${key}x` })
  await call('GET', `/contacts/${key}`, { key: 'nonsense' })
  await call('POST', '/v1/send', { key, body: { to: 'a@example.org', from: 'a@example.com', subject: 's', body: 'b' } })
  await call('POST', '/v1/track', { key, body: { email: 'a@example.org', event: 'x' } })
  await call('POST', '/contacts', { key, text: '{' })
  await call('GET', '/users/@me/projects', { cookie: project.owner.cookie })
  await call('GET', `/projects/${project.id}/audit-log`, { key })
  await call('POST', `/users/@me/projects/${project.id}/checkout`, { key })
  await call('GET', `/domains/project/${project.id}`, { key })
  const replaced = await app.request('POST', `/users/@me/projects/${project.id}/regenerate-keys`, { key })
  secrets.set('the next secret key', replaced.body.secret)
  await call('GET', '/contacts', { key: replaced.body.secret })
  await call('GET', '/contacts/export', { key: replaced.body.secret })
  await call('GET', '/metrics')
  await call('GET', '/metrics', { key: METRICS_TOKEN })
  await call('GET', '/config')
  await call('GET', '/openapi.json')
  await app.drain()
}

it('a secret in any output of a test file is found', () => {
  const known = new Map([['sk_the-key', 'a key']])
  const clean = { where: 'the log', text: 'nothing' }
  expect(findLeaks([clean], known)).toEqual([])
  expect(findLeaks([clean, { where: 'an error', text: '{"key":"sk_the-key"}' }], known)).toEqual([
    'a key is in an error: sk_the-key',
  ])
})

it('no secret appears in logs, responses, metrics or exports, or in readable form in a table or backup', async () => {
  await useEverything()
  const outputs = new Map([
    ['the log', logged.join('\n')],
    ['the answers', answered.join('\n')],
  ])
  expect(outputs.get('the log')!.length).toBeGreaterThan(1_000)

  const file = path.join(folder, 'backup.gz')
  await backup(readSettings({ DATA_DIR: app.ctx.settings.DATA_DIR, DATABASE_URL: app.url, SECRET }), file)
  const stored = gunzipSync(await readFile(file)).toString()
  const messages = /"table":"captured_messages"[\s\S]*?(?="kind":"table"|$)/
  outputs.set('the backup, without captured email', stored.replace(messages, ''))

  for (const [where, text] of outputs) {
    for (const [what, secret] of secrets) {
      const isInside = text.includes(secret) || text.includes(secret.replace(/^token=/, ''))
      expect(isInside, `${what} is in ${where}`).toBe(false)
    }
    if (where !== 'the backup, without captured email')
      expect(text.includes(SECRET), `SECRET is in ${where}`).toBe(false)
  }
})
