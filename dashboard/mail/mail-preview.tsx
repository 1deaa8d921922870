/**
 * Untrusted HTML in a sandboxed frame: no scripts, no forms, no access to our page. Remote images are blocked until
 * requested, as in an email client, so that a preview does not count as an open.
 */
import { type CSSProperties, memo, useCallback, useEffect, useRef, useState } from 'react'
import { SERVICE_URL } from '../data/api.ts'
import { hasDarkColors, withColorScheme } from '../shell/color-scheme.ts'
import { emailPreviewTexts } from '../shell/texts.ts'
import { Button } from '../ui/button.tsx'
import { imageRules, withoutImages } from './images.ts'

const { uploads, hasRemoteImages, measurable } = imageRules(SERVICE_URL)

interface PreviewProps {
  html: string
  title: string
  phone?: boolean
  /** Shown as in dark mode: in its own dark colors, or as in a client that inverts colors if it has none. */
  dark?: boolean
  /** Drafts show their images right away. */
  trusted?: boolean
  /** As high as its container, instead of as high as the email. */
  fill?: boolean
  /** Laid out as on a desktop even in a narrower container, and then scaled down. */
  fit?: boolean
}

/** Our tracking pixel: viewing a sent email in the dashboard is not an open. */
const PIXEL = /<img\b[^>]*\/t\/o\/[^>]*>/gi

/** Typing beside it doesn't render it again: for a long email, that takes longer than a frame of the screen. */
export const MailPreview = memo(function MailPreview({
  html: sent,
  title,
  phone,
  dark = false,
  trusted,
  fill,
  fit,
}: PreviewProps) {
  const [images, setImages] = useState(trusted ?? false)
  const [textHeight, setTextHeight] = useState(HEIGHT_START)
  const [fullHeight, setFullHeight] = useState<{ html: string; height: number }>()
  const [container, width] = useWidth()
  const isScaled = fit && !phone && !matchMedia(NARROW).matches && width > 0 && width < DESKTOP_WIDTH
  const scale = isScaled ? width / DESKTOP_WIDTH : 1
  const html = sent.replace(PIXEL, '')
  const frameSource = frameDocument(html, [uploads, ...(images ? ANY_SOURCE : [])], dark)
  const withImages = measurable(html, images)
  const height = fullHeight?.html === withImages.html ? fullHeight.height : textHeight
  // A new document each time, because its policy is read only once.
  const key = `${images} ${dark}`
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {!images && hasRemoteImages(html) && (
        <p className="flex flex-wrap items-center justify-between gap-2 border-b border-line bg-panel px-4 py-2 text-sm text-soft">
          {emailPreviewTexts.imagesBlocked}
          <Button onClick={() => setImages(true)}>{emailPreviewTexts.showImages}</Button>
        </p>
      )}
      <div className="flex min-h-0 flex-1 justify-center bg-panel">
        <div
          ref={container}
          className={`relative w-full ${phone ? 'max-w-[23.4375rem] border-x border-line' : ''} ${isScaled ? 'overflow-hidden' : ''}`}
          style={isScaled ? { height: height * scale } : undefined}
        >
          <iframe
            key={key}
            title={title}
            sandbox=""
            referrerPolicy="no-referrer"
            srcDoc={frameSource}
            style={
              {
                '--email-height': `${height}px`,
                ...(isScaled && { width: DESKTOP_WIDTH, transform: `scale(${scale})`, transformOrigin: 'top left' }),
              } as CSSProperties
            }
            className={`block bg-white ${isScaled ? 'max-w-none' : 'w-full'} ${fill ? 'h-full' : 'h-(--email-height)'}`}
          />
          {!fill && (
            <HeightProbe
              key={`${key} probe`}
              source={frameDocument(withoutImages(html), [], dark)}
              width={isScaled ? DESKTOP_WIDTH : undefined}
              onHeight={setTextHeight}
            />
          )}
          {!fill && withImages.sources.length > 0 && (
            <HeightProbe
              key={`${key} probe with images`}
              source={frameDocument(withImages.html, withImages.sources, dark)}
              width={isScaled ? DESKTOP_WIDTH : undefined}
              onHeight={(measured) => setFullHeight({ html: withImages.html, height: measured })}
            />
          )}
        </div>
      </div>
    </div>
  )
})

const ANY_SOURCE = ['https:', 'http:']

/** The width of most emails, with a margin. */
const DESKTOP_WIDTH = 640
/** A phone shows emails at its own width. */
const NARROW = '(max-width: 639px)'

function useWidth() {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}

const HEIGHT_START = 320
/** A longer email scrolls inside its frame. */
const HEIGHT_MAX = 6_000
const SCROLLBAR = 16
/** Below an email whose last line would otherwise touch the edge. */
const MARGIN = 12

interface ProbeProps {
  source: string
  /** That of its container unless it is given. */
  width: number | undefined
  onHeight(height: number): void
}

/**
 * An invisible copy of the frame. The page can't read the height of the email from the visible frame, which has an
 * origin of its own. In this one nothing runs either: scripts are blocked by its sandbox and by its policy. One copy has no
 * images and is measured at once, another one loads the images that it may (`measurable`).
 */
function HeightProbe({ source, width, onHeight }: ProbeProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const isLoaded = useRef(false)
  const report = useRef(onHeight)
  report.current = onHeight
  const measure = useCallback(() => {
    const root = frame.current?.contentDocument?.documentElement
    if (!root || !isLoaded.current) return
    const isTooWide = root.scrollWidth > root.clientWidth
    report.current(Math.min(root.scrollHeight + MARGIN + (isTooWide ? SCROLLBAR : 0), HEIGHT_MAX))
  }, [])
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (frame.current) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [measure])
  return (
    <iframe
      ref={frame}
      title={emailPreviewTexts.probe}
      aria-hidden
      inert
      tabIndex={-1}
      sandbox="allow-same-origin"
      scrolling="no"
      referrerPolicy="no-referrer"
      srcDoc={source}
      onLoad={() => {
        isLoaded.current = true
        measure()
      }}
      style={{ width }}
      className="pointer-events-none invisible absolute top-0 start-0 h-px w-full max-w-none"
    />
  )
}

/** Images keep their colors. */
const INVERTED =
  '<style>html{background:#fff;filter:invert(.92) hue-rotate(180deg)}img{filter:invert(1) hue-rotate(180deg)}</style>'

/** Sets what the email may load before any of it is parsed. Its links can't open pages. */
function frameDocument(html: string, sources: string[], dark = false): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src ${['data:', ...sources].join(' ')}`
  const inverted = dark && !hasDarkColors(html) ? INVERTED : ''
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><base target="_blank"><meta name="color-scheme" content="light">${inverted}${withColorScheme(html, dark)}`
}
