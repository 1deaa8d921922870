/**
 * Starts the browser for the tests. The Chromium from npm needs no installation and runs as root. It is packaged for AWS
 * Lambda; here it is unpacked into a cache folder, together with the libraries and fonts that a minimal Debian lacks.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import packedChromium from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type LaunchOptions,
  type Page,
  type Request,
} from 'playwright-core'
import { it } from 'vitest'
import { findBrowser, thisMachine } from './find-browser.ts'
import { share } from './share.ts'

const CACHE = fileURLToPath(new URL('../node_modules/.cache/posthorn-e2e', import.meta.url))
const SCREENSHOTS = fileURLToPath(new URL('screenshots', import.meta.url))

/**
 * The package's own arguments are not used: they disable web security, which the tests rely on, and run everything in
 * one process, which exits when the first page is closed.
 */
const ARGUMENTS = [
  '--no-sandbox', // not available to root
  '--disable-gpu',
  '--process-per-site', // see createContexts
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // no request leaves this machine
]

const browser = findBrowser(thisMachine)

/** A test that needs a browser. If every test of a file is skipped, its setup doesn't run. */
export const itInBrowser = it.skipIf(browser.kind === 'missing' && !browser.required)

async function openBrowser(): Promise<Browser> {
  if (browser.kind === 'missing') throw new Error(browser.message)
  const options = browser.kind === 'packaged' ? await packagedChromium() : { executablePath: browser.path }
  return launch({ ...options, args: ARGUMENTS })
}

const LAUNCHES_MAX = 3

/** Chromium sometimes crashes while it starts, whatever the page. */
async function launch(options: LaunchOptions, attempt = 1): Promise<Browser> {
  try {
    return await chromium.launch(options)
  } catch (error) {
    if (attempt === LAUNCHES_MAX || !/signal=SIGSEGV/.test(String(error))) throw error
    return launch(options, attempt + 1)
  }
}

export const sharedBrowser = share(openBrowser, (opened) => opened.close())

/** Launch options with the libraries and fonts that are unpacked next to the browser. */
async function packagedChromium(): Promise<LaunchOptions> {
  const folder = await unpackedChromium()
  return {
    executablePath: path.join(folder, 'chromium'),
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  }
}

/** Unpacks each version once. The folder is renamed when complete, so a partial one is never used. */
async function unpackedChromium(): Promise<string> {
  const folder = path.join(CACHE, `chromium-${await packageVersion()}`)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const staging = await mkdtemp(`${folder}-`)
  await unpackInto(staging)
  await writeFile(path.join(staging, 'fonts.conf'), fontConfig(path.join(folder, 'fonts')))
  await rename(staging, folder).catch(async (error) => {
    await rm(staging, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // otherwise another process has unpacked it
  })
  return folder
}

/** The package doesn't export its package.json, so it is found relative to its code. */
async function packageVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  return JSON.parse(await readFile(path.join(path.dirname(entry), '../../package.json'), 'utf8')).version
}

/** The package reads the folder from the environment, and unpacks its libraries only if it seems to run on AWS Lambda. */
async function unpackInto(folder: string): Promise<void> {
  const before = { ...process.env }
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' })
  try {
    await packedChromium.executablePath()
  } finally {
    for (const name of ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
}

const fontConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${folder}-cache</cachedir></fontconfig>
`

const ANSWER_MS = 10_000

/** For a page that may hang: Playwright waits forever for what it computes. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The page has not answered for ${ANSWER_MS / 1000} s.`)), ANSWER_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Everything that a page can store, except for its tab. */
const STORED = 'cookies,local_storage,indexeddb,cache_storage,service_workers'

/**
 * Contexts that are used again, one after the other, so that pages load in half the time: one page stays open in each, and
 * with it the process that has compiled the code of the dashboard. What a page has stored is removed, and so is what a test
 * has changed, except init scripts, bindings, listeners and the clock of the context: after adding those, close the context
 * instead. The cache stays.
 */
export function createContexts(browser: Browser, origin: string) {
  const all: BrowserContext[] = []
  const free: BrowserContext[] = []

  async function create(): Promise<BrowserContext> {
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
    context.setDefaultTimeout(90_000) // as vitest.config.ts allows for conditions
    all.push(context)
    const kept = await context.newPage()
    await kept.goto(`${origin}/health`)
    return context
  }

  async function clear(context: BrowserContext): Promise<void> {
    const [kept, ...opened] = context.pages()
    await Promise.all(opened.map((page) => page.close()))
    await context.setOffline(false)
    await context.clearPermissions()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    const client = await context.newCDPSession(kept!)
    await client.send('Storage.clearDataForOrigin', { origin, storageTypes: STORED })
    await client.detach()
    await context.clearCookies()
    await kept!.evaluate('new Promise((resolve) => setTimeout(resolve))') // unless it hangs or its clock stands still
  }

  return {
    async open(viewport: { width: number; height: number }): Promise<{ context: BrowserContext; page: Page }> {
      const context = free.pop() ?? (await create())
      const page = await context.newPage()
      await page.setViewportSize(viewport)
      return { context, page }
    },
    /** A context that hangs is not used again. */
    async release(context: BrowserContext): Promise<void> {
      await inTime(clear(context)).then(
        () => free.push(context),
        () => void context.close().catch(() => undefined),
      )
    },
    async close(): Promise<void> {
      await inTime(Promise.all(all.map((context) => context.close()))).catch(() => undefined)
    },
  }
}

export type Contexts = ReturnType<typeof createContexts>

/** Collects the errors of a page and its requests to other origins, for a check at the end of a test. */
export function watchPage(page: Page, origin: string) {
  const errors: string[] = []
  const externalRequests: string[] = []
  const pending = new Set<Request>()
  page.on('request', (request) => pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  pendingRequests.set(page, pending)
  page.on('console', (message) => {
    if (message.text().startsWith('Failed to load resource')) return // reported below with its address
    if (['error', 'warning'].includes(message.type())) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    if (reason !== 'net::ERR_ABORTED') errors.push(`${request.url()}: ${reason}`) // aborted when the page was left
  })
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.url()}: ${response.status()}`)
  })
  page.on('request', (request) => {
    const { protocol, origin: requested } = new URL(request.url())
    if (protocol !== 'data:' && requested !== origin) externalRequests.push(request.url())
  })
  return { errors, externalRequests }
}

const pendingRequests = new WeakMap<Page, Set<Request>>()

/** Prints what a page shows and waits for, for a test that has failed. */
export async function printPage(page: Page): Promise<void> {
  const text = await inTime(page.evaluate<string>('document.body.innerText')).catch(String)
  const pending = [...(pendingRequests.get(page) ?? [])].map(
    (request) => `waits for ${request.method()} ${request.url()}`,
  )
  console.log([`${page.url()} shows:`, text, ...pending].join('\n'))
}

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) })
}
