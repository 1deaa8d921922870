/** Moving to a project: nobody who opted out is subscribed, everything can be repeated, and a project moves as a whole. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Checkpoint, move, openFiles, type Report } from '../../../movers/move.ts'
import { problemLines, summaryLines } from '../../../movers/report.ts'
import { SOURCES } from '../../../movers/sources.ts'
import { targetOf } from '../../../movers/target.ts'
import { Posthorn, unwrap } from '../../../sdk/index.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let url: string
let project: Awaited<ReturnType<typeof createProject>>
let client: Posthorn

beforeAll(async () => {
  app = await openTestApp()
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())
beforeEach(async () => {
  project = await createProject(app)
  client = new Posthorn(project.secretKey, { baseUrl: url })
})

const transfer = async (batch: object) => {
  const { status, body } = await app.request('POST', '/contacts/transfer', {
    key: project.secretKey,
    body: { source: 'listmonk', ...batch },
  })
  expect(body).toMatchObject({ created: expect.any(Number) })
  expect(status).toBe(200)
  return body
}

const states = async (projectId = project.id) =>
  Object.fromEntries(
    (
      await app.pool.query('select email, subscribed, opted_out from contacts where project_id = $1', [projectId])
    ).rows.map(({ email, subscribed, opted_out }) => [
      email,
      subscribed ? 'subscribed' : opted_out ? 'opted out' : 'never',
    ]),
  )

const counts = (result: Record<string, number>) => {
  const { created, updated, unchanged, optedOut, kept, suppressed } = result
  return { created, updated, unchanged, optedOut, kept, suppressed }
}

describe('POST /contacts/transfer', () => {
  it('writes contacts, opt-outs and suppressions, and changes nothing the second time', async () => {
    const batch = {
      suppressions: [{ email: 'Gone@example.org', reason: 'BOUNCE' }],
      contacts: [
        {
          email: 'ada@example.org',
          subscribed: true,
          data: { plan: 'pro', n: 3 },
          consent: { at: '2024-03-01', ip: '192.0.2.1', text: 'Form' },
        },
        { email: 'bob@example.org', subscribed: false },
        { email: 'gone@example.org', subscribed: true },
        { email: 'new@example.org' },
        { email: 'not an address' },
      ],
    }
    const result = await transfer(batch)
    expect(counts(result)).toEqual({ created: 4, updated: 0, unchanged: 0, optedOut: 1, kept: 1, suppressed: 1 })
    expect(result.errors).toEqual([
      { list: 'contacts', index: 4, email: 'not an address', error: 'Must be an email address.' },
    ])
    const after = {
      'ada@example.org': 'subscribed',
      'bob@example.org': 'opted out',
      'gone@example.org': 'never',
      'new@example.org': 'never',
    }
    expect(await states()).toEqual(after)
    expect(counts(await transfer(batch))).toEqual({
      created: 0,
      updated: 0,
      unchanged: 4,
      optedOut: 1,
      kept: 1,
      suppressed: 0,
    })
    expect(await states()).toEqual(after)
    const [ada] = (await unwrap(client.contacts.list({ email: 'ada@example.org' }))).data
    expect(ada).toMatchObject({ data: { plan: 'pro', n: 3 } })
    expect((await unwrap(client.contacts.listConsents(ada!.id))).data).toMatchObject([
      { kind: 'subscribed', source: 'import', ip: '192.0.2.1', text: 'Moved from listmonk. There: 2024-03-01. Form' },
    ])
    const [bob] = (await unwrap(client.contacts.list({ email: 'bob@example.org' }))).data
    expect((await unwrap(client.contacts.listConsents(bob!.id))).data).toMatchObject([
      { kind: 'unsubscribed', source: 'import' },
    ])
  })

  it('subscribes nobody who opted out, is suppressed, has not confirmed, or objected before being erased', async () => {
    for (const email of ['out@example.org', 'erased@example.org']) {
      const { body } = await app.request('POST', '/contacts', { key: project.secretKey, body: { email } })
      await app.request('PATCH', `/contacts/${body.id}`, { key: project.secretKey, body: { subscribed: false } })
      if (email.startsWith('erased')) await app.request('DELETE', `/contacts/${body.id}`, { key: project.secretKey })
    }
    await app.request('POST', '/contacts', {
      key: project.secretKey,
      body: { email: 'pending@example.org', doubleOptIn: true },
    })
    await app.request('POST', '/suppressions', { key: project.secretKey, body: { email: 'blocked@example.org' } })
    const emails = ['out', 'erased', 'pending', 'blocked', 'twice'].map((name) => `${name}@example.org`)
    const contacts = emails.map((email) => ({ email, subscribed: true, data: { seen: true } }))
    const result = await transfer({ contacts: [{ email: 'twice@example.org', subscribed: false }, ...contacts] })
    expect(result.kept).toBe(4)
    expect(await states()).toEqual({
      'out@example.org': 'opted out',
      'erased@example.org': 'never',
      'pending@example.org': 'never',
      'blocked@example.org': 'never',
      'twice@example.org': 'opted out',
    })
    // An opt-out there ends a subscription here, with its event.
    await app.request('POST', '/contacts', { key: project.secretKey, body: { email: 'in@example.org' } })
    expect(await transfer({ contacts: [{ email: 'in@example.org', subscribed: false }] })).toMatchObject({ updated: 1 })
    expect(await states()).toMatchObject({ 'in@example.org': 'opted out' })
    const { rows } = await app.pool.query(
      "select name from events where project_id = $1 and name = 'contact.unsubscribed'",
      [project.id],
    )
    expect(rows).toHaveLength(3)
  })

  it('a stored opt-out from a topic stays, and an unknown topic fails only its contact', async () => {
    await unwrap(client.topics.create({ key: 'news', name: 'News' } as never))
    await transfer({ contacts: [{ email: 'a@example.org', subscribed: true, topics: { news: false } }] })
    const result = await transfer({
      contacts: [
        { email: 'a@example.org', topics: { news: true } },
        { email: 'b@example.org', topics: { nothing: true } },
        { email: 'c@example.org', data: { text: 'x'.repeat(70_000) } },
      ],
    })
    expect(result).toMatchObject({
      unchanged: 1,
      errors: [
        { index: 1, error: 'There is no topic with the key "nothing".' },
        { index: 2, error: expect.stringContaining('64 KB') },
      ],
    })
    const [a] = (await unwrap(client.contacts.list({ email: 'a@example.org' }))).data
    expect((await unwrap(client.contacts.topics(a!.id))).data).toMatchObject([{ key: 'news', subscribed: false }])
  })

  it('reports a contact whose data would be too much, and writes the others', async () => {
    const data = (name: string) => Object.fromEntries(['x', 'y'].map((key) => [`${name}${key}`, 'x'.repeat(30_000)]))
    for (const name of 'abcd') await transfer({ contacts: [{ email: 'big@example.org', data: data(name) }] })
    const result = await transfer({
      contacts: [{ email: 'big@example.org', data: data('e') }, { email: 'b@example.org' }],
    })
    expect(result).toMatchObject({
      created: 1,
      errors: [{ index: 0, email: 'big@example.org', error: expect.stringContaining('256 KB') }],
    })
  })

  it('a dry run returns the same numbers and changes nothing', async () => {
    const batch = {
      suppressions: [{ email: 'x@example.org', reason: 'MANUAL' }],
      contacts: [{ email: 'a@example.org', subscribed: true }],
    }
    expect(counts(await transfer({ ...batch, dryRun: true }))).toMatchObject({ created: 1, suppressed: 1 })
    expect(await states()).toEqual({})
    expect((await unwrap(client.suppressions.list())).data).toEqual([])
  })
})

const blob = (text: string) => new Blob([text])

async function run(
  service: string,
  given: { name: string; blob: Blob }[],
  more: Partial<Parameters<typeof move>[0]> = {},
  posthorn = client,
) {
  const source = SOURCES.find(({ id }) => id === service)!
  const input = { files: await openFiles(given), subscribe: false }
  return move({ source, input, target: targetOf(posthorn), dryRun: false, from: 'me@example.com', ...more })
}

describe('an import', () => {
  const csv = (group: string, emails: string[]) => ({
    name: `${group}_members_export_1.csv`,
    blob: blob(`Email Address,First Name\n${emails.map((email) => `${email},X\n`).join('')}`),
  })
  const AUDIENCE = [
    csv('subscribed', ['a@example.org', 'b@example.org', 'both@example.org', 'nonsense']),
    csv('unsubscribed', ['out@example.org', 'both@example.org']),
    csv('cleaned', ['gone@example.org']),
    { name: 'templates/News.html', blob: blob('<p>*|FNAME|*</p>') },
    { name: 'templates/Broken.html', blob: blob('<p>{{ name</p>') },
  ]

  it('reports what it would do, does it, and does nothing the second time', async () => {
    const wanted = { created: 5, updated: 0, optedOut: 2, keptOptOut: 1, failed: 1 }
    const dry = await run('mailchimp', AUDIENCE, { dryRun: true })
    expect(dry.contacts).toMatchObject({ optedOut: 2, failed: 1 })
    expect(await states()).toEqual({})
    const report = await run('mailchimp', AUDIENCE)
    expect(report).toMatchObject({
      contacts: wanted,
      suppressions: { created: 1 },
      content: { template: { created: 1, existing: 0, failed: 1 } },
      problemCount: 2,
      problems: [
        { file: 'subscribed_members_export_1.csv', line: 5, what: 'nonsense' },
        { file: 'templates/Broken.html', what: 'template "Broken"' },
      ],
    })
    expect(summaryLines(report)).toContain('Suppressions: 1 were added, 0 exist already.')
    expect(problemLines(report)[0]).toBe('subscribed_members_export_1.csv, line 5: nonsense: Must be an email address.')
    const after = await states()
    expect(after).toEqual({
      'a@example.org': 'subscribed',
      'b@example.org': 'subscribed',
      'both@example.org': 'opted out',
      'out@example.org': 'opted out',
      'gone@example.org': 'never',
    })
    expect(await run('mailchimp', AUDIENCE)).toMatchObject({
      contacts: { created: 0, updated: 0 },
      suppressions: { created: 0, existing: 1 },
      content: { template: { created: 0, existing: 1 } },
    })
    expect(await states()).toEqual(after)
  })

  it('a broken file changes nothing', async () => {
    const broken = [...AUDIENCE, { name: 'subscribed_z.csv', blob: blob('Email Address\n"a@example.org\n') }]
    await expect(run('mailchimp', broken)).rejects.toThrow(
      'subscribed_z.csv, line 2: A quotation mark in this row is never closed.',
    )
    expect(await states()).toEqual({})
  })

  it('continues where it was interrupted', async () => {
    const people = Array.from({ length: 2_500 }, (_, i) => `p${i}@example.org`)
    const files = [csv('subscribed', people), csv('unsubscribed', ['out@example.org'])]
    let last: Checkpoint | undefined
    let sent = 0
    const target = targetOf(client)
    const failing = {
      ...target,
      transfer: (batch: Parameters<typeof target.transfer>[0]) =>
        ++sent > 2 ? Promise.reject(new Error('gone')) : target.transfer(batch),
    }
    const onProgress = (checkpoint: Checkpoint) => {
      last = JSON.parse(JSON.stringify(checkpoint))
    }
    await expect(run('mailchimp', files, { target: failing, onProgress })).rejects.toThrow('gone')
    expect(Object.keys(await states())).toHaveLength(1_001)
    expect(await states()).toMatchObject({ 'out@example.org': 'opted out' }) // opt-outs come first
    sent = -100
    const report = await run('mailchimp', files, { target: failing, resume: last! })
    expect(sent).toBe(-98) // two batches are left
    expect(report.contacts).toMatchObject({ created: 2_501, unchanged: 0 })
  })
})

describe('GET /export', () => {
  const exported = async (key = project.secretKey) => {
    const response = await fetch(`${url}/export`, { headers: { authorization: `Bearer ${key}` } })
    return { response, archive: await response.blob() }
  }

  it('has everything of the project, and moves it to another one', async () => {
    const call = async (method: string, path: string, body?: object) => {
      const reply = await app.request(method, path, { key: project.secretKey, body })
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
      return reply.body
    }
    await call('POST', '/topics', { key: 'news', name: 'News', defaultSubscribed: false, isPublic: true })
    await transfer({
      suppressions: [{ email: 'gone@example.org', reason: 'COMPLAINT' }],
      contacts: [
        { email: 'ada@example.org', subscribed: true, data: { plan: 'pro', tags: ['x'] }, topics: { news: true } },
        { email: 'bob@example.org', subscribed: false },
        { email: 'new@example.org' },
      ],
    })
    const segment = await call('POST', '/segments', {
      name: 'Pro',
      condition: { logic: 'AND', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] },
    })
    const template = await call('POST', '/templates', {
      name: 'Hello',
      subject: 'Hi',
      body: '<p>Hi</p>',
      from: 'me@example.com',
      type: 'MARKETING',
    })
    await call('POST', '/campaigns', {
      name: 'March',
      subject: 'S',
      body: '<p>x</p>',
      from: 'me@example.com',
      audienceType: 'SEGMENT',
      segmentId: segment.id,
    })
    const workflow = await call('POST', '/workflows', { name: 'Series', eventName: 'signup' })
    await call('POST', `/workflows/${workflow.id}/steps`, { type: 'SEND_EMAIL', config: { templateId: template.id } })
    await call('POST', '/v1/send', { to: 'ada@example.org', template: template.id })
    await call('POST', '/events/track', { email: 'ada@example.org', event: 'signup' })

    const { response, archive } = await exported()
    expect(response.headers.get('content-type')).toBe('application/zip')
    const lines: Record<string, unknown[]> = {}
    for (const file of await openFiles([{ name: 'p.zip', blob: archive }])) {
      const text = await new Response(file.stream()).text()
      lines[file.name] = text
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    }
    expect(Object.fromEntries(Object.entries(lines).map(([name, rows]) => [name, rows.length]))).toMatchObject({
      'project.json': 1,
      'topics.jsonl': 1,
      'suppressions.jsonl': 1,
      'contacts.jsonl': 3,
      'consents.jsonl': 3,
      'segments.jsonl': 1,
      'templates.jsonl': 1,
      'campaigns.jsonl': 1,
      'workflows.jsonl': 1,
      'emails.jsonl': 1,
    })
    expect(lines['contacts.jsonl']).toMatchObject([
      { email: 'ada@example.org', subscribed: true, topics: { news: true }, data: { plan: 'pro', tags: ['x'] } },
      { email: 'bob@example.org', subscribed: false, optedOut: true },
      { email: 'new@example.org', subscribed: false, optedOut: false },
    ])
    const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-export-'))
    try {
      writeFileSync(path.join(folder, 'p.zip'), Buffer.from(await archive.arrayBuffer()))
      const script =
        'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(len(z.namelist()))'
      expect(
        execFileSync('python3', ['-c', script, path.join(folder, 'p.zip')])
          .toString()
          .trim(),
      ).toBe('14')
    } finally {
      rmSync(folder, { recursive: true })
    }

    const other = await createProject(app)
    const target = new Posthorn(other.secretKey, { baseUrl: url })
    const report: Report = await run('posthorn', [{ name: 'p.zip', blob: archive }], {}, target)
    expect(report.problems).toEqual([])
    expect(report).toMatchObject({
      contacts: { created: 3, optedOut: 1 },
      suppressions: { created: 1 },
      topics: { created: 1 },
      content: {
        segment: { created: 1 },
        template: { created: 1 },
        campaign: { created: 1 },
        workflow: { created: 1 },
      },
    })
    expect(await states(other.id)).toEqual(await states())
    const [moved] = (await unwrap(target.campaigns.list())).data
    const [movedSegment] = await unwrap(target.segments.list())
    expect(moved).toMatchObject({ status: 'DRAFT', segmentId: movedSegment!.id })
    expect(movedSegment!.id).not.toBe(segment.id)
    expect(await run('posthorn', [{ name: 'p.zip', blob: archive }], {}, target)).toMatchObject({
      contacts: { created: 0, updated: 0, unchanged: 3 },
      content: { workflow: { created: 0, existing: 1 } },
    })
  })

  it('needs an administrator or a key with full access, and is in the audit log', async () => {
    const key = async (scope: string) =>
      (await unwrap(client.apiKeys.create({ name: scope, scopes: [scope] } as never))).key
    expect((await exported(await key('project:read'))).response.status).toBe(403)
    expect((await exported(await key('full'))).response.status).toBe(200)
    const { data } = await unwrap(client.projects.auditLog(project.id))
    expect(data.filter(({ act }) => act === 'project.exported')).toHaveLength(1)
  })
})
