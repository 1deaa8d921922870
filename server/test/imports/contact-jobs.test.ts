/** Bulk changes and exports: each contact is changed once, and an exported file can be imported unchanged. */
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { erasure } from '../../app.ts'
import { changeContacts } from '../../features/audience/imports/bulk.ts'
import { exportContacts } from '../../features/audience/imports/export.ts'
import { matchingContacts } from '../../features/audience/segments/actions.ts'
import { bulkTools } from '../../features/automation/executions/bulk-tools.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { uploadFile } from '../uploads/upload.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  project = await createProject(app)
})

const UNKNOWN = '0198c0de-0000-7000-8000-000000000000'

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })

const create = async (email: string, fields: object = {}, key = project.secretKey): Promise<string> =>
  (await call('POST', '/contacts', { email, ...fields }, key)).body.id

/** Requests a change, runs the queue, and returns the completed job. */
async function change(what: string, contactIds: string[]) {
  const { status, body } = await call('POST', `/contacts/bulk-${what}`, { contactIds })
  expect(status).toBe(202)
  await app.drain()
  return (await call('GET', `/contacts/bulk/${body.jobId}`)).body
}

const rowsOf = async (statement: string) => (await app.pool.query(statement, [project.id])).rows

const events = async (): Promise<string[]> =>
  (
    await rowsOf(
      "select c.email || ' ' || e.name as text from events e join contacts c on c.id = e.contact_id where e.project_id = $1 order by e.id",
    )
  ).map((row) => row.text)

const result = (success: number, unchanged: number, missing: string[] = []) => ({
  totalRequested: success + unchanged + missing.length,
  successCount: success,
  unchangedCount: unchanged,
  failureCount: missing.length,
  errors: missing.map((contactId) => ({ contactId, error: 'not found' })),
})

describe('a bulk change', () => {
  it('subscribes contacts, records only actual changes, and reports the others as unchanged', async () => {
    const other = await createProject(app)
    const foreign = await create('f@example.org', { subscribed: false }, other.secretKey)
    const a = await create('a@example.org', { subscribed: false })
    const b = await create('b@example.org')
    const job = await change('subscribe', [a, b, foreign, UNKNOWN, a.toUpperCase()])
    expect(job).toMatchObject({ type: 'BULK_SUBSCRIBE', status: 'COMPLETED', progress: 100, error: null })
    expect(job.result).toEqual(result(1, 2, [foreign, UNKNOWN]))
    expect(await events()).toEqual(['a@example.org contact.subscribed'])
    expect((await call('GET', `/contacts/${foreign}`, undefined, other.secretKey)).body.subscribed).toBe(false)
  })

  it('unsubscribes, and records the opt-out', async () => {
    const a = await create('a@example.org')
    const b = await create('b@example.org', { subscribed: false })
    app.clock.forward(1000)
    expect((await change('unsubscribe', [b, a])).result).toEqual(result(1, 1))
    expect(await events()).toEqual(['a@example.org contact.unsubscribed'])
    const optedOut = 'select email, subscribed, opted_out from contacts where project_id = $1 order by email'
    expect(await rowsOf(optedOut)).toEqual([
      { email: 'a@example.org', subscribed: false, opted_out: true },
      { email: 'b@example.org', subscribed: false, opted_out: false },
    ])
    expect((await call('GET', `/contacts/${a}`)).body.updatedAt).toBe(app.clock.now().toISOString())
    await change('subscribe', [a, b])
    expect(await rowsOf(optedOut)).toMatchObject([
      { subscribed: true, opted_out: false },
      { subscribed: true, opted_out: false },
    ])
  })

  it('removes suppressions when it subscribes, and only then', async () => {
    const a = await create('a@example.org')
    await call('POST', '/suppressions', { email: 'a@example.org' })
    await call('POST', '/suppressions', { email: 'b@example.org' })
    const suppressed = 'select email from suppressions where project_id = $1 order by email'
    await change('unsubscribe', [a])
    expect(await rowsOf(suppressed)).toHaveLength(2)
    await change('subscribe', [a])
    expect(await rowsOf(suppressed)).toEqual([{ email: 'b@example.org' }])
  })

  it('deletes contacts', async () => {
    const ids = await Promise.all(['a', 'b', 'c'].map((name) => create(`${name}@example.org`)))
    const job = await change('delete', [ids[0]!, ids[1]!, ids[0]!, UNKNOWN])
    expect(job).toMatchObject({ type: 'BULK_DELETE', status: 'COMPLETED', result: result(2, 1, [UNKNOWN]) })
    expect((await call('GET', `/contacts/${ids[0]}`)).status).toBe(404)
    expect((await call('GET', '/contacts')).body.data.map((c: { email: string }) => c.email)).toEqual(['c@example.org'])
  })

  it('accepts at most a thousand contacts', async () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => `p${i}@example.org\n`).join('')
    await uploadFile(app, '/contacts/import', `email\n${rows}`, { key: project.secretKey })
    await app.drain()
    const ids = (await rowsOf('select id from contacts where project_id = $1')).map((row) => row.id as string)
    expect((await change('unsubscribe', ids)).result).toEqual(result(1_000, 0))
    expect(await events()).toHaveLength(1_000)

    const over = await call('POST', '/contacts/bulk-delete', { contactIds: [...ids, UNKNOWN] })
    expect([over.status, over.body.error.errors[0]]).toMatchObject([422, { field: 'contactIds', code: 'too_big' }])
    expect(await rowsOf("select from contact_jobs where project_id = $1 and type = 'BULK_DELETE'")).toEqual([])
  })

  it.each<[what: string, body: unknown, field: string, code: string]>([
    ['an empty list', { contactIds: [] }, 'contactIds', 'too_small'],
    ['no list', {}, 'contactIds', 'invalid_type'],
    ['what is no id', { contactIds: [UNKNOWN, 'x'] }, 'contactIds.1', 'invalid_string'],
  ])('is refused with 422 if it names %s', async (_what, body, field, code) => {
    for (const what of ['subscribe', 'unsubscribe', 'delete']) {
      const reply = await call('POST', `/contacts/bulk-${what}`, body)
      expect([reply.status, reply.body.error.errors[0]]).toMatchObject([422, { field, code }])
    }
    expect(await rowsOf('select from contact_jobs where project_id = $1')).toEqual([])
  })

  it('is not found by other projects, nor among the imports', async () => {
    const other = await createProject(app)
    const { body } = await call('POST', '/contacts/bulk-delete', { contactIds: [UNKNOWN] })
    expect((await call('GET', `/contacts/bulk/${body.jobId}`)).body).toMatchObject({ status: 'PENDING', result: null })
    expect((await call('GET', `/contacts/bulk/${body.jobId}`, undefined, other.secretKey)).status).toBe(404)
    expect((await call('GET', `/contacts/import/${body.jobId}`)).status).toBe(404)
    expect((await call('GET', '/contacts/bulk/x')).status).toBe(404)
  })

  it('happens once, with any number of workers and attempts', async () => {
    const ids = await Promise.all(['a', 'b'].map((name) => create(`${name}@example.org`)))
    const { body } = await call('POST', '/contacts/bulk-unsubscribe', { contactIds: ids })
    const ref = { projectId: project.id, jobId: body.jobId }
    await Promise.all([1, 2, 3].map(() => changeContacts(app.ctx, erasure, bulkTools, ref)))
    await call('PATCH', `/contacts/${ids[0]}`, { subscribed: true })
    await app.drain()
    await changeContacts(app.ctx, erasure, bulkTools, ref)
    expect((await call('GET', `/contacts/bulk/${body.jobId}`)).body.result).toEqual(result(2, 0))
    expect((await call('GET', `/contacts/${ids[0]}`)).body.subscribed).toBe(true)
    expect(await events()).toHaveLength(3)
  })

  it('applies to all contacts that match a condition, in parts, each once', async () => {
    const other = await createProject(app)
    await create('theirs@example.org', { data: { plan: 'pro' } }, other.secretKey)
    for (const [i, plan] of ['pro', 'free', 'pro', 'pro', 'free'].entries()) {
      await create(`c${i}@example.org`, { data: { plan }, subscribed: i !== 2 })
    }
    const condition = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
    }
    const { status, body } = await call('POST', '/contacts/bulk-unsubscribe', { condition })
    expect(status).toBe(202)
    app.clock.forward(1)
    await create('later@example.org', { data: { plan: 'pro' } })
    const ref = { projectId: project.id, jobId: body.jobId }
    await changeContacts(app.ctx, erasure, bulkTools, ref, 2)
    await changeContacts(app.ctx, erasure, bulkTools, ref, 2)
    expect((await call('GET', `/contacts/bulk/${body.jobId}`)).body).toMatchObject({
      status: 'COMPLETED',
      progress: 100,
      result: result(2, 1),
    })
    const subscribed = await rowsOf('select email from contacts where project_id = $1 and subscribed order by email')
    expect(subscribed.map(({ email }) => email)).toEqual(['c1@example.org', 'c4@example.org', 'later@example.org'])
    const theirs = (await call('GET', '/contacts', undefined, other.secretKey)).body.data
    expect(theirs).toMatchObject([{ subscribed: true }])
  })

  it('can add contacts to a segment, change their topics or start a workflow, and counts those that it changed', async () => {
    const ids = [await create('b0@example.org'), await create('b1@example.org'), await create('b2@example.org')]
    const segment = (await call('POST', '/segments', { name: 'Chosen', type: 'STATIC', trackMembership: true })).body
    await call('POST', `/segments/${segment.id}/members`, { emails: ['b0@example.org'] })
    await call('POST', '/topics', { key: 'news', name: 'News', defaultSubscribed: false })
    const workflow = (await call('POST', '/workflows', { name: 'W', eventName: 'segment.chosen.entry' })).body
    await call('POST', `/workflows/${workflow.id}/steps`, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
    const changeAll = async (what: string, target: object, selection: object = { contactIds: [...ids, UNKNOWN] }) => {
      const { status, body } = await call('POST', `/contacts/bulk-${what}`, { ...selection, ...target })
      if (status !== 202) return [status, body.error.code]
      await app.drain()
      const { result } = (await call('GET', `/contacts/bulk/${body.jobId}`)).body
      return [result.successCount, result.unchangedCount, result.failureCount]
    }
    expect(await changeAll('start-workflow', { workflowId: workflow.id })).toEqual([409, 'CONFLICT'])
    await call('PATCH', `/workflows/${workflow.id}`, { enabled: true })
    expect(await changeAll('add-to-segment', { segmentId: segment.id })).toEqual([2, 1, 1])
    expect((await call('GET', `/segments/${segment.id}`)).body.memberCount).toBe(3)
    // Entering the segment started the workflow for two of them.
    expect(await changeAll('start-workflow', { workflowId: workflow.id })).toEqual([1, 2, 1])
    expect((await call('GET', `/workflows/${workflow.id}/executions`)).body.total).toBe(3)
    expect(await changeAll('topics', { topics: { news: true } })).toEqual([3, 0, 1])
    const everyone = {
      condition: { logic: 'AND', groups: [{ filters: [{ field: 'topics.news', operator: 'equals', value: true }] }] },
    }
    expect(await changeAll('topics', { topics: { news: false } }, everyone)).toEqual([3, 0, 0])
    const dynamic = (await call('POST', '/segments', { name: 'All', condition: everyone.condition })).body
    expect(await changeAll('add-to-segment', { segmentId: dynamic.id })).toEqual([400, 'BAD_REQUEST'])
    expect(await changeAll('add-to-segment', { segmentId: UNKNOWN })).toEqual([404, 'SEGMENT_NOT_FOUND'])
    expect(await changeAll('start-workflow', { workflowId: UNKNOWN })).toEqual([404, 'WORKFLOW_NOT_FOUND'])
    expect(await changeAll('topics', { topics: { nothing: true } })).toEqual([422, 'VALIDATION_ERROR'])
    expect(await changeAll('topics', { topics: {} })).toEqual([422, 'VALIDATION_ERROR'])
  })

  it('continues after the last part that was written if it is of contacts that match a condition', async () => {
    for (let i = 0; i < 5; i++) await create(`c${i}@example.org`)
    const condition = { logic: 'AND', groups: [{ filters: [{ field: 'text', operator: 'contains', value: 'c' }] }] }
    const { body } = await call('POST', '/contacts/bulk-delete', { condition })
    const ref = { projectId: project.id, jobId: body.jobId }
    let parts = 0
    const interrupted: typeof bulkTools = {
      ...bulkTools,
      matching: {
        ...matchingContacts,
        next: (...given) => {
          if (++parts === 2) throw new Error('interrupted')
          return matchingContacts.next(...given)
        },
      },
    }
    await expect(changeContacts(app.ctx, erasure, interrupted, ref, 2)).rejects.toThrow('interrupted')
    expect((await call('GET', `/contacts/bulk/${body.jobId}`)).body).toMatchObject({
      status: 'PROCESSING',
      progress: 40,
    })
    expect((await call('GET', '/contacts')).body.total).toBe(3)
    await app.drain()
    expect((await call('GET', `/contacts/bulk/${body.jobId}`)).body.result).toEqual(result(5, 0))
    expect((await call('GET', '/contacts')).body.total).toBe(0)
  })

  it('requires either a list or a condition', async () => {
    const condition = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }],
    }
    expect((await call('POST', '/contacts/bulk-delete', { contactIds: [UNKNOWN], condition })).status).toBe(422)
    const bad = { logic: 'AND', groups: [{ filters: [{ field: 'nothing', operator: 'equals', value: 1 }] }] }
    expect((await call('POST', '/contacts/bulk-delete', { condition: bad })).status).toBe(422)
  })

  const outside = (id: string) => ({
    logic: 'AND',
    groups: [{ filters: [{ field: `segment.${id}`, operator: 'notMemberOfSegment' }] }],
  })

  it('is refused if its condition has an unknown segment', async () => {
    const { status, body } = await call('POST', '/contacts/bulk-delete', { condition: outside(UNKNOWN) })
    expect(status).toBe(404)
    expect(body.error.code).toBe('SEGMENT_NOT_FOUND')
  })

  it('fails at once, and changes nothing, if a segment of its condition was deleted since the request', async () => {
    await create('a@example.org')
    const segment = (await call('POST', '/segments', { name: 'Panel', type: 'STATIC' })).body
    const { body } = await call('POST', '/contacts/bulk-delete', { condition: outside(segment.id) })
    await call('DELETE', `/segments/${segment.id}`)
    await app.drain()
    expect((await call('GET', `/contacts/bulk/${body.jobId}`)).body).toMatchObject({
      status: 'FAILED',
      error: `There is no segment with ID ${segment.id}.`,
    })
    expect((await call('GET', '/contacts')).body.total).toBe(1)
  })

  it('changes nothing if it fails, and succeeds in the next attempt', async () => {
    const id = await create('a@example.org')
    const { body } = await call('POST', '/contacts/bulk-unsubscribe', { contactIds: [id] })
    const ref = { projectId: project.id, jobId: body.jobId }
    await app.pool.query('alter table events rename to events_away')
    await expect(changeContacts(app.ctx, erasure, bulkTools, ref)).rejects.toThrow(/events/)
    await app.pool.query('alter table events_away rename to events')
    expect((await call('GET', `/contacts/${id}`)).body.subscribed).toBe(true)
    await app.drain()
    expect((await call('GET', `/contacts/bulk/${body.jobId}`)).body.result).toEqual(result(1, 0))
  })
})

describe('an export', () => {
  it('is a CSV file with a column for every field', async () => {
    await create('a@example.org', { data: { plan: 'pro', profile: { tier: 'gold', tags: ['x', 'y'] }, age: -5 } })
    await create('b@example.org', { subscribed: false, data: { note: 'say "hi", =you', sum: '=1+1', plan: '-1' } })
    const at = app.clock.now().toISOString()
    const reply = await call('GET', '/contacts/export')
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="contacts.csv"')
    expect(reply.body.split('\r\n')).toEqual([
      'email,subscribed,createdAt,updatedAt,age,note,plan,profile.tags,profile.tier,sum',
      `a@example.org,true,${at},${at},-5,,pro,"[""x"",""y""]",gold,`,
      `b@example.org,false,${at},${at},,"say ""hi"", =you",-1,,,'=1+1`,
      '',
    ])
  })

  it('is only a header for a project without contacts', async () => {
    expect((await call('GET', '/contacts/export')).body).toBe('email,subscribed,createdAt,updatedAt\r\n')
  })

  it('contains every contact of the project once', async () => {
    const other = await createProject(app)
    await create('x@example.org', { data: { secret: 1 } }, other.secretKey)
    const rows = Array.from({ length: 2_500 }, (_, i) => `p${i}@example.org,${i}\n`).join('')
    await uploadFile(app, '/contacts/import', `email,n\n${rows}`, { key: project.secretKey })
    await app.drain()
    const lines = (await call('GET', '/contacts/export')).body.trimEnd().split('\r\n')
    expect(lines[0]).toBe('email,subscribed,createdAt,updatedAt,n')
    expect(lines.slice(1).map((line: string) => line.split(',')[0])).toEqual(
      Array.from({ length: 2_500 }, (_, i) => `p${i}@example.org`),
    )
  })

  it('can be imported again as the same contacts', async () => {
    const file = [
      'email,subscribed,First Name,note',
      'a@example.org,no,"Ada, ""the first""",=1+1',
      'b@example.org,,日本語,"two\r\nlines"',
      '=c@example.org,,\'=x," spaces "',
      'd@example.org,yes,-5,@here',
    ].join('\n')
    const listed = async (key: string) =>
      (await call('GET', '/contacts', undefined, key)).body.data.map(
        ({ email, subscribed, data }: Record<string, unknown>) => ({ email, subscribed, data }),
      )
    await uploadFile(app, '/contacts/import', file, { key: project.secretKey })
    await app.drain()
    const exported = (await call('GET', '/contacts/export')).body
    const again = await uploadFile(app, '/contacts/import', exported, { key: project.secretKey })
    const other = await createProject(app)
    await uploadFile(app, '/contacts/import', exported, { key: other.secretKey })
    await app.drain()

    expect((await call('GET', `/contacts/import/${again.body.jobId}`)).body.result).toMatchObject({
      totalRows: 4,
      unchangedCount: 4,
    })
    expect(await listed(other.secretKey)).toEqual(await listed(project.secretKey))
    expect((await listed(project.secretKey)).map((c: { data: object }) => c.data)).toContainEqual({
      'first name': 'Ada, "the first"',
      note: '=1+1',
    })
  })

  it('is read at the speed of the client', async () => {
    const note = 'x'.repeat(900)
    const rows = Array.from({ length: 4_000 }, (_, i) => `p${i}@example.org,${note}\n`).join('')
    await uploadFile(app, '/contacts/import', `email,note\n${rows}`, { key: project.secretKey })
    await app.drain()
    const stream = await exportContacts(app.ctx, project.id)
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    // Contacts that haven't been read yet are gone when they are read.
    await app.pool.query('delete from contacts where project_id = $1', [project.id])
    let rest = ''
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) rest += next.value
    expect(rest.split('\r\n').length).toBeLessThan(2_500)
  })

  it('works over a real connection, and a client that disconnects does not affect the next', async () => {
    const rows = Array.from({ length: 4_000 }, (_, i) => `p${i}@example.org,${'x'.repeat(900)}\n`).join('')
    await uploadFile(app, '/contacts/import', `email,note\n${rows}`, { key: project.secretKey })
    await app.drain()
    const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
    const open = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { authorization: `Bearer ${project.secretKey}` }
        get(`${address}/contacts/export`, { agent: false, headers }, resolve).once('error', reject)
      })
    for (let i = 0; i < 20; i++) (await open()).destroy()
    expect((await text(await open())).trimEnd().split('\r\n')).toHaveLength(4_001)
  })
})
