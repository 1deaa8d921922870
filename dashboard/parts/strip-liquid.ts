/** The text of a template as a small picture shows it: with the fallbacks of its variables, and without Liquid. */

const FALLBACK = /(?:\?\?|\bdefault:)\s*(?:"([^"]*)"|'([^']*)'|&quot;(.*?)&quot;)/
const UNKNOWN = '…'

/** Of a condition, only the first branch is shown. */
const OTHER_BRANCHES = /\{%-?\s*els(?:e|if)\b[\s\S]*?(?=\{%-?\s*end)/g

export function stripLiquid(html: string): string {
  return html
    .replace(OTHER_BRANCHES, '')
    .replace(/\{%[\s\S]*?%\}/g, '')
    .replace(/\{\{([\s\S]*?)\}\}/g, (_, expression: string) => {
      const [found, ...texts] = FALLBACK.exec(expression) ?? []
      return found === undefined ? UNKNOWN : (texts.find((text) => text !== undefined) ?? '')
    })
}
