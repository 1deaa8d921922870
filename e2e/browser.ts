/**
 * Starts the browser of the tests. The Chromium that comes with npm needs nothing installed on the machine and runs as
 * root. It is packed for AWS Lambda; here it is unpacked into a folder of our own, together with the libraries and fonts
 * that a bare Debian lacks.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import packedChromium from '@sparticuz/chromium'
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { it } from 'vitest'
import { findBrowser, thisMachine } from './find-browser.ts'

const CACHE = fileURLToPath(new URL('../node_modules/.cache/posthorn-e2e', import.meta.url))
const SCREENSHOTS = fileURLToPath(new URL('screenshots', import.meta.url))

/**
 * Not the package's own list of arguments: it turns off the web's security rules, which we want to see at work, and
 * runs everything in one process, which then ends with the first page that is closed.
 */
const ARGUMENTS = [
  '--no-sandbox', // root has none
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // whatever a page asks for, it stays on this machine
]

const browser = findBrowser(thisMachine)

/** A test that needs a browser. Setup of a file in which every test is skipped doesn't run. */
export const itInBrowser = it.skipIf(browser.kind === 'missing' && !browser.required)

export async function openBrowser(): Promise<Browser> {
  if (browser.kind === 'missing') throw new Error(browser.message)
  const options = browser.kind === 'packaged' ? await packagedChromium() : { executablePath: browser.path }
  return chromium.launch({ ...options, args: ARGUMENTS })
}

/** With the libraries and fonts that are unpacked beside it. */
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

/** Unpacked once a version, which takes some seconds; put in place by one rename, so half of it is never used. */
async function unpackedChromium(): Promise<string> {
  const folder = path.join(CACHE, `chromium-${await packageVersion()}`)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const staging = await mkdtemp(`${folder}-`)
  await unpackInto(staging)
  await writeFile(path.join(staging, 'fonts.conf'), fontsIn(path.join(folder, 'fonts')))
  await rename(staging, folder).catch(async (error) => {
    await rm(staging, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // else another run was faster
  })
  return folder
}

/** It lets nobody import its package.json, so we look for it beside its code. */
async function packageVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  return JSON.parse(await readFile(path.join(path.dirname(entry), '../../package.json'), 'utf8')).version
}

/** The package asks the environment where to unpack, and whether it is at Amazon's, where it brings its libraries. */
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

const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${folder}-cache</cachedir></fontconfig>
`

/** What went wrong on a page while nobody looked: to be read at the end of a test. */
export function watchPage(page: Page, origin: string) {
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith('Failed to load resource')) return // told below, with its address
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => {
    const trouble = request.failure()?.errorText
    if (trouble !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${trouble}`) // else the page was left
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`)
  })
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (protocol !== 'data:' && asked !== origin) foreign.push(request.url())
  })
  return { complaints, foreign }
}

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) })
}
