/** A SEND_EMAIL sends only in its window of hours, or when its wait is skipped. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, type Fixture, MINUTE, openFixture } from '../workflows/workflow-fixture.ts'

let fixture: Fixture
const ask: Fixture['ask'] = (...call) => fixture.ask(...call)
const template: Fixture['template'] = (fields) => fixture.template(fields)
const start: Fixture['start'] = (...call) => fixture.start(...call)
const read: Fixture['read'] = (path) => fixture.read(path)

beforeAll(async () => {
  fixture = await openFixture()
  // The queue uses the clock of the database, which keeps running: it must not overtake the test's clock.
  fixture.app.clock.forward(DAY)
})
afterAll(() => fixture.app.close())

const EXIT = ['EXIT', { reason: 'end' }] as const
let people = 0
const someone = () => fixture.contact(`person${++people}@example.org`)
const emailsOf = async (contactId: string) => (await read(`/emails?contactId=${contactId}`)).data

describe('a SEND_EMAIL with a window', () => {
  const HOUR = 60 * MINUTE
  const hour = (offset: number) =>
    `${String((fixture.app.clock.now().getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`
  const sendIn = async (window: object) => {
    const config = { templateId: await template({ type: 'TRANSACTIONAL' }), window }
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [['SEND_EMAIL', config, 1], [...EXIT]])
    const contactId = await someone()
    return { contactId, path: await start(workflow, contactId) }
  }
  const days = [1, 2, 3, 4, 5, 6, 7]

  it('sends at once inside of it', async () => {
    const { path, contactId } = await sendIn({ days, from: hour(0), to: hour(1), timezone: 'UTC' })
    await fixture.app.drain()
    expect((await read(path)).status).toBe('EXITED')
    expect(await emailsOf(contactId)).toHaveLength(1)
  })

  it('waits for it, sends once, and shows when it resumes', async () => {
    const { path, contactId } = await sendIn({ days, from: hour(2), to: hour(3), timezone: 'contact' })
    await fixture.app.drain()
    const { status, resumeAt } = await read(path)
    expect(status).toBe('WAITING')
    expect(resumeAt).toMatch(`T${hour(2)}:00.000Z`)
    expect(await emailsOf(contactId)).toHaveLength(0)
    await fixture.advanceTime(Date.parse(resumeAt) - fixture.app.clock.now().getTime())
    expect((await read(path)).status).toBe('EXITED')
    expect(await emailsOf(contactId)).toHaveLength(1)
  })

  it('waits for the next one if no worker was running while it was open', async () => {
    const { path, contactId } = await sendIn({ days, from: hour(2), to: hour(3), timezone: 'UTC' })
    await fixture.app.drain()
    const { resumeAt } = await read(path)
    await fixture.advanceTime(5 * HOUR)
    const next = new Date(Date.parse(resumeAt) + DAY).toISOString()
    expect(await read(path)).toMatchObject({ status: 'WAITING', resumeAt: next, steps: [{ resumeAt: next }] })
    expect(await emailsOf(contactId)).toHaveLength(0)
    await fixture.advanceTime(Date.parse(next) - fixture.app.clock.now().getTime())
    expect(await emailsOf(contactId)).toHaveLength(1)
  })

  it('sends before it when the wait is skipped, for one contact or for all at the step, even if the window changes', async () => {
    const window = { days, from: hour(2), to: hour(3), timezone: 'UTC' }
    const first = await sendIn(window)
    await fixture.app.drain()
    const workflow = first.path.replace(/\/executions.*/, '')
    const second = await someone()
    const secondPath = await start({ path: workflow }, second)
    await fixture.app.drain()
    expect((await fixture.ask('POST', `${first.path}/skip-wait`)).status).toBe(200)
    await fixture.app.drain()
    expect((await read(first.path)).status).toBe('EXITED')
    expect([await emailsOf(first.contactId), await emailsOf(second)].map(({ length }) => length)).toEqual([1, 0])
    const step = `${workflow}/steps/${(await read(secondPath)).currentStepId}`
    expect((await fixture.ask('POST', `${step}/executions/skip-wait`)).status).toBe(202)
    const { body: changed } = await fixture.ask('PATCH', step, {
      config: { window: { ...window, to: hour(4) } },
      waiting: 'apply',
    })
    expect(changed.config.window.to).toBe(hour(4))
    await fixture.app.drain()
    expect((await read(secondPath)).status).toBe('EXITED')
    expect(await emailsOf(second)).toHaveLength(1)
    await fixture.advanceTime(DAY)
    expect(await emailsOf(second)).toHaveLength(1)
  })

  it.each([
    [{ days, from: '09:00', to: '09:00', timezone: 'UTC' }, 'config.window.to'],
    [{ days: [], from: '09:00', to: '17:00', timezone: 'UTC' }, 'config.window.days'],
    [{ days: [1, 1], from: '09:00', to: '17:00', timezone: 'UTC' }, 'config.window.days'],
    [{ days: [0], from: '09:00', to: '17:00', timezone: 'UTC' }, 'config.window.days.0'],
    [{ days, from: '9', to: '17:00', timezone: 'UTC' }, 'config.window.from'],
    [{ days, from: '09:00', to: '17:00', timezone: 'Europe/Nowhere' }, 'config.window.timezone'],
    [{ days, from: '09:00', to: '17:00', timezone: 'UTC', zone: 'UTC' }, 'config.window.zone'],
  ])('is refused if the window is %j, for the field %s', async (window, field) => {
    const path = await fixture.create()
    const config = { templateId: await template(), window }
    const { status, body } = await ask('POST', `${path}/steps`, { type: 'SEND_EMAIL', config })
    expect(status).toBe(422)
    expect(body.error.errors.map((one: { field: string }) => one.field)).toContain(field)
  })
})
