/** The layout of the pages outside a project: the logo and one card. */
import type { ReactNode } from 'react'
import { ProductMark } from '../../shell/horn.tsx'
import { sharedTexts } from '../../shell/texts.ts'

export function AccountFrame({
  title,
  lead,
  children,
  below,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
  below?: ReactNode
}) {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[14vh] pb-10">
      <title>{sharedTexts.pageTitle(title)}</title>
      <ProductMark />
      <div className="w-full max-w-sm rounded-card border border-line bg-card p-7 shadow-lift" data-appear>
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {lead && <p className="mt-1.5 text-sm text-soft">{lead}</p>}
        <div className="mt-6 empty:hidden">{children}</div>
      </div>
      {below && <p className="mt-6 text-sm text-soft">{below}</p>}
    </main>
  )
}

export const linkLook = 'font-medium text-accent underline underline-offset-3 hover:text-accent-hover'
