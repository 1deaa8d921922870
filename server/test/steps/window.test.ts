/** A SEND_EMAIL sends only in its window of hours, or when its wait is skipped. */
import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../workflows/workflow-fixture.ts'
import { EXIT, useSteps } from './step-fixture.ts'

const { opened, ask, template, start, read, someone, emailsOf } = useSteps()

describe('a SEND_EMAIL with a window', () => {
  const HOUR = 60 * MINUTE
  const hour = (offset: number) =>
    `${String((opened().app.clock.now().getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`
  const sendIn = async (window: object) => {
    const config = { templateId: await template({ type: 'TRANSACTIONAL' }), window }
    const workflow = await opened().createWorkflow({ triggerType: 'MANUAL' }, [['SEND_EMAIL', config, 1], [...EXIT]])
    const contactId = await someone()
    return { contactId, path: await start(workflow, contactId) }
  }
  const days = [1, 2, 3, 4, 5, 6, 7]

  it('sends at once inside of it', async () => {
    const { path, contactId } = await sendIn({ days, from: hour(0), to: hour(1), timezone: 'UTC' })
    await opened().app.drain()
    expect((await read(path)).status).toBe('EXITED')
    expect(await emailsOf(contactId)).toHaveLength(1)
  })

  it('waits for it, sends once, and shows when it resumes', async () => {
    const { path, contactId } = await sendIn({ days, from: hour(2), to: hour(3), timezone: 'contact' })
    await opened().app.drain()
    const { status, resumeAt } = await read(path)
    expect(status).toBe('WAITING')
    expect(resumeAt).toMatch(`T${hour(2)}:00.000Z`)
    expect(await emailsOf(contactId)).toHaveLength(0)
    await opened().advanceTime(Date.parse(resumeAt) - opened().app.clock.now().getTime())
    expect((await read(path)).status).toBe('EXITED')
    expect(await emailsOf(contactId)).toHaveLength(1)
  })

  it('waits for the next one if no worker was running while it was open', async () => {
    const { path, contactId } = await sendIn({ days, from: hour(2), to: hour(3), timezone: 'UTC' })
    await opened().app.drain()
    const { resumeAt } = await read(path)
    await opened().advanceTime(5 * HOUR)
    const next = new Date(Date.parse(resumeAt) + DAY).toISOString()
    expect(await read(path)).toMatchObject({ status: 'WAITING', resumeAt: next, steps: [{ resumeAt: next }] })
    expect(await emailsOf(contactId)).toHaveLength(0)
    await opened().advanceTime(Date.parse(next) - opened().app.clock.now().getTime())
    expect(await emailsOf(contactId)).toHaveLength(1)
  })

  it('sends before it when the wait is skipped, for one contact or for all at the step, even if the window changes', async () => {
    const window = { days, from: hour(2), to: hour(3), timezone: 'UTC' }
    const first = await sendIn(window)
    await opened().app.drain()
    const workflow = first.path.replace(/\/executions.*/, '')
    const second = await someone()
    const secondPath = await start({ path: workflow }, second)
    await opened().app.drain()
    expect((await opened().ask('POST', `${first.path}/skip-wait`)).status).toBe(200)
    await opened().app.drain()
    expect((await read(first.path)).status).toBe('EXITED')
    expect([await emailsOf(first.contactId), await emailsOf(second)].map(({ length }) => length)).toEqual([1, 0])
    const step = `${workflow}/steps/${(await read(secondPath)).currentStepId}`
    expect((await opened().ask('POST', `${step}/executions/skip-wait`)).status).toBe(202)
    const { body: changed } = await opened().ask('PATCH', step, {
      config: { window: { ...window, to: hour(4) } },
      waiting: 'apply',
    })
    expect(changed.config.window.to).toBe(hour(4))
    await opened().app.drain()
    expect((await read(secondPath)).status).toBe('EXITED')
    expect(await emailsOf(second)).toHaveLength(1)
    await opened().advanceTime(DAY)
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
    const path = await opened().create()
    const config = { templateId: await template(), window }
    const { status, body } = await ask('POST', `${path}/steps`, { type: 'SEND_EMAIL', config })
    expect(status).toBe(422)
    expect(body.error.errors.map((one: { field: string }) => one.field)).toContain(field)
  })
})
