/** An empty list: what belongs here, why it helps, and what to do. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { SAME_PAGE } from '../addresses.ts'
import { sharedTexts } from '../shell/texts.ts'
import { LinkButton } from '../ui/button.tsx'

interface EmptyProps {
  icon: LucideIcon
  title: string
  children?: ReactNode
  actions?: ReactNode
  /** The page shows nothing else, so this title is the heading of the page. */
  isPage?: boolean
}

export function Empty({ icon: Icon, title, children, actions, isPage }: EmptyProps) {
  const Title = isPage ? 'h1' : 'h2'
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 flex size-11 items-center justify-center rounded-full bg-accent-wash text-accent">
        <Icon className="size-5" aria-hidden />
      </span>
      <Title className="font-semibold tracking-tight">{title}</Title>
      {children && (
        <div className="mt-1.5 w-full max-w-md min-w-0 has-[pre]:max-w-3xl text-sm text-soft text-pretty">
          {children}
        </div>
      )}
      {actions && (
        <div data-empty-actions className="mt-5 flex flex-wrap justify-center gap-2">
          {actions}
        </div>
      )}
    </div>
  )
}

interface ListEmptyProps extends Pick<EmptyProps, 'icon' | 'actions'> {
  filtered: boolean
  texts: Record<'noMatchTitle' | 'noMatch' | 'emptyTitle' | 'empty', string>
}

/** A list without rows: nothing matches the filter, which can be cleared, or there is nothing yet. */
export const ListEmpty = ({ icon, filtered, texts, actions }: ListEmptyProps) => (
  <Empty
    icon={icon}
    title={filtered ? texts.noMatchTitle : texts.emptyTitle}
    actions={filtered ? <LinkButton to={SAME_PAGE}>{sharedTexts.clearSearch}</LinkButton> : actions}
  >
    {filtered ? texts.noMatch : texts.empty}
  </Empty>
)
