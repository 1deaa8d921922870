/** No opt-out is lost on the way, whatever else an export or a batch contains. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freeTopicKey, isOptOut } from '../../../movers/fields.ts'
import { move, openFiles } from '../../../movers/move.ts'
import type { Api, ContactRecord } from '../../../movers/record.ts'
import { SOURCES } from '../../../movers/sources.ts'
import { targetOf } from '../../../movers/target.ts'
import { Posthorn, unwrap } from '../../../sdk/index.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const sourceOf = (service: string) => SOURCES.find(({ id }) => id === service)!

async function people(service: string, files: Record<string, string>, api?: Api) {
  const given = Object.entries(files).map(([name, text]) => ({ name, blob: new Blob([text]) }))
  const found: Record<string, ContactRecord> = {}
  for await (const record of sourceOf(service).read({ files: await openFiles(given), subscribe: false, api }))
    if (record.kind === 'contact') found[record.email] = record
  return found
}

describe('a reader', () => {
  it('takes everything but a clear no for an opt-out', () => {
    expect(['', undefined, 'No', ' FALSE', '0', 'null'].filter(isOptOut)).toEqual([])
    expect(['yes', '1', '2024-05-01', 'unsubscribed', 'x'].filter((text) => !isOptOut(text))).toEqual([])
  })

  it.each([
    ['resend', 'Email,Unsubscribed\na@example.org,2024-05-01\nb@example.org,false\n'],
    ['customerio', 'EMAIL,UNSUBSCRIBED\na@example.org,global\nb@example.org,false\n'],
    ['brevo', 'Email,Unsubscribed\na@example.org,2024-05-01\nb@example.org,\n'],
    ['plunk', 'Email,Subscribed\na@example.org,false\nb@example.org,true\n'],
  ])('reads for %s the columns of opt-outs whatever their case', async (service, csv) => {
    expect(await people(service, { 'people.csv': csv })).toMatchObject({
      'a@example.org': { subscribed: false },
      'b@example.org': { subscribed: true },
    })
  })

  it('opts out of everything for Resend, and keeps audiences with the same key apart', async () => {
    const api: Api = async (path) =>
      path === '/audiences'
        ? { data: ['News!', 'News?'].map((name) => ({ id: name, name })) }
        : path.startsWith('/audiences/News!')
          ? { data: [{ id: '1', email: 'a@example.org', unsubscribed: true }] }
          : { data: [{ id: '2', email: 'b@example.org' }] }
    const { 'a@example.org': a, 'b@example.org': b } = await people('resend', {}, api)
    expect(a).toMatchObject({ subscribed: false, topics: undefined })
    expect(b).toMatchObject({ subscribed: true, topics: { 'news-2': true } })
    const used = new Set<string>()
    expect(['x'.repeat(60), 'x'.repeat(55)].map((name) => freeTopicKey(name, used))).toEqual([
      'x'.repeat(50),
      `${'x'.repeat(46)}-2`,
    ])
  })
})

describe('a project', () => {
  let app: TestApp
  let url: string
  let project: Awaited<ReturnType<typeof createProject>>

  beforeAll(async () => {
    app = await openTestApp()
    url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    project = await createProject(app)
  })

  const call = async (method: string, path: string, body?: object) => {
    const reply = await app.request(method, path, { key: project.secretKey, body })
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
    return reply.body
  }
  const transfer = (contacts: object[]) => call('POST', '/contacts/transfer', { source: 'x', contacts })
  const stateOf = async (email: string) => {
    const { rows } = await app.pool.query(
      'select subscribed, opted_out, data from contacts where project_id = $1 and email = $2',
      [project.id, email],
    )
    return rows[0]
  }

  it('keeps the opt-outs of entries with other mistakes', async () => {
    await transfer([{ email: 'a@example.org', subscribed: true, data: { plan: 'pro' } }])
    const tooLong = { text: 'x'.repeat(70_000) }
    const { errors, optedOut } = await transfer([
      { email: 'a@example.org', subscribed: false, data: tooLong },
      { email: 'b@example.org', subscribed: false, data: { n: 1 }, topics: { nothing: true } },
      { email: 'c@example.org', subscribed: true, data: tooLong },
    ])
    expect(errors.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2])
    expect(optedOut).toBe(2)
    expect(await stateOf('a@example.org')).toEqual({ subscribed: false, opted_out: true, data: { plan: 'pro' } })
    expect(await stateOf('b@example.org')).toEqual({ subscribed: false, opted_out: true, data: {} })
    expect(await stateOf('c@example.org')).toBeUndefined()
  })

  it('keeps the opt-out of a contact whose data would be too much', async () => {
    const data = (name: string) => Object.fromEntries(['x', 'y'].map((key) => [`${name}${key}`, 'x'.repeat(30_000)]))
    for (const name of 'abcd') await transfer([{ email: 'big@example.org', subscribed: true, data: data(name) }])
    const { errors, optedOut } = await transfer([{ email: 'big@example.org', subscribed: false, data: data('e') }])
    expect([errors, optedOut]).toEqual([[expect.objectContaining({ index: 0, email: 'big@example.org' })], 1])
    const { subscribed, opted_out, data: stored } = await stateOf('big@example.org')
    expect([subscribed, opted_out, Object.keys(stored)]).toEqual([false, true, expect.not.arrayContaining(['ex'])])
  })

  it('moves with what belongs to a topic: suppressions, templates and drafts', async () => {
    const news = await call('POST', '/topics', { key: 'news', name: 'News' })
    await transfer([{ email: 'a@example.org', subscribed: true, topics: { news: true } }])
    await call('POST', '/suppressions', { email: 'a@example.org', topic: 'news' })
    await call('POST', '/suppressions', { email: 'only@example.org', topic: 'news' })
    const content = { subject: 'S', body: '<p>x</p>', from: 'me@example.com', type: 'MARKETING', topicId: news.id }
    await call('POST', '/templates', { name: 'Hello', ...content })
    await call('POST', '/campaigns', { name: 'March', ...content, audienceType: 'ALL' })
    const archive = await fetch(`${url}/export`, { headers: { authorization: `Bearer ${project.secretKey}` } })
    const input = { files: await openFiles([{ name: 'p.zip', blob: await archive.blob() }]), subscribe: false }

    const other = await createProject(app)
    const target = new Posthorn(other.secretKey, { baseUrl: url })
    const passes: string[][] = []
    const spied = {
      ...targetOf(target),
      transfer: (batch: Parameters<ReturnType<typeof targetOf>['transfer']>[0]) => {
        passes.push(batch.contacts.map(({ email }) => email))
        return targetOf(target).transfer(batch)
      },
    }
    const report = await move({ source: sourceOf('posthorn'), input, target: spied, dryRun: false })
    expect(report.problems).toEqual([])
    expect(report.left.map(({ what }) => what)).toContain('segment-members.jsonl')
    expect(passes[0]!.sort()).toEqual(['a@example.org', 'only@example.org']) // before anyone is subscribed
    expect((await unwrap(target.suppressions.list())).data).toEqual([])
    const [a] = (await unwrap(target.contacts.list({ email: 'a@example.org' }))).data
    expect(a).toMatchObject({ subscribed: true })
    const [topic] = (await unwrap(target.contacts.topics(a!.id))).data
    expect(topic).toMatchObject({ key: 'news', subscribed: false })
    const { id } = (await unwrap(target.topics.list())).data[0]!
    expect(id).not.toBe(news.id)
    expect((await unwrap(target.templates.list())).data).toMatchObject([{ topicId: id }])
    expect((await unwrap(target.campaigns.list())).data).toMatchObject([{ topicId: id }])
  })
})
