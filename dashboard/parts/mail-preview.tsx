/**
 * Untrusted HTML in a sandboxed frame: no scripts, no forms, no access to our page. Remote images are blocked until
 * requested, as in an email client, so that a preview does not count as an open.
 */
import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { hasDarkColors, withColorScheme } from './color-scheme.ts'
import { stripLiquid } from './strip-liquid.ts'
import { emailPreviewTexts } from './texts.ts'

interface PreviewProps {
  html: string
  title: string
  phone?: boolean
  /** Shown as in dark mode: in its own dark colors, or as in a client that inverts colors if it has none. */
  dark?: boolean
  /** Drafts show their images right away. */
  trusted?: boolean
  className?: string
}

const REMOTE = /<img\b[^>]*\bsrc\s*=\s*["']?https?:|url\(\s*["']?https?:|background\s*=\s*["']?https?:/i

/** Our tracking pixel: viewing a sent email in the dashboard is not an open. */
const PIXEL = /<img\b[^>]*\/t\/o\/[^>]*>/gi

export function MailPreview({
  html: sent,
  title,
  phone,
  dark = false,
  trusted,
  className = 'h-[32rem]',
}: PreviewProps) {
  const [images, setImages] = useState(trusted ?? false)
  const html = sent.replace(PIXEL, '')
  return (
    <div>
      {!images && REMOTE.test(html) && (
        <p className="flex flex-wrap items-center justify-between gap-2 border-b border-line bg-panel px-4 py-2 text-sm text-soft">
          {emailPreviewTexts.imagesBlocked}
          <Button onClick={() => setImages(true)}>{emailPreviewTexts.showImages}</Button>
        </p>
      )}
      <div className="flex justify-center bg-panel">
        <iframe
          // A new document each time, because its policy is read only once.
          key={`${images} ${dark}`}
          title={title}
          sandbox=""
          referrerPolicy="no-referrer"
          srcDoc={frameDocument(html, images, dark)}
          className={`${className} w-full bg-white ${phone ? 'max-w-[23.4375rem] border-x border-line' : ''}`}
        />
      </div>
    </div>
  )
}

/** Images keep their colors. */
const INVERTED =
  '<style>html{background:#fff;filter:invert(.92) hue-rotate(180deg)}img{filter:invert(1) hue-rotate(180deg)}</style>'

/** Sets what the email may load before any of it is parsed. Its links can't open pages. */
function frameDocument(html: string, images: boolean, dark = false): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:${images ? ' https: http:' : ''}`
  const inverted = dark && !hasDarkColors(html) ? INVERTED : ''
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><base target="_blank"><meta name="color-scheme" content="light">${inverted}${withColorScheme(html, dark)}`
}

interface PictureProps {
  html: string
  title: string
  images: boolean
  /** The width at which the email is laid out, before it is scaled to the width of the thumbnail. */
  layoutWidth: number
}

/** A thumbnail of the upper part of an email, scaled to the width of its container. Nothing in it is interactive. */
function Picture({ html, title, images, layoutWidth }: PictureProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect))
    if (frame.current) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  const scale = size.width / layoutWidth
  return (
    <div ref={frame} aria-hidden inert className="size-full overflow-hidden">
      {scale > 0 && (
        <iframe
          title={title}
          sandbox=""
          loading="lazy"
          tabIndex={-1}
          referrerPolicy="no-referrer"
          srcDoc={frameDocument(html, images)}
          style={{
            width: layoutWidth,
            height: size.height / scale,
            transform: `scale(${scale})`,
            transformOrigin: 'top left',
          }}
          className="pointer-events-none max-w-none border-0"
        />
      )}
    </div>
  )
}

/** A small thumbnail of a template, without remote images. It is laid out as on a phone, so that its text is large. */
export const Thumbnail = ({ html, title }: { html: string; title: string }) => (
  <div className="size-24 shrink-0 overflow-hidden rounded-part border border-line bg-white">
    <Picture html={stripLiquid(html)} title={title} images={false} layoutWidth={384} />
  </div>
)

/** A larger thumbnail. */
export const MailPicture = (email: { html: string; title: string }) => <Picture {...email} images layoutWidth={640} />
