/** A workflow is created, enabled and started by an event, and its execution is shown in the graph. */
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it, takeScreenshot } from './browser.ts'
import { openDashboard } from './dashboard.ts'

let dashboard: Awaited<ReturnType<typeof openDashboard>>
let workflowId: string
let executionId: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const { posthorn } = dashboard
  await unwrap(posthorn.contacts.upsert({ email: 'ada@example.org', data: { plan: 'pro' } }))
  const template = { subject: 'Welcome', body: '<p>Welcome</p>', from: 'hello@example.com' }
  await unwrap(posthorn.templates.create({ name: 'Welcome email', ...template }))
}, 240_000)
afterAll(() => dashboard?.close(), 60_000)

it('a workflow is built with clicks, and an incomplete step shows an error', async () => {
  const { page, context, expectNoErrors } = await dashboard.openPage()
  const addStep = async (type: string, fill?: () => Promise<unknown>) => {
    await page.getByRole('toolbar', { name: 'Step types' }).getByRole('button', { name: type }).click()
    await fill?.()
    await page.getByRole('button', { name: 'Add step' }).click()
    await page.getByRole('form', { name: 'Step', exact: true }).waitFor()
  }
  await page.goto(dashboard.inProject('workflows'))
  await page.getByRole('button', { name: 'Create workflow' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Welcome')
  await page.getByLabel('Trigger event').fill('signed-up')
  await page.getByRole('dialog').getByRole('button', { name: 'Create workflow' }).click()
  await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
  workflowId = new URL(page.url()).pathname.split('/').at(-1)!

  await addStep('Check a condition', async () => {
    await page.getByLabel('Field', { exact: true }).selectOption({ label: 'plan' })
    await page.getByLabel('Value', { exact: true }).fill('pro')
  })
  await addStep('Send an email', async () => {
    await page.getByLabel('Template').selectOption({ label: 'Welcome email' })
    await page.getByLabel('Previous step').selectOption({ label: 'Check a condition (yes)' })
  })
  await addStep('Exit', async () => {
    await page.getByLabel('Previous step').selectOption({ label: 'Check a condition (no)' })
    await page.getByLabel('Reason').fill('not on the plan')
  })
  await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(3)
  expectNoErrors()

  await page.getByRole('button', { name: 'Call a webhook' }).click()
  await page.getByRole('button', { name: 'Add step' }).click()
  await page.getByText('Must start with a literal http').first().waitFor()
  await page.getByRole('button', { name: 'Close step' }).click()
  await page.getByRole('button', { name: 'Enable workflow' }).click()
  await page.getByText('Enabled', { exact: true }).waitFor()
  const graph = await unwrap(dashboard.posthorn.workflows.get(workflowId))
  expect(graph.transitions.map(({ branch }) => branch).sort()).toEqual(['no', 'yes'])
  await context.close()
}, 60_000)

it('a workflow that is built by dragging steps and connections runs', async () => {
  const { posthorn } = dashboard
  const { id } = await unwrap(posthorn.workflows.create({ name: 'Dragged', eventName: 'dragged' }))
  const { page, context, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`workflows/${id}`))
  const canvas = page.locator('.react-flow')
  await canvas.waitFor()
  const drag = async (type: string, to: { x: number; y: number }, fill: () => Promise<unknown>) => {
    await page.getByRole('button', { name: type }).dragTo(canvas, { targetPosition: to })
    await fill()
    await page.getByRole('button', { name: 'Add step' }).click()
    await page.getByRole('form', { name: 'Step', exact: true }).waitFor()
  }
  await drag('Update the contact', { x: 300, y: 250 }, () => page.getByLabel('Subscription').selectOption('true'))
  await drag('Exit', { x: 300, y: 420 }, () => page.getByLabel('Previous step').selectOption({ label: 'None' }))
  const { steps } = await unwrap(posthorn.workflows.get(id))
  const place = { x: expect.any(Number), y: expect.any(Number) }
  expect(steps).toMatchObject([
    { type: 'UPDATE_CONTACT', position: place },
    { type: 'EXIT', position: place },
  ])
  const [change, exit] = steps.map((step) => page.locator(`.react-flow__node[data-id="${step.id}"]`))
  await change!.locator('.react-flow__handle.source').dragTo(exit!.locator('.react-flow__handle.target'))
  await expect.poll(async () => (await unwrap(posthorn.workflows.get(id))).transitions.length).toBe(1)

  await page.getByRole('button', { name: 'Enable workflow' }).click()
  await page.getByText('Enabled', { exact: true }).waitFor()
  await unwrap(posthorn.events.track({ email: 'bob@example.org', event: 'dragged' }))
  await page.getByRole('tab', { name: 'Executions' }).click()
  await page.getByRole('row').filter({ hasText: 'bob@example.org' }).getByText('Exited').waitFor()
  await page.getByRole('link', { name: 'bob@example.org' }).click()
  await expect.poll(() => page.locator('.react-flow__node .border-good').count()).toBe(2)
  expectNoErrors()
  await context.close()
}, 60_000)

it('the graph shows the path of a simulation and of an execution', async () => {
  const { page, context, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`workflows/${workflowId}`))
  await page.getByLabel('Contact', { exact: true }).fill('ada@example.org')
  await page.getByRole('button', { name: 'Simulate workflow' }).click()
  await page.getByRole('region', { name: 'Simulated path' }).getByText('Send an email').waitFor()
  await page.getByRole('region', { name: 'Simulated path' }).getByText('Exit').waitFor({ state: 'detached' })
  await takeScreenshot(page, 'workflow')

  await unwrap(dashboard.posthorn.events.track({ email: 'ada@example.org', event: 'signed-up' }))
  await page.getByRole('tab', { name: 'Executions' }).click()
  await page.getByRole('row').filter({ hasText: 'ada@example.org' }).getByText('Completed').waitFor()
  await page.getByRole('link', { name: 'ada@example.org' }).click()
  await page.getByRole('heading', { level: 1, name: 'Execution' }).waitFor()
  executionId = new URL(page.url()).pathname.split('/').at(-1)!
  await page.locator('.react-flow__node', { hasText: 'Send an email' }).locator('.border-good').waitFor()
  expect(await page.locator('.react-flow__node', { hasText: 'Exit' }).locator('.border-good').count()).toBe(0)
  await page.getByText('Completed').nth(2).waitFor()
  await takeScreenshot(page, 'execution')
  expectNoErrors()
  await context.close()
}, 60_000)

it('the activity page shows events as they occur', async () => {
  const { page, context, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('activity'))
  await page.getByText('Live', { exact: true }).waitFor()
  await unwrap(dashboard.posthorn.events.track({ email: 'live@example.org', event: 'just-now' }))
  await page.getByRole('row').filter({ hasText: 'just-now' }).waitFor()
  expectNoErrors()
  await context.close()
}, 60_000)

it('the workflow pages are accessible', () => {
  const one = `workflows/${workflowId}`
  return dashboard.expectAccessible([
    'workflows',
    one,
    `${one}?tab=executions`,
    `${one}?tab=settings`,
    `${one}/executions/${executionId}`,
  ])
}, 120_000)
