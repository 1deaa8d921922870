/** Messages that are captured together share a statement; each is stored unchanged, up to a limit. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { deriveSecrets } from '../../platform/secrets.ts'
import { captureTransport } from '../../platform/transports/capture.ts'
import { openTestDatabase, testClock } from '../harness.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const STORED_MAX = 128 * 1024

it('every captured message is stored unchanged with its own envelope, whatever else is captured at the same time', async () => {
  const clock = testClock()
  const transport = captureTransport({ db: database.db, clock, secrets: deriveSecrets('a secret for tests only') })
  const raws = ['first\r\n', '', 'ü\0{"\\x', 'y'.repeat(STORED_MAX - 1), 'z'.repeat(STORED_MAX), 'last']
  const mails = raws.map((raw, n) => ({
    id: newId(clock.now()),
    messageId: `${n}@example.com`,
    sender: `bounce+${n}@example.com`,
    recipients: n % 2 === 0 ? [`"a,b"${n}@example.org`] : [`{c}${n}@example.org`, `d${n}@example.org`],
    attempt: 1,
    raw: Buffer.from(raw),
    priority: 0,
  }))
  const results = await Promise.all(mails.map((mail) => transport.send(mail)))
  expect(results.map((result) => result.outcome)).toEqual(mails.map(() => 'accepted'))

  const rows = await database.db.selectFrom('captured_messages').selectAll().execute()
  expect(rows).toHaveLength(mails.length)
  for (const { id, sender, recipients, raw } of mails) {
    const kept = rows.find((row) => row.email_id === id)!
    expect({ sender: kept.sender, recipients: kept.recipients }).toEqual({ sender, recipients })
    expect(kept.raw.equals(raw)).toBe(true)
  }
})

it('the beginning of a long message to a project’s recipient is stored, and system mail as a whole', async () => {
  const clock = testClock()
  const transport = captureTransport({ db: database.db, clock, secrets: deriveSecrets('a secret for tests only') })
  const raw = Buffer.alloc(10 * STORED_MAX, 'x')
  const mail = { messageId: 'long@example.com', sender: 'a@example.com', recipients: ['b@example.org'], attempt: 1 }
  const [one, other] = [newId(clock.now()), newId(clock.now())]
  await transport.send({ ...mail, id: one, raw, priority: 0 })
  await transport.send({ ...mail, id: other, raw, priority: 0, system: true })
  const rows = await database.db.selectFrom('captured_messages').select(['email_id', 'raw']).execute()
  const bytesOf = (id: string) => rows.find((row) => row.email_id === id)!.raw.length
  expect([bytesOf(one), bytesOf(other)]).toEqual([STORED_MAX, raw.length])
})
