/** The dashboard in a real browser, against the service as `npm start` runs it. */
import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { type Posthorn, unwrap } from '../sdk/index.ts'
import { checkInBothThemes, checkPageAt } from './accessibility.ts'
import { itInBrowser as it, takeScreenshot } from './browser.ts'
import { startProxy } from './proxy.ts'
import { type Dashboard, type OpenedPage, openSharedDashboard } from './use-dashboard.ts'

/** A picture of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

let dashboard: Dashboard
let posthorn: Posthorn
let opened: OpenedPage
let context: BrowserContext
let page: Page
let singles: string[]

beforeAll(async () => {
  dashboard = await openSharedDashboard()
  posthorn = dashboard.posthorn
  await seed()
})
afterAll(() => dashboard?.close())

beforeEach(async () => {
  opened = await dashboard.openPage('system', { width: 1280, height: 800 })
  ;({ context, page } = opened)
  return () => opened.close()
})

/** Data that several tests use. */
async function seed(): Promise<void> {
  const { id } = await unwrap(posthorn.contacts.upsert({ email: 'bea@example.org', data: { name: 'Bea' } }))
  const text = { subject: 'Good news', body: '<p>Hello {{name}}</p>', from: 'hello@example.com' }
  const template = await unwrap(posthorn.templates.create({ name: 'News', ...text }))
  const { emails } = await unwrap(posthorn.emails.send({ to: 'bea@example.org', template: template.id }))
  await unwrap(posthorn.events.track({ email: 'bea@example.org', event: 'signed-up' }))
  await unwrap(posthorn.suppressions.create({ email: 'gone@example.org' }))
  singles = [`contacts/${id}`, `templates/${template.id}`, `emails/${emails[0]!.email}`]
}

const at = (path: string) => `${dashboard.service.baseUrl}/app/${path}`
const inProject = (path = '') => dashboard.inProject(path)
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const expectNoErrors = () => opened.expectNoErrors()

async function signIn(): Promise<void> {
  await page.getByLabel('Email').fill(dashboard.owner.email)
  await page.getByLabel('Password').fill(dashboard.owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('email preview', () => {
  it('the body of an email is shown in a frame that runs no scripts and loads nothing', async () => {
    const body = `<h1>Nice</h1><script>document.body.append('ran')</script><img src="x" onerror="document.body.append('ran')">`
    const { emails } = await unwrap(
      posthorn.emails.send({ to: 'eve@example.org', from: 'hello@example.com', subject: '<b>Nice</b>', body }),
    )
    await page.goto(inProject(`emails/${emails[0]!.email}`))
    await heading('<b>Nice</b>').waitFor()
    const frame = page.getByTitle('Email preview')
    expect(await frame.getAttribute('sandbox')).toBe('')
    await frame.contentFrame().getByRole('heading', { name: 'Nice' }).waitFor()
    for (const one of await page.locator('iframe').all()) {
      expect(await one.getAttribute('sandbox')).not.toMatch(/scripts|forms|popups|navigation/)
      expect(await one.contentFrame().locator('body').textContent()).not.toMatch(/ran$/)
    }
    expect(opened.watched.externalRequests).toEqual([])
  })

  it('the frame is as high as the email, and changes with the width of the page', async () => {
    const words = 'All of this email can be read without scrolling inside its frame. '.repeat(60)
    const body = `<p>${words}</p><div style="height:900px"></div><p>The end</p>`
    const { emails } = await unwrap(
      posthorn.emails.send({ to: 'eve@example.org', from: 'hello@example.com', subject: 'Long', body }),
    )
    const wide = page.viewportSize()!
    await page.goto(inProject(`emails/${emails[0]!.email}`))
    const end = page.getByTitle('Email preview').contentFrame().getByText('The end')
    const spaceBelow = async () => {
      const frame = (await page.getByTitle('Email preview').boundingBox())!
      const text = (await end.boundingBox())!
      return frame.y + frame.height - text.y - text.height
    }
    const heights: number[] = []
    for (const viewport of [wide, { width: 390, height: 844 }]) {
      await page.setViewportSize(viewport)
      await expect.poll(spaceBelow).toBeGreaterThan(0)
      expect(await spaceBelow()).toBeLessThan(80)
      heights.push((await page.getByTitle('Email preview').boundingBox())!.height)
    }
    expect(heights[1]).toBeGreaterThan(heights[0]!)
    await page.setViewportSize(wide)
  })

  it('uploaded images are shown without a question, and the frame is as high as the email with them', async () => {
    const { url } = await unwrap(posthorn.uploads.image(new Blob([DOT], { type: 'image/png' }), 'dot.png'))
    const body = `<img src="${url}" width="600" alt="Dot"><p>The end</p>`
    const { emails } = await unwrap(
      posthorn.emails.send({ to: 'eve@example.org', from: 'hello@example.com', subject: 'Picture', body }),
    )
    await page.goto(inProject(`emails/${emails[0]!.email}`))
    await expect
      .poll(async () => (await page.getByTitle('Email preview').boundingBox())!.height, { timeout: 20_000 })
      .toBeGreaterThan(600)
    expect(await page.getByRole('button', { name: 'Show images' }).count()).toBe(0)
  })
})

describe('navigation', () => {
  it('the command palette opens a page and a contact', async () => {
    await page.goto(inProject())
    await heading('Overview').waitFor()
    const palette = page.getByPlaceholder('Search or jump to')
    await page.keyboard.press('ControlOrMeta+k')
    await palette.fill('domains')
    await page.keyboard.press('Enter')
    await heading('Domains').waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await palette.fill('bea@')
    await page.getByRole('option', { name: /^bea@example\.org/ }).click()
    await heading('bea@example.org').waitFor()
    // Enter before the results are there waits for them, and opens the best one.
    await page.keyboard.press('ControlOrMeta+k')
    await palette.pressSequentially('bea@exa')
    await page.keyboard.press('Enter')
    await heading('bea@example.org').waitFor()
    expectNoErrors()
  })

  it('a dialog is opened, submitted and closed with the keyboard alone', async () => {
    await page.goto(inProject('suppressions'))
    await page.getByRole('link', { name: 'gone@example.org' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter') // "Skip to content"
    const opener = page.getByRole('button', { name: 'Suppress address' })
    // The export and the import are before it.
    for (let tabs = 0; tabs < 3; tabs++) await page.keyboard.press('Tab')
    expect(await opener.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.keyboard.type('by-keyboard@example.org')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'by-keyboard@example.org' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await opener.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true)
    expectNoErrors()
  })

  it('the command palette opens named resources, settings tabs and pages that create something', async () => {
    await unwrap(posthorn.segments.create({ name: 'Early birds', type: 'STATIC' }))
    await page.goto(inProject())
    await heading('Overview').waitFor()
    const palette = page.getByPlaceholder('Search or jump to')
    const searches = [
      { typed: 'early', option: 'Early birds', title: 'Early birds' },
      { typed: 'members', option: 'Settings: Members', title: 'Members' },
      { typed: 'news', option: 'News', title: 'News' },
      { typed: 'audit', option: 'Settings: Audit log', title: 'Audit log' },
      { typed: 'create campaign', option: 'Create campaign', title: 'Create campaign' },
      { typed: 'new segment', option: 'Create segment', title: 'Create segment' },
    ]
    for (const { typed, option, title } of searches) {
      await page.keyboard.press('ControlOrMeta+k')
      await palette.fill(typed)
      await page.getByRole('option', { name: option, exact: true }).click()
      await heading(title).waitFor()
    }
    await page.keyboard.press('ControlOrMeta+k')
    await palette.fill('new topic')
    await page.getByRole('option', { name: 'Create topic', exact: true }).click()
    await page.getByRole('dialog', { name: 'Create topic' }).waitFor()
    expectNoErrors()
  })

  it('the dark theme is kept after a reload', async () => {
    await page.goto(inProject('contacts'))
    const theme = () => page.locator('html').getAttribute('data-theme')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Dark theme' }).click()
    expect(await theme()).toBe('dark')
    await page.reload()
    await heading('Contacts').waitFor()
    expect(await theme()).toBe('dark')
    await takeScreenshot(page, 'dashboard-dark')
    expectNoErrors()
  })

  it('signing in again leads back to the same page', async () => {
    await context.clearCookies()
    await page.goto(inProject('domains?from=mail'))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn()
    await heading('Domains').waitFor()
    expect(page.url()).toBe(inProject('domains?from=mail'))
  })

  it("an unknown page and an unknown contact are not found, and the contact's page links back to the list", async () => {
    await page.goto(at('nowhere/at/all'))
    await page.getByText('Page not found').waitFor()
    await page.goto(inProject('contacts/0198f2c4-6b7a-7c3e-9d41-5f2a8e6b1c90'))
    await page.getByRole('heading', { level: 1, name: 'Contact not found' }).waitFor()
    await page.getByRole('link', { name: 'Back to contacts' }).click()
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
  })
})

describe('resources', () => {
  it('all events with a name are deleted after typing the name', async () => {
    await unwrap(posthorn.events.track({ email: 'bea@example.org', event: 'mistake' }))
    await page.goto(inProject('events?name=mistake'))
    await page.getByRole('button', { name: 'Delete events' }).click()
    await page.getByText('1 event from 1 contact').waitFor()
    await page.getByLabel('Type “mistake” to confirm').fill('mistake')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete events' }).click()
    await page.waitForURL(inProject('events'))
    expect((await unwrap(posthorn.events.names())).names).not.toContain('mistake')
    expectNoErrors()
  })

  it('an image is uploaded for a template, and an attachment of an email is downloaded', async () => {
    const content = { subject: 'Hello', body: '<p>Hello</p>', from: 'hello@example.com' }
    const { id } = await unwrap(posthorn.templates.create({ name: 'With an image', ...content }))
    await page.goto(inProject(`templates/${id}`))
    await page.getByLabel('Image file').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: DOT })
    const tag = (await page.getByText(/^<img src=/).textContent())!
    expect((await fetch(/src="([^"]+)"/.exec(tag)![1]!)).headers.get('content-type')).toBe('image/png')

    const attachments = [
      { filename: 'notes.txt', contentType: 'text/plain', content: Buffer.from('Hello').toString('base64') },
    ]
    const mail = { from: 'hello@example.com', subject: 'Notes', body: '<p>Notes</p>', attachments }
    const { emails } = await unwrap(posthorn.emails.send({ to: 'bea@example.org', ...mail }))
    await page.goto(inProject(`emails/${emails[0]!.email}`))
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'notes.txt' }).click()
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe('Hello')
    expectNoErrors()
  })

  it('an error toast shows in plain words what happened', async () => {
    const content = { subject: 'Hello', body: '<p>Hello</p>', from: 'hello@example.com' }
    const { id } = await unwrap(posthorn.templates.create({ name: 'Deleted meanwhile', ...content }))
    await page.goto(inProject('templates'))
    await page.getByRole('button', { name: 'Actions for Deleted meanwhile' }).click()
    await unwrap(posthorn.templates.delete(id))
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByText('This item doesn’t exist, or it was deleted.').waitFor()
  })

  it('settings about marketing email are switched on, changed and switched off', async () => {
    await page.goto(inProject('settings?tab=sending'))
    const saved = () =>
      page.evaluate(async () => {
        const projects = (await (await fetch('/users/@me/projects')).json()) as Array<Record<string, unknown>>
        return projects[0]!
      })
    await page.getByLabel('Use frequency cap').check()
    await page.getByLabel('Emails', { exact: true }).fill('0')
    await page.getByRole('button', { name: 'Save: Frequency cap' }).click()
    await page.getByText('Must be at least 1.').waitFor()
    await page.getByLabel('Emails', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Save: Frequency cap' }).click()
    await page.getByText('Frequency cap saved.').waitFor()
    await page.getByLabel('Use UTM parameters').check()
    await page.getByRole('button', { name: 'Save: UTM parameters' }).click()
    await page.getByText('UTM parameters saved.').waitFor()
    await page.reload()
    expect(await page.getByLabel('Emails', { exact: true }).inputValue()).toBe('2')
    expect(await page.getByLabel('Medium').inputValue()).toBe('email')
    for (const title of ['frequency cap', 'UTM parameters']) await page.getByLabel(`Use ${title}`).uncheck()
    for (const title of ['Frequency cap', 'UTM parameters'])
      await page.getByRole('button', { name: `Save: ${title}` }).click()
    await expect.poll(saved).toMatchObject({ frequencyCap: null, utm: null })
  })

  it('the webhook secret is shown and replaced', async () => {
    await page.goto(inProject('settings?tab=keys'))
    await page.getByRole('button', { name: 'Show secret' }).click()
    const secret = page.locator('code').filter({ hasText: /^whsec_/ })
    const before = await secret.textContent()
    await page.getByRole('button', { name: 'Replace secret' }).click()
    await page.getByLabel('Type “My project” to confirm').fill('My project')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click()
    await expect.poll(() => secret.textContent()).not.toBe(before)
    expectNoErrors()
  })
})

describe('accessibility', () => {
  // Other pages are checked by the files about them.
  const PATHS = ['', 'templates', 'templates/new', 'templates/gallery', 'templates/layouts', 'domains', 'suppressions']

  it('project pages pass the checks in both themes', async () => {
    const problems: string[] = []
    for (const path of [...PATHS, ...singles]) {
      problems.push(...(await checkInBothThemes(page, inProject(path))))
    }
    expect(problems).toEqual([])
    expectNoErrors()
  })

  it('the account pages pass the checks, and all pages fit on a phone', async () => {
    await context.clearCookies()
    await page.setViewportSize({ width: 390, height: 844 })
    const problems: string[] = []
    for (const path of ['sign-in', 'sign-up', 'forgot-password', 'reset-password?token=x', 'verify-email?token=x']) {
      problems.push(...(await checkPageAt(page, at(path))))
    }
    await context.addCookies(dashboard.cookies)
    for (const path of ['contacts', 'templates', 'domains', 'settings'])
      problems.push(...(await checkPageAt(page, inProject(path))))
    expect(problems).toEqual([])
    expectNoErrors()
  })
})

it('letters that are in the second file of the font are in the same font as the others', async () => {
  await page.goto(inProject())
  await heading('Overview').waitFor()
  await page.evaluate("document.querySelector('h1').textContent = 'Kılıç™'")
  const inspector = await context.newCDPSession(page)
  for (const area of ['DOM', 'CSS'] as const) await inspector.send(`${area}.enable`)
  const { root } = await inspector.send('DOM.getDocument')
  const { nodeId } = await inspector.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' })
  const fonts = async () => (await inspector.send('CSS.getPlatformFontsForNode', { nodeId })).fonts
  await expect.poll(fonts).toMatchObject([{ familyName: 'Inter', isCustomFont: true, glyphCount: 6 }])
})

describe('serving', () => {
  it('the dashboard works under any path behind a proxy', async () => {
    const proxy = await startProxy(dashboard.service.baseUrl, '/mail')
    try {
      await context.clearCookies()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(proxy.url)
      await page.waitForURL(`${proxy.url}app/sign-in`)
      await signIn()
      await heading('Overview').waitFor()
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
