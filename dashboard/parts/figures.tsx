/** A row of numbers with their names; they stack on a phone. */
import type { ReactNode } from 'react'

export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className="flex flex-wrap gap-px overflow-hidden rounded-card border border-line bg-line shadow-lift">
    {children}
  </dl>
)

export const Figure = ({ name, value, more }: { name: string; value: string | undefined; more?: string }) => (
  <div className="flex-1 basis-34 bg-card px-5 py-4">
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="figures mt-1 text-2xl font-semibold tracking-tight">{value ?? '…'}</dd>
    {more && <dd className="figures text-[0.8125rem] text-soft">{more}</dd>}
  </div>
)
