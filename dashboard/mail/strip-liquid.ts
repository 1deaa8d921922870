/** The text of a template for its thumbnail: with the fallbacks of its variables, and without Liquid. */

const FALLBACK = /(?:\?\?|\bdefault:)\s*(?:"([^"]*)"|'([^']*)'|&quot;(.*?)&quot;)/
const UNKNOWN = '…'

const TAG = /\{%-?\s*(\w*)[\s\S]*?%\}/g
const OPENS = /^(if|unless|for|case|tablerow|capture)$/

/** Removes tags. Keeps the first branch of a condition and one repetition of a loop. */
function firstBranches(html: string): string {
  let shown = ''
  let end = 0
  let depth = 0
  /** The depth of the condition whose other branches are being skipped. */
  let skipped: number | undefined
  for (const tag of html.matchAll(TAG)) {
    if (skipped === undefined) shown += html.slice(end, tag.index)
    end = tag.index + tag[0].length
    const name = tag[1]!
    if (OPENS.test(name)) depth++
    if (name === 'else' || name === 'elsif') skipped ??= depth
    if (name.startsWith('end')) {
      if (skipped === depth) skipped = undefined
      depth--
    }
  }
  return skipped === undefined ? shown + html.slice(end) : shown
}

export function stripLiquid(html: string): string {
  return firstBranches(html).replace(/\{\{([\s\S]*?)\}\}/g, (_, expression: string) => {
    const [found, ...texts] = FALLBACK.exec(expression) ?? []
    return found === undefined ? UNKNOWN : (texts.find((text) => text !== undefined) ?? '')
  })
}
