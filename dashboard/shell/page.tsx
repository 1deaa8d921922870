/** The layout of a page: title, description, actions and cards. */
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Address } from '../addresses.ts'
import { Link } from '../links.tsx'
import { connectionTexts, sharedTexts } from './texts.ts'

interface PageProps {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  back?: { to: Address; label: string }
  /** Editors use the whole width. */
  wide?: boolean
  /** Navigation beside the page; on a phone it is above the title. */
  aside?: ReactNode
  children: ReactNode
}

export function Page({ title, lead, actions, back, wide, aside, children }: PageProps) {
  const content = (
    <>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className={`min-w-0 flex-1 sm:basis-64 ${lead ? 'basis-64' : 'basis-48'}`}>
          <h1 className="text-[1.625rem] leading-tight font-semibold tracking-tight text-balance">{title}</h1>
          {lead && <div className="mt-1.5 max-w-2xl text-pretty text-soft">{lead}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2 empty:hidden">{actions}</div>}
      </header>
      {children}
    </>
  )
  return (
    <div
      className={`mx-auto w-full ${wide ? 'max-w-[110rem]' : 'max-w-6xl'} px-4 py-6 sm:px-8 sm:py-9`}
      data-appear
      data-page
    >
      <title>{sharedTexts.pageTitle(title)}</title>
      {back && (
        <Link to={back.to} className="mb-3 -ms-1 inline-flex items-center gap-1 text-sm text-soft hover:text-ink">
          <ChevronLeft className="size-4 shrink-0" aria-hidden />
          {back.label}
        </Link>
      )}
      {aside ? (
        <div className="gap-10 lg:grid lg:grid-cols-[11rem_minmax(0,1fr)]">
          {aside}
          <div className="min-w-0">{content}</div>
        </div>
      ) : (
        content
      )}
    </div>
  )
}

/** Page actions that are in a menu on phones; many are in it on tablets too. */
export const WideActions = ({ children, many }: { children: ReactNode; many?: boolean }) => (
  <div className={`flex flex-wrap items-center gap-2 ${many ? 'max-lg:hidden' : 'max-sm:hidden'}`}>{children}</div>
)

export function Card({ title, lead, actions, children, flush }: CardProps) {
  return (
    <section className="rounded-card border border-line bg-card shadow-lift">
      {(title || actions) && (
        <header className="flex flex-wrap items-center justify-between gap-3 px-5 pt-4.5 pb-1">
          <div className={`min-w-0 ${lead ? 'flex-1 basis-48' : ''}`}>
            {title && <h2 className="font-semibold tracking-tight">{title}</h2>}
            {lead && <p className="mt-0.5 text-sm text-pretty text-soft">{lead}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={flush ? 'pt-2 empty:pb-1.5' : 'px-5 pt-3.5 pb-5 empty:pt-0 empty:pb-3.5'}>{children}</div>
    </section>
  )
}

interface CardProps {
  title?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
  children?: ReactNode
  /** The content extends to the edges, for tables. */
  flush?: boolean
}

const SLOW_MS = 8_000

export function Loading({ label = sharedTexts.loading }: { label?: string }) {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" className="flex flex-col items-center gap-3 py-16">
      <span className="size-5 animate-spin rounded-full border-2 border-line-strong border-t-accent" />
      <span className="sr-only">{label}</span>
      {slow && <span className="text-sm text-soft">{connectionTexts.slow}</span>}
    </div>
  )
}
