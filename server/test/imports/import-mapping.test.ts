/** Imports with a mapping: which fields columns become, and the types of their values. */
import { describe, expect, it } from 'vitest'
import { counts, useImports } from './import-fixture.ts'

const imports = useImports()
const { call, upload, importFile } = imports

const contacts = async () => (await call('GET', '/contacts')).body.data

describe('an import with a mapping', () => {
  const FILE = 'E-Mail;Vorname;Alter;Newsletter;Geburtstag;Notiz\nada@example.org;Ada;36,5;yes;10.12.1815;x\n'
  const MAPPING = [
    { column: 'e-mail', field: 'email' },
    { column: 'Vorname', field: 'data.firstName' },
    { column: 'Alter', field: 'data.age', type: 'number' },
    { column: 'Newsletter', field: 'subscribed' },
    { column: 'Geburtstag', field: 'data.born', type: 'date' },
  ]

  it('sets the fields that it names, with their types, and ignores other columns', async () => {
    expect((await importFile(FILE, MAPPING)).result).toMatchObject(counts(1, 0, 0))
    expect(await contacts()).toMatchObject([
      { email: 'ada@example.org', subscribed: true, data: { firstName: 'Ada', age: 36.5, born: '1815-12-10' } },
    ])
    expect((await contacts())[0].data).not.toHaveProperty('notiz')
  })

  it('leaves out cells that are not of the type, with a warning, and imports the rest of their rows', async () => {
    const job = await importFile(`${FILE}bob@example.org;Bob;old;;;\n`, MAPPING)
    expect(job.result).toEqual({
      ...counts(2, 0, 0),
      errors: [],
      warningCount: 1,
      warnings: [{ row: 3, email: 'bob@example.org', error: '"old" in the column "alter" is not a number.' }],
    })
  })

  it('by position can import two columns of the same name, and a file whose first row is a contact', async () => {
    const targets = ['email', 'data.company', 'data.branch'].map((field, i) => ({ position: i + 1, field }))
    expect((await importFile('E-Mail;Firma;Firma\na@example.org;ACME;Bonn\n', targets)).result).toMatchObject(
      counts(1, 0, 0),
    )
    const { body } = await upload('b@example.org,ACME,Ulm\n', targets, { header: 'false', subscribeNew: 'false' })
    await imports.app.drain()
    expect((await imports.getImport(body.jobId)).result).toEqual({ ...counts(1, 0, 0), errors: [] })
    const found = (await contacts()).map(({ email, subscribed, data }: Record<string, unknown>) => [
      email,
      subscribed,
      data,
    ])
    expect(found).toEqual([
      ['b@example.org', false, { company: 'ACME', branch: 'Ulm' }],
      ['a@example.org', true, { company: 'ACME', branch: 'Bonn' }],
    ])
  })

  it.each([
    ['is not JSON', 'nonsense', /JSON array/],
    ['has no address', [{ column: 'Alter', field: 'data.age' }], /"email"/],
    ['has an unknown field', [{ column: 'E-Mail', field: 'name' }], /data\.<name>/],
    ['has an unknown type', [{ column: 'E-Mail', field: 'email', type: 'list' }], /type/],
    ['has a column twice', [...MAPPING, { column: 'ALTER', field: 'data.x' }], /"alter" appears more than once/],
    ['has a field twice', [...MAPPING, { column: 'Notiz', field: 'data.age' }], /"data.age" appears more than once/],
    ['has names and positions', [...MAPPING, { position: 6, field: 'data.x' }], /every column by `position`/],
    ['has a position that the file lacks', [{ position: 9, field: 'email' }], /no column 9/],
    ['has a position twice', [1, 1].map((position) => ({ position, field: 'email' })), /"1" appears more than once/],
    ['has a column that the file lacks', [...MAPPING, { column: 'Ort', field: 'data.city' }], /no column named "ort"/],
  ])('is refused with 422 if the mapping %s', async (_what, mapping, message) => {
    const { status, body } = await upload(FILE, mapping)
    expect({ status, field: body.error.errors[0].field }).toEqual({ status: 422, field: 'mapping' })
    expect(body.error.errors[0].message).toMatch(message)
  })
})

describe('a column that looks like the state of a subscription', () => {
  const FILE = 'email,blocklisted,Abonniert\na@example.org,yes,nein\n'
  const warningsOf = async (mapping?: unknown) => (await upload(FILE, mapping)).body.warnings

  it.each(['opt_in', 'Accepts Email Marketing', 'Do Not Email', 'Active', 'Zustimmung'])(
    'can be named %s',
    async (column) => {
      const { warnings } = (await upload(`email,${column}\na@example.org,no\n`)).body
      expect(warnings).toEqual([expect.stringContaining(`"${column.toLowerCase()}"`)])
    },
  )

  it('is named in the response if no column is imported as the subscription', async () => {
    expect(await warningsOf()).toEqual(['blocklisted', 'abonniert'].map((name) => expect.stringContaining(`"${name}"`)))
    const mapping = [
      { column: 'email', field: 'email' },
      { column: 'Abonniert', field: 'subscribed' },
    ]
    expect(await warningsOf(mapping)).toEqual([])
  })
})

describe('the preview of an import', () => {
  const HEADER = 'email,subscribed,age,plan\n'
  const MAPPING = ['email', 'subscribed', 'data.age', 'data.plan'].map((field, i) => ({
    position: i + 1,
    field,
    ...(field === 'data.age' ? { type: 'number' } : {}),
  }))
  const ROWS = [
    'known@example.org,,36,pro',
    'same@example.org,yes,1,free',
    'new@example.org,no,2,free',
    'NEW@example.org,no,2,free',
    'new@example.org,yes,,pro',
    'bad,,1,',
    'cell@example.org,,old,pro',
    'flag@example.org,maybe,1,pro',
    'large@example.org,,1,x',
    'known@example.org,no,36,pro',
  ]

  async function prepare(): Promise<void> {
    const large = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, 'x'.repeat(7_200)]))
    await call('POST', '/contacts', { email: 'known@example.org', data: { age: 1 } })
    await call('POST', '/contacts', { email: 'same@example.org', data: { age: 1, plan: 'free' } })
    await call('POST', '/contacts', { email: 'large@example.org', data: large })
  }

  it.each([
    ['with duplicates, bad cells and bad rows', {}],
    ['without subscribing new contacts', { subscribeNew: 'false' }],
    ['that asks contacts to confirm', { confirmationsPerHour: '10' }],
  ])('says exactly what an import %s then does, and writes nothing', async (_what, options) => {
    await prepare()
    const rows = [...ROWS, ...Array.from({ length: 2_500 }, (_, i) => `new${i % 1_300}@example.org,,${i % 7},pro`)]
    const file = `${HEADER}${rows.join('\n')}\n`
    const { body: before } = await call('GET', '/contacts')
    const preview = await imports.preview(file, MAPPING, options)
    expect(preview.status).toBe(200)
    expect((await call('GET', '/contacts')).body).toEqual(before)
    const { body } = await upload(file, MAPPING, options)
    await imports.app.drain()
    const { result } = await imports.getImport(body.jobId)
    expect(preview.body.result).toEqual(result)
    expect(result).toMatchObject({ totalRows: rows.length, failureCount: 2, warningCount: 1 })
  })

  it('shows the first rows as they would be', async () => {
    const { body } = await imports.preview(`${HEADER}a@example.org,no,5,pro\nbad,,,\n`, MAPPING)
    expect(body.rows).toEqual([
      { row: 2, email: 'a@example.org', outcome: 'created', subscribed: false, data: { age: 5, plan: 'pro' } },
      { row: 3, email: 'bad', outcome: 'failed', subscribed: null, data: {} },
    ])
  })
})
