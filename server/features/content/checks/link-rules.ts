/** Rules on the links and images of an email. Nothing is fetched. */
import { attributeValue, findAttribute, readHtml, type StartTag } from '../../../platform/html/html-reader.ts'
import { type CheckedContent, type HtmlFinding, maskLiquid, sampleUrl } from './finding.ts'

/** Images above this size load slowly on phones. */
export const IMAGE_BYTES_MAX = 200 * 1024

const OTHER_SCHEMES = /^(mailto|tel|sms):/i

export function checkLinks({ html }: Pick<CheckedContent, 'html'>): HtmlFinding[] {
  const source = maskLiquid(html)
  const found: HtmlFinding[] = []
  readHtml(source, {
    startTag(tag) {
      if (tag.name !== 'a' && tag.name !== 'area') return
      const attribute = findAttribute(source, tag, 'href')
      if (!attribute) return // an anchor
      const href = attributeValue(source, tag, 'href').trim()
      const problem = linkProblem(href)
      // The URL of an empty link would be found in other places.
      const needle = problem?.code === 'link.empty' ? source.slice(attribute.nameStart, attribute.end + 1) : href
      if (problem) found.push({ ...problem, at: attribute.nameStart, needle })
    },
  })
  return once(found)
}

function linkProblem(href: string): Omit<HtmlFinding, 'at'> | undefined {
  const url = sampleUrl(href)
  if (url === undefined || OTHER_SCHEMES.test(url)) return undefined
  const shown = shortened(href)
  if (url === '' || url === '#')
    return {
      code: 'link.empty',
      severity: 'error',
      message: 'A link has no URL.',
      fix: 'Enter the URL of a page, or remove the link.',
    }
  if (/^(javascript|data|vbscript|file):/i.test(url))
    return {
      code: 'link.unsafe',
      severity: 'error',
      message: `The link ${shown} runs code or opens a local file. Mail clients block it.`,
      fix: 'Use a URL that starts with https://.',
    }
  if (url.startsWith('#')) return undefined
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url))
    return {
      code: 'link.relative',
      severity: 'error',
      message: `The link ${shown} has no domain, so it doesn't work in an email.`,
      fix: 'Use the full URL, starting with https://.',
    }
  if (!isWebUrl(url))
    return {
      code: 'link.broken',
      severity: 'error',
      message: `${shown} is not a valid URL.`,
      fix: 'Check the URL for typos.',
    }
  const host = new URL(url).hostname
  if (isExampleHost(host))
    return {
      code: 'link.example',
      severity: 'warning',
      message: `The link ${shown} leads to an example domain.`,
      fix: 'Enter the URL of your own page.',
    }
  if (isPrivateHost(host))
    return {
      code: 'link.private',
      severity: 'warning',
      message: `The link ${shown} leads to a private address, which recipients can't open.`,
      fix: 'Use the public URL of the page.',
    }
  if (/^http:/i.test(url))
    return {
      code: 'link.insecure',
      severity: 'warning',
      message: `The link ${shown} is not encrypted. Browsers warn about such pages.`,
      fix: 'Use https:// instead of http://.',
    }
  return undefined
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Domains that are reserved for documentation and tests (RFC 2606), and those of local networks. */
const EXAMPLE_HOST = /(^|\.)(example\.(com|net|org)|example|test|invalid)$/i
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/i
const PRIVATE_ADDRESS =
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^\[(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/i

const isExampleHost = (host: string): boolean => EXAMPLE_HOST.test(host)

const isPrivateHost = (host: string): boolean => PRIVATE_NAME.test(host) || PRIVATE_ADDRESS.test(host)

/** With a host that can exist on the public Internet, or on this machine for development. */
function isWebUrl(url: string): boolean {
  if (/\s/.test(url) || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return LOCAL.has(hostname) || hostname.includes('.') || hostname.startsWith('[')
}

/** The sizes of the project's own images, by URL. */
export type ImageSizes = ReadonlyMap<string, number>

export function checkImages({ html }: Pick<CheckedContent, 'html'>, sizes: ImageSizes): HtmlFinding[] {
  const source = maskLiquid(html)
  const found: HtmlFinding[] = []
  let link: { hasText: boolean; image: HtmlFinding | undefined } | undefined
  readHtml(source, {
    text(start, end) {
      if (link && source.slice(start, end).trim() !== '') link.hasText = true
    },
    startTag(tag) {
      if (tag.name === 'a') link = { hasText: false, image: undefined }
      if (tag.name !== 'img') return
      const problems = imageProblems(source, tag, sizes)
      found.push(...problems)
      if (link && problems.length === 0 && attributeValue(source, tag, 'alt').trim() === '')
        link.image = withoutAlt(source, tag, 'The only content of a link is an image without alternative text.')
      else if (link) link.hasText = true
    },
    endTag(name) {
      if (name !== 'a') return
      if (link?.image && !link.hasText) found.push(link.image)
      link = undefined
    },
  })
  return once(found)
}

const withoutAlt = (source: string, tag: StartTag, message: string): HtmlFinding => ({
  code: 'image.alt',
  severity: 'warning',
  message,
  fix: 'Describe the image in its alternative text. Leave it empty only if the image is decorative.',
  at: startOf(tag),
  needle: attributeValue(source, tag, 'src'),
})

const startOf = (tag: StartTag): number => tag.attributes[0]?.nameStart ?? tag.end

function imageProblems(source: string, tag: StartTag, sizes: ImageSizes): HtmlFinding[] {
  const found: HtmlFinding[] = []
  const src = attributeValue(source, tag, 'src').trim()
  const add = (code: string, severity: HtmlFinding['severity'], message: string, fix: string) =>
    found.push({ code, severity, message, fix, at: startOf(tag), needle: src })
  if (!findAttribute(source, tag, 'alt'))
    found.push(withoutAlt(source, tag, `The image ${shortened(src)} has no alternative text.`))
  const url = sampleUrl(src)
  if (url === undefined || /^cid:/i.test(url)) return found
  if (url === '') add('image.empty', 'error', 'An image has no URL.', 'Choose an image, or remove it.')
  else if (/^data:/i.test(url))
    add(
      'image.embedded',
      'warning',
      'An image is embedded as a data: URL, which Gmail does not show.',
      'Upload the image and use its URL.',
    )
  else if (!isWebUrl(url))
    add(
      'image.broken',
      'error',
      `The image ${shortened(src)} has no valid URL.`,
      'Use the full URL, starting with https://.',
    )
  else if (isPrivateHost(new URL(url).hostname) && !sizes.has(src))
    add(
      'image.private',
      'warning',
      `The image ${shortened(src)} is on a private address, so recipients don't see it.`,
      'Upload the image and use its URL.',
    )
  else if (/^http:/i.test(url) && !LOCAL.has(new URL(url).hostname))
    add(
      'image.insecure',
      'warning',
      `The image ${shortened(src)} is not encrypted, so some clients don't show it.`,
      'Use https:// instead of http://.',
    )
  const size = sizes.get(src) ?? 0
  if (size > IMAGE_BYTES_MAX)
    add(
      'image.large',
      'warning',
      `The image ${shortened(src)} is ${Math.ceil(size / 1024)} KB; images over ${IMAGE_BYTES_MAX / 1024} KB load slowly on phones.`,
      'Use a smaller or more compressed image.',
    )
  return found
}

const SHOWN_MAX = 80

function shortened(masked: string): string {
  const text = masked.replace(/\uE000+/g, '{{…}}')
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}

/** The same problem with the same URL is reported once. */
function once(found: HtmlFinding[]): HtmlFinding[] {
  const seen = new Set<string>()
  return found.filter(({ code, needle }) => {
    const key = `${code} ${needle}`
    if (needle && seen.has(key)) return false
    seen.add(key)
    return true
  })
}
