/** Stored counts equal the data after any traffic, and again after they were damaged and rebuilt. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tallies } from '../../app.ts'
import type { Tally } from '../../platform/database/tallies.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

const SEED = Number(process.env.TEST_SEED ?? 20_270_310)
const DAY_MS = 86_400_000

let app: TestApp
let projects: Project[]

beforeAll(async () => {
  app = await openTestApp()
  projects = [await createProject(app), await createProject(app)]
  for (let round = 1; round <= 6; round++) {
    await Promise.all([...Array.from({ length: 40 }, act), app.fold(), app.fold()])
    await app.drain()
    app.clock.forward(DAY_MS / 3)
  }
  for (const project of projects) await sendCampaign(project)
})
afterAll(() => app.close())

/** A pseudo-random number between 0 and 1, the same in every run. */
let state = SEED
const random = (): number => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31
  return state / 2 ** 31
}
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!

const call = (project: Project, method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const EMAIL = { from: 'us@example.com', subject: 'S', body: '<p><a href="https://example.org/">B</a></p>' }
const DATA = [
  {},
  { plan: 'pro' },
  { plan: null, address: { city: 'Bonn', geo: { lat: 1 } } },
  { address: { city: 'Ulm' }, tags: ['a'] },
]
const ADDRESSES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `${name}@example.org`)
const OUTCOMES = ['success', 'bounce', 'softbounce', 'complaint'].map((name) => `${name}@simulator.posthorn.test`)

const AUDIT_ACTIONS: Array<(project: Project) => Promise<unknown>> = [
  (project) =>
    call(project, 'POST', '/contacts', { email: pick(ADDRESSES), subscribed: random() < 0.7, data: pick(DATA) }),
  (project) =>
    call(project, 'POST', '/events/track', { email: pick(ADDRESSES), event: pick(['signup', 'visit', 'buy']) }),
  (project) => call(project, 'POST', '/v1/send', { to: pick([...ADDRESSES, ...OUTCOMES]), ...EMAIL }),
  (project) => call(project, 'POST', '/v1/send', { to: pick(OUTCOMES), ...EMAIL }),
  async (project) => {
    const { body } = await call(project, 'GET', '/contacts')
    if (body.data.length > 0) await call(project, 'DELETE', `/contacts/${pick<{ id: string }>(body.data).id}`)
  },
  async (project) => {
    const { body } = await call(project, 'GET', '/emails')
    const link = 'https://example.org/'
    const outcome = pick([{ outcome: 'open' }, { outcome: 'click', link }, { outcome: 'complaint' }])
    if (body.data.length > 0)
      await call(project, 'POST', `/emails/${pick<{ id: string }>(body.data).id}/simulate`, outcome)
  },
  (project) => (random() < 0.2 ? call(project, 'DELETE', '/events/visit') : Promise.resolve()),
]
const act = () => pick(AUDIT_ACTIONS)(pick(projects))

async function sendCampaign(project: Project): Promise<void> {
  for (const email of [...ADDRESSES, ...OUTCOMES]) await call(project, 'POST', '/contacts', { email, subscribed: true })
  const { body } = await call(project, 'POST', '/campaigns', { name: 'C', ...EMAIL, audienceType: 'ALL' })
  await call(project, 'POST', `/campaigns/${body.id}/send`)
  await app.drain()
  const { data } = (await call(project, 'GET', `/emails?campaignId=${body.id}`)).body
  for (const email of data.slice(0, 3)) await call(project, 'POST', `/emails/${email.id}/simulate`, { outcome: 'open' })
  await app.drain()
}

/** Counts that aren't zero, as sorted texts. */
async function countsIn(tally: Tally, ...parts: string[]): Promise<string[]> {
  const keys = tally.keys.join(', ')
  const measures = Object.keys(tally.measures)
  const sums = measures.map((measure) => `sum(${measure})::int as ${measure}`).join(', ')
  const { rows } = await app.pool.query(
    `select ${keys}, ${sums} from (${parts.join(' union all ')}) as parts group by ${keys}`,
  )
  return rows
    .filter((row) => measures.some((measure) => row[measure] !== 0))
    .map((row) => JSON.stringify(row))
    .sort()
}

const columnsOf = ({ keys, measures }: Tally) => [...keys, ...Object.keys(measures)].join(', ')
const factsOf = (tally: Tally) =>
  countsIn(tally, `select ${columnsOf(tally)} from (${tally.facts(sql.table(tally.of)).compile(app.db).sql}) as fact`)
const foldedIn = (tally: Tally) => countsIn(tally, `select ${columnsOf(tally)} from ${tally.kept}`)
const recordedIn = (tally: Tally) =>
  countsIn(
    tally,
    `select ${columnsOf(tally)} from ${tally.kept}`,
    `select ${[...tally.keys, ...Object.values(tally.measures)].join(', ')} from ${tally.changes}`,
  )

const namesOf = async () =>
  (await app.pool.query('select * from event_names where count > 0 order by project_id, name')).rows

describe('every tally', () => {
  it('is listed in app.ts', async () => {
    const { rows } = await app.pool.query<{ table: string }>(
      `select relname as table from pg_class where relkind = 'r' and relname like '%\\_changes' order by 1`,
    )
    expect(tallies.map((tally) => tally.changes).sort()).toEqual(rows.map((row) => row.table))
  })

  it.each(tallies.map((tally) => [tally.name, tally] as const))('agrees with the data: %s', async (_, tally) => {
    const facts = await factsOf(tally)
    expect(facts.length).toBeGreaterThan(1)
    expect(await recordedIn(tally), `TEST_SEED=${SEED}`).toEqual(facts)
  })

  it('has nothing to correct after traffic', async () => {
    expect(await app.rebuild()).toEqual({})
  })

  it('agrees with the data again after its counts were damaged and rebuilt', async () => {
    await app.fold()
    const names = await namesOf()
    for (const tally of tallies) {
      for (const measure of Object.keys(tally.measures)) {
        const damage = tally.keepsDeleted?.includes(measure) ? '- 1' : '+ 7'
        await app.pool.query(`update ${tally.kept} set ${measure} = ${measure} ${damage}`)
      }
      await app.pool.query(
        `delete from ${tally.kept} where ctid in (select ctid from ${tally.kept} order by ${tally.keys.join(', ')} limit 1)`,
      )
      expect(await recordedIn(tally), tally.name).not.toEqual(await factsOf(tally))
    }
    await app.pool.query('update event_names set count = count - 1, contacts = contacts + 2')

    expect(Object.keys(await app.rebuild()).sort()).toEqual(tallies.map((tally) => tally.name).sort())
    for (const tally of tallies) expect(await recordedIn(tally), tally.name).toEqual(await factsOf(tally))
    expect(await app.rebuild()).toEqual({})
    await app.fold()
    for (const tally of tallies) expect(await foldedIn(tally), tally.name).toEqual(await factsOf(tally))
    expect(await namesOf()).toEqual(names)
  })

  it('is corrected once by concurrent rebuilds, folds and traffic', async () => {
    for (const tally of tallies) await app.pool.query(`delete from ${tally.kept}`)
    await Promise.all([app.rebuild(), ...Array.from({ length: 20 }, act), app.fold(), app.rebuild(), app.fold()])
    await app.drain()
    await app.fold()
    for (const tally of tallies) expect(await foldedIn(tally), tally.name).toEqual(await factsOf(tally))
    expect(await app.rebuild()).toEqual({})
  })

  it('is skipped while another process is folding it', async () => {
    await call(projects[0]!, 'POST', '/events/track', { email: 'y@example.org', event: 'busy' })
    const isWaiting = async () =>
      (await app.pool.query(`select from event_day_changes where name = 'busy'`)).rowCount === 1
    const other = await app.pool.connect()
    try {
      await other.query(`begin; select pg_advisory_xact_lock(hashtext('fold event_day_changes'))`)
      await app.fold() // would wait until the test times out
      expect(await isWaiting()).toBe(true)
    } finally {
      await other.query('rollback')
      other.release()
    }
    await app.fold()
    expect(await isWaiting()).toBe(false)
  })

  it('is folded in one pass over many differences, even if the statistics are based on a few', async () => {
    const add = (contact: string, rows: number) =>
      app.pool.query(
        `insert into event_contact_changes select $1, 'many', ${contact}, 1 from generate_series(1, $2::int)`,
        [projects[0]!.id, rows],
      )
    try {
      await add(`'00000000-0000-7000-8000-000000000000'`, 300)
      await app.pool.query('analyze event_contact_changes')
      await add('gen_random_uuid()', 40_000)
      await app.fold() // comparing each with all others would take minutes
      const { rows } = await app.pool.query(`select contacts from event_names where name = 'many'`)
      expect(rows).toEqual([{ contacts: 40_001 }])
    } finally {
      await app.pool.query(`delete from event_contacts where name = 'many'`)
      await app.pool.query(`delete from event_names where name = 'many'`)
    }
  })

  it('is folded even if folding another one fails', async () => {
    await act()
    await call(projects[0]!, 'POST', '/events/track', { email: 'z@example.org', event: 'late' })
    await app.pool.query('alter table event_days rename to event_days_away')
    try {
      await expect(app.fold()).rejects.toThrow('event_days')
    } finally {
      await app.pool.query('alter table event_days_away rename to event_days')
    }
    const waiting = async () => {
      const counts: Record<string, boolean> = {}
      for (const tally of tallies)
        counts[tally.name] = (await app.pool.query(`select from ${tally.changes} limit 1`)).rowCount === 1
      return Object.keys(counts).filter((name) => counts[name])
    }
    expect(await waiting()).toEqual(['events by day'])
    await app.fold()
    expect(await waiting()).toEqual([])
  })
})

describe('the ended emails of a campaign', () => {
  it('include recipients who were deleted before their email was created, even after a rebuild', async () => {
    await app.pool.query(
      'insert into campaign_count_changes (project_id, campaign_id, ended) select project_id, id, 2 from campaigns',
    )
    expect(await app.rebuild()).toEqual({})
    await app.fold()
    expect(await app.rebuild()).toEqual({})
  })
})

describe('the counts of usage and deliveries', () => {
  it('are kept when emails are deleted, and rebuilding does not lower them', async () => {
    await app.fold()
    const kept = tallies.filter((tally) => ['usage', 'deliveries'].includes(tally.name))
    const before = await Promise.all(kept.map(foldedIn))
    await app.pool.query('delete from emails where project_id = $1', [projects[1]!.id])
    expect(await app.rebuild()).toEqual({ campaigns: 1 }) // campaigns are deleted with their project's emails
    await app.fold()
    expect(await Promise.all(kept.map(foldedIn))).toEqual(before)
  })
})
