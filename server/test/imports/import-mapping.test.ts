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

  it('fails only the rows whose cells are not of the type', async () => {
    const job = await importFile(`${FILE}bob@example.org;Bob;old;;;\n`, MAPPING)
    expect(job.result).toMatchObject({
      ...counts(1, 0, 0, 1),
      errors: [{ row: 3, email: 'bob@example.org', error: '"old" in the column "alter" is not a number.' }],
    })
  })

  it.each([
    ['not JSON', 'nonsense', /JSON array/],
    ['without an address', [{ column: 'Alter', field: 'data.age' }], /"email"/],
    ['with an unknown field', [{ column: 'E-Mail', field: 'name' }], /data\.<name>/],
    ['with an unknown type', [{ column: 'E-Mail', field: 'email', type: 'list' }], /type/],
    ['with a column twice', [...MAPPING, { column: 'ALTER', field: 'data.x' }], /"alter" appears more than once/],
    ['with a field twice', [...MAPPING, { column: 'Notiz', field: 'data.age' }], /"data.age" appears more than once/],
    ['with a column that the file lacks', [...MAPPING, { column: 'Ort', field: 'data.city' }], /no column named "ort"/],
  ])('%s is refused with 422', async (_what, mapping, message) => {
    const { status, body } = await upload(FILE, mapping)
    expect({ status, field: body.error.errors[0].field }).toEqual({ status: 422, field: 'mapping' })
    expect(body.error.errors[0].message).toMatch(message)
  })
})

describe('a column that looks like the state of a subscription', () => {
  const FILE = 'email,blocklisted,Abonniert\na@example.org,yes,nein\n'
  const warningsOf = async (mapping?: unknown) => (await upload(FILE, mapping)).body.warnings

  it('is named in the response if no column is imported as the subscription', async () => {
    expect(await warningsOf()).toEqual(['blocklisted', 'abonniert'].map((name) => expect.stringContaining(`"${name}"`)))
    const mapping = [
      { column: 'email', field: 'email' },
      { column: 'Abonniert', field: 'subscribed' },
    ]
    expect(await warningsOf(mapping)).toEqual([])
  })
})
