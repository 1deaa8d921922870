/**
 * An email as an SVG image. The browser renders it like a page, but an image has no scripts, links or requests, and takes no frame.
 * It must be well-formed, so the HTML is parsed and written again with only what is visible.
 */

const XHTML = 'http://www.w3.org/1999/xhtml'

/** Their contents aren't visible, or aren't those of an email. */
const LEFT_OUT = new Set(
  'script noscript template iframe object embed link meta base title head audio video svg math select textarea dialog'.split(
    ' ',
  ),
)
const VOID = new Set('area br col hr img input wbr'.split(' '))
const KNOWN = new Set(
  'a abbr address area article aside b big blockquote br button caption center cite code col colgroup dd del details div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i img input ins label legend li main mark nav ol p pre q s section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Set(
  'align alt bgcolor border cellpadding cellspacing class color colspan dir face height id lang nowrap rowspan size span start style type valign value width'.split(
    ' ',
  ),
)

/** XML has no other characters. */
const INVALID = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string): string =>
  text
    .replaceAll(INVALID, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

interface Picture {
  width: number
  height: number
  /** The data URLs of images by their `src`. Others keep their space. */
  images: ReadonlyMap<string, string>
}

export function emailSvg(email: Document, { width, height, images }: Picture): string {
  const attributesOf = (element: Element): string =>
    [...element.attributes]
      .filter(({ name }) => ATTRIBUTES.has(name))
      .map(({ name, value }) => ` ${name}="${escaped(value)}"`)
      .join('')

  const imageOf = (source: string) => (source.startsWith('data:image/') ? source : images.get(source))

  function write(node: Node): string {
    if (node.nodeType === Node.TEXT_NODE) return escaped(node.textContent ?? '')
    if (!(node instanceof Element) || node.namespaceURI !== XHTML || LEFT_OUT.has(node.localName)) return ''
    if (node.localName === 'style') return `<style>${escaped(node.textContent ?? '')}</style>`
    const name = KNOWN.has(node.localName) ? node.localName : 'span'
    const image = name === 'img' ? imageOf(node.getAttribute('src') ?? '') : undefined
    const source = image ? ` src="${escaped(image)}"` : ''
    const start = `<${name}${attributesOf(node)}${source}`
    return VOID.has(name) ? `${start}/>` : `${start}>${writeAll(node)}</${name}>`
  }
  const writeAll = (parent: Node): string => Array.from(parent.childNodes, write).join('')

  const { head, body } = email
  const styles = Array.from(head.querySelectorAll('style'), write).join('')
  const page = `<style>body{box-sizing:border-box;min-height:${height}px}</style>${styles}`
  const content = `<body xmlns="${XHTML}"${attributesOf(body)}>${page}${writeAll(body)}</body>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${content}</foreignObject></svg>`
}
