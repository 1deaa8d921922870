/** A panel over the graph: on a wide screen at its right side, on a phone over its lower part. */
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { texts } from '../texts.ts'

interface PanelProps {
  /** Read by screen readers; the title unless that is given. */
  label: string
  title?: string
  lead?: ReactNode
  /** When this number changes, the focus moves to the first field. */
  focus?: number
  onSubmit?(event: FormEvent): void
  onClose(): void
  footer?: ReactNode
  children: ReactNode
}

/** The first of them gets the focus; the first in an element with `data-first`, if there is one. */
const FIELDS = 'input:not([type=hidden]), select, textarea, button[type=submit], a[href], [data-body] button'

export function Panel({ label, title = label, lead, focus, onSubmit, onClose, footer, children }: PanelProps) {
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const field = (within: string) => frame.current?.querySelector<HTMLElement>(`${within} :is(${FIELDS})`)
    if (focus) (field('[data-first]') ?? field(''))?.focus()
  }, [focus])
  const content = (
    <>
      <div className="flex items-start justify-between gap-3 px-5 pt-4 pb-3">
        <div className="min-w-0">
          <h2 className="font-semibold tracking-tight wrap-anywhere">{title}</h2>
          {lead && <p className="mt-0.5 text-sm text-soft">{lead}</p>}
        </div>
        <IconButton label={texts.step.close} className="-mt-0.5 -me-2 order-last" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <div data-body className="min-h-0 flex-1 space-y-4 overflow-y-auto px-5 pb-5">
        {children}
      </div>
      {footer && <div className="flex flex-wrap gap-2 border-t border-line px-5 py-3">{footer}</div>}
    </>
  )
  const look =
    'absolute z-10 flex flex-col overflow-hidden border-line bg-card shadow-float max-lg:inset-x-0 max-lg:bottom-0 max-lg:max-h-[62%] max-lg:rounded-t-card max-lg:border-t lg:top-3 lg:end-3 lg:max-h-[calc(100%-1.5rem)] lg:w-96 lg:rounded-card lg:border'
  if (!onSubmit) {
    return (
      <section ref={frame} aria-label={label} className={look}>
        {content}
      </section>
    )
  }
  return (
    <form
      ref={(form) => {
        frame.current = form
      }}
      aria-label={label}
      onSubmit={onSubmit}
      className={look}
    >
      {content}
    </form>
  )
}
