/** Who works on a project: a stranger is invited and comes in; what each role may do is what the pages offer. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { unwrap } from '../sdk/index.ts'
import { itInBrowser as it } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { faultsOn } from './look.ts'
import { linkSentTo } from './mailbox.ts'

const MIA = { email: 'mia@example.org', password: 'a long enough one' }

let dashboard: Awaited<ReturnType<typeof openDashboard>>
beforeAll(async () => {
  dashboard = await openDashboard()
}, 240_000)
afterAll(() => dashboard?.close(), 60_000)

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function openAsMia() {
  const opened = await dashboard.openPage('light', undefined, [])
  await opened.page.goto(`${dashboard.service.baseUrl}/app/sign-in`)
  await opened.page.getByLabel('Email').fill(MIA.email)
  await opened.page.getByLabel('Password').fill(MIA.password)
  await opened.page.getByRole('button', { name: 'Sign in' }).click()
  return opened
}

it('a stranger is invited by mail, signs up by its link, and is in', async () => {
  const { page, context, expectNothingWrong } = await dashboard.openPage()
  await page.goto(dashboard.inProject('settings?tab=members'))
  await page.getByLabel('Email', { exact: true }).fill(MIA.email)
  const asked = page.waitForResponse((response) => response.url().endsWith('/members') && response.status() === 404)
  await page.getByRole('button', { name: 'Add member' }).click()
  await asked // that nobody has this address is how the page learns to invite
  await page.getByRole('table').getByText(MIA.email).waitFor()
  await context.close()

  const link = await linkSentTo(dashboard.dataDir, MIA.email)
  const stranger = await dashboard.openPage('light', undefined, [])
  await stranger.page.goto(link)
  await heading(stranger.page, 'Join My project').waitFor()
  expect(await faultsOn(stranger.page)).toEqual([])
  await stranger.page.getByRole('link', { name: 'Create your account' }).click()
  expect(await stranger.page.getByLabel('Email').inputValue()).toBe(MIA.email)
  await stranger.page.getByLabel('Password').fill(MIA.password)
  await stranger.page.getByRole('button', { name: 'Sign up' }).click()
  await heading(stranger.page, 'Overview').waitFor()
  expect(stranger.page.url()).toBe(dashboard.inProject())
  stranger.expectNothingWrong()
  await stranger.context.close()

  const { data } = await unwrap(dashboard.posthorn.projects.members.list(dashboard.projectId))
  expect(data.find(({ email }) => email === MIA.email)).toMatchObject({ role: 'MEMBER' })
  expect(expectNothingWrong).toThrow(/members: 404/)
}, 60_000)

it('the link works once, and says so', async () => {
  const link = await linkSentTo(dashboard.dataDir, MIA.email)
  const { page, context } = await dashboard.openPage('light', undefined, [])
  await page.goto(link)
  await heading(page, 'This invitation does not work').waitFor()
  await page.getByRole('alert').waitFor()
  await context.close()
}, 60_000)

it('a member works with everything, but the team, the keys and the settings are not offered', async () => {
  const { page, context, expectNothingWrong } = await openAsMia()
  await heading(page, 'Overview').waitFor()
  await page.goto(dashboard.inProject('contacts'))
  await page.getByRole('button', { name: 'Add contact' }).waitFor()

  await page.goto(dashboard.inProject('settings'))
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: /^(Save settings|Reset|Delete)/ }).count()).toBe(0)
  await page.getByRole('tab', { name: 'API keys' }).click()
  await page.getByText('Public key').waitFor()
  expect(await page.getByRole('button', { name: 'Replace both keys' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Members' }).click()
  await page.getByText('You', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^(Add member|Remove)/ }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Usage and billing' }).click()
  await page.getByText('Billing is off').waitFor()
  expect(await page.getByRole('button', { name: 'Save limits' }).count()).toBe(0)
  await page.goto(dashboard.inProject('domains'))
  await page.getByText('example.com').first().waitFor()
  expect(await page.getByRole('button', { name: /^(Add domain|Remove)/ }).count()).toBe(0)
  expectNothingWrong()
  await context.close()
}, 60_000)

it('an admin manages the team; whoever is removed is out with the next click', async () => {
  const { page, context, expectNothingWrong } = await dashboard.openPage()
  await page.goto(dashboard.inProject('settings?tab=members'))
  await page.getByLabel(`Role of ${MIA.email}`).selectOption('ADMIN')
  await page.getByText(`${MIA.email} is now Admin.`).waitFor()

  const mia = await openAsMia()
  await heading(mia.page, 'Overview').waitFor()
  await mia.page.goto(dashboard.inProject('settings?tab=members'))
  await mia.page.getByRole('button', { name: 'Add member' }).waitFor()
  expect(await mia.page.getByRole('button', { name: 'Remove owner@example.com' }).count()).toBe(0)
  mia.expectNothingWrong()

  await page.getByRole('button', { name: `Remove ${MIA.email}` }).click()
  await page.getByLabel(`Type ${MIA.email} to confirm`).fill(MIA.email)
  await page.getByRole('button', { name: 'Remove the member' }).click()
  await page.getByText('Member removed.').waitFor()
  expectNothingWrong()
  await mia.page.reload()
  await mia.page.getByText('There is no such page').waitFor()
  await mia.context.close()
  await context.close()
}, 60_000)

it('a project is deleted by those who type its name', async () => {
  const { page, context, expectNothingWrong } = await dashboard.openPage()
  await page.goto(`${dashboard.service.baseUrl}/app/projects/new`)
  await page.getByLabel('Name').fill('Short-lived')
  await page.getByRole('button', { name: 'Create' }).click()
  const opens = page.getByRole('link', { name: 'Open the project' })
  await opens.waitFor()
  expect(await faultsOn(page)).toEqual([])
  await opens.click()
  await heading(page, 'Overview').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete the project' }).click()
  const act = page.getByRole('dialog').getByRole('button', { name: 'Delete the project' })
  await page.getByLabel('Type Short-lived to confirm').fill('Short')
  expect(await act.isDisabled()).toBe(true)
  await page.getByLabel('Type Short-lived to confirm').fill('Short-lived')
  await act.click()
  await heading(page, 'Overview').waitFor()
  expect(page.url()).toBe(dashboard.inProject())
  expectNothingWrong()
  await context.close()
}, 60_000)
