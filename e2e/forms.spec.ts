/** Forms: built in the dashboard, and filled in on their page and on a website of another origin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Posthorn, unwrap } from '../sdk/index.ts'
import { checkPage } from './accessibility.ts'
import { itInBrowser as it } from './browser.ts'
import { type Dashboard, type OpenedPage, useDashboard } from './use-dashboard.ts'

let dashboard: Dashboard
let opened: OpenedPage
let page: Page
let posthorn: Posthorn

useDashboard((nextPage, nextDashboard) => {
  dashboard = nextDashboard
  opened = nextPage
  page = opened.page
  posthorn = dashboard.posthorn
})

it('a form is built with a preview, put on a website, changed and deleted', async () => {
  await page.goto(dashboard.inProject('forms'))
  await page.getByText('No forms yet').waitFor()
  await page.getByRole('link', { name: 'Create form' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Footer')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Label').nth(1).fill('First name')
  expect(await page.getByLabel('Key').nth(1).inputValue()).toBe('firstName')
  await page.getByLabel('Heading').fill('Join us')
  const preview = page.frameLocator('iframe[title="Preview"]')
  await preview.getByRole('heading', { name: 'Join us' }).waitFor()
  await preview.getByLabel('First name').waitFor()
  expect(await checkPage(page)).toEqual([])
  await page.getByLabel('Redirect to').fill('nowhere')
  const create = page.getByRole('button', { name: 'Create form' }).first()
  await create.click()
  await page.getByText('Must be an http:// or https:// URL.', { exact: true }).waitFor()
  await page.getByLabel('Redirect to').fill('')
  await create.click()

  await page.getByRole('heading', { level: 1, name: 'Footer' }).waitFor()
  opened.watched.errors.length = 0 // the refused requests
  await page.getByText('/embed.js" async></script>').waitFor()
  await page.getByText('name="firstName"').waitFor()
  expect(await checkPage(page)).toEqual([])
  await page.getByRole('tab', { name: 'Spam' }).click()
  await page.getByText('No spam').waitFor()
  await page.getByRole('tab', { name: 'Numbers' }).click()
  await page.getByRole('heading', { name: 'Sign-ups by day' }).waitFor()
  expect(await checkPage(page)).toEqual([])

  await page.getByRole('link', { name: 'Edit form' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Sidebar')
  await page.getByRole('button', { name: 'Save form' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Sidebar' }).waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Sidebar')
  await dialog.getByRole('button', { name: 'Delete form' }).click()
  await page.getByText('No forms yet').waitFor()
  opened.expectNoErrors()
})

async function contactOf(email: string) {
  const { data } = await unwrap(posthorn.contacts.list({ search: email }))
  return data.find((contact) => contact.email === email)
}

/** A website of another origin with one page. */
async function openWebsite(markup: string, policy: string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy)
    response.end(
      `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>Shop</title></head>${markup}</html>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => new Promise((resolve) => server.close(resolve)) }
}

it('a form is filled in on a website of another origin with a strict Content-Security-Policy', async () => {
  const form = await unwrap(
    posthorn.forms.create({
      name: 'Shop',
      fields: [
        { key: 'firstName', label: 'First name', required: true },
        { key: 'elements', label: 'Size', type: 'number' },
      ],
    }),
  )
  const origin = new URL(form.links.script).origin
  const website = await openWebsite(
    `<body><main><h1>Shop</h1><script src="${form.links.script}" async></script></main></body>`,
    `default-src 'none'; img-src data:; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'`,
  )
  const problems: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()))
  await page.goto(`${website.url}?utm_source=ads`)
  await page.getByLabel('Email').fill('ada@shop')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Size').fill('7')
  const button = page.getByRole('button', { name: 'Subscribe' })
  expect(await button.evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).fontWeight)).toBe('600')
  await button.click()
  await page.getByText('Enter an email address.').waitFor()
  expect(problems.filter((text) => !text.includes('422'))).toEqual([])
  await page.getByLabel('Email').fill('ada@shop.example')
  await button.click()
  const done = page.getByRole('status')
  await done.getByText('Your sign-up was received.').waitFor()
  expect(await contactOf('ada@shop.example')).toMatchObject({
    subscribed: true,
    data: { firstName: 'Ada', elements: 7, utm_source: 'ads' },
  })
  expect(problems.filter((text) => !text.includes('422'))).toEqual([])
  await website.close()
})

it('two forms on a website that is written from right to left have labels of their own and do not make it wider', async () => {
  const scripts: string[] = []
  for (const name of ['Top', 'Bottom']) scripts.push((await unwrap(posthorn.forms.create({ name }))).links.script)
  const website = await openWebsite(
    `<html dir="rtl"><body><main></main><footer></footer>
<script src="${scripts[0]}" data-target="main" async></script><script src="${scripts[1]}" data-target="footer" async></script>`,
    `default-src 'none'; script-src ${new URL(scripts[0]!).origin}`,
  )
  await page.goto(website.url)
  for (const place of ['main', 'footer']) {
    await page.locator(place).getByText('Email').click()
    expect(await page.locator(`${place} input[type=email]`).evaluate((one) => one.matches(':focus'))).toBe(true)
  }
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  await website.close()
})

it('the page of a form is accessible, and works without JavaScript', async () => {
  const form = await unwrap(
    posthorn.forms.create({
      name: 'Newsletter',
      fields: [
        { key: 'plan', label: 'Plan', type: 'select', options: ['Free', 'Pro'], required: true },
        { key: 'terms', label: 'I agree', type: 'checkbox', required: true },
      ],
      consentText: 'We write once a month.',
    }),
  )
  await page.goto(form.links.page)
  expect(await checkPage(page)).toEqual([])
  const context = await dashboard.browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(form.links.page)
  await plain.getByLabel('Email').fill('grace@example.org')
  await plain.getByLabel('Plan').selectOption('Pro')
  await plain.getByLabel('I agree').check()
  await plain.waitForTimeout(2_100) // faster would be spam
  await plain.getByRole('button', { name: 'Subscribe' }).click()
  await plain.getByRole('heading', { name: 'Thank you' }).waitFor()
  expect((await contactOf('grace@example.org'))?.data).toEqual({ plan: 'Pro', terms: true })
  await context.close()
  opened.expectNoErrors()
  await dashboard.expectAccessible(['forms', `forms/${form.id}`, `forms/${form.id}/edit`])
})
