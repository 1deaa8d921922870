/** Executions that run at the same time share a transaction and the statements of each step, without affecting each other. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Fixture, openFixture, type StepSpec } from '../workflows/workflow-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.app.close())

const EXIT: StepSpec = ['EXIT', {}]
const isPro = (field: string) => ({ field, operator: 'equals', value: 'pro' })

/** Starts these executions, runs them in one transaction and returns them in order. */
async function runAll(starts: Array<{ workflow: { path: string }; contactId: string; context?: object }>) {
  const paths: string[] = []
  for (const { workflow, contactId, context } of starts) paths.push(await fixture.start(workflow, contactId, context))
  const { pool, services } = fixture.app
  const ids = paths.map((path) => path.split('/').at(-1)!)
  const { rows: executions } = await pool.query('select id, version from workflow_executions where id = any($1)', [ids])
  await Promise.all(
    executions.map(({ id, version }) =>
      services.workflowEngine.runExecution(
        { projectId: fixture.project.id, executionId: id, version },
        { takeOver: false },
      ),
    ),
  )
  const { rows: writers } = await pool.query(
    'select distinct xmin::text from workflow_step_runs where execution_id = any($1)',
    [ids],
  )
  const reports = []
  for (const path of paths) reports.push(await fixture.read(path))
  return { reports, transactions: writers.length }
}

const pathOf = (report: { steps: Array<{ type: string }> }) => report.steps.map(({ type }) => type)

it('executions in one transaction take their own branches and use their own values', async () => {
  const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL', allowReentry: true }, [
    ['CONDITION', isPro('data.plan'), { yes: 1, no: 3 }],
    ['UPDATE_CONTACT', { updates: { greeting: 'Hi {{name}}', seen: '{{n}}', plan: null } }, 2],
    EXIT,
    ['UPDATE_CONTACT', { updates: { greeting: 'No {{name}}' }, subscribed: false }, 2],
  ])
  const starts = []
  for (let n = 0; n < 12; n++) {
    const contactId = await fixture.contact(`many-${n}@example.org`, {
      data: { plan: n % 3 === 0 ? 'pro' : 'free', name: `N${n}` },
    })
    starts.push({ workflow, contactId, context: { n } })
  }
  const { reports, transactions } = await runAll(starts)
  expect(transactions).toBe(1)
  for (const [n, report] of reports.entries()) {
    expect(report.status).toBe('EXITED')
    expect(pathOf(report)).toEqual(['CONDITION', 'UPDATE_CONTACT', 'EXIT'])
    const { body } = await fixture.ask('GET', `/contacts/${starts[n]!.contactId}`)
    if (n % 3 === 0) {
      expect(body).toMatchObject({ subscribed: true, data: { greeting: `Hi N${n}`, seen: n } })
      expect(body.data).not.toHaveProperty('plan')
    } else expect(body).toMatchObject({ subscribed: false, data: { greeting: `No N${n}`, plan: 'free' } })
  }
  const flips = await fixture.app.pool.query(
    `select contact_id from events where name = 'contact.unsubscribed' and contact_id = any($1)`,
    [starts.map(({ contactId }) => contactId)],
  )
  expect(flips.rows.length).toBe(8)
  expect(new Set(flips.rows.map((row) => row.contact_id)).size).toBe(8)
})

it('a condition on the event uses the event of each execution', async () => {
  const workflow = await fixture.createWorkflow({ eventName: 'bought', allowReentry: true }, [
    ['CONDITION', isPro('event.data.plan'), { yes: 1, no: 2 }],
    ['EXIT', { reason: 'pro' }],
    ['EXIT', { reason: 'free' }],
  ])
  for (let n = 0; n < 6; n++) await fixture.track(`buyer-${n}@example.org`, 'bought', { plan: n % 2 ? 'pro' : 'free' })
  await fixture.app.drain()
  const reasons = (await fixture.executions(workflow)).map(({ event, exitReason }) => [event.plan, exitReason])
  expect(reasons).toHaveLength(6)
  for (const [plan, reason] of reasons) expect(reason).toBe(plan)
})

it('an execution that fails does not affect the others in its transaction', async () => {
  const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL', allowReentry: true }, [
    ['UPDATE_CONTACT', { updates: { year: '{{ "2026-01-01" | date: "%Y", zone }}' } }, 1],
    EXIT,
  ])
  const zones = ['Europe/Berlin', 'Nowhere/Town', 'Asia/Tokyo']
  const starts = []
  for (const [n, zone] of zones.entries()) {
    starts.push({ workflow, contactId: await fixture.contact(`zone-${n}@example.org`, { data: { zone } }) })
  }
  const { reports, transactions } = await runAll(starts)
  expect(transactions).toBe(1)
  expect(reports.map(({ status }) => status)).toEqual(['EXITED', 'FAILED', 'EXITED'])
  expect(reports[1].error).toContain('Nowhere/Town')
})

it('two executions of one contact run one after the other, and the second sees the changes of the first', async () => {
  const first = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
    ['UPDATE_CONTACT', { updates: { fixture: 'one' } }, 1],
    EXIT,
  ])
  const second = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
    ['UPDATE_CONTACT', { updates: { trail: '{{fixture}}-{{trail}}' } }, 1],
    EXIT,
  ])
  const contactId = await fixture.contact('both@example.org', { data: { fixture: 'none', trail: 'start' } })
  const { reports } = await runAll([
    { workflow: first, contactId },
    { workflow: second, contactId },
  ])
  expect(reports.map(({ status }) => status)).toEqual(['EXITED', 'EXITED'])
  expect((await fixture.ask('GET', `/contacts/${contactId}`)).body.data).toEqual({ fixture: 'one', trail: 'one-start' })
})
