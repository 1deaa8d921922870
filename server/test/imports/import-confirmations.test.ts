/** Imports that ask contacts to confirm their subscription: who is asked, how fast, and what happens in between. */
import { describe, expect, it } from 'vitest'
import { uploadFile } from '../uploads/upload.ts'
import { useImports } from './import-fixture.ts'

const imports = useImports()
const { call, getImport } = imports

const MINUTE_MS = 60_000

const upload = (file: string, confirmationsPerHour: string) =>
  uploadFile(imports.app, '/contacts/import', file, { key: imports.project.secretKey, parts: { confirmationsPerHour } })

/** Uploads a file and runs what is due. Returns the ID of the import. */
async function importFile(file: string, perHour = '60'): Promise<string> {
  const { status, body } = await upload(file, perHour)
  expect(status).toBe(202)
  await imports.app.drain()
  return body.jobId
}

async function pass(minutes: number): Promise<void> {
  for (let i = 0; i < minutes; i++) {
    imports.app.clock.forward(MINUTE_MS)
    await imports.app.drain()
  }
}

const contact = async (email: string) => (await call('GET', `/contacts?email=${email}`)).body.data[0]
const confirmationsTo = async (email: string): Promise<object[]> =>
  (await call('GET', `/emails?contactId=${(await contact(email)).id}`)).body.data
const confirmationsOf = async (jobId: string) => (await getImport(jobId)).confirmations
const fileOf = (count: number) => `email\n${Array.from({ length: count }, (_, i) => `p${i}@example.org`).join('\n')}\n`

describe('an import with confirmationsPerHour', () => {
  it('subscribes nobody, makes new and unsubscribed contacts pending, and asks them at the rate', async () => {
    await call('POST', '/contacts', { email: 'never@example.org', subscribed: false })
    await call('POST', '/contacts', { email: 'reader@example.org' })
    const id = await importFile(
      'email,subscribed\nnew@example.org,\nnever@example.org,yes\nreader@example.org,yes\nno@example.org,no\n',
    )
    expect(await getImport(id)).toMatchObject({
      status: 'COMPLETED',
      result: { createdCount: 2, unchangedCount: 2, failureCount: 0 },
      confirmations: { perHour: 60, total: 2, sent: 1, skipped: 0, waiting: 1 },
    })
    for (const email of ['new@example.org', 'never@example.org'])
      expect(await contact(email)).toMatchObject({ subscribed: false, confirmation: { status: 'pending' } })
    expect(await contact('reader@example.org')).toMatchObject({ subscribed: true, confirmation: null })
    expect(await contact('no@example.org')).toMatchObject({ subscribed: false, confirmation: null })
    await pass(1)
    expect(await confirmationsOf(id)).toMatchObject({ sent: 2, skipped: 0, waiting: 0 })
    const sent = [await confirmationsTo('new@example.org'), await confirmationsTo('never@example.org')]
    expect(sent.map((emails) => emails.length)).toEqual([1, 1])
    expect(await confirmationsTo('no@example.org')).toEqual([])
    const consents = (await call('GET', `/contacts/${(await contact('new@example.org')).id}/consents`)).body.data
    expect(consents).toMatchObject([{ kind: 'confirmation.requested', source: 'import', by: { type: 'key' } }])
  })

  it('sends no more than the rate, one at a time if it is below one in a minute, and survives a stop', async () => {
    const fast = await importFile(fileOf(7), '180')
    expect(await confirmationsOf(fast)).toEqual({ perHour: 180, total: 7, sent: 3, skipped: 0, waiting: 4 })
    // Whatever runs the job once more, nobody is asked early.
    await imports.app.jobs['send-import-confirmations'](
      { projectId: imports.project.id, jobId: fast },
      { attempt: 1, at: imports.app.clock.now() },
    ).catch(() => {})
    expect(await confirmationsOf(fast)).toMatchObject({ sent: 3 })
    imports.app.clock.forward(10 * MINUTE_MS) // stopped for so long
    await imports.app.drain()
    expect(await confirmationsOf(fast)).toMatchObject({ sent: 6, waiting: 1 })
    await pass(1)
    expect(await confirmationsOf(fast)).toMatchObject({ sent: 7, waiting: 0 })

    const slow = await importFile('email\ns1@example.org\ns2@example.org\n', '6')
    await pass(9)
    expect(await confirmationsOf(slow)).toMatchObject({ sent: 1, waiting: 1 })
    await pass(1)
    expect(await confirmationsOf(slow)).toMatchObject({ sent: 2, waiting: 0 })
  })

  it('asks nobody who opted out, even before their data was erased, or whose address is suppressed, before or while waiting', async () => {
    const left = (await call('POST', '/contacts', { email: 'left@example.org' })).body
    await call('PATCH', `/contacts/${left.id}`, { subscribed: false })
    const erased = (await call('POST', '/contacts', { email: 'erased@example.org' })).body
    await call('PATCH', `/contacts/${erased.id}`, { subscribed: false })
    await call('DELETE', `/contacts/${erased.id}`)
    await call('POST', '/suppressions', { email: 'suppressed@example.org' })
    const id = await importFile(
      'email\nleft@example.org\nerased@example.org\nsuppressed@example.org\np0@example.org\np1@example.org\np2@example.org\np3@example.org\n',
    )
    expect(await confirmationsOf(id)).toMatchObject({ total: 4, sent: 1, waiting: 3 })
    expect(await contact('left@example.org')).toMatchObject({ subscribed: false, confirmation: null })
    expect(await contact('erased@example.org')).toMatchObject({ subscribed: false, confirmation: null })
    expect(await contact('suppressed@example.org')).toMatchObject({ subscribed: false, confirmation: null })
    const waiting: string[] = []
    for (const n of [0, 1, 2, 3])
      if ((await confirmationsTo(`p${n}@example.org`)).length === 0) waiting.push(`p${n}@example.org`)
    const [suppressed, asked, deleted] = waiting as [string, string, string]
    await call('POST', '/suppressions', { email: suppressed })
    await call('POST', `/contacts/${(await contact(asked)).id}/confirmation`)
    await call('DELETE', `/contacts/${(await contact(deleted)).id}`)
    await pass(12)
    expect(await confirmationsOf(id)).toMatchObject({ sent: 1, skipped: 3, waiting: 0 })
    expect((await confirmationsTo(asked)).length).toBe(1)
    expect(await confirmationsTo(suppressed)).toEqual([])
    expect(await confirmationsTo('left@example.org')).toEqual([])
  })

  it('sends no marketing email to contacts who are still to be asked', async () => {
    await importFile(fileOf(2), '1')
    const template = { name: 'N', subject: 'N', body: '<p>N</p>', from: 'us@example.com', type: 'MARKETING' }
    const { id: templateId } = (await call('POST', '/templates', template)).body
    for (const n of [0, 1])
      expect((await call('POST', '/v1/send', { to: `p${n}@example.org`, template: templateId })).status).toBe(422)
  })

  it.each(['0', '36001', '-5', '1.5', 'many', '1e3'])(
    'is refused and creates nothing if the rate is %s',
    async (rate) => {
      const { status, body } = await upload('email\na@example.org\n', rate)
      expect(status).toBe(422)
      expect(body.error.errors[0].field).toBe('confirmationsPerHour')
      expect((await call('GET', '/contacts')).body.data).toEqual([])
    },
  )

  it('an import without it has no confirmations', async () => {
    const { confirmations } = await imports.importFile('email\na@example.org\n')
    expect(confirmations).toBeNull()
  })
})
