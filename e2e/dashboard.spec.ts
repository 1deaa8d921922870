/** A person does their errands in the dashboard, in a real browser, against the service as `npm start` runs it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Posthorn, unwrap } from '../sdk/index.ts'
import { call, type ServiceProcess, startService } from '../server/test/service-process.ts'
import { openBrowser, takeScreenshot, watchPage } from './browser.ts'
import { faultsAt } from './look.ts'
import { startProxy } from './proxy.ts'

const home = mkdtempSync(path.join(tmpdir(), 'posthorn-dashboard-'))

let service: ServiceProcess
let browser: Browser
let context: BrowserContext
let page: Page
let watched: ReturnType<typeof watchPage>
let owner: { email: string; password: string; projectId: string; secretKey: string }
let posthorn: Posthorn
let singles: string[]
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>

beforeAll(async () => {
  browser = await openBrowser()
  service = await startService({ DATA_DIR: path.join(home, 'data'), PORT: '0' })
  owner = JSON.parse(readFileSync(path.join(home, 'data/first-run.json'), 'utf8'))
  posthorn = new Posthorn(owner.secretKey, { baseUrl: service.baseUrl })
  await seed()
}, 240_000)

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  rmSync(home, { recursive: true, force: true })
}, 60_000)

beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  if (cookies) await context.addCookies(cookies)
  page = await context.newPage()
  watched = watchPage(page, service.baseUrl)
  return () => context.close()
})

/** What several errands look at. */
async function seed(): Promise<void> {
  const { id } = await unwrap(posthorn.contacts.upsert({ email: 'bea@example.org', data: { name: 'Bea' } }))
  const text = { subject: 'Good news', body: '<p>Hello {{name}}</p>', from: 'hello@example.com' }
  const template = await unwrap(posthorn.templates.create({ name: 'News', ...text }))
  const { emails } = await unwrap(posthorn.emails.send({ to: 'bea@example.org', template: template.id }))
  await unwrap(posthorn.events.track({ email: 'bea@example.org', event: 'signed-up' }))
  await unwrap(posthorn.suppressions.create({ email: 'gone@example.org' }))
  singles = [`contacts/${id}`, `templates/${template.id}`, `emails/${emails[0]!.email}`]
}

const at = (place: string) => `${service.baseUrl}/app/${place}`
const inProject = (place = '') => at(`projects/${owner.projectId}${place && `/${place}`}`)
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })

const expectNothingWrong = () => expect(watched).toEqual({ complaints: [], foreign: [] })

async function signIn(): Promise<void> {
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading('Overview').waitFor()
}

describe('the first errand', () => {
  it('leads from the root to the dashboard, and with the account of the first start inside', async () => {
    await page.goto(at('sign-in'))
    await signIn()
    cookies = await context.cookies()
    expect(await page.getByRole('button', { name: /^Project My project/ }).isVisible()).toBe(true)
    await page.goto(service.baseUrl)
    await heading('Overview').waitFor()
    expect(page.url()).toBe(inProject())
    expectNothingWrong()
  })

  it('adds a contact, writes a template, sends it, and reads what arrived', async () => {
    await page.goto(inProject('contacts'))
    await page.getByRole('button', { name: 'Add contact' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('ada@example.org')
    await dialog.getByLabel('Data').fill('{ "name": "Ada" }')
    await dialog.getByRole('button', { name: 'Add contact' }).click()
    await heading('ada@example.org').waitFor()

    await page.goto(inProject('templates/new'))
    await page.getByLabel('Name', { exact: true }).fill('Welcome')
    await page.getByLabel('Subject').fill('Hello {{name}}, {{title}}')
    const code = page.getByLabel('Body, HTML with Liquid')
    await code.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('<h1>Good morning {{name}}</h1>')
    await page.getByLabel('Preview for').fill('ada@example.org')
    const preview = page.frameLocator('iframe[title="Preview of the email"]')
    await preview.getByRole('heading', { name: 'Good morning Ada' }).waitFor()
    expect(await page.getByText('This contact lacks').locator('..').textContent()).toContain('title')
    await page.getByRole('button', { name: 'Save template' }).click()
    await heading('Welcome').waitFor()
    await page.waitForURL(/templates\/[\da-f-]{36}$/)

    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByLabel('To', { exact: true }).fill('ada@example.org')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await heading(/^Hello Ada,/).waitFor()
    await page.getByText('Delivered').first().waitFor()
    const mail = page.frameLocator('iframe[title="The email as it looks"]')
    await mail.getByRole('heading', { name: 'Good morning Ada' }).waitFor()
    await page.getByRole('tab', { name: 'Raw' }).click()
    await page.getByText('List-Unsubscribe').or(page.getByText('MIME-Version')).first().waitFor()
    await takeScreenshot(page, 'dashboard-email')

    await page.goto(inProject('emails'))
    await page.getByRole('link', { name: /Hello Ada/ }).waitFor()
    expectNothingWrong()
  })
})

describe('contacts', () => {
  it('come from a file: seen first, then imported, with the rows that failed', async () => {
    await page.goto(inProject('contacts/import'))
    const csv = 'Email,City\nbob@example.org,Porto\nnot an address,Lima\neve@example.org,Oslo\n'
    await page.getByLabel('Choose a CSV file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    })
    await page.getByText('data.city').waitFor()
    await page.getByRole('button', { name: 'Import this file' }).click()
    await page.getByRole('table').getByText('not an address').waitFor()
    expect(await page.getByText('Created').locator('..').textContent()).toBe('Created2')
    await page.getByRole('link', { name: 'See the contacts' }).click()
    await page.getByRole('link', { name: 'bob@example.org' }).waitFor()
    expectNothingWrong()
  })

  it('are found, chosen and unsubscribed together; the search is in the address', async () => {
    for (const email of ['many1@example.org', 'many2@example.org']) await unwrap(posthorn.contacts.upsert({ email }))
    await page.goto(inProject('contacts'))
    await page.getByLabel('Search by email').fill('many')
    await page.waitForURL(/search=many/)
    await page.reload()
    await page.getByRole('link', { name: 'many1@example.org' }).waitFor()
    await page.getByLabel('Choose all on this page').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Unsubscribe' }).click()
    const rows = page.getByRole('row').filter({ hasText: 'Not subscribed' })
    await rows.nth(1).waitFor()
    expect(await rows.count()).toBe(2)
    expectNothingWrong()
  })

  it('are deleted only by those who type the address', async () => {
    const { id } = await unwrap(posthorn.contacts.upsert({ email: 'leaving@example.org' }))
    await page.goto(inProject(`contacts/${id}`))
    await page.getByRole('button', { name: 'Delete' }).click()
    const act = page.getByRole('button', { name: 'Delete the contact' })
    expect(await act.isDisabled()).toBe(true)
    await page.getByLabel('Type leaving@example.org to confirm').fill('leaving@example.org')
    await act.click()
    await heading('Contacts').waitFor()
    expect((await posthorn.contacts.get(id)).error?.statusCode).toBe(404)
    expectNothingWrong()
  })
})

describe('what others wrote', () => {
  it('shows in a frame that runs nothing and fetches nothing', async () => {
    const body = `<h1>Nice</h1><script>document.body.append('ran')</script><img src="x" onerror="document.body.append('ran')">`
    const { emails } = await unwrap(
      posthorn.emails.send({ to: 'eve@example.org', from: 'hello@example.com', subject: '<b>Nice</b>', body }),
    )
    await page.goto(inProject(`emails/${emails[0]!.email}`))
    await heading('<b>Nice</b>').waitFor()
    const frame = page.locator('iframe')
    expect(await frame.getAttribute('sandbox')).toBe('')
    const inside = page.frameLocator('iframe')
    await inside.getByRole('heading', { name: 'Nice' }).waitFor()
    expect(await inside.locator('body').textContent()).not.toMatch(/ran$/)
    expect(watched.foreign).toEqual([])
  })
})

describe('getting around', () => {
  it('by the palette: a place, a person, the dark', async () => {
    await page.goto(inProject())
    await heading('Overview').waitFor()
    const palette = page.getByPlaceholder('Where to')
    await page.keyboard.press('ControlOrMeta+k')
    await palette.fill('domains')
    await page.keyboard.press('Enter')
    await heading('Domains').waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await palette.fill('bea@')
    await page.getByRole('option', { name: 'bea@example.org' }).click()
    await heading('bea@example.org').waitFor()
    expectNothingWrong()
  })

  it('in the dark, which stays after a reload', async () => {
    await page.goto(inProject('contacts'))
    const theme = () => page.locator('html').getAttribute('data-theme')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    expect(await theme()).toBe('dark')
    await page.reload()
    await heading('Contacts').waitFor()
    expect(await theme()).toBe('dark')
    await takeScreenshot(page, 'dashboard-dark')
    expectNothingWrong()
  })

  it('back to the same page after signing in again', async () => {
    await context.clearCookies()
    await page.goto(inProject('domains?from=mail'))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading('Domains').waitFor()
    expect(page.url()).toBe(inProject('domains?from=mail'))
  })

  it('says so where nothing is', async () => {
    await page.goto(at('nowhere/at/all'))
    await page.getByText('There is no such page').waitFor()
    await page.goto(inProject('contacts/0198f2c4-6b7a-7c3e-9d41-5f2a8e6b1c90'))
    await page.getByRole('alert').waitFor()
  })
})

describe('a new person', () => {
  it('signs up, makes a project, and sees its keys once', async () => {
    await context.clearCookies()
    await page.goto(at('sign-up'))
    await page.getByLabel('Email').fill('grace@example.org')
    await page.getByLabel('Password').fill('a long enough one')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByLabel('Name').fill('Second product')
    await page.getByRole('button', { name: 'Create' }).click()
    const key = (await page.locator('code').filter({ hasText: /^sk_/ }).textContent())!
    await page.getByRole('link', { name: 'Open the project' }).click()
    await heading('Overview').waitFor()
    expect((await call(service, 'GET', '/contacts', { key })).status).toBe(200)
    expectNothingWrong()
  })
})

describe('every page', () => {
  const PLACES = ['', 'contacts', 'contacts/import', 'templates', 'templates/new', 'emails', 'events', 'domains']
  const MORE = [
    'suppressions',
    'settings',
    'settings?tab=keys',
    'settings?tab=members',
    'settings?tab=account',
    'settings?tab=usage',
    'settings?tab=audit-log',
  ]

  it.each([
    { theme: 'light', rules: [] },
    { theme: 'dark', rules: ['color-contrast'] }, // nothing else depends on it
  ])(
    'can be used by everyone, in the $theme',
    async ({ theme, rules }) => {
      await context.addInitScript(`if (self === top) localStorage.setItem('posthorn.theme', '${theme}')`)
      const faults: string[] = []
      for (const place of [...PLACES, ...MORE, ...singles])
        faults.push(...(await faultsAt(page, inProject(place), rules)))
      expect(faults).toEqual([])
      expectNothingWrong()
    },
    120_000,
  )

  it('can be used by everyone before they are in, and fits on a phone', async () => {
    await context.clearCookies()
    await page.setViewportSize({ width: 390, height: 844 })
    const faults: string[] = []
    for (const place of ['sign-in', 'sign-up', 'forgot-password', 'reset-password?token=x', 'verify-email?token=x']) {
      faults.push(...(await faultsAt(page, at(place))))
    }
    await context.addCookies(cookies)
    for (const place of ['contacts', 'templates', 'domains', 'settings'])
      faults.push(...(await faultsAt(page, inProject(place))))
    expect(faults).toEqual([])
    expectNothingWrong()
  }, 60_000)
})

describe('how it is served', () => {
  it('loads less than 250 KB before the first page is there', async () => {
    let bytes = 0
    page.on('response', (response) => {
      if (response.url().includes('/app/assets/')) bytes += Number(response.headers()['content-length'])
    })
    await page.goto(inProject())
    await heading('Overview').waitFor()
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(250_000)
  })

  it('works below any path of a proxy', async () => {
    const proxy = await startProxy(service.baseUrl, '/mail')
    try {
      await context.clearCookies()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(proxy.url)
      await page.waitForURL(`${proxy.url}app/sign-in`)
      await signIn()
      await page.getByRole('link', { name: 'Contacts', exact: true }).click()
      await page.reload()
      await page.getByRole('link', { name: 'bea@example.org' }).waitFor()
      expect(page.url()).toContain(`${proxy.url}app/projects/`)
      expect(asked.filter((url) => !url.startsWith(proxy.url))).toEqual([])
    } finally {
      await proxy.close()
    }
  })
})
