/** Prints once per run, not once per test file, why the browser tests are skipped. */
import { findBrowser, thisMachine } from './find-browser.ts'

export default function reportMissingBrowser(): void {
  const browser = findBrowser(thisMachine)
  if (browser.kind === 'missing' && !browser.required) console.log(`Browser tests are skipped: ${browser.message}`)
}
