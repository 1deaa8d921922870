/** Executions that run at the same time share a transaction and the statements of each step, without affecting each other. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Drawn, openStage, type Stage } from './workflow-stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.app.close())

const EXIT: Drawn = ['EXIT', {}]
const isPro = (field: string) => ({ field, operator: 'equals', value: 'pro' })

/** Starts these and runs them in one transaction. Their reports, in order. */
async function runAll(starts: Array<{ workflow: { path: string }; contactId: string; context?: object }>) {
  const paths: string[] = []
  for (const { workflow, contactId, context } of starts) paths.push(await stage.start(workflow, contactId, context))
  const { pool, services } = stage.app
  const ids = paths.map((path) => path.split('/').at(-1)!)
  const { rows: executions } = await pool.query('select id, version from workflow_executions where id = any($1)', [ids])
  await Promise.all(
    executions.map(({ id, version }) =>
      services.workflowEngine.runExecution(
        { projectId: stage.project.id, executionId: id, version },
        { takeOver: false, last: false },
      ),
    ),
  )
  const { rows: writers } = await pool.query(
    'select distinct xmin::text from workflow_step_runs where execution_id = any($1)',
    [ids],
  )
  const reports = []
  for (const path of paths) reports.push(await stage.read(path))
  return { reports, transactions: writers.length }
}

const pathOf = (report: { steps: Array<{ type: string }> }) => report.steps.map(({ type }) => type)

it('executions in one transaction take their own branches and use their own values', async () => {
  const workflow = await stage.draw({ triggerType: 'MANUAL', allowReentry: true }, [
    ['CONDITION', isPro('data.plan'), { yes: 1, no: 3 }],
    ['UPDATE_CONTACT', { updates: { greeting: 'Hi {{name}}', seen: '{{n}}', plan: null } }, 2],
    EXIT,
    ['UPDATE_CONTACT', { updates: { greeting: 'No {{name}}' }, subscribed: false }, 2],
  ])
  const starts = []
  for (let n = 0; n < 12; n++) {
    const contactId = await stage.contact(`many-${n}@example.org`, {
      data: { plan: n % 3 === 0 ? 'pro' : 'free', name: `N${n}` },
    })
    starts.push({ workflow, contactId, context: { n } })
  }
  const { reports, transactions } = await runAll(starts)
  expect(transactions).toBe(1)
  for (const [n, report] of reports.entries()) {
    expect(report.status).toBe('EXITED')
    expect(pathOf(report)).toEqual(['CONDITION', 'UPDATE_CONTACT', 'EXIT'])
    const { body } = await stage.ask('GET', `/contacts/${starts[n]!.contactId}`)
    if (n % 3 === 0) {
      expect(body).toMatchObject({ subscribed: true, data: { greeting: `Hi N${n}`, seen: n } })
      expect(body.data).not.toHaveProperty('plan')
    } else expect(body).toMatchObject({ subscribed: false, data: { greeting: `No N${n}`, plan: 'free' } })
  }
  const flips = await stage.app.pool.query(
    `select contact_id from events where name = 'contact.unsubscribed' and contact_id = any($1)`,
    [starts.map(({ contactId }) => contactId)],
  )
  expect(flips.rows.length).toBe(8)
  expect(new Set(flips.rows.map((row) => row.contact_id)).size).toBe(8)
})

it('a condition on the event uses the event of each execution', async () => {
  const workflow = await stage.draw({ eventName: 'bought', allowReentry: true }, [
    ['CONDITION', isPro('event.data.plan'), { yes: 1, no: 2 }],
    ['EXIT', { reason: 'pro' }],
    ['EXIT', { reason: 'free' }],
  ])
  for (let n = 0; n < 6; n++) await stage.track(`buyer-${n}@example.org`, 'bought', { plan: n % 2 ? 'pro' : 'free' })
  await stage.app.drain()
  const reasons = (await stage.executions(workflow)).map(({ event, exitReason }) => [event.plan, exitReason])
  expect(reasons).toHaveLength(6)
  for (const [plan, reason] of reasons) expect(reason).toBe(plan)
})

it('an execution that fails does not affect the others in its transaction', async () => {
  const workflow = await stage.draw({ triggerType: 'MANUAL', allowReentry: true }, [
    ['UPDATE_CONTACT', { updates: { year: '{{ "2026-01-01" | date: "%Y", zone }}' } }, 1],
    EXIT,
  ])
  const zones = ['Europe/Berlin', 'Nowhere/Town', 'Asia/Tokyo']
  const starts = []
  for (const [n, zone] of zones.entries()) {
    starts.push({ workflow, contactId: await stage.contact(`zone-${n}@example.org`, { data: { zone } }) })
  }
  const { reports, transactions } = await runAll(starts)
  expect(transactions).toBe(1)
  expect(reports.map(({ status }) => status)).toEqual(['EXITED', 'FAILED', 'EXITED'])
  expect(reports[1].error).toContain('Nowhere/Town')
})

it('two executions of one contact run one after the other, and the second sees the changes of the first', async () => {
  const first = await stage.draw({ triggerType: 'MANUAL' }, [
    ['UPDATE_CONTACT', { updates: { stage: 'one' } }, 1],
    EXIT,
  ])
  const second = await stage.draw({ triggerType: 'MANUAL' }, [
    ['UPDATE_CONTACT', { updates: { trail: '{{stage}}-{{trail}}' } }, 1],
    EXIT,
  ])
  const contactId = await stage.contact('both@example.org', { data: { stage: 'none', trail: 'start' } })
  const { reports } = await runAll([
    { workflow: first, contactId },
    { workflow: second, contactId },
  ])
  expect(reports.map(({ status }) => status)).toEqual(['EXITED', 'EXITED'])
  expect((await stage.ask('GET', `/contacts/${contactId}`)).body.data).toEqual({ stage: 'one', trail: 'one-start' })
})
