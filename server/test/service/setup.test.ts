/** `posthorn setup` beside an API process that was started with MAIL_URL, and what it refuses. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { runSetup } from '../../commands/setup.ts'
import { noAccountHint } from '../../commands/start-screen.ts'
import type { Context } from '../../context.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { call, runService, type ServiceProcess, startService } from '../service-process.ts'
import { createTestDatabase } from '../test-databases.ts'

const PASSWORD = 'correct horse battery'
const home = mkdtempSync(path.join(tmpdir(), 'posthorn-setup-'))
let database: Awaited<ReturnType<typeof createTestDatabase>>
let env: Record<string, string>
let service: ServiceProcess

beforeAll(async () => {
  database = await createTestDatabase(inject('postgresUrl'))
  env = {
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: database.url,
    MAIL_URL: 'smtp://127.0.0.1:1',
    BASE_URL: 'https://post.example.com',
    PORT: '0',
    ROLE: 'api',
  }
  service = await startService({ ...env, BASE_URL: '' })
})
afterAll(async () => {
  await service?.stop()
  await database?.drop()
  rmSync(home, { recursive: true, force: true })
})

/** With a password on the standard input. */
const setUp = (...args: string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const start = path.resolve(import.meta.dirname, '../../../start.mjs')
    const options = { env: { PATH: process.env.PATH, ...env }, cwd: home, timeout: 120_000 }
    const child = execFile(process.execPath, [start, 'setup', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    )
    child.stdin!.end(`${PASSWORD}\n`)
  })

describe('an API process with MAIL_URL on an empty database', () => {
  it('logs how to create the first account', () => {
    expect(service.stdout()).toContain(`There is no account yet. Sign up at ${service.baseUrl}/app/sign-up (`)
    expect(service.stderr()).toBe('')
  })

  it('can be set up by a command while it runs, once', async () => {
    const args = ['--email', 'Ada@Example.org', '--project', 'Shop', '--domain', 'shop.example.com']
    const { code, stdout, stderr } = await setUp(...args, '--password-stdin', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const created = JSON.parse(stdout)
    expect(created).toMatchObject({
      email: 'ada@example.org',
      baseUrl: 'https://post.example.com',
      domain: 'shop.example.com',
      domainStatus: 'PENDING',
    })
    expect(created).not.toHaveProperty('password')
    expect(created.records).toContainEqual({
      purpose: 'spf',
      type: 'TXT',
      name: 'shop.example.com',
      value: 'v=spf1 a:post.example.com mx ~all',
    })

    const login = await call(service, 'POST', '/auth/login', { body: { email: created.email, password: PASSWORD } })
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!
    const { body: user } = await call(service, 'GET', '/users/@me', { cookie })
    expect(user).toMatchObject({ email: 'ada@example.org', emailVerified: true, operator: true })
    const key = created.secretKey
    const { body: domains } = await call(service, 'GET', `/domains/project/${created.projectId}`, { key })
    expect(domains).toMatchObject([{ domain: 'shop.example.com', status: 'PENDING' }])

    const again = await runService(env, ['setup', ...args])
    expect(again).toMatchObject({ code: 3, stdout: '' })
    expect(again.stderr).toBe(
      'This installation already has an account, so nothing was changed. Sign in at https://post.example.com.\n',
    )
    const { body: projects } = await call(service, 'GET', '/users/@me/projects', { cookie })
    expect(projects).toMatchObject([{ id: created.projectId, name: 'Shop', role: 'OWNER' }])
  })
})

describe('posthorn setup', () => {
  it.each([
    [[], /^Usage: posthorn setup --email ADDRESS --project NAME/],
    [['--email', 'ada@example.org'], /^Usage: /],
    [['--mail', 'ada@example.org'], /^Unknown option '--mail'\. Usage: /],
    [['--email', '--project', 'Shop'], /^Option '--email'.* argument is ambiguous\. Usage: /],
    [['Shop'], /^Unexpected argument 'Shop'\. Usage: /],
    [['--email', 'ada', '--project', 'Shop'], /^--email is invalid \("ada"\): Must be an email address\.$/],
    [['--email', 'ada@example.org', '--project', ' '], /^--project is invalid \(" "\): Must not be empty\.$/],
    [
      ['--email', 'ada@example.org', '--project', 'Shop', '--domain', 'co.uk'],
      /^--domain is invalid \("co\.uk"\): co\.uk is a public suffix/,
    ],
  ])('refuses %j in one line, before anything is opened', async (args, message) => {
    await expect(runSetup(args)).rejects.toThrow(message)
  })
})

describe('the hint to create an account', () => {
  const hint = (captures: boolean, settings: Record<string, string>) =>
    noAccountHint({
      baseUrl: 'https://post.example.com',
      mail: { capabilities: { captures } } as Context['mail'],
      settings: readSettings(settings),
    })

  it('names only what is possible', () => {
    expect(hint(true, { ROLE: 'worker' })).toBeUndefined()
    expect(hint(false, {})).toMatch(/Sign up at .*the first account is the operator.*, or run `npm run setup -- /)
    expect(hint(false, { OPERATOR_EMAILS: 'ops@example.org' })).toContain('(OPERATOR_EMAILS lists the operators)')
    expect(hint(false, { DISABLE_SIGNUPS: 'true' })).toMatch(/^There is no account yet\. To create one, run `/)
    expect(hint(false, { ROLE: 'worker' })).not.toContain('Sign up')
  })
})
