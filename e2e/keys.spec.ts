/** API keys in the settings: created, used, replaced with an overlap, changed and revoked. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { Posthorn, unwrap } from '../sdk/index.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it } from './browser.ts'
import { type Dashboard, type OpenedPage, useDashboard } from './use-dashboard.ts'

let opened: OpenedPage
let page: Page
let dashboard: Dashboard
useDashboard((next, of) => {
  opened = next
  page = next.page
  dashboard = of
})

const KEYS = 'settings?tab=keys'
const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
const dialog = () => page.getByRole('dialog')
const withKey = (key: string) => new Posthorn(key, { baseUrl: dashboard.service.baseUrl })

/** The key of the dialog, which then is closed. */
async function takeKey(): Promise<string> {
  const shown = dialog().locator('code').filter({ hasText: /^phk_/ })
  const key = (await shown.textContent())!
  await dialog().getByRole('button', { name: 'Done' }).click()
  await dialog().waitFor({ state: 'detached' })
  return key
}

async function openAction(name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

it('a key is created with a preset, shown once with an example, and its use is listed', async () => {
  await page.goto(dashboard.inProject(KEYS))
  await page.getByText('No API keys yet').waitFor()
  await page.getByRole('button', { name: 'Create API key' }).click()
  await dialog().getByLabel('Name').fill('Web shop')
  expect(await dialog().getByLabel('Send only').isChecked()).toBe(true)
  expect(await checkPage(page)).toEqual([])
  await dialog().getByRole('button', { name: 'Create API key' }).click()
  await page.getByText('You won’t be able to see it again').waitFor()
  expect(await dialog().locator('pre').first().textContent()).toContain('phk_')
  const key = await takeKey()
  expect(await page.content()).not.toContain(key)

  const client = withKey(key)
  const mail = { from: 'hello@example.com', to: 'ada@example.org', subject: 'Hello', body: '<p>Hello</p>' }
  expect((await client.emails.send(mail)).error).toBeUndefined()
  expect((await client.contacts.list()).error?.code).toBe('FORBIDDEN')
  await expect
    .poll(async () => (await unwrap(dashboard.posthorn.apiKeys.list())).data[0]!.lastUsedIp)
    .toBe('127.0.0.0/24')
  await page.reload()
  await rowOf('Web shop').getByText('from 127.0.0.0/24').last().waitFor()
  await dashboard.expectAccessible([KEYS])
  opened.expectNoErrors()
})

it('a key with chosen scopes and addresses is refused elsewhere, and can be changed', async () => {
  await page.goto(dashboard.inProject(KEYS))
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await dialog().getByLabel('Name').fill('Export')
  await dialog().getByLabel('Custom').check()
  await dialog().getByLabel('Send email').uncheck()
  await dialog().getByLabel('Contacts').selectOption('Read')
  await dialog().getByLabel('Allowed IP addresses').fill('example.org')
  await dialog().getByRole('button', { name: 'Create API key' }).click()
  await dialog().getByText('“example.org” is not an IP address').waitFor()
  await dialog().getByLabel('Allowed IP addresses').fill('203.0.113.0/24\n2001:db8::1')
  await dialog().getByRole('button', { name: 'Create API key' }).click()
  await dialog().getByText('curl', { exact: true }).waitFor()
  const key = await takeKey()
  await rowOf('Export').getByText('Only from 203.0.113.0/24, 2001:db8::1').waitFor()
  await rowOf('Export').getByText('contacts:read').waitFor()
  expect((await withKey(key).contacts.list()).error?.statusCode).toBe(403)

  await openAction('Export', 'Edit')
  expect(await dialog().getByLabel('Contacts').inputValue()).toBe('read')
  await dialog().getByLabel('Allowed IP addresses').fill('')
  await dialog().getByLabel('Expiry').selectOption('In 30 days')
  await dialog().getByRole('button', { name: 'Save changes' }).click()
  await dialog().waitFor({ state: 'detached' })
  expect((await withKey(key).contacts.list()).error).toBeUndefined()
  const [changed] = (await unwrap(dashboard.posthorn.apiKeys.list())).data
  expect(changed).toMatchObject({ scopes: ['contacts:read'], allowedIps: [], expiresAt: expect.any(String) })
})

it('a key is replaced with an overlap that counts down, and revoked', async () => {
  const created = await unwrap(dashboard.posthorn.apiKeys.create({ name: 'Deploy', scopes: ['contacts:read'] }))
  await page.goto(dashboard.inProject(KEYS))
  await openAction('Deploy', 'Replace key')
  await dialog().getByLabel('The old key keeps working for').selectOption('1 hour')
  await dialog().getByRole('button', { name: 'Replace key' }).click()
  const next = await takeKey()
  for (const key of [created.key, next]) expect((await withKey(key).contacts.list()).error).toBeUndefined()
  const timer = rowOf('Deploy').getByRole('timer')
  const before = await timer.textContent()
  expect(before).toMatch(/The old key works for another (59m \d+s|1h 0m)/)
  await expect.poll(() => timer.textContent()).not.toBe(before)

  await openAction('Deploy', 'Revoke key')
  await dialog().getByLabel('Type “Deploy” to confirm').fill('Deploy')
  await dialog().getByRole('button', { name: 'Revoke key' }).click()
  await dialog().waitFor({ state: 'detached' }) // until then, the rows behind it are hidden
  await rowOf('Deploy').waitFor({ state: 'detached' })
  expect((await withKey(next).contacts.list()).error?.code).toBe('INVALID_API_KEY')
  opened.expectNoErrors()
})
