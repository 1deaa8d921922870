/** Imports: which files are accepted, how they change contacts, and that a crash or a second worker does no harm. */
import { describe, expect, it } from 'vitest'
import { importContacts } from '../../features/audience/imports/import.ts'
import { createProject, databaseState, signUp } from '../harness.ts'
import { uploadFile } from '../uploads/upload.ts'
import { counts, useImports } from './import-fixture.ts'

const imports = useImports()
const { upload, getImport, importFile } = imports

const MB = 1024 * 1024

async function contacts() {
  const { rows } = await imports.app.pool.query(
    'select email, subscribed, opted_out, data from contacts where project_id = $1 order by id',
    [imports.project.id],
  )
  return rows
}

async function events(): Promise<string[]> {
  const { rows } = await imports.app.pool.query(
    "select c.email || ' ' || e.name as text from events e join contacts c on c.id = e.contact_id where e.project_id = $1 order by e.id",
    [imports.project.id],
  )
  return rows.map((row) => row.text)
}

describe('an import upload', () => {
  it('returns 202 with a pending job', async () => {
    const { status, body } = await upload('email\na@example.org\n')
    expect([status, Object.keys(body)]).toEqual([202, ['jobId', 'warnings']])
    expect(await getImport(body.jobId)).toEqual({
      id: body.jobId,
      type: 'IMPORT',
      status: 'PENDING',
      progress: 0,
      result: null,
      error: null,
      confirmations: null,
      createdAt: imports.app.clock.now().toISOString(),
      updatedAt: imports.app.clock.now().toISOString(),
    })
    await imports.app.drain()
  })

  it('is accepted if it has exactly 5 MB, and refused with 413 if it has a byte more', async () => {
    const head = 'email,note\n'
    const full = head + 'x'.repeat(5 * MB - head.length)
    expect((await upload(full)).status).toBe(202)
    const over = await upload(`${full}x`)
    expect([over.status, over.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const far = await upload(Buffer.alloc(20 * MB, 'x'))
    expect([far.status, far.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    await imports.app.drain()
  })

  it.each<[what: string, file: string | Buffer, message: RegExp]>([
    ['no email column', 'name\nAda\n', /email/],
    ['an empty file', '', /empty/],
    ['a workbook', Buffer.from('504b030414000600080000002100', 'hex'), /spreadsheet/],
    ['binary', Buffer.from([0, 1, 2, 3, 255]), /UTF-8/],
  ])('is refused with 422 and enqueues nothing: %s', async (_what, file, message) => {
    const before = await databaseState(imports.app)
    const { status, body } = await upload(file)
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(body.error.errors).toEqual([{ field: 'file', message: expect.stringMatching(message), code: 'custom' }])
    expect(await databaseState(imports.app)).toBe(before)
    const { rows } = await imports.app.pool.query('select from contact_jobs where project_id = $1', [
      imports.project.id,
    ])
    expect(rows).toEqual([])
  })

  it('is refused before it is read if the key is invalid', async () => {
    const { status } = await uploadFile(imports.app, '/contacts/import', 'email\n', { key: imports.project.publicKey })
    expect(status).toBe(401)
  })
})

describe('an import job', () => {
  it('is not found by other projects, by the wrong path or with an invalid id', async () => {
    const { body } = await upload('email\n')
    const other = await createProject(imports.app)
    const status = async (path: string, key = imports.project.secretKey) =>
      (await imports.app.request('GET', path, { key })).status
    expect(await status(`/contacts/import/${body.jobId}`)).toBe(200)
    expect(await status(`/contacts/import/${body.jobId}`, other.secretKey)).toBe(404)
    expect(await status(`/contacts/bulk/${body.jobId}`)).toBe(404)
    expect(await status('/contacts/import/0198c0de-0000-7000-8000-000000000000')).toBe(404)
    expect(await status('/contacts/import/x')).toBe(404)
  })

  it('deletes its file when it is done', async () => {
    await importFile('email\na@example.org\n')
    const { rows } = await imports.app.pool.query('select from contact_job_inputs where project_id = $1', [
      imports.project.id,
    ])
    expect(rows).toEqual([])
  })

  it('waits if its project is disabled', async () => {
    const { body } = await upload('email\na@example.org\n')
    const set = (at: Date | null) =>
      imports.app.pool.query('update projects set disabled_at = $2 where id = $1', [imports.project.id, at])
    await set(new Date())
    await imports.app.drain()
    expect(await getImport(body.jobId)).toMatchObject({ status: 'PENDING' })
    expect(await contacts()).toEqual([])
    await set(null)
    imports.app.clock.forward(60 * 60_000)
    await imports.app.drain()
    expect(await getImport(body.jobId)).toMatchObject({ status: 'COMPLETED', result: counts(1, 0, 0) })
  })

  it('is deleted after a month', async () => {
    const job = await importFile('email\na@example.org\n')
    await imports.app.pool.query("update contact_jobs set updated_at = updated_at - interval '31 days' where id = $1", [
      job.id,
    ])
    await imports.app.jobs['delete-expired']({}, { attempt: 1, at: new Date() })
    const { status } = await imports.app.request('GET', `/contacts/import/${job.id}`, {
      key: imports.project.secretKey,
    })
    expect(status).toBe(404)
  })
})

describe('an imported file', () => {
  it('creates contacts, subscribed unless specified otherwise, with the other columns as data', async () => {
    const job = await importFile(
      '\ufeffEmail,Subscribed, First Name ,Plan\r\n' +
        ' A@Example.org ,,"Ada, the first",pro\r\n' +
        'b@example.org,NO,"two\r\nlines",\r\n' +
        '日本@example.org,1,日本語 😀,5\r\n',
    )
    expect(job).toMatchObject({ status: 'COMPLETED', progress: 100, error: null })
    expect(job.result).toEqual({ ...counts(3, 0, 0), errors: [] })
    expect(await contacts()).toEqual([
      {
        email: 'a@example.org',
        subscribed: true,
        opted_out: false,
        data: { 'first name': 'Ada, the first', plan: 'pro' },
      },
      { email: 'b@example.org', subscribed: false, opted_out: false, data: { 'first name': 'two\r\nlines' } },
      { email: '日本@example.org', subscribed: true, opted_out: false, data: { 'first name': '日本語 😀', plan: '5' } },
    ])
    expect(await events()).toEqual([])
  })

  it('creates fields with spaces in their names, which templates can use', async () => {
    await importFile('email,First Name\na@example.org,Ada\n')
    const message = { to: 'a@example.org', from: 'x@example.com', subject: 'Hi {{first name}}', body: 'b' }
    const sent = await imports.app.request('POST', '/v1/send', { key: imports.project.secretKey, body: message })
    await imports.app.drain()
    const { body } = await imports.app.request('GET', `/emails/${sent.body.data.emails[0].email}`, {
      key: imports.project.secretKey,
    })
    expect(body.subject).toBe('Hi Ada')
  })

  it('updates contacts that differ, skips unchanged ones, and records only subscription changes', async () => {
    await importFile(
      'email,subscribed,plan\na@example.org,1,pro\nb@example.org,1,pro\nc@example.org,0,pro\nd@example.org,1,x\n',
    )
    const job = await importFile(
      'email,subscribed,plan\na@example.org,yes,pro\nb@example.org,no,\nc@example.org,yes,pro\nd@example.org,,y\ne@example.org,0,\n',
    )
    expect(job.result).toEqual({ ...counts(1, 3, 1), errors: [] })
    expect(await events()).toEqual(['b@example.org contact.unsubscribed', 'c@example.org contact.subscribed'])
    expect(await contacts()).toMatchObject([
      { email: 'a@example.org', subscribed: true, data: { plan: 'pro' } },
      { email: 'b@example.org', subscribed: false, opted_out: true, data: { plan: 'pro' } },
      { email: 'c@example.org', subscribed: true, opted_out: false },
      { email: 'd@example.org', subscribed: true, data: { plan: 'y' } },
      { email: 'e@example.org', subscribed: false, opted_out: false, data: {} },
    ])
  })

  it('changes nothing if it is imported again', async () => {
    const file = 'email,plan\na@example.org,pro\nb@example.org,free\n'
    await importFile(file)
    const { rows: before } = await imports.app.pool.query('select * from contacts where project_id = $1 order by id', [
      imports.project.id,
    ])
    imports.app.clock.forward(1000)
    expect((await importFile(file)).result).toEqual({ ...counts(0, 0, 2), errors: [] })
    const { rows: after } = await imports.app.pool.query('select * from contacts where project_id = $1 order by id', [
      imports.project.id,
    ])
    expect(after).toEqual(before)
  })

  it('can contain an address more than once: the last row applies, and each row is counted', async () => {
    const job = await importFile(
      'email,subscribed,a,b\nx@example.org,,1,1\nX@Example.org,no,2,\nx@example.org,,2,\ny@example.org,,,\n',
    )
    expect(job.result).toEqual({ ...counts(2, 1, 1), errors: [] })
    expect(await contacts()).toMatchObject([
      { email: 'x@example.org', subscribed: false, data: { a: '2', b: '1' } },
      { email: 'y@example.org' },
    ])
    expect(await events()).toEqual([])
  })

  it('continues after invalid rows, and lists them', async () => {
    const job = await importFile(
      'email,subscribed,name\n' +
        'nobody,,A\n' +
        'a@example.org,,A\n' +
        ',,B\n' +
        '\n' +
        'b@example.org,perhaps,B\n' +
        'c@example.org,,"never closed\n' +
        'd@example.org,,5" pipe\n' +
        'e@example.org,,E,extra\n' +
        'f@example.org\n' +
        ',,\n',
    )
    expect(job).toMatchObject({ status: 'COMPLETED', result: counts(3, 0, 0, 5) })
    expect(job.result.errors).toEqual([
      { row: 2, email: 'nobody', error: 'Must be an email address.' },
      { row: 4, email: null, error: 'The email address is missing.' },
      { row: 6, email: 'b@example.org', error: 'subscribed must be true, 1, yes, false, 0 or no.' },
      { row: 7, email: null, error: 'A quoted value has no closing quotation mark.' },
      { row: 9, email: 'e@example.org', error: 'The row has 4 cells, but the header has only 3.' },
    ])
    expect((await contacts()).map((row) => [row.email, row.data.name])).toEqual([
      ['a@example.org', 'A'],
      ['d@example.org', '5" pipe'],
      ['f@example.org', undefined],
    ])
  })

  it('lists a hundred errors and counts all', async () => {
    const job = await importFile(`email\n${'nobody\n'.repeat(250)}a@example.org\n`)
    expect(job.result).toMatchObject(counts(1, 0, 0, 250))
    expect(job.result.errors).toHaveLength(100)
    expect(job.result.errors[99].row).toBe(101)
  })

  it('can be only a header', async () => {
    const job = await importFile('email,name')
    expect(job).toMatchObject({ status: 'COMPLETED', progress: 100, result: { ...counts(0, 0, 0), errors: [] } })
  })

  it('can be separated by semicolons or tabs', async () => {
    await importFile('email;name\na@example.org;"A;B"\n')
    await importFile('email\tname\nb@example.org\tC, D\n')
    expect((await contacts()).map((row) => row.data.name)).toEqual(['A;B', 'C, D'])
  })

  it('can have a row of a megabyte anywhere, which is refused because of its size', async () => {
    const large = 'é'.repeat(MB / 2)
    const quoted = `"${'x\n'.repeat(MB / 2)}"`
    const job = await importFile(
      `email,t\na@example.org,1\nb@example.org,${large}\nc@example.org,${quoted}\nd@example.org,4\n`,
    )
    expect(job.result).toMatchObject({
      totalRows: 4,
      createdCount: 2,
      errors: [
        { row: 3, email: 'b@example.org', error: expect.stringContaining('64 KB') },
        { row: 4, email: 'c@example.org', error: expect.stringContaining('64 KB') },
      ],
    })
    expect((await contacts()).map((row) => row.data.t)).toEqual(['1', '4'])
  })

  it('keeps a suppressed address suppressed', async () => {
    await imports.app.request('POST', '/suppressions', {
      key: imports.project.secretKey,
      body: { email: 'a@example.org' },
    })
    await importFile('email,subscribed\na@example.org,true\n')
    const { rows } = await imports.app.pool.query('select email from suppressions where project_id = $1', [
      imports.project.id,
    ])
    expect(rows).toEqual([{ email: 'a@example.org' }])
  })

  it('is counted row by row if it has ten thousand rows', async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `person-${i % 9_000}@example.org,Name ${i},${i % 7}`)
    const job = await importFile(`email,name,group\n${rows.join('\n')}\n`)
    expect(job.result).toEqual({ ...counts(9_000, 1_000, 0), errors: [] })
    const { body } = await imports.app.request('GET', '/contacts?limit=1', { key: imports.project.secretKey })
    expect(body.total).toBe(9_000)
  })
})

describe('an interrupted import', () => {
  const people = (count: number) =>
    `email,n\n${Array.from({ length: count }, (_, i) => `p${i}@example.org,${i}\n`).join('')}`

  /**
   * The clock is read once at the start, and for every batch when it is read and when it is written. This one fails while
   * the given batch is written.
   */
  const crashInBatch = (batch: number) => {
    let looks = 0
    const now = () => {
      if (looks++ === 2 * batch) throw new Error('the process died')
      return imports.app.clock.now()
    }
    return { ...imports.app.ctx, clock: { now } }
  }

  it('has progressed with every batch, and shows it', async () => {
    const { body } = await upload(people(10))
    const ref = { projectId: imports.project.id, jobId: body.jobId }
    const seen: number[] = []
    for (const rows of [2, 4, 6, 8]) {
      await expect(importContacts(crashInBatch(2), ref, 2)).rejects.toThrow('the process died')
      const { status, progress, result } = await getImport(body.jobId)
      expect([status, result]).toEqual(['PROCESSING', { ...counts(rows, 0, 0), errors: [] }])
      seen.push(progress)
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect([seen[0]! > 0, seen[3]! < 100]).toEqual([true, true])
    await imports.app.drain()
    expect(await getImport(body.jobId)).toMatchObject({ status: 'COMPLETED', progress: 100, result: counts(10, 0, 0) })
  })

  it('continues after the last complete batch, and does nothing twice', async () => {
    const { body } = await upload(people(20))
    const ref = { projectId: imports.project.id, jobId: body.jobId }
    for (let tries = 0; tries < 3; tries++) {
      await expect(importContacts(crashInBatch(3), ref, 3)).rejects.toThrow('the process died')
    }
    await imports.app.drain()
    expect(await getImport(body.jobId)).toMatchObject({ status: 'COMPLETED', result: counts(20, 0, 0) })
    await imports.app.drain()
    await importContacts(imports.app.ctx, ref)
    expect(await getImport(body.jobId)).toMatchObject({ status: 'COMPLETED', result: counts(20, 0, 0) })
    expect((await contacts()).map((row) => row.data.n)).toEqual(Array.from({ length: 20 }, (_, i) => String(i)))
  })

  it('is completed if its member is removed meanwhile, and the member can no longer see it', async () => {
    const { app, project } = imports
    const person = await signUp(app)
    const member = { cookie: person.cookie, projectId: project.id }
    const owner = { cookie: project.owner.cookie }
    const memberships = `/projects/${project.id}/members`
    await app.request('POST', memberships, { ...owner, body: { email: person.email, role: 'MEMBER' } })
    const { status, body } = await uploadFile(app, '/contacts/import', people(10), member)
    expect(status).toBe(202)
    const ref = { projectId: project.id, jobId: body.jobId }
    await expect(importContacts(crashInBatch(2), ref, 4)).rejects.toThrow('the process died')
    expect((await app.request('DELETE', `${memberships}/${person.id}`, owner)).status).toBe(204)
    await app.drain()
    expect(await getImport(body.jobId)).toMatchObject({ status: 'COMPLETED', result: counts(10, 0, 0) })
    expect((await app.request('GET', `/contacts/import/${body.jobId}`, member)).status).toBe(403)
  })

  it('is still done once if there is a second worker', async () => {
    await importFile('email,subscribed\np1@example.org,false\n')
    const { body } = await upload(
      people(200)
        .replace('email,n', 'email,subscribed')
        .replaceAll(/,\d+\n/g, ',1\n'),
    )
    const ref = { projectId: imports.project.id, jobId: body.jobId }
    await Promise.all([1, 2, 3].map(() => importContacts(imports.app.ctx, ref, 7)))
    expect(await getImport(body.jobId)).toMatchObject({ status: 'COMPLETED', progress: 100, result: counts(199, 1, 0) })
    expect(await events()).toEqual(['p1@example.org contact.subscribed'])
    await imports.app.drain()
  })

  it('fails after the last attempt, with its counts so far', async () => {
    const { body } = await upload(people(10))
    const ref = { projectId: imports.project.id, jobId: body.jobId }
    await expect(importContacts(crashInBatch(2), ref, 4)).rejects.toThrow('the process died')
    await imports.app.failedJobs['import-contacts']!(ref)
    expect(await getImport(body.jobId)).toMatchObject({
      status: 'FAILED',
      error: expect.stringMatching(/internal error/),
      result: { totalRows: 4 },
    })
    await imports.app.drain()
    expect(await contacts()).toHaveLength(4)
  })
})
