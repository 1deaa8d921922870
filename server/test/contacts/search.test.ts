/** The filter `search` of the contact list. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { containsSql } from '../../features/audience/contacts/list-queries.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

describe('searching contacts by address', () => {
  const ADDRESSES = [
    'ann@example.org',
    'joann@example.org',
    'ann@example.organic.net',
    'anna@example.org',
    '"ann@quoted"@example.org',
    'ünal@example.org',
    '50%_off@example.org',
    '50x_off@example.org',
  ]
  let app: TestApp
  let key: string

  beforeAll(async () => {
    app = await openTestApp()
    key = (await createProject(app)).secretKey
    for (const email of ADDRESSES) await app.request('POST', '/contacts', { key, body: { email } })
  })
  afterAll(() => app.close())

  it.each([
    ['ann@example.org', ['ann@example.org', 'joann@example.org', 'ann@example.organic.net']],
    ['ANN@example.org', ['ann@example.org', 'joann@example.org', 'ann@example.organic.net']],
    ['joann@', ['joann@example.org']],
    ['nn@example.org', ['ann@example.org', 'joann@example.org', 'ann@example.organic.net']],
    ['ann@q', ['"ann@quoted"@example.org']],
    ['quoted"@example.org', ['"ann@quoted"@example.org']],
    ['nal@example', ['ünal@example.org']],
    ['ünal@example', ['ünal@example.org']],
    ['%_off@', ['50%_off@example.org']],
    ['0x_off@', ['50x_off@example.org']],
    ['@example.organic', ['ann@example.organic.net']],
    ['annex@example.org', []],
  ])('%s finds %j', async (search, expected) => {
    const { body } = await app.request('GET', `/contacts?search=${encodeURIComponent(search)}`, { key })
    expect(body.data.map(({ email }: { email: string }) => email).sort()).toEqual([...expected].sort())
    expect(body.total).toBe(expected.length)
  })

  it('uses the index of the ends of local parts, among many contacts', async () => {
    const { projectId } = await createManyContacts()
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from contacts where project_id = ${projectId} and ${containsSql('reader-1234@example.org')}
      order by id desc limit 101`.execute(app.ctx.db)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('contacts_local_part_end')
  })

  async function createManyContacts() {
    const { id: projectId } = await createProject(app)
    await app.pool.query(
      `insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
       select $1, gen_random_uuid(), 'reader-' || i || '@example.org', true, true, '{}', now(), now() from generate_series(1, 5000) i`,
      [projectId],
    )
    await app.pool.query('analyze contacts')
    return { projectId }
  }
})
