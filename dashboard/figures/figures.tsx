/** A row of numbers with their names; they stack on a phone. */
import type { ReactNode } from 'react'

const FRAME = 'gap-px overflow-hidden rounded-card border border-line bg-line shadow-lift'

export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className={`flex flex-wrap ${FRAME}`}>{children}</dl>
)

/** Seven figures in full rows. The first of them takes two places unless all fit into one row. */
export const SevenFigures = ({ children }: { children: ReactNode }) => (
  <dl
    className={`grid grid-cols-2 *:first:col-span-2 sm:grid-cols-4 xl:grid-cols-7 xl:*:first:col-span-1 xl:*:px-3.5 xl:[&_dt]:text-[0.8125rem] ${FRAME}`}
  >
    {children}
  </dl>
)

interface FigureProps {
  name: string
  value: string | undefined
  more?: string
  /** What the number means. */
  hint?: string
}

export const Figure = ({ name, value, more, hint }: FigureProps) => (
  <div className="flex-1 basis-34 bg-card px-5 py-4" title={hint}>
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="figures mt-1 text-2xl font-semibold tracking-tight">{value ?? '…'}</dd>
    {more && <dd className="figures text-[0.8125rem] text-soft">{more}</dd>}
  </div>
)
