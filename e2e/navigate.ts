/** Opens pages of the dashboard as a link in it does, which takes a third of the time of loading them. */
import type { Page } from 'playwright-core'

/** Resolves when the page at an address is shown. The router is that of the dashboard; other pages have none. */
const showing = (address: string) => `(() => {
  const router = window.__TSR_ROUTER__
  if (!router || location.href === ${JSON.stringify(address)}) return false
  return new Promise((resolve) => {
    const stop = router.subscribe('onResolved', () => { stop(); resolve(true) })
    router.history.push(${JSON.stringify(address)}.slice(location.origin.length))
  })
})()`

/** Opens an address: within the dashboard if the page already shows it, and otherwise by loading it. */
export async function navigate(page: Page, address: string): Promise<void> {
  const isInside =
    new URL(address).pathname.startsWith('/app/') && page.url().startsWith(`${new URL(address).origin}/app/`)
  if (!isInside || !(await page.evaluate<boolean>(showing(address)))) await page.goto(address)
}
