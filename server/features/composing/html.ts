/**
 * Edits an HTML document in place: replaces links and inserts before the end of the body. Everything else is unchanged,
 * byte for byte.
 */
import { decodeAttribute, findAttribute, readHtml } from '../../platform/mail/html-reader.ts'

const LINKS = new Set(['a', 'area'])
const NO_TRACK = 'data-no-track'

/** `replace` gets each decoded URL and returns a new one, or undefined to keep it. */
export function replaceLinks(html: string, replace: (url: string) => string | undefined): string {
  let result = ''
  let copied = 0
  readHtml(html, {
    startTag(tag) {
      if (!LINKS.has(tag.name)) return
      const href = findAttribute(html, tag, 'href')
      if (!href || href.end === 0 || findAttribute(html, tag, NO_TRACK)) return
      const replacement = replace(decodeAttribute(html.slice(href.start, href.end)).trim())
      if (replacement === undefined) return
      const quote = href.isQuoted ? 1 : 0
      result += `${html.slice(copied, href.start - quote)}"${escapeAttribute(replacement)}"`
      copied = href.end + quote
    },
  })
  return copied === 0 ? html : result + html.slice(copied)
}

/** Inserts before the last `</body>` tag that is not in a comment or script; at the end if there is none. */
export function insertBeforeEnd(html: string, addition: string): string {
  const at = endOfBody(html)
  return html.slice(0, at) + addition + html.slice(at)
}

function endOfBody(html: string): number {
  let found = html.length
  readHtml(html, {
    endTag(name, start) {
      if (name === 'body') found = start
    },
  })
  return found
}

const escapeAttribute = (url: string): string => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
