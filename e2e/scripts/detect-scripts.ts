/**
 * Detects whether a page runs something it must not: a script from stored text, a dialog, a violation of the content
 * security policy, an error in the console, a request to another host, or a link that would run a script.
 */
import type { BrowserContext, Page } from 'playwright-core'

/** A script that runs calls this function. */
export const MARKER = 'xss'

/**
 * Scripts in previews of email are blocked by the sandbox of their frame, and what they would load by its policy. The
 * browser logs both; they show that the preview is safe.
 */
const isBlockedInPreview = (text: string, url: string) =>
  /^Blocked script execution in 'about:srcdoc'/.test(text) ||
  (url === 'about:srcdoc' && /Content Security Policy/.test(text))

const WATCH = `addEventListener('securitypolicyviolation', (event) =>
  reportViolation(event.violatedDirective + ' blocked ' + event.blockedURI + ' ' + event.sample))`

const SCRIPT_LINKS = `[...document.querySelectorAll('a[href], area[href], form[action], button[formaction], iframe[src], object[data]')]
  .flatMap((one) => [one.href, one.action, one.formAction, one.src, one.data])
  .filter((url) => typeof url === 'string' && /^\\s*(javascript|vbscript|data:text\\/html)/i.test(url))`

export interface Detector {
  /** What was found since the last call, each with the address of its page. */
  findings(): Promise<string[]>
}

/** Must be called before the page is opened. `origin`: the only one that it may load from. */
export async function detectScripts(context: BrowserContext, page: Page, origin: string): Promise<Detector> {
  let found: string[] = []
  const add = (what: string) => found.push(`${page.url()}: ${what}`)
  await context.exposeBinding(MARKER, ({ frame }, from: unknown) =>
    add(`a script ran in ${frame.url()} (${String(from)})`),
  )
  await context.exposeBinding('reportViolation', (_, what: string) => add(`the policy was violated: ${what}`))
  await context.addInitScript(WATCH)
  page.on('dialog', async (dialog) => {
    add(`a dialog was opened: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('pageerror', (error) => add(`an error was thrown: ${error.message}`))
  page.on('console', (message) => {
    const { url } = message.location()
    if (message.type() === 'error' && !isBlockedInPreview(message.text(), url))
      add(`an error was logged: ${message.text()}`)
  })
  context.on('request', (request) => {
    const { protocol, origin: requested } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && requested !== origin) add(`${request.url()} was requested`)
  })
  context.on('page', (opened) => {
    if (opened !== page) add(`a window was opened: ${opened.url()}`)
  })
  return {
    async findings() {
      for (const link of await page.evaluate<string[]>(SCRIPT_LINKS)) add(`a link would run a script: ${link}`)
      const result = found
      found = []
      return result
    },
  }
}
