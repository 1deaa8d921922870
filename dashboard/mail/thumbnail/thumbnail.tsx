/** Thumbnails of emails: drawn once they come into view, as images and not as frames, of which a page can have only a few. */
import { useEffect, useRef, useState } from 'react'
import { stripLiquid } from '../strip-liquid.ts'
import { drawEmail } from './draw-email.ts'

/** How far below the screen an email is drawn before it is scrolled to. */
const MARGIN = '300px'

interface PictureProps {
  html: string
  /** The width at which the email is laid out, before it is scaled to the width of the thumbnail. */
  layoutWidth: number
}

/** The upper part of an email, as large as its container. */
function Picture({ html, layoutWidth }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isNear, setNear] = useState(false)
  const [size, setSize] = useState({ width: 0, height: 0 })
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    const near = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && setNear(true), {
      rootMargin: MARGIN,
    })
    const resized = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      setSize((now) => (now.width === width && now.height === height ? now : { width, height }))
    })
    near.observe(canvas.current!)
    resized.observe(canvas.current!)
    return () => {
      near.disconnect()
      resized.disconnect()
    }
  }, [])
  const { width, height } = size
  useEffect(() => {
    if (!isNear || width < 1 || height < 1) return
    const unmounted = new AbortController()
    void drawEmail(canvas.current!, { html, layoutWidth, width, height, signal: unmounted.signal }).then(setDrawn)
    return () => unmounted.abort()
  }, [isNear, html, layoutWidth, width, height])
  return <canvas ref={canvas} aria-hidden data-drawn={isDrawn} className="block size-full" />
}

/** A small thumbnail of a template. It is laid out as on a phone, so that its text is large. */
export const Thumbnail = ({ html, isSmall }: { html: string; isSmall?: boolean }) => (
  <div
    className={`${isSmall ? 'size-11' : 'size-18 max-sm:size-12'} shrink-0 overflow-hidden rounded-part border border-line bg-white`}
  >
    <Picture html={stripLiquid(html)} layoutWidth={384} />
  </div>
)

/** A larger thumbnail. */
export const MailPicture = ({ html }: { html: string }) => <Picture html={html} layoutWidth={640} />
