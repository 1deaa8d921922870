/** A workflow is built, published, changed under contacts that are in it, and its executions are shown in the graph. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it, takeScreenshot } from './browser.ts'
import { choose } from './choose.ts'
import { publish, stepBox, waitUntilStill } from './pages/workflow-page.ts'
import { type Dashboard, openSharedDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
let workflowId: string
let executionId: string

beforeAll(async () => {
  dashboard = await openSharedDashboard()
  const { posthorn } = dashboard
  await unwrap(posthorn.contacts.upsert({ email: 'ada@example.org', data: { plan: 'pro' } }))
  const template = { subject: 'Welcome', body: '<p>Welcome</p>', from: 'hello@example.com' }
  await unwrap(posthorn.templates.create({ name: 'Welcome email', ...template }))
})
afterAll(() => dashboard?.close())

const readGraph = (id: string) => unwrap(dashboard.posthorn.workflows.get(id))

type StepSpec = Parameters<typeof dashboard.posthorn.workflows.steps.create>[1]

/** A workflow whose steps follow each other, by default enabled, and its editor. */
async function openWorkflow(name: string, specs: StepSpec[], { contacts = 0, enabled = true } = {}) {
  const { posthorn } = dashboard
  const { id } = await unwrap(posthorn.workflows.create({ name, eventName: `${name} started` }))
  const steps: string[] = []
  for (const spec of specs) {
    steps.push((await unwrap(posthorn.workflows.steps.create(id, spec))).id)
    const [fromStepId, toStepId] = steps.slice(-2)
    if (toStepId) await unwrap(posthorn.workflows.transitions.create(id, { fromStepId: fromStepId!, toStepId }))
  }
  if (enabled) await unwrap(posthorn.workflows.update(id, { enabled: true }))
  for (let i = 0; i < contacts; i++) {
    await unwrap(posthorn.events.track({ email: `${name}${i}@example.org`, event: `${name} started` }))
  }
  const withStatus = async (status: string) =>
    (await unwrap(posthorn.workflows.executions.list(id, { status: status as never }))).total
  if (contacts > 0) await expect.poll(() => withStatus('WAITING')).toBe(contacts)
  const opened = await dashboard.openPage()
  await opened.page.goto(dashboard.inProject(`workflows/${id}`))
  await opened.page.locator('.react-flow__node').nth(specs.length).waitFor()
  await waitUntilStill(opened.page)
  return { id, steps, withStatus, ...opened }
}

const DELAY = { type: 'DELAY', name: 'Wait two days', config: { amount: 2, unit: 'days' } } as const
const EXIT = { type: 'EXIT', name: 'The end', config: { reason: 'done' } } as const

const stepForm = (page: Page) => page.getByRole('form', { name: 'Step', exact: true })

it('a workflow is built with clicks, and an incomplete step is marked when it is published', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  const addStep = async (place: string, type: string) => {
    await page.getByRole('button', { name: 'Show the whole graph' }).click()
    await waitUntilStill(page)
    await page.getByRole('button', { name: place }).click()
    await page.getByRole('menuitem', { name: type }).click()
    await stepForm(page).waitFor()
  }
  await page.goto(dashboard.inProject('workflows'))
  await page.getByRole('button', { name: 'Create workflow' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Welcome')
  await page.getByLabel('Trigger event').fill('signed-up')
  await page.getByRole('dialog').getByRole('button', { name: 'Create workflow' }).click()
  await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
  workflowId = new URL(page.url()).pathname.split('/').at(-1)!

  await addStep('Add the first step', 'Check a condition')
  await choose(page.getByLabel('Field', { exact: true }), 'plan')
  await page.getByLabel('Value', { exact: true }).fill('pro')
  await addStep('Add a step after “Check a condition” if yes', 'Send an email')
  await choose(page.getByLabel('Template'), 'Welcome email')
  await addStep('Add a step after “Check a condition” if no', 'Exit')
  await page.getByLabel('Reason').fill('not on the plan')
  await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(3)
  await addStep('Add a step after “Send an email”', 'Call a webhook')
  expectNoErrors()

  await page.getByRole('button', { name: 'Enable workflow' }).click()
  await page.getByText('Complete the marked steps').first().waitFor()
  await stepBox(page, 'Call a webhook').getByText('Complete this step').waitFor()
  await stepForm(page).getByText('Must start with a literal http').waitFor()
  await stepForm(page).getByRole('button', { name: 'Remove step' }).click()
  await page.getByRole('button', { name: 'Enable workflow' }).click()
  await page.getByText('Enabled', { exact: true }).waitFor()
  const graph = await readGraph(workflowId)
  expect(graph.steps.map(({ type }) => type).sort()).toEqual(['CONDITION', 'EXIT', 'SEND_EMAIL'])
  expect(graph.transitions.map(({ branch }) => branch).sort()).toEqual(['no', 'yes'])
  await close()
})

it('a workflow that is built by dragging steps and connections runs', async () => {
  const { posthorn } = dashboard
  const { id, page, close, expectNoErrors } = await openWorkflow('dragged', [], { enabled: false })
  const canvas = page.locator('.react-flow')
  const palette = page.getByRole('toolbar', { name: 'Step types' })
  const drag = (type: string, to: { x: number; y: number }) =>
    palette.getByRole('button', { name: type }).dragTo(canvas, { targetPosition: to })
  await drag('Update the contact', { x: 250, y: 220 })
  await page.getByLabel('Subscription').selectOption('true')
  await page.getByRole('button', { name: 'Close panel' }).click()
  await drag('Exit', { x: 250, y: 520 })
  await page.getByRole('button', { name: 'Close panel' }).click()
  await stepBox(page, 'Exit').getByText('No step leads here').waitFor()
  const source = stepBox(page, 'Update the contact').locator('.react-flow__handle.source')
  await waitUntilStill(page)
  await source.dragTo(stepBox(page, 'Exit').locator('.react-flow__handle.target'))
  await page.getByRole('img', { name: /^From “.+” to “.+”$/ }).waitFor({ state: 'attached' }) // of the trigger
  const edge = page.getByRole('group', { name: 'From “Update the contact” to “Exit”' })
  await edge.waitFor({ state: 'attached' })

  await waitUntilStill(page)
  await palette.getByRole('button', { name: 'Delay' }).dragTo(page.getByRole('button', { name: 'Add a step between' }))
  await page.getByLabel('Duration').fill('0.01')
  await page.getByLabel('Unit').selectOption('minutes')
  await page.getByRole('button', { name: 'Enable workflow' }).click()
  await page.getByText('Enabled', { exact: true }).waitFor()
  const { steps, transitions } = await readGraph(id)
  const typeOf = (stepId: string) => steps.find((step) => step.id === stepId)!.type
  expect(transitions.map(({ fromStepId, toStepId }) => [typeOf(fromStepId), typeOf(toStepId)]).sort()).toEqual([
    ['DELAY', 'EXIT'],
    ['UPDATE_CONTACT', 'DELAY'],
  ])
  await unwrap(posthorn.events.track({ email: 'bob@example.org', event: 'dragged started' }))
  await page.getByRole('tab', { name: 'Executions' }).click()
  await page.getByRole('row').filter({ hasText: 'bob@example.org' }).getByText('Exited').waitFor()
  await page.getByRole('link', { name: 'bob@example.org' }).click()
  await expect.poll(() => page.locator('.react-flow__node .border-good').count()).toBe(3)
  expectNoErrors()
  await close()
})

it('removing a step asks what happens to the contacts at it, and moves them to the next step', async () => {
  const { id, steps, withStatus, page, close, expectNoErrors } = await openWorkflow('moved', [DELAY, EXIT], {
    contacts: 3,
  })
  await stepBox(page, 'Wait two days').getByText('3 here now').waitFor()
  await stepBox(page, 'Wait two days').click()
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog', { name: 'Remove “Wait two days”?' })
  await dialog.getByRole('button', { name: 'Keep the step' }).click()
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(3)

  await page.keyboard.press('Delete')
  await dialog.getByLabel('Move them to the next step').check()
  expect(await checkPage(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remove step' }).click()
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(2)
  expect([await withStatus('WAITING'), (await readGraph(id)).steps.length]).toEqual([3, 2])
  await publish(page)
  await expect.poll(() => withStatus('EXITED')).toBe(3)
  expect((await readGraph(id)).steps.map((step) => step.id)).toEqual([steps[1]])
  expectNoErrors()
  await close()
})

it('a contact is moved to another step, and all who still wait at a step continue', async () => {
  const { page, id, withStatus, expectNoErrors, close } = await openWorkflow('Early', [DELAY, EXIT], { contacts: 3 })
  const { data } = await unwrap(dashboard.posthorn.workflows.executions.list(id))
  await page.goto(dashboard.inProject(`workflows/${id}/executions/${data[0]!.id}`))
  await page.getByRole('button', { name: 'Continue early' }).click()
  await page.getByRole('menuitem', { name: 'Move to “The end”' }).click()
  await page.getByText('Continues at “The end”.').waitFor()
  await page.getByText('Moved to another step').waitFor()
  await expect.poll(() => withStatus('EXITED')).toBe(1)
  await page.goto(dashboard.inProject(`workflows/${id}`))
  await stepBox(page, 'Wait two days').click()
  await page.getByText('2 contacts wait here.').waitFor()
  await page.getByRole('button', { name: 'Let all continue' }).click()
  await page.getByRole('menuitem', { name: 'Skip the wait' }).click()
  const dialog = page.getByRole('dialog', { name: 'Let 2 contacts continue now?' })
  await dialog.getByRole('button', { name: 'Let them continue' }).click()
  await page.getByText('The contacts continue shortly.').waitFor()
  await expect.poll(() => withStatus('EXITED')).toBe(3)
  expectNoErrors()
  await close()
})

it('executions at a removed step can be canceled, and publishing asks about a contact that arrived in the meantime', async () => {
  const { withStatus, page, close } = await openWorkflow('canceled', [DELAY, EXIT])
  await stepBox(page, 'Wait two days').click()
  await page.keyboard.press('Delete')
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(2)
  await unwrap(dashboard.posthorn.events.track({ email: 'late@example.org', event: 'canceled started' }))
  await expect.poll(() => withStatus('WAITING')).toBe(1)
  await page.getByRole('button', { name: 'Publish changes' }).click()
  const dialog = page.getByRole('dialog', { name: /^Remove “/ })
  await dialog.getByLabel('Cancel their executions').check()
  await dialog.getByRole('button', { name: 'Remove step' }).click()
  await page.getByText('Changes published.').first().waitFor()
  await expect.poll(() => withStatus('CANCELLED')).toBe(1)
  await close()
})

it('undo restores a removed step, and redo removes it again', async () => {
  const { id, steps, page, close, expectNoErrors } = await openWorkflow('undone', [DELAY, EXIT])
  await stepBox(page, 'Wait two days').click()
  await page.keyboard.press('Delete')
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(2)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(3)
  await page.getByRole('group', { name: 'From “Wait two days” to “The end”' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Redo' }).click()
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(2)
  await publish(page)
  await page.keyboard.press('ControlOrMeta+z')
  await publish(page)
  expect((await readGraph(id)).steps.map((step) => step.id)).toEqual(steps)
  expectNoErrors()
  await close()
})

it('a refused connection keeps the old one', async () => {
  const third = { ...DELAY, name: 'Wait again' }
  const { id, page, close } = await openWorkflow('refused', [DELAY, third, EXIT])
  const before = (await readGraph(id)).transitions
  await stepBox(page, 'Wait again').click()
  await page.getByLabel('Next step').selectOption({ label: 'Wait two days' })
  await page.getByText('leads back to the first').first().waitFor()
  expect(await page.getByLabel('Next step').locator('option:checked').textContent()).toBe('The end')
  await page.getByRole('group', { name: 'From “Wait again” to “The end”' }).waitFor({ state: 'attached' })
  expect((await readGraph(id)).transitions).toEqual(before)

  await page.getByLabel('Next step').selectOption({ label: 'None' })
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await page.getByText('exactly one first step').first().waitFor()
  expect((await readGraph(id)).transitions).toEqual(before)
  await close()
})

it('changes in the editor are kept when a step is left, a panel is closed, the page is left and a simulation runs', async () => {
  const { id, page, close, expectNoErrors } = await openWorkflow('kept', [DELAY, EXIT])
  const box = stepBox(page, 'Wait two days')
  const before = (await box.boundingBox())!
  await page.mouse.move(before.x + 60, before.y + 20)
  await page.mouse.down()
  await page.mouse.move(before.x - 60, before.y + 30, { steps: 5 })
  await page.mouse.up()
  await stepBox(page, 'The end').click()
  await page.getByLabel('Reason').fill('all done')
  await stepBox(page, 'Wait two days').click()
  await page.getByLabel('Duration').fill('5')
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  await page.goBack()
  await stepBox(page, 'Wait two days').getByText('5 days').waitFor()
  await stepBox(page, 'The end').getByText('all done').waitFor()

  await page.getByRole('button', { name: 'Simulate workflow' }).click()
  await choose(page.getByLabel('Contact', { exact: true }), 'ada@example.org')
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await page.getByText('all done').nth(1).waitFor()
  await page.reload()
  await stepBox(page, 'Wait two days').getByText('5 days').waitFor()
  const draft = await unwrap(dashboard.posthorn.workflows.draft.get(id))
  const saved = draft.steps.find(({ type }) => type === 'DELAY')!
  expect(saved).toMatchObject({ config: { amount: 5 }, position: { x: expect.any(Number), y: expect.any(Number) } })
  expect((await readGraph(id)).steps[0]).toMatchObject({ config: { amount: 2 }, position: null })
  expectNoErrors()

  await stepBox(page, 'Trigger').click()
  await page.getByLabel('Event', { exact: true }).fill('another event')
  await page.getByRole('button', { name: 'Close panel' }).click()
  await stepBox(page, 'Trigger').click()
  expect(await page.getByLabel('Event', { exact: true }).inputValue()).toBe('another event')
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Save trigger' }).click()
  await page.getByText('Trigger saved.').first().waitFor()
  expect((await readGraph(id)).triggerConfig).toEqual({ eventName: 'another event' })
  await close()
})

it('leaving the page asks first if the draft can’t be saved', async () => {
  const { page, close } = await openWorkflow('offline', [DELAY, EXIT])
  await page.route('**/draft', (route) => route.abort())
  await stepBox(page, 'The end').click()
  await page.getByLabel('Reason').fill('never saved')
  await page.getByText('The draft couldn’t be saved.').waitFor()
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  expect(await page.getByLabel('Reason').inputValue()).toBe('never saved')
  await page.unroute('**/draft')
  await page.getByRole('button', { name: 'Save again' }).click()
  await page.getByText('Draft saved.').waitFor()
  await close()
})

it('a workflow is edited with the keyboard alone', async () => {
  const { id, page, close, expectNoErrors } = await openWorkflow('keyboard', [DELAY, EXIT])
  await page.getByRole('button', { name: 'Add a step between “Wait two days” and “The end”' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Send an email' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel('Template').evaluate((field) => field.matches(':focus'))).toBe(true)
  await page.keyboard.type('welc')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel('Template').inputValue()).toBe('Welcome email')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toMatch(/Send an email/)
  await page.keyboard.press('ControlOrMeta+c')
  await page.keyboard.press('Enter')
  await stepForm(page).waitFor()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(5)
  await page.getByRole('button', { name: 'Remove step' }).click()
  await publish(page)
  expect((await readGraph(id)).steps.map(({ type }) => type).sort()).toEqual(['DELAY', 'EXIT', 'SEND_EMAIL'])
  expectNoErrors()
  await close()
})

it('steps are copied and pasted into another workflow', async () => {
  const { page, close } = await openWorkflow('copied', [DELAY, EXIT])
  await stepBox(page, 'Wait two days').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByText('2 steps selected').waitFor()
  await page.keyboard.press('ControlOrMeta+c')
  const { id } = await unwrap(dashboard.posthorn.workflows.create({ name: 'Pasted' }))
  await page.goto(dashboard.inProject(`workflows/${id}`))
  await page.locator('.react-flow__node').waitFor()
  await page.keyboard.press('ControlOrMeta+v')
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(3)
  await publish(page)
  const { steps, transitions } = await readGraph(id)
  expect(steps.map(({ type }) => type).sort()).toEqual(['DELAY', 'EXIT'])
  expect(transitions).toHaveLength(1)
  await close()
})

it('an earlier version is loaded as a draft, and the workflow is started for a segment', async () => {
  const { posthorn } = dashboard
  const { id, withStatus, page, close, expectNoErrors } = await openWorkflow('versions', [DELAY, EXIT])
  await stepBox(page, 'Wait two days').click()
  await page.keyboard.press('Delete')
  await publish(page)
  await page.getByRole('button', { name: 'Show versions' }).click()
  await page.getByRole('button', { name: 'Load version 1 as draft' }).click()
  await stepBox(page, 'Wait two days').waitFor()
  await publish(page)
  expect((await readGraph(id)).steps).toHaveLength(2)

  const { id: segmentId } = await unwrap(posthorn.segments.create({ name: 'Testers', type: 'STATIC' } as never))
  await unwrap(posthorn.segments.addMembers(segmentId, { emails: ['ada@example.org'] }))
  await page.getByRole('button', { name: 'Start for contacts' }).click()
  await page.getByLabel('Start for', { exact: true }).selectOption({ label: 'A segment' })
  await choose(page.getByLabel('Segment'), 'Testers')
  await page.getByRole('dialog').getByRole('button', { name: 'Start workflow' }).click()
  await expect.poll(() => withStatus('WAITING')).toBe(1)
  expectNoErrors()
  await close()
})

it('the graph shows the path of a simulation and of an execution', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`workflows/${workflowId}`))
  await page.getByRole('button', { name: 'Simulate workflow' }).click()
  await choose(page.getByLabel('Contact', { exact: true }), 'ada@example.org')
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await page.getByRole('region', { name: 'Simulated path' }).getByText('Send an email').waitFor()
  await page.getByRole('region', { name: 'Simulated path' }).getByText('Exit').waitFor({ state: 'detached' })
  await takeScreenshot(page, 'workflow')

  await unwrap(dashboard.posthorn.events.track({ email: 'ada@example.org', event: 'signed-up' }))
  await page.getByRole('tab', { name: 'Executions' }).click()
  await page.getByRole('row').filter({ hasText: 'ada@example.org' }).getByText('Completed').waitFor()
  await page.getByRole('link', { name: 'ada@example.org' }).click()
  await page.getByRole('heading', { level: 1, name: 'ada@example.org' }).waitFor()
  executionId = new URL(page.url()).pathname.split('/').at(-1)!
  await page.locator('.react-flow__node', { hasText: 'Send an email' }).locator('.border-good').waitFor()
  expect(await page.locator('.react-flow__node', { hasText: 'Exit' }).locator('.border-good').count()).toBe(0)
  await page.getByText('Completed').nth(2).waitFor()
  await takeScreenshot(page, 'execution')
  expectNoErrors()
  await close()
})

it('the workflow pages are accessible', () => {
  const one = `workflows/${workflowId}`
  return dashboard.expectAccessible([
    'workflows',
    one,
    `${one}?tab=executions`,
    `${one}?tab=settings`,
    `${one}/executions/${executionId}`,
  ])
})
