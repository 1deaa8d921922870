/** The commands for a running service, as processes: output, exit codes, profiles, files and the live stream. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOUNS } from '../../../cli/nouns.mjs'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js')

let app: TestApp
let url: string
let secretKey: string
let owner: Awaited<ReturnType<typeof createProject>>['owner']
let folder: string

beforeAll(async () => {
  app = await openTestApp()
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const project = await createProject(app)
  secretKey = project.secretKey
  owner = project.owner
  folder = mkdtempSync(path.join(tmpdir(), 'posthorn-cli-'))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Run {
  code: number
  out: string
  err: string
}

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  XDG_CONFIG_HOME: folder,
  ...more,
})

const posthorn = (args: string[], env: Record<string, string> = { POSTHORN_URL: url, POSTHORN_API_KEY: secretKey }) =>
  new Promise<Run>((resolve) => {
    execFile(process.execPath, [CLI, ...args], { cwd: folder, env: environment(env) }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

const json = async (...args: string[]) => {
  const { code, out, err } = await posthorn([...args, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

describe('posthorn events track', () => {
  it('stores properties with the event, and in the contact only with --save-to-contact', async () => {
    const track = (event: string, data: object, ...more: string[]) =>
      json('events', 'track', event, '--email', 'paying@example.org', '--data', JSON.stringify(data), ...more)
    const { contact } = await track('paid', { total: 5 })
    const read = async (path: string) => (await app.request('GET', path, { key: secretKey })).body
    expect((await read(`/contacts/${contact}`)).data ?? {}).toEqual({})
    expect((await read(`/events/contact/${contact}`)).data[0]).toMatchObject({ name: 'paid', data: { total: 5 } })
    await track('upgraded', { plan: 'pro' }, '--save-to-contact')
    expect((await read(`/contacts/${contact}`)).data).toEqual({ plan: 'pro' })
  })
})

describe('posthorn', () => {
  it.each([
    [['emails', 'list', '--colour'], 2],
    [['emails', 'fetch'], 2],
    [['emails', 'get'], 2],
    [['send', '--to', 'a@example.org'], 2],
    [['emails', 'get', '00000000-0000-4000-8000-000000000000'], 4],
    [['contacts', 'get', 'nobody@example.org'], 4],
    [['send', '--to', 'nonsense', '--from', 'a@example.com', '--subject', 'Hi', '--body', 'Hi'], 1],
    [['emails', 'list', '--help'], 0],
  ])('%j ends with %i', async (args, code) => {
    expect(await posthorn(args)).toMatchObject({ code })
  })

  it('ends with 3 without a key, and with one that is refused', async () => {
    expect(await posthorn(['emails', 'list'], { POSTHORN_URL: url })).toMatchObject({ code: 3 })
    const refused = await posthorn(['emails', 'list'], { POSTHORN_URL: url, POSTHORN_API_KEY: 'sk_wrong' })
    expect(refused).toMatchObject({ code: 3, out: '' })
  })

  it('sends an email and lists it', async () => {
    const sent = await json(
      'send',
      '--to',
      'ada@example.org',
      '--from',
      'me@example.com',
      '--subject',
      'Hello {{ name }}',
      '--body',
      '<p>Hi</p>',
      '--data',
      '{"name": "Ada"}',
      '--tag',
      'kind=test',
    )
    const id = sent.emails[0].email
    expect(await json('emails', 'list')).toMatchObject([{ id, to: 'ada@example.org', tags: { kind: 'test' } }])
    expect((await posthorn(['emails', 'list'])).out).toContain(id)
    expect(await json('emails', 'get', id)).toMatchObject({ id, subject: 'Hello Ada' })
    expect(await json('contacts', 'get', 'ada@example.org')).toMatchObject({ email: 'ada@example.org' })
  })

  it('saves a profile that only its owner can read, and uses it', async () => {
    expect(await posthorn(['login', '--url', url, '--key', secretKey, '--profile', 'staging'], {})).toMatchObject({
      code: 0,
    })
    expect(statSync(path.join(folder, 'posthorn/profiles.json')).mode & 0o077).toBe(0)
    expect(await posthorn(['keys', 'list', '--profile', 'staging'], {})).toMatchObject({ code: 0 })
    expect(await posthorn(['login', '--url', url, '--key', 'sk_wrong'], {})).toMatchObject({ code: 3 })
    expect(await posthorn(['keys', 'list', '--profile', 'unknown'], {})).toMatchObject({ code: 3 })
  })

  it('creates, rotates and revokes keys', async () => {
    const created = await json('keys', 'create', 'CI', '--scope', 'send')
    expect(created.key).toMatch(/^phk_/)
    const rotated = await posthorn(['keys', 'rotate', created.id, '--overlap-hours', '0'])
    expect(rotated.out.trim()).toMatch(/^phk_/)
    expect(rotated.out.trim()).not.toBe(created.key)
    expect((await posthorn(['keys', 'revoke', created.id])).code).toBe(0)
    expect(await json('keys', 'list')).toEqual([])
  })

  it('examines the installation', async () => {
    const { code, out } = await posthorn(['doctor', '--json'])
    const findings = JSON.parse(out) as { check: string; ok: boolean }[]
    expect(findings.find(({ check }) => check === 'key')).toMatchObject({ ok: true })
    expect(code).toBe(findings.every(({ ok }) => ok) ? 0 : 1)
  })

  it('completes every noun in every shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out } = await posthorn(['completion', shell])
      for (const noun of NOUNS) expect(out).toContain(noun)
      expect(out).toContain('forward-to')
    }
  })

  it('bash completes verbs and options', async () => {
    const { out } = await posthorn(['completion', 'bash'])
    const complete = (...words: string[]) =>
      execFileSync('bash', [
        '-c',
        `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _posthorn; echo "\${COMPREPLY[*]}"`,
        'bash',
        ...words,
      ])
        .toString()
        .trim()
    expect(complete('posthorn', 'webhooks', '')).toBe('list listen replay')
    expect(complete('posthorn', 'webhooks', 'listen', '--for')).toBe('--forward-to')
    expect(complete('posthorn', 'doctor', '--js')).toBe('--json')
  })

  it('writes errors of every kind as JSON with --json', async () => {
    for (const args of [
      ['emails', 'get'],
      ['emails', 'fetch'],
      ['contacts', 'get', 'nobody@example.org'],
      ['contacts', 'delete', 'x'],
    ]) {
      const { err } = await posthorn([...args, '--json'])
      expect(JSON.parse(err).error).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    }
  })

  it('exports contacts to a file, and leaves no half of one', async () => {
    const file = path.join(folder, 'contacts.csv')
    expect((await posthorn(['contacts', 'export', file])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('ada@example.org')
    expect(await posthorn(['contacts', 'export', path.join(folder, 'nowhere/contacts.csv')])).toMatchObject({ code: 2 })
    expect(await posthorn(['contacts', 'export', file], { POSTHORN_URL: url, POSTHORN_API_KEY: 'sk_x' })).toMatchObject(
      { code: 3 },
    )
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('posthorn templates and workflows', () => {
  const templateFile = (name: string) => path.join(folder, 'templates', name)

  it('keep files and the project in step, and overwrite no change of the other side', async () => {
    const body = {
      name: 'Welcome back',
      subject: 'Hi',
      body: '<p>One</p>',
      from: 'me@example.com',
      type: 'TRANSACTIONAL',
    }
    const template = (await app.request('POST', '/templates', { key: secretKey, body })).body
    expect((await posthorn(['templates', 'pull'])).code).toBe(0)
    expect(readFileSync(templateFile('welcome-back.html'), 'utf8')).toMatch(
      /^---\nname: Welcome back\n[\s\S]*---\n<p>One<\/p>/,
    )
    expect((await posthorn(['templates', 'pull'])).out).toContain('up to date')

    const edit = (text: string) =>
      writeFileSync(
        templateFile('welcome-back.html'),
        readFileSync(templateFile('welcome-back.html'), 'utf8').replace(/<p>.*<\/p>/, `<p>${text}</p>`),
      )
    edit('Two')
    expect((await posthorn(['templates', 'diff'])).out).toContain('+ <p>Two</p>')
    expect((await posthorn(['templates', 'push', '--dry-run'])).out).toContain('would be updated  welcome-back.html')
    expect((await posthorn(['templates', 'push'])).code).toBe(0)
    const read = async () => (await app.request('GET', `/templates/${template.id}`, { key: secretKey })).body.body
    expect(await read()).toBe('<p>Two</p>')

    const { status } = await app.request('PATCH', `/templates/${template.id}`, {
      cookie: owner.cookie,
      projectId: template.projectId,
      body: { body: '<p>Dashboard</p>' },
    })
    expect(status).toBe(200)
    edit('Three')
    expect(await posthorn(['templates', 'push'])).toMatchObject({ code: 1 })
    expect(await posthorn(['templates', 'pull'])).toMatchObject({ code: 1 })
    expect(await read()).toBe('<p>Dashboard</p>')
    expect((await posthorn(['templates', 'push', '--force'])).code).toBe(0)
    expect(await read()).toBe('<p>Three</p>')

    writeFileSync(
      templateFile('new.html'),
      '---\nname: New\nsubject: S\nfrom: me@example.com\ntype: MARKETING\n---\n<p>New</p>',
    )
    expect((await posthorn(['templates', 'push'])).out).toContain('created  new.html')
    expect(await json('templates', 'list')).toHaveLength(2)
    writeFileSync(templateFile('broken.html'), 'no front matter')
    expect(await posthorn(['templates', 'push'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('front matter'),
    })
  })

  it('move a workflow to another project', async () => {
    const workflow = (
      await app.request('POST', '/workflows', { key: secretKey, body: { name: 'Series', eventName: 'signup' } })
    ).body
    await app.request('POST', `/workflows/${workflow.id}/steps`, {
      key: secretKey,
      body: { type: 'DELAY', config: { amount: 1, unit: 'hours' } },
    })
    expect((await posthorn(['workflows', 'pull'])).code).toBe(0)
    expect(readdirSync(path.join(folder, 'workflows')).sort()).toEqual(['.posthorn.json', 'series.json'])
    expect((await posthorn(['workflows', 'push'])).out).toContain('up to date')

    const other = await createProject(app)
    rmSync(path.join(folder, 'workflows/.posthorn.json'))
    const pushed = await posthorn(['workflows', 'push'], { POSTHORN_URL: url, POSTHORN_API_KEY: other.secretKey })
    expect(pushed).toMatchObject({ code: 0, out: 'created  series.json\n' })
  })
})

it('posthorn webhooks listen forwards events that the official package verifies', async () => {
  const received: { headers: Record<string, string>; body: string }[] = []
  const receiver = createServer(async (request, reply) => {
    let body = ''
    for await (const part of request) body += String(part)
    received.push({ headers: request.headers as Record<string, string>, body })
    reply.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const env = environment({ POSTHORN_URL: url, POSTHORN_API_KEY: secretKey })
  const args = ['webhooks', 'listen', '--forward-to', `127.0.0.1:${port}`, '--events', 'sign*', '--json']
  const listening = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [first] = await once(listening.stdout, 'data')
    const { secret } = JSON.parse(String(first))
    await expect
      .poll(async () => {
        await app.request('POST', '/events/track', {
          key: secretKey,
          body: { email: 'ada@example.org', event: 'signup' },
        })
        return received.length
      })
      .toBeGreaterThan(0)
    const { body, headers } = received[0]!
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: 'signup',
      data: { contact: { email: 'ada@example.org' } },
    })
  } finally {
    listening.kill('SIGINT')
    await once(listening, 'exit')
    receiver.close()
  }
})
