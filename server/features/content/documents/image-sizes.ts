/**
 * The heights of uploaded images in compiled HTML. With its width and height as attributes, the space of an image is known
 * before it is loaded, so that an email doesn't move while it is read. Its style still adapts it to narrow screens.
 */
import { attributeValue, findAttribute, readHtml } from '../../../platform/html/html-reader.ts'

export interface ImageSize {
  width: number
  height: number
}

interface Place {
  source: string
  width: number
  /** The position of the value "auto" of the height. */
  start: number
  end: number
}

/** MJML writes the displayed width of each image, and "auto" as its height. */
function placesIn(html: string, prefix: string): Place[] {
  const places: Place[] = []
  readHtml(html, {
    startTag(tag) {
      if (tag.name !== 'img') return
      const source = attributeValue(html, tag, 'src')
      const width = attributeValue(html, tag, 'width')
      const height = findAttribute(html, tag, 'height')
      if (!height || html.slice(height.start, height.end) !== 'auto') return
      if (source.startsWith(prefix) && /^[1-9]\d{0,4}$/.test(width))
        places.push({ source, width: Number(width), start: height.start, end: height.end })
    },
  })
  return places
}

/** `find` gets the URLs, all of which start with `prefix`, and returns the sizes of those images that it knows. */
export async function withImageSizes(
  html: string,
  prefix: string,
  find: (sources: string[]) => Promise<ReadonlyMap<string, ImageSize>>,
): Promise<string> {
  const places = html.includes(prefix) ? placesIn(html, prefix) : []
  if (places.length === 0) return html
  const sizes = await find([...new Set(places.map(({ source }) => source))])
  let result = ''
  let copied = 0
  for (const { source, width, start, end } of places) {
    const size = sizes.get(source)
    if (!size) continue
    result += html.slice(copied, start) + Math.max(1, Math.round((width * size.height) / size.width))
    copied = end
  }
  return result + html.slice(copied)
}
