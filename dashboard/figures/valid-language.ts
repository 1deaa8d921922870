/**
 * uPlot formats numbers in the language of the browser, which it reads while it is loaded. On Linux without a locale this is
 * "en-US@posix" in Chromium, and the page with the chart would fail.
 */
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}
