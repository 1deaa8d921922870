/** Campaigns at a local time or spread over some time: waves, their times and what was sent. */
import { describe, expect, it } from 'vitest'
import { mapZones, minutesUntil } from '../../features/automation/campaigns/waves/freeze.ts'
import { useCampaigns } from './campaign-fixture.ts'

const campaigns = useCampaigns()
const { call, create, get, upsert, addContacts } = campaigns
const send = (id: string, body: object) => call('POST', `/campaigns/${id}/send`, body)

const DAY_MS = 86_400_000
/** The date of a day from now, at which the clock is set to 00:30:20 UTC. */
function atMidnight(): string {
  const tomorrow = new Date(campaigns.app.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10)
  campaigns.app.clock.set(new Date(`${tomorrow}T00:30:20Z`))
  return tomorrow
}

describe('localTime', () => {
  it('sends a wave for each distinct local moment, and those that have passed at the start', async () => {
    const date = atMidnight()
    await upsert('tokyo@example.org', { data: { timezone: 'Asia/Tokyo' } }) // 09:00 is 00:00 UTC, which has passed
    await upsert('kolkata@example.org', { data: { timezone: 'Asia/Calcutta' } }) // a former name of Asia/Kolkata
    await upsert('colombo@example.org', { data: { timezone: 'asia/colombo' } }) // the same offset
    await upsert('none@example.org')
    await upsert('unknown@example.org', { data: { timezone: 'Mars/Olympus' } })
    await upsert('number@example.org', { data: { timezone: 7 } })
    const id = await create()
    const localTime = { date, time: '09:00', fallback: 'UTC' }
    expect((await send(id, { localTime })).status).toBe(200)
    const start = campaigns.app.clock.now().toISOString()
    const at = (time: string) => `${date}T${time}:00.000Z`
    expect((await get(id)).waves).toEqual([
      { at: start, recipients: 1, sent: 0 },
      { at: at('03:30'), recipients: 2, sent: 0 },
      { at: at('09:00'), recipients: 3, sent: 0 },
    ])
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENDING', sentCount: 1 })
    campaigns.app.clock.set(new Date(at('03:30')))
    await campaigns.app.drain()
    expect((await get(id)).waves.map((wave: { sent: number }) => wave.sent)).toEqual([1, 2, 0])
    campaigns.app.clock.set(new Date(at('09:00')))
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 6 })
    expect((await get(id)).waves.map((wave: { sent: number }) => wave.sent)).toEqual([1, 2, 3])
  })

  it.each([
    ['a date that does not exist', { date: '2027-02-30' }, 'localTime.date'],
    ['a date in the past', { date: '2020-01-01' }, 'localTime.date'],
    ['a date too far ahead', { date: '2099-01-01' }, 'localTime.date'],
    ['a time that does not exist', { time: '24:00' }, 'localTime.time'],
    ['a time without a colon', { time: '9' }, 'localTime.time'],
    ['an unknown fallback', { fallback: 'Mars/Olympus' }, 'localTime.fallback'],
    ['an offset as the fallback', { fallback: '+01:00' }, 'localTime.fallback'],
    ['no fallback', { fallback: undefined }, 'localTime.fallback'],
  ])('%s is refused with 422 and changes nothing', async (_what, change, field) => {
    await upsert('one@example.org')
    const id = await create()
    const date = campaigns.app.clock.now().toISOString().slice(0, 10)
    const { status, body } = await send(id, { localTime: { date, time: '09:00', fallback: 'UTC', ...change } })
    expect(status).toBe(422)
    expect(body.error.errors).toContainEqual(expect.objectContaining({ field }))
    expect((await get(id)).status).toBe('DRAFT')
  })
})

describe('spreadMinutes', () => {
  it('sends evenly, in steps of a minute', async () => {
    atMidnight()
    await addContacts(9)
    const id = await create()
    expect((await send(id, { spreadMinutes: 3 })).status).toBe(200)
    const { waves } = await get(id)
    expect(waves.map((wave: { recipients: number }) => wave.recipients)).toEqual([3, 3, 3])
    for (let minute = 1; minute <= 3; minute++) {
      await campaigns.app.drain()
      expect((await get(id)).sentCount).toBe(3 * minute)
      campaigns.app.clock.forward(60_000)
    }
    expect((await get(id)).status).toBe('SENT')
  })

  it('starts at the local time if there is one, and at the scheduled time', async () => {
    const date = atMidnight()
    await addContacts(2)
    const id = await create()
    const localTime = { date, time: '09:00', fallback: 'UTC' }
    await send(id, { localTime, spreadMinutes: 60, scheduledFor: `${date}T08:00:00Z` })
    const timing = { localTime, spreadMinutes: 60, bestHour: false }
    expect(await get(id)).toMatchObject({ status: 'SCHEDULED', waves: [], timing })
    campaigns.app.clock.set(new Date(`${date}T08:00:00Z`))
    await campaigns.app.drain()
    const times = (await get(id)).waves.map((wave: { at: string }) => wave.at)
    expect(times).toEqual([`${date}T09:00:00.000Z`, `${date}T09:30:00.000Z`])
    await call('POST', `/campaigns/${id}/cancel`)
    campaigns.app.clock.set(new Date(`${date}T10:00:00Z`))
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'CANCELLED', sentCount: 0 })
  })

  it.each([0, 1_441, 1.5, '10'])('%j is refused with 422', async (spreadMinutes) => {
    await upsert('one@example.org')
    expect((await send(await create(), { spreadMinutes })).status).toBe(422)
  })

  it('a pause between waves keeps the rest until the campaign is resumed', async () => {
    atMidnight()
    await addContacts(4)
    const id = await create()
    await send(id, { spreadMinutes: 2 })
    await campaigns.app.drain()
    await call('POST', `/campaigns/${id}/pause`)
    campaigns.app.clock.forward(3_600_000)
    await campaigns.app.drain()
    expect((await get(id)).sentCount).toBe(2)
    await call('POST', `/campaigns/${id}/resume`)
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 4 })
  })
})

describe('bestHour', () => {
  /** The first emails of the contact were opened at these times. */
  async function open(name: string, times: string[]) {
    const { rows } = await campaigns.app.pool.query<{ id: string }>(
      'select id from emails where project_id = $1 and to_email = $2 order by id',
      [campaigns.project.id, `${name}@example.org`],
    )
    for (const [i, at] of times.entries()) {
      await campaigns.app.pool.query('update emails set opened_at = $1 where id = $2', [at, rows[i]!.id])
    }
  }

  it('sends at the hour at which a contact opened most emails, and to others at the start', async () => {
    for (const name of ['late', 'now', 'rarely', 'never']) await upsert(`${name}@example.org`)
    for (let n = 0; n < 6; n++) await campaigns.sendNow(await create())
    const date = atMidnight()
    const at = (hours: number[]) => hours.map((hour) => `${date}T${String(hour).padStart(2, '0')}:40:00Z`)
    await open('late', at([15, 15, 9, 15, 0, 9]))
    await open('now', at([0, 0, 0, 7, 7]))
    await open('rarely', at([15, 15, 15, 15]))
    const id = await create()
    expect((await send(id, { bestHour: true })).status).toBe(200)
    await campaigns.app.drain()
    expect((await get(id)).waves).toEqual([
      { at: `${date}T00:30:20.000Z`, recipients: 3, sent: 3 },
      { at: `${date}T15:00:00.000Z`, recipients: 1, sent: 0 },
    ])
    campaigns.app.clock.set(new Date(`${date}T15:00:00Z`))
    await campaigns.app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 4 })
  })

  it('counts hours in the time zone of a contact, on both sides of a change of the clocks', async () => {
    await upsert('berlin@example.org', { data: { timezone: 'europe/berlin' } })
    await upsert('kolkata@example.org', { data: { timezone: 'Asia/Kolkata' } })
    await upsert('unknown@example.org', { data: { timezone: 'Mars/Olympus' } })
    campaigns.app.clock.set(new Date('2027-03-20T10:00:00Z'))
    for (let n = 0; n < 5; n++) await campaigns.sendNow(await create())
    // 09:40 in Berlin, three times in winter and twice in summer; 08:40 UTC is another hour in each of them.
    await open(
      'berlin',
      [26, 27, 27].map((day) => `2027-03-${day}T08:40:00Z`).concat(['2027-03-28T07:40:00Z', '2027-03-29T07:40:00Z']),
    )
    await open('kolkata', Array(5).fill('2027-03-26T03:40:00Z')) // 09:10 there
    await open('unknown', Array(5).fill('2027-03-26T03:40:00Z'))
    campaigns.app.clock.set(new Date('2027-03-27T20:30:00Z')) // the clocks of Berlin are changed in the night
    const id = await create()
    expect((await send(id, { bestHour: true })).status).toBe(200)
    await campaigns.app.drain()
    expect((await get(id)).waves.map(({ at }: { at: string }) => at)).toEqual([
      '2027-03-28T03:00:00.000Z',
      '2027-03-28T03:30:00.000Z',
      '2027-03-28T07:00:00.000Z',
    ])
  })

  it.each([{ spreadMinutes: 10 }, { localTime: { date: '2027-01-01', time: '09:00', fallback: 'UTC' } }])(
    'is refused with %j',
    async (other) => {
      await upsert('one@example.org')
      const { status, body } = await send(await create(), { bestHour: true, ...other })
      expect(status).toBe(422)
      expect(body.error.errors).toEqual([expect.objectContaining({ field: 'bestHour' })])
    },
  )
})

it('a campaign without waves has one, from the moment at which its audience is fixed', async () => {
  await addContacts(2)
  const id = await create()
  expect((await get(id)).waves).toEqual([])
  await campaigns.sendNow(id)
  expect((await get(id)).waves).toEqual([{ at: expect.any(String), recipients: 2, sent: 2 }])
})

it('minutes are counted from the start of the current one', () => {
  const now = new Date('2026-12-01T08:17:23.500Z')
  expect(minutesUntil(new Date('2026-12-01T08:18:00Z'), now)).toBe(1)
  expect(minutesUntil(new Date('2026-12-01T08:17:00Z'), now)).toBe(0)
  expect(minutesUntil(now, now)).toBe(0)
})

it('other work has its turn while the rules of all time zones are read', async () => {
  let turns = 0
  const timer = setInterval(() => turns++)
  const names = [...Intl.supportedValuesOf('timeZone'), 'Mars/Olympus']
  const zones = await mapZones(names, (zone) => zone)
  clearInterval(timer)
  expect(zones).toEqual(names.slice(0, -1))
  expect(turns).toBeGreaterThan(1)
})
