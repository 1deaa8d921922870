/** Buttons, and links that look like buttons. A page has one primary button. `shortcut` names the keys that press it. */
import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

const KINDS: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent shadow-lift',
  plain: 'bg-card text-ink border-line-strong hover:bg-panel shadow-lift',
  quiet: 'text-soft border-transparent hover:bg-panel hover:text-ink',
  danger: 'bg-card text-bad border-line-strong hover:bg-bad-wash shadow-lift',
}

const SHAPE =
  'inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-part border px-3.5 text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0'

interface Look {
  kind?: Kind
  children?: ReactNode
}

export function Button({
  kind = 'plain',
  busy,
  shortcut,
  className = '',
  ...rest
}: Look & ComponentProps<'button'> & { busy?: boolean; shortcut?: 'save' }) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      data-shortcut={shortcut}
      aria-keyshortcuts={shortcut && 'Control+S'}
      {...rest}
      disabled={rest.disabled || busy}
      className={`${SHAPE} ${KINDS[kind]} ${className}`}
    />
  )
}

export function LinkButton({
  kind = 'plain',
  to,
  search,
  children,
}: Look & { to: string; search?: Record<string, string> }) {
  return (
    <Link to={to} search={search as never} className={`${SHAPE} ${KINDS[kind]}`}>
      {children}
    </Link>
  )
}

/** A button with only an icon. Its label is shown on hover and read by screen readers. */
export function IconButton({ label, className = '', ...rest }: { label: string } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-part text-soft transition-colors hover:bg-panel hover:text-ink disabled:opacity-50 [&_svg]:size-4 ${className}`}
    />
  )
}
