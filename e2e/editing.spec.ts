/** Editing templates and campaigns: tests look like the email that is sent, and nothing that was written gets lost. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it } from './browser.ts'
import { choose } from './choose.ts'
import { type Dashboard, openSharedDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await openSharedDashboard()
})
afterAll(() => dashboard?.close())

const CONTENT = {
  subject: 'News for {{name ?? "you"}}',
  body: '<p>Hello <a href="https://example.org/a">there</a></p>',
  from: 'hello@example.com',
}

const newTemplate = (name: string, fields = {}) =>
  unwrap(dashboard.posthorn.templates.create({ name, ...CONTENT, type: 'MARKETING' as const, ...fields }))

const newCampaign = (name: string) =>
  unwrap(dashboard.posthorn.campaigns.create({ name, ...CONTENT, type: 'MARKETING', audienceType: 'ALL' }))

async function sendTest(page: Page, to: string): Promise<void> {
  await page.getByRole('button', { name: 'Send test email' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Recipient').fill(to)
  await dialog.getByRole('button', { name: 'Send test email' }).click()
  await page.getByText(`Test email sent to ${to}.`).waitFor()
}

/** The only email to an address. */
async function emailTo(address: string) {
  const { data } = await unwrap(dashboard.posthorn.emails.list({ search: address }))
  expect(data).toHaveLength(1)
  return unwrap(dashboard.posthorn.emails.get(data[0]!.id))
}

const body = (page: Page) => page.getByLabel('Body (HTML with Liquid)')

it('preview, template test, campaign test and sent email have the same footer, and tests create no contact', async () => {
  const { posthorn, inProject } = dashboard
  const { id: templateId } = await newTemplate('News')
  const { id: campaignId } = await newCampaign('News')
  const { page, close, expectNoErrors } = await dashboard.openPage()

  await page.goto(inProject(`templates/${templateId}`))
  const preview = page.frameLocator('iframe[title="Email preview"]')
  await preview.getByRole('link', { name: 'Unsubscribe' }).waitFor()
  await sendTest(page, 'template-test@example.org')
  await page.goto(inProject(`campaigns/${campaignId}`))
  await page.frameLocator('iframe[title="Campaign preview"]').getByRole('link', { name: 'Unsubscribe' }).waitFor()
  await sendTest(page, 'campaign-test@example.org')
  expect((await unwrap(posthorn.contacts.list())).data).toEqual([])

  await unwrap(posthorn.contacts.upsert({ email: 'reader@example.org' }))
  await unwrap(posthorn.campaigns.send(campaignId))
  const untokened = (html: string | null) => html?.replaceAll(/(\/(?:unsubscribe|t\/[co])\/)[\w-]+/g, '$1')
  await expect.poll(async () => (await unwrap(posthorn.campaigns.get(campaignId))).status).toBe('SENT')
  const sent = untokened((await emailTo('reader@example.org')).html)
  expect(sent).toContain('/unsubscribe/')
  for (const address of ['template-test@example.org', 'campaign-test@example.org']) {
    const test = await emailTo(address)
    expect(untokened(test.html)).toBe(sent)
    expect(test).toMatchObject({ subject: '[TEST] News for you', contactId: null })
  }
  expectNoErrors()
  await close()
})

it('sending a test keeps unsaved changes, and sends them', async () => {
  const { id } = await newTemplate('Draft')
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`templates/${id}`))
  await page.getByLabel('Subject').fill('Not saved yet')
  await sendTest(page, 'draft-test@example.org')
  expect(await page.getByLabel('Subject').inputValue()).toBe('Not saved yet')
  expect((await emailTo('draft-test@example.org')).subject).toBe('[TEST] Not saved yet')
  expectNoErrors()
  await close()
})

it('starting from a template asks before it replaces content, and can be undone', async () => {
  await newTemplate('Autumn', { subject: 'Autumn subject', body: '<p>Autumn body</p>' })
  const { id } = await newCampaign('Careful')
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`campaigns/${id}/edit`))
  await page.getByLabel('Subject').fill('My own subject')
  const chooseAutumn = () => choose(page.getByLabel('Start from template'), 'Autumn')

  await chooseAutumn()
  await page.getByRole('button', { name: 'Keep content' }).click()
  expect(await page.getByLabel('Subject').inputValue()).toBe('My own subject')

  await chooseAutumn()
  await page.getByRole('button', { name: 'Replace content' }).click()
  await body(page).getByText('Autumn body').waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Autumn subject')

  await page.getByRole('button', { name: 'Undo' }).click()
  await body(page).getByText('Hello').waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe('My own subject')

  await body(page).click()
  await page.keyboard.press('Control+z')
  await body(page).getByText('Autumn body').waitFor() // the undone replacement is a step of the editor's history
  expectNoErrors()
  await close()
})

it('a campaign that starts from a transactional template still goes to subscribed contacts only', async () => {
  await newTemplate('Order receipt', { type: 'TRANSACTIONAL', subject: 'Your receipt' })
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('campaigns/new'))
  await choose(page.getByLabel('Start from template'), 'Order receipt')
  await page.getByText('The campaign still goes to subscribed contacts only.').waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Your receipt')
  expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe('MARKETING')
  expectNoErrors()
  await close()
})

it('leaving a page with unsaved changes asks first, and a reload restores them', async () => {
  const { id } = await newTemplate('Kept')
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`templates/${id}`))
  await body(page).getByText('Hello').waitFor()
  await page.getByLabel('Subject').fill('Half an idea')

  await page.getByRole('link', { name: 'Contacts', exact: true }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Half an idea')

  page.once('dialog', (dialog) => void dialog.accept()) // the browser's own question
  await page.reload()
  await page.getByText('Your unsaved changes were restored.').waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Half an idea')

  await page.getByRole('link', { name: 'Contacts', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
  await page.goto(dashboard.inProject(`templates/${id}`))
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe(CONTENT.subject)
  expectNoErrors()
  await close()
})

it('closing a dialog with a filled-in form asks first', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('domains'))
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  const field = page.getByRole('dialog').getByRole('textbox')
  await field.fill('mail.example.net')
  await page.keyboard.press('Escape')
  await page.getByText('Discard your changes?').waitFor()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expect(await field.inputValue()).toBe('mail.example.net')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expectNoErrors()
  await close()
})

it('errors are shown next to their field in plain words, without names from the API', async () => {
  const { posthorn, inProject } = dashboard
  const { page, close } = await dashboard.openPage()
  const noApiWords = async () =>
    expect(await page.locator('main').textContent()).not.toMatch(/scheduledFor|`|GET \/|req_/)

  await page.goto(inProject('templates/new'))
  await page.getByLabel('Name', { exact: true }).fill('No sender')
  await page.getByLabel('Subject').fill('Hello')
  await page.getByRole('button', { name: 'Edit details' }).click()
  await page.getByLabel('From', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Enter the address you send from.').waitFor()
  expect(await page.getByLabel('From', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('From', { exact: true }).fill('hello@not-verified.example')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('You can only send from a verified domain.').waitFor()
  await noApiWords()

  const { id } = await newCampaign('Late')
  page.once('dialog', (dialog) => void dialog.accept()) // leaves the unsaved template
  await page.goto(inProject(`campaigns/${id}`))
  await page.getByRole('button', { name: 'Send campaign', exact: true }).click()
  await page.getByLabel('Schedule for later').check()
  await page.getByLabel('Date and time').fill('2020-01-01T10:00')
  await page.getByRole('button', { name: /^Schedule for/ }).click()
  await page.getByText('Choose a time in the future.').waitFor()
  expect(await page.getByLabel('Date and time').getAttribute('aria-invalid')).toBe('true')

  const { id: templateId } = await newTemplate('In use')
  await unwrap(posthorn.campaigns.update(id, { name: 'Late', ...CONTENT, audienceType: 'ALL', templateId }))
  await page.goto(inProject('templates'))
  await page.getByRole('button', { name: 'Actions for In use' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('In use')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete template' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('dialog').textContent()).not.toContain('GET /')
  await close()
})

it('an expired session leads back to the page after signing in, with the unsaved changes', async () => {
  const { id } = await newTemplate('Expired')
  const { page, context, close } = await dashboard.openPage()
  await page.goto(dashboard.inProject(`templates/${id}`))
  await page.getByLabel('Subject').fill('Written before the session ended')
  await context.clearCookies()
  await page.keyboard.press('Control+S') // the page may already ask to sign in, because another of its requests was refused
  await page.getByLabel('Password').fill(dashboard.owner.password)
  await page.getByLabel('Email').fill(dashboard.owner.email)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Your unsaved changes were restored.').waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Written before the session ended')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template saved.').waitFor()
  await close()
})

it('without a connection a notice is shown, and the page loads when the connection is back', async () => {
  const { page, context, close } = await dashboard.openPage()
  await page.goto(dashboard.inProject('templates'))
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  await context.setOffline(true)
  await page.getByText('You’re offline.').waitFor()
  await page.getByLabel('Search templates').fill('Expired')
  await context.setOffline(false)
  await page.getByText('You’re offline.').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Expired' }).waitFor()
  await close()
})

it('a page that is opened without a connection appears when the connection is back', async () => {
  const { page, context, close } = await dashboard.openPage()
  await page.goto(dashboard.inProject('templates'))
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Suppressions' }).click()
  await page.waitForURL(/suppressions$/)
  await page.getByText('You’re offline.').waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
  await close()
})

it('changes made after a save are restored by a reload', async () => {
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('templates/new'))
  await page.getByLabel('Name', { exact: true }).fill('Saved once')
  await page.getByLabel('Subject').fill('Saved')
  await page.keyboard.press('ControlOrMeta+s')
  await page.waitForURL(/templates\/[\da-f-]{36}$/)
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()
  await page.getByLabel('Subject').fill('Saved twice')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()

  await page.getByLabel('Subject').fill('Not saved')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('Your unsaved changes were restored.').waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Not saved')
  expectNoErrors()
  await close()
})

it('a layout that is saved and opened again shows what was saved', async () => {
  const { posthorn } = dashboard
  const layout = { name: 'Plain', header: [{ id: 'logo', type: 'logo' as const }], footer: [] }
  const { id } = await unwrap(posthorn.layouts.create(layout))
  const { page, close } = await dashboard.openPage()
  await page.goto(dashboard.inProject('templates/layouts'))
  await page.getByRole('link', { name: 'Plain' }).click()
  const properties = page.getByRole('region', { name: 'Properties' })
  await properties.getByRole('heading', { name: 'Layout settings' }).waitFor()
  expect(await properties.getByLabel('Font').count()).toBe(0) // only blocks are saved

  await page.getByLabel('Name', { exact: true }).fill('Fancy')
  await page.getByRole('toolbar', { name: 'Blocks' }).getByRole('button', { name: 'Divider' }).click()
  await page.getByRole('button', { name: 'Save layout' }).click()
  await page.getByText('Layout saved.').waitFor()
  await page.getByRole('link', { name: 'Layouts and saved blocks' }).click()
  await page.getByRole('link', { name: 'Fancy' }).click()
  await page.getByRole('group', { name: 'Divider' }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Fancy')

  // A URL that the API refuses is reported at its block instead of being dropped.
  await page.getByRole('group', { name: /^Logo/ }).click()
  await properties.getByLabel('Link').fill('not a url')
  await page.getByRole('button', { name: 'Save layout' }).click()
  await page
    .getByRole('group', { name: /^Logo/ })
    .getByText(/URL|http/i)
    .waitFor()
  await properties.getByLabel('Link').fill('example.com/sale')
  await page.getByRole('button', { name: 'Save layout' }).click()
  await expect
    .poll(async () => (await unwrap(posthorn.layouts.get(id))).header)
    .toMatchObject([{ url: 'https://example.com/sale' }, { type: 'divider' }])
  await close()
})

it('a template of the gallery is created once, and opens unsaved in a project without a verified domain', async () => {
  const { posthorn, service, inProject } = dashboard
  const { page, close, expectNoErrors } = await dashboard.openPage()
  const useTemplate = page.getByRole('button', { name: /^Use template/ }).first()
  const countTemplates = async () => (await unwrap(posthorn.templates.list())).total
  const before = await countTemplates()
  await page.goto(inProject('templates/gallery'))
  await useTemplate.dblclick()
  await page.waitForURL(/templates\/[\da-f-]{36}$/)
  expect(await countTemplates()).toBe(before + 1)

  await page.goto(`${service.baseUrl}/app/projects/new`)
  await page.getByLabel('Name').fill('No domain')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('link', { name: 'Open project' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.goto(`${page.url()}/templates/gallery`)
  await page.getByRole('button', { name: 'Preview Welcome' }).click()
  const dialog = page.getByRole('dialog', { name: 'Welcome' })
  await dialog.frameLocator('iframe[sandbox=""]').getByRole('heading', { name: 'Welcome, Ada' }).waitFor()
  expect(await checkPage(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Use template' }).click()
  await page.waitForURL(/templates\/new\?gallery=/)
  await expect.poll(() => page.getByLabel('Subject').inputValue()).not.toBe('')
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('')
  await expect.poll(() => page.locator('[data-block]').count()).toBeGreaterThan(1)
  expectNoErrors()
  await close()
})

it('a saved block is renamed, inserted after the selected block, and undone without losing the focus', async () => {
  const blocks = [{ id: 'line', type: 'divider' as const }]
  await unwrap(dashboard.posthorn.savedBlocks.create({ name: 'Line', blocks }))
  const { page, close, expectNoErrors } = await dashboard.openPage()
  await page.goto(dashboard.inProject('templates/layouts'))
  await page.getByRole('button', { name: 'Actions for Line' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Thin line')
  await page.getByRole('dialog').getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Saved block renamed.').waitFor()

  await page.goto(dashboard.inProject('templates/new'))
  await page.locator('[data-block="starter-heading"]').focus()
  await choose(page.getByRole('combobox', { name: 'Saved blocks' }), 'Thin line')
  const divider = page.getByRole('group', { name: 'Divider' })
  await expect.poll(() => divider.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
  expect(await page.locator('[data-block]').nth(1).getAttribute('aria-label')).toBe('Divider')
  await page.keyboard.press('ControlOrMeta+z')
  await divider.waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+Shift+z') // reaches the editor only if it has the focus
  await divider.waitFor()
  expectNoErrors()
  await close()
})

it('the API reference has a search, copy buttons and example responses', async () => {
  const { page, context, close, expectNoErrors } = await dashboard.openPage()
  await context.grantPermissions(['clipboard-write'])
  await page.goto(`${dashboard.service.baseUrl}/docs?lang=curl`)
  await page.getByLabel('Search endpoints').fill('campaigns follow-up')
  const endpoints = page.getByRole('navigation', { name: 'Contents' }).locator('details a:visible')
  await expect.poll(() => endpoints.allTextContents()).toEqual(['POSTCreate a follow-up campaign'])
  const article = page.locator('article').filter({ hasText: '/campaigns/{id}/follow-up' })
  await article.getByRole('button', { name: 'Copy' }).first().click()
  await article.getByRole('button', { name: 'Copied' }).waitFor()
  await article.getByText('"audienceType"').first().waitFor()
  expectNoErrors()
  await close()
})
