/** Draws the upper part of an email on a canvas. One email at a time, so that a long list doesn't block its page. */
import { SERVICE_URL } from '../../data/api.ts'
import { withColorScheme } from '../../shell/color-scheme.ts'
import { imageRules } from '../images.ts'
import { emailSvg } from './email-svg.ts'

interface Drawing {
  html: string
  /** The width at which the email is laid out, before it is scaled to the width of the canvas. */
  layoutWidth: number
  /** The width of the canvas on the page. */
  width: number
  height: number
  signal: AbortSignal
}

const DENSITY_MAX = 2
/** An email rarely shows more in its upper part. */
const IMAGES_MAX = 8
const IMAGE_WIDTH_MAX = 640
const QUALITY = 0.8
const CACHED_MAX = 60

const { uploads } = imageRules(SERVICE_URL)

let lastDrawing: Promise<unknown> = Promise.resolve()

/** Resolves to whether it was drawn: it isn't if nobody waits for it any longer, or if the browser can't. */
export function drawEmail(canvas: HTMLCanvasElement, drawing: Drawing): Promise<boolean> {
  const drawn = lastDrawing.then(() => draw(canvas, drawing)).catch(() => false)
  // The page handles its events in between.
  lastDrawing = drawn.then(() => new Promise((resolve) => setTimeout(resolve)))
  return drawn
}

async function draw(
  canvas: HTMLCanvasElement,
  { html, layoutWidth, width, height, signal }: Drawing,
): Promise<boolean> {
  if (signal.aborted) return false
  const email = new DOMParser().parseFromString(withColorScheme(html, false), 'text/html')
  const layoutHeight = Math.ceil((height * layoutWidth) / width)
  const size = { width: layoutWidth, height: layoutHeight }
  const svg = emailSvg(email, { ...size, images: await readImages(email, signal) })
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image(size.width, size.height)
    image.src = url
    await image.decode()
    if (signal.aborted) return false
    const density = Math.min(devicePixelRatio, DENSITY_MAX)
    canvas.width = Math.round(width * density)
    canvas.height = Math.round(height * density)
    const context = canvas.getContext('2d')!
    context.drawImage(image, 0, 0, canvas.width, Math.round((layoutHeight * canvas.width) / layoutWidth))
    return true
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Uploaded images, because an SVG image can't request anything itself. Images of other servers are left out. */
async function readImages(email: Document, signal: AbortSignal): Promise<Map<string, string>> {
  const sources = Array.from(email.querySelectorAll('img'), (one) => one.getAttribute('src') ?? '')
  const known = [...new Set(sources.filter((source) => source.startsWith(uploads)))].slice(0, IMAGES_MAX)
  const read = await Promise.all(known.map(async (source) => [source, await readImage(source, signal)] as const))
  return new Map(read.filter((one): one is [string, string] => one[1] !== undefined))
}

/** Data URLs of scaled images, by their source: templates share logos. */
const cached = new Map<string, string>()

async function readImage(source: string, signal: AbortSignal): Promise<string | undefined> {
  const earlier = cached.get(source)
  if (earlier) return earlier
  try {
    const response = await fetch(source, { signal })
    if (!response.ok) return undefined
    const image = await createImageBitmap(await response.blob())
    const scale = Math.min(1, IMAGE_WIDTH_MAX / image.width)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(image.width * scale))
    canvas.height = Math.max(1, Math.round(image.height * scale))
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
    image.close()
    const url = canvas.toDataURL('image/webp', QUALITY)
    if (cached.size >= CACHED_MAX) cached.delete(cached.keys().next().value!)
    cached.set(source, url)
    return url
  } catch {
    return undefined
  }
}
