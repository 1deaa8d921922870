/** Marks blocks that are shown conditionally or repeatedly. The frame is not part of the email. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export const LogicFrame = ({
  icon: Icon,
  label,
  children,
}: {
  icon: LucideIcon
  label: string
  children: ReactNode
}) => (
  <div className="rounded-part border border-dashed border-line-strong">
    <p className="flex items-center gap-1.5 rounded-t-part bg-panel px-3 py-1 font-sans text-xs font-medium text-soft">
      <Icon className="size-3.5 shrink-0" aria-hidden />
      <span className="min-w-0 wrap-anywhere">{label}</span>
    </p>
    {children}
  </div>
)
