/** Old events and emails are removed in whole months, and counts by day stay. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteOldBodies } from '../../features/operations/retention/actions.ts'
import { lockRetiring } from '../../features/operations/retention/retired-queries.ts'
import { transaction } from '../../platform/database/connection/transaction.ts'
import { type OldData, openOldData, PEOPLE, TABLES } from './old-data.ts'

let data: OldData

const waitingLocks = async ({ app }: OldData): Promise<number> =>
  (
    await app.pool.query(`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`)
  ).rowCount!

describe('without retention settings', () => {
  beforeAll(async () => {
    data = await openOldData({})
  })
  afterAll(() => data.close())

  it('nothing is removed, however old it is', async () => {
    await data.goTo('2040-01-01')
    const before = await data.dump()
    await data.clean()
    expect(await data.dump()).toEqual(before)
    expect((await data.app.pool.query('select from retired_tables')).rowCount).toBe(0)
  })
})

describe('with retention settings', () => {
  beforeEach(async () => {
    data = await openOldData({ EVENT_RETENTION_DAYS: '30', EMAIL_RETENTION_DAYS: '30' })
  })
  afterEach(() => data.close())

  it('whole months are dropped, and every statistic stays the same, also after a rebuild', async () => {
    const recent = await data.makeTraffic('2027-02-15')
    await data.goTo('2027-03-20')
    const before = await data.readStatistics()
    await data.clean()
    await data.app.fold()
    for (const table of TABLES) expect(await data.monthsOf(table), table).not.toContain('2027_01')
    expect(await data.monthsOf('events')).toContain('2027_02')
    expect(await data.retiredTables()).toEqual([])
    expect(await data.readStatistics()).toEqual(before)
    expect(await data.app.rebuild()).toEqual({})
    await data.app.fold()
    expect(await data.readStatistics()).toEqual(before)

    expect((await data.call('GET', `/emails/${recent}`)).status).toBe(200)
    const gone = await data.call('GET', `/emails/${data.emailId}`)
    expect(gone.status).toBe(404)
    expect(gone.body.error.message).toContain('older than the retention period of 30 days')
  })

  it('rebuild-analytics still corrects the counts of dropped months', async () => {
    await data.goTo('2027-03-20')
    await data.clean()
    await data.app.fold()
    const before = await data.readStatistics()
    await data.app.pool.query('update event_days set count = count + 5')
    await data.app.pool.query('delete from email_days')
    await data.app.pool.query('update campaign_counts set sent = sent + 3')
    expect(Object.keys(await data.app.rebuild()).sort()).toEqual(['campaigns', 'emails by day', 'events by day'])
    await data.app.fold()
    expect(await data.readStatistics()).toEqual(before)
  })

  it('the list and the names of events contain only stored events', async () => {
    await data.goTo('2027-03-20')
    await data.call('POST', '/events/track', { email: PEOPLE[0], event: 'late' })
    await data.clean()
    const expected = { total: 1, data: [{ name: 'late', count: 1, contacts: 1 }] }
    expect((await data.call('GET', '/events/stats')).body).toEqual(expected)
    await data.app.fold()
    expect((await data.call('GET', '/events/stats')).body).toEqual(expected)
    expect((await data.call('GET', '/events?limit=10')).body).toMatchObject({ total: 1, data: [{ name: 'late' }] })
  })

  it('deleting events by name and resetting the project remove the counts of dropped events too', async () => {
    await data.goTo('2027-03-20')
    await data.clean()
    const daysOf = async () =>
      (
        await data.app.pool.query(
          'select name, sum(count)::int as count from event_days group by 1 having sum(count) <> 0',
        )
      ).rows
    expect(await daysOf()).toContainEqual({ name: 'visit', count: 3 })
    await data.call('DELETE', '/events/visit')
    await data.app.fold()
    expect((await daysOf()).map((day) => day.name)).not.toContain('visit')
    expect(await data.app.rebuild()).toEqual({})

    expect((await data.call('POST', `/users/@me/projects/${data.project.id}/reset`, {})).status).toBe(200)
    await data.app.drain()
    await data.app.fold()
    expect(await daysOf()).toEqual([])
    expect((await data.app.pool.query('select from dropped_counts')).rowCount).toBe(0)
    expect(await data.app.rebuild()).toEqual({})
  })

  it('old rows in the default partition are removed in batches, and others stay', async () => {
    await data.makeTraffic('2027-02-15')
    const before = await data.readStatistics()
    for (const table of TABLES) {
      for (const month of ['2027_01', '2027_02']) {
        await data.app.pool.query(`alter table ${table} detach partition ${table}_${month}`)
        await data.app.pool.query(`insert into ${table}_default select * from ${table}_${month}`)
        await data.app.pool.query(`drop table ${table}_${month}`)
      }
    }
    await data.goTo('2027-03-20')
    await data.clean()
    const { rows } = await data.app.pool.query(`
      select 'events' as table, min(created_at) as oldest from events union all select 'emails', min(created_at) from emails`)
    for (const { oldest } of rows) expect(oldest.toISOString().slice(0, 7)).toBe('2027-02')
    expect(await data.app.rebuild()).toEqual({})
    expect(await data.readStatistics()).toEqual(before)
  })

  it('no note on an email outlives it, and no row of a test email', async () => {
    await data.app.pool.query(
      `insert into email_notes (project_id, id, email_id, kind, words, at)
       select project_id, ('0' || to_hex((extract(epoch from timestamptz '2027-02-20') * 1000)::bigint) || '70008000000000000001')::uuid,
         id, 'email.bounce', 'late', now() from emails order by id limit 1`,
    )
    await data.app.pool.query('insert into test_emails select project_id, id, null from emails')
    await data.goTo('2027-03-20')
    await data.clean()
    for (const table of ['email_notes', 'test_emails', 'captured_messages', 'emails', 'email_contents']) {
      const { rowCount } = await data.app.pool.query(`select from ${table}`)
      expect(rowCount, table).toBe(0)
    }
  })

  it('an unsent email is kept with its content, and the rest of its month is removed', async () => {
    const { rows } = await data.app.pool.query(
      `update emails set status = 'PENDING' where id = (select id from emails where source_type = 'TRANSACTIONAL' limit 1)
       returning id, content_id`,
    )
    await data.goTo('2027-03-20')
    await data.clean()
    expect((await data.app.pool.query('select id, content_id from emails')).rows).toEqual(rows)
    expect((await data.app.pool.query('select id as content_id from email_contents')).rows).toEqual([
      { content_id: rows[0].content_id },
    ])
    expect(await data.app.rebuild()).toEqual({})
    await data.clean()
    expect(await data.count('emails')).toBe(1)

    await data.app.pool.query("update emails set status = 'SENT'")
    await data.clean()
    for (const table of TABLES) expect(await data.count(table), table).toBe(0)
    await data.app.fold()
    expect(await data.app.rebuild()).toEqual({})
  })

  it('a month whose unsent emails are too large to move is kept, and its other bodies can be deleted', async () => {
    const [emails, contents] = [await data.count('emails'), await data.count('email_contents')]
    const { rows } = await data.app.pool.query(
      `update emails set status = 'PENDING' where id = (select id from emails where source_type = 'TRANSACTIONAL' limit 1)
       returning content_id`,
    )
    await data.app.pool.query('update email_contents set encrypted = $1 where id = $2', [
      randomBytes(51_000_000),
      rows[0].content_id,
    ])
    await data.goTo('2027-03-20')
    await data.clean()
    expect(await data.count('email_contents_2027_01')).toBe(contents)
    expect(await data.count('emails_2027_01')).toBe(emails)
    await deleteOldBodies({ ...data.app.ctx, settings: { ...data.app.ctx.settings, BODY_RETENTION_DAYS: 1 } })
    expect((await data.app.pool.query('select id as content_id from email_contents_2027_01')).rows).toEqual(rows)

    await data.app.pool.query("update emails set status = 'SENT'")
    await data.clean()
    for (const table of TABLES) expect(await data.count(table), table).toBe(0)
  })

  it('the content of an unfinished campaign is kept, and the rest of its month is removed', async () => {
    const { rows } = await data.app.pool.query("update campaigns set status = 'SENDING' returning content_id")
    await data.goTo('2027-03-20')
    await data.clean()
    await data.clean()
    expect((await data.app.pool.query('select id as content_id from email_contents')).rows).toEqual(rows)
    expect(await data.count('emails')).toBe(0)
  })

  it('counts are folded while a month is counted, and while a rebuild waits for it', async () => {
    await data.goTo('2027-03-20')
    const other = await data.app.pool.connect()
    try {
      await other.query("begin; select pg_advisory_xact_lock(hashtext('fold event_day_changes'))")
      await data.clean()
      expect(await data.count('events')).toBe(0)
      await other.query("rollback; begin; select pg_advisory_xact_lock(hashtext('retire rows'))")
      const rebuilding = data.app.rebuild()
      await expect.poll(() => waitingLocks(data)).toBe(1)
      await data.app.fold()
      await other.query('rollback')
      expect(await rebuilding).toEqual({})
    } finally {
      other.release(true)
    }
  })

  it('detaching waits while other months are counted, longer than it may wait for a table', async () => {
    const other = await data.app.pool.connect()
    try {
      await other.query("begin; select pg_advisory_xact_lock(hashtext('retire rows'))")
      const locking = transaction(data.app.db, async (tx) => {
        await sql`set local lock_timeout = 50`.execute(tx)
        await lockRetiring(tx)
        return (await sql`show lock_timeout`.execute(tx)).rows
      })
      const [result] = await Promise.allSettled([
        locking,
        other.query('select pg_sleep(0.3)').then(() => other.query('rollback')),
      ])
      expect(result).toEqual({ status: 'fulfilled', value: [{ lock_timeout: '50ms' }] })
    } finally {
      other.release(true)
    }
  })

  it('a rebuild ignores detached months that a restored backup does not contain', async () => {
    await data.app.pool.query(
      `insert into retired_tables (name, parent, retired_at) values ('events_2026_12_20270101000000', 'events', now())`,
    )
    expect(await data.app.rebuild()).toEqual({})
  })

  it('a rebuild between detaching a month and counting it finds nothing to correct', async () => {
    await data.goTo('2027-03-20')
    await data.app.pool.query('alter table dropped_counts rename to dropped_counts_away') // counting fails, as in a crash
    await expect(data.clean()).rejects.toThrow('dropped_counts')
    await data.app.pool.query('alter table dropped_counts_away rename to dropped_counts')
    expect(await data.retiredTables()).toHaveLength(1)
    const before = await data.readStatistics()
    expect(await data.app.rebuild()).toEqual({})
    await data.clean()
    await data.app.fold()
    expect(await data.retiredTables()).toEqual([])
    expect(await data.app.rebuild()).toEqual({})
    expect(await data.readStatistics()).toEqual(before)
  })
})
