/**
 * HTML that others wrote, in a frame without rights: no scripts, no forms, no way to our page. Pictures of the
 * outside stay out until asked for, as in a mail program: looking at a mail must not count as opening it.
 */
import { useState } from 'react'
import { Button } from './button.tsx'

interface PreviewProps {
  html: string
  title: string
  phone?: boolean
  /** Drafts of our own may show their pictures at once. */
  trusted?: boolean
  className?: string
}

const REMOTE = /<img\b[^>]*\bsrc\s*=\s*["']?https?:|url\(\s*["']?https?:|background\s*=\s*["']?https?:/i

/** Our own pixel: whoever looks at the ledger has not opened the mail. */
const PIXEL = /<img\b[^>]*\/t\/o\/[^>]*>/gi

export function MailPreview({ html: sent, title, phone, trusted, className = 'h-[32rem]' }: PreviewProps) {
  const [images, setImages] = useState(trusted ?? false)
  const html = sent.replace(PIXEL, '')
  return (
    <div>
      {!images && REMOTE.test(html) && (
        <p className="flex flex-wrap items-center justify-between gap-2 border-b border-line bg-panel px-4 py-2 text-sm text-soft">
          Pictures from outside are not loaded.
          <Button onClick={() => setImages(true)}>Show pictures</Button>
        </p>
      )}
      <div className="flex justify-center bg-panel">
        <iframe
          // A document of its own for each: the policy inside is read once.
          key={String(images)}
          title={title}
          sandbox=""
          referrerPolicy="no-referrer"
          srcDoc={framed(html, images)}
          className={`${className} w-full bg-white ${phone ? 'max-w-[23.4375rem] border-x border-line' : ''}`}
        />
      </div>
    </div>
  )
}

/** Before anything of the mail is read: what it may load, and that its links open nowhere. */
function framed(html: string, images: boolean): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:${images ? ' https: http:' : ''}`
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><base target="_blank"><meta name="color-scheme" content="light">${html}`
}
