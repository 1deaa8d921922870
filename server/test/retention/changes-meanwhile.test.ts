/** What happens to old data if projects and emails change while it is removed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tallies } from '../../app.ts'
import { deleteOldEmails, deleteOldEvents } from '../../features/operations/retention/actions.ts'
import { createProject } from '../harness.ts'
import { EMAIL, type OldData, openOldData } from './old-data.ts'

let data: OldData

beforeEach(async () => {
  data = await openOldData({ EVENT_RETENTION_DAYS: '30', EMAIL_RETENTION_DAYS: '30', ARCHIVE: 'folder' })
})
afterEach(() => data.close())

describe('after a project was reset', () => {
  let other: Awaited<ReturnType<typeof createProject>>
  const reset = async () => {
    const url = `/users/@me/projects/${other.id}/reset`
    expect((await data.call('POST', url, {}, other.secretKey)).body).toEqual({ success: true, complete: true })
  }
  const send = (to: string) =>
    data.call('POST', '/v1/send', { to, ...EMAIL, subject: 'Hello', body: `Dear ${to}` }, other.secretKey)
  beforeEach(async () => {
    other = await createProject(data.app)
    await send('eve@example.org')
    await data.call('POST', '/events/track', { email: 'eve@example.org', event: 'other' }, other.secretKey)
    await data.app.drain()
    await data.goTo('2027-03-20')
  })

  it('its earlier bodies are not archived, even if they were detached before the reset, and its later ones are', async () => {
    await data.refuseArchives()
    await data.app.pool.query("alter table retired_tables add constraint no_emails check (parent <> 'emails')")
    await expect(deleteOldEmails(data.app.ctx, tallies)).rejects.toThrow('no_emails') // and contents are detached
    await reset()
    await data.app.pool.query('alter table retired_tables drop constraint no_emails')
    data.app.clock.forward(1_000)
    await send('adam@example.org')
    await data.app.drain()
    await data.allowArchives()
    await data.clean()
    await data.goTo('2027-05-20')
    await data.clean()
    const texts = await data.readArchives()
    expect(texts.filter((text) => text.includes('eve@example.org'))).toEqual([])
    expect(texts.filter((text) => text.includes('Dear adam'))).toHaveLength(1)
    expect(texts.filter((text) => text.includes('To bob@example.org'))).toHaveLength(1)
  })

  it('its rows are not archived, even if it is reset while its month is archived', async () => {
    const reader = await data.app.pool.connect()
    try {
      await data.refuseArchives()
      await expect(deleteOldEmails(data.app.ctx, tallies)).rejects.toThrow()
      await data.allowArchives()
      const contents = (await data.retiredTables()).find(({ name }) => name.startsWith('email_contents'))!.name
      await reader.query(`begin; select from posthorn_retired.${contents}`) // so that it can't be dropped
      const cleaning = deleteOldEmails(data.app.ctx, tallies)
      await expect.poll(data.waitsForTable).toBe(true)
      expect((await data.readArchives()).filter((text) => text.includes('Dear eve'))).toHaveLength(1)
      await reset()
      await reader.query('rollback')
      await cleaning
    } finally {
      reader.release(true)
    }
    const texts = await data.readArchives()
    expect(texts.filter((text) => text.includes('eve@example.org'))).toEqual([])
    expect(texts.filter((text) => text.includes('To bob@example.org'))).toHaveLength(1)
  })

  it('its rows are not restored', async () => {
    await data.clean()
    await reset()
    await data.restoreAll()
    expect((await data.dump()).filter((text) => text.includes(other.id))).toEqual([])
    expect((await data.dump()).filter((text) => text.includes('bob@example.org'))).not.toEqual([])
    expect(await data.app.rebuild()).toEqual({})
  })
})

it('an email that is sent again while its month is detached keeps its content', async () => {
  const { body } = await data.call('POST', '/v1/send', { to: 'ada@example.org', ...EMAIL, subject: 'Hello' })
  const { email: id } = body.data.emails[0]
  await data.app.pool.query("update emails set status = 'FAILED' where id = $1", [id])
  await data.app.pool.query('delete from posthorn_queue.jobs')
  await data.goTo('2027-03-20')
  const reader = await data.app.pool.connect()
  try {
    await reader.query('begin; select from email_contents')
    const cleaning = deleteOldEmails(data.app.ctx, tallies)
    await expect.poll(data.waitsForTable).toBe(true)
    expect((await data.call('POST', `/emails/${id}/resend`)).status).toBe(200)
    await reader.query('rollback')
    await cleaning
  } finally {
    reader.release(true)
  }
  await data.app.drain()
  expect((await data.call('GET', `/emails/${id}`)).body).toMatchObject({ status: 'DELIVERED' })
})

it('what unsent emails need is read before their contents are locked', async () => {
  await data.goTo('2027-03-20')
  const reader = await data.app.pool.connect()
  try {
    await reader.query('begin; select from email_contents')
    const cleaning = deleteOldEmails(data.app.ctx, tallies)
    await expect.poll(data.waitsForTable).toBe(true)
    const { rows } = await reader.query(
      `select distinct held.relation::regclass::text as name from pg_locks waits join pg_locks held using (pid)
       where waits.relation = 'email_contents'::regclass and not waits.granted and held.granted
         and held.relation in ('emails'::regclass, 'campaigns'::regclass) order by 1`,
    )
    expect(rows).toEqual([{ name: 'campaigns' }, { name: 'emails' }])
    await reader.query('rollback')
    await cleaning
  } finally {
    reader.release(true)
  }
})

it('the error of an archive is thrown even if it cannot be recorded', async () => {
  await data.goTo('2027-03-20')
  await data.refuseArchives()
  await data.app.pool.query('alter table retired_tables add constraint unrecorded check (error is null)')
  await expect(deleteOldEvents(data.app.ctx, tallies)).rejects.toThrow(/ENOTDIR|EEXIST|not a (folder|directory)/)
})
