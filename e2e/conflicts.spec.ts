/** Two people, or two windows, who edit the same thing: nobody's changes are lost, and nobody overwrites without knowing. */
import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it } from './browser.ts'
import { type Cookies, post, WIDE } from './dashboard.ts'
import { openDatabase } from './mailbox.ts'
import { type Dashboard, openSharedDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
let colleague: { email: string; cookies: Cookies }
beforeAll(async () => {
  dashboard = await openSharedDashboard()
  colleague = await addColleague()
})
afterAll(() => dashboard?.close())

/** A second member of the project. */
async function addColleague() {
  const { service, browser, databaseUrl, projectId } = dashboard
  const context = await browser.newContext()
  const email = `mia-${randomBytes(4).toString('hex')}@example.com`
  const { id } = await post(context, `${service.baseUrl}/auth/signup`, { email, password: 'mia has a password' })
  const cookies = await context.cookies()
  await context.close()
  const database = await openDatabase(databaseUrl)
  await database.query(
    `insert into members (project_id, user_id, role, created_at)
      select $1, id, 'ADMIN', now() from users where email = $2`,
    [projectId, email],
  )
  await database.end()
  return { id, email, cookies }
}

const CONTENT = { subject: 'Read by both', body: '<p>Hello</p>', from: 'hello@example.com' }

const newTemplate = (name: string) =>
  unwrap(dashboard.posthorn.templates.create({ name, ...CONTENT, type: 'MARKETING' as const }))

const subject = (page: Page) => page.getByLabel('Subject')
const preheader = (page: Page) => page.getByLabel('Preheader')
const save = (page: Page) => page.keyboard.press('ControlOrMeta+s')
const saved = (page: Page, message = 'Template saved.') => page.getByText(message, { exact: true }).waitFor()
const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' })

/** Changes of what someone else has changed are refused before they are merged. */
const expectOnlyRefused = ({ watched }: { watched: { errors: string[] } }) =>
  expect(watched.errors.filter((error) => !error.endsWith(': 412'))).toEqual([])

it('two tabs of the same person each show that the other is open, until one is closed', async () => {
  const { id } = await newTemplate('Two tabs')
  const first = await dashboard.openPage()
  const notice = (page: Page) => page.getByText('You’re editing this in another tab too')
  await first.page.goto(dashboard.inProject(`templates/${id}`))
  await subject(first.page).waitFor()
  const second = await first.context.newPage()
  await second.goto(dashboard.inProject(`templates/${id}`))
  for (const page of [first.page, second]) await notice(page).waitFor()
  await second.goto(dashboard.inProject('domains'))
  await notice(first.page).waitFor({ state: 'detached' })
  await second.close()
  first.expectNoErrors()
  await first.close()
})

it('two people who change different fields of a template both keep their changes, and the second is told', async () => {
  const { posthorn, inProject } = dashboard
  const { id } = await newTemplate('Different fields')
  const mine = await dashboard.openPage()
  const theirs = await dashboard.openPage('light', WIDE, colleague.cookies)
  for (const { page } of [mine, theirs]) {
    await page.goto(inProject(`templates/${id}`))
    await subject(page).waitFor()
  }
  await theirs.page.getByText(/ is editing this too$/).waitFor()
  await subject(theirs.page).fill('Subject of Mia')
  await save(theirs.page)
  await saved(theirs.page)

  await preheader(mine.page).fill('My preheader')
  await save(mine.page)
  await saved(mine.page)
  await mine.page.getByText(`Your changes were saved together with those of ${colleague.email}: Subject.`).waitFor()
  expect(await subject(mine.page).inputValue()).toBe('Subject of Mia')
  expect(await unwrap(posthorn.templates.get(id))).toMatchObject({
    subject: 'Subject of Mia',
    preheader: 'My preheader',
  })
  await mine.page.getByRole('button', { name: 'Saved', exact: true }).waitFor()
  expectOnlyRefused(mine)
  await mine.close()
  await theirs.close()
})

it('for a field that both changed, a dialog says who saved what, and nothing that was typed is lost', async () => {
  const { posthorn, inProject } = dashboard
  const { id } = await newTemplate('Same field')
  const mine = await dashboard.openPage()
  const theirs = await dashboard.openPage('light', WIDE, colleague.cookies)
  const { page } = mine
  for (const opened of [page, theirs.page]) {
    await opened.goto(inProject(`templates/${id}`))
    await subject(opened).waitFor()
  }
  await subject(theirs.page).fill('Subject of Mia')
  await preheader(theirs.page).fill('Preheader of Mia')
  await save(theirs.page)
  await saved(theirs.page)

  await subject(page).fill('My subject')
  await save(page)
  await dialog(page).getByText(`${colleague.email} saved it`).waitFor()
  await dialog(page).getByText('The other changes are kept as well: Preheader.').waitFor()
  expect(await dialog(page).getByRole('group', { name: 'Subject' }).textContent()).toMatch(/My subject.*Subject of Mia/)
  expect(await checkPage(page)).toEqual([])
  await press(page, 'Keep editing')
  await closed(page)
  expect(await subject(page).inputValue()).toBe('My subject')
  expect((await unwrap(posthorn.templates.get(id))).subject).toBe('Subject of Mia')

  await save(page)
  await press(page, 'Use theirs')
  await closed(page)
  expect(await subject(page).inputValue()).toBe('Subject of Mia')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => subject(page).inputValue()).toBe('My subject')
  await save(page)
  await saved(page)
  expect(await unwrap(posthorn.templates.get(id))).toMatchObject({ subject: 'My subject', preheader: null })
  expectOnlyRefused(mine)
  await mine.close()
  await theirs.close()
})

it('saving over another version keeps that version, and a choice keeps what was chosen of both', async () => {
  const { posthorn, inProject } = dashboard
  const { id } = await newTemplate('Chosen')
  const { page, close } = await dashboard.openPage()
  await page.goto(inProject(`templates/${id}`))
  await subject(page).waitFor()
  await unwrap(posthorn.templates.update(id, { subject: 'Theirs', preheader: 'Theirs' }))
  await subject(page).fill('Mine')
  await save(page)
  await press(page, 'Save mine over it')
  await saved(page)
  await closed(page)
  expect(await unwrap(posthorn.templates.get(id))).toMatchObject({ subject: 'Mine', preheader: null })
  const versions = await unwrap(posthorn.templates.versions(id))
  expect(versions.data.map((version) => version.subject)).toEqual(['Mine', 'Theirs', 'Read by both'])

  await unwrap(posthorn.templates.update(id, { subject: 'Theirs again', preheader: 'Theirs again', fromName: 'Mia' }))
  await subject(page).fill('Mine again')
  await preheader(page).fill('Mine again')
  await save(page)
  await dialog(page).getByRole('group', { name: 'Preheader' }).getByLabel('Theirs').check()
  await press(page, 'Save what I chose')
  await closed(page)
  expect(await unwrap(posthorn.templates.get(id))).toMatchObject({
    subject: 'Mine again',
    preheader: 'Theirs again',
    fromName: 'Mia',
  })
  expect(await preheader(page).inputValue()).toBe('Theirs again')
  await close()
})

it('what was typed before someone else saved survives a reload, and is still not saved over theirs', async () => {
  const { posthorn, inProject } = dashboard
  const { id } = await newTemplate('Reloaded')
  const { page, close } = await dashboard.openPage()
  await page.goto(inProject(`templates/${id}`))
  await subject(page).fill('Typed before')
  await unwrap(posthorn.templates.update(id, { subject: 'Saved meanwhile' }))
  page.once('dialog', (asked) => void asked.accept())
  await page.reload()
  await page.getByText('Your unsaved changes were restored.').waitFor()
  expect(await subject(page).inputValue()).toBe('Typed before')
  await save(page)
  await dialog(page).getByRole('group', { name: 'Subject' }).waitFor()
  expect((await unwrap(posthorn.templates.get(id))).subject).toBe('Saved meanwhile')
  await press(page, 'Keep editing')
  await closed(page)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => subject(page).inputValue()).toBe('Saved meanwhile')
  await close()
})

it('campaigns, segments, layouts, contacts, workflows and settings keep what others saved meanwhile', async () => {
  const { posthorn, inProject, projectId } = dashboard
  const { page, close, watched } = await dashboard.openPage()

  const campaign = await unwrap(posthorn.campaigns.create({ name: 'Both', ...CONTENT, audienceType: 'ALL' }))
  await page.goto(inProject(`campaigns/${campaign.id}/edit`))
  await preheader(page).fill('My preheader')
  await unwrap(
    posthorn.campaigns.update(campaign.id, { name: 'Both', ...CONTENT, subject: 'Theirs', audienceType: 'ALL' }),
  )
  await save(page)
  await saved(page, 'Campaign saved.')
  expect(await unwrap(posthorn.campaigns.get(campaign.id))).toMatchObject({
    subject: 'Theirs',
    preheader: 'My preheader',
  })

  const segment = await unwrap(posthorn.segments.create({ name: 'Both', type: 'STATIC' }))
  await page.goto(inProject(`segments/${segment.id}/edit`))
  await page.getByLabel('Name', { exact: true }).fill('My name')
  await unwrap(posthorn.segments.update(segment.id, { description: 'Theirs' }))
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'My name' }).waitFor()
  expect(await unwrap(posthorn.segments.get(segment.id))).toMatchObject({ name: 'My name', description: 'Theirs' })

  const layout = await unwrap(posthorn.layouts.create({ name: 'Both', header: [], footer: [] }))
  await page.goto(inProject(`templates/layouts/${layout.id}`))
  await page.getByLabel('Name', { exact: true }).fill('My layout')
  await unwrap(posthorn.layouts.update(layout.id, { name: 'Their layout', header: [{ id: 'logo', type: 'logo' }] }))
  await save(page)
  await dialog(page).getByText('The other changes are kept as well: Header.').waitFor()
  await press(page, 'Save what I chose')
  await closed(page)
  expect(await unwrap(posthorn.layouts.get(layout.id))).toMatchObject({ name: 'My layout', header: [{ id: 'logo' }] })
  await page.getByRole('group', { name: /^Logo/ }).waitFor()

  const contact = await unwrap(
    posthorn.contacts.upsert({ email: 'both@example.org', data: { plan: 'free', city: 'Bonn' } }),
  )
  await page.goto(inProject(`contacts/${contact.id}`))
  await page.getByLabel('city', { exact: true }).fill('Ulm')
  await unwrap(posthorn.contacts.update(contact.id, { data: { city: 'Trier', plan: 'pro' } }))
  await page.getByRole('button', { name: 'Save data' }).click()
  await dialog(page).getByRole('group', { name: 'city' }).waitFor()
  await press(page, 'Save what I chose')
  await closed(page)
  expect((await unwrap(posthorn.contacts.get(contact.id))).data).toEqual({ plan: 'pro', city: 'Ulm' })

  const workflow = await unwrap(posthorn.workflows.create({ name: 'Both' }))
  await page.goto(inProject(`workflows/${workflow.id}?tab=settings`))
  await page.getByLabel('Description').fill('My description')
  await unwrap(posthorn.workflows.update(workflow.id, { name: 'Their workflow' }))
  await save(page)
  await saved(page, 'Settings saved.')
  expect(await unwrap(posthorn.workflows.get(workflow.id))).toMatchObject({
    name: 'Their workflow',
    description: 'My description',
  })

  await page.goto(inProject('settings'))
  await page.getByLabel('Name', { exact: true }).fill('My name')
  await unwrap(posthorn.projects.update(projectId, { language: 'de' }))
  await save(page)
  await page.getByText('Your changes were saved together with those that were saved before: Language.').waitFor()
  expect(await unwrap(posthorn.projects.update(projectId, { tracking: 'ENABLED' }))).toMatchObject({
    name: 'My name',
    language: 'de',
  })
  expectOnlyRefused({ watched })
  await close()
})
