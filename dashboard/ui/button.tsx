/** Buttons, and links that look like buttons. A page has one primary button. `shortcut` names the keys that press it;
 * `saved` says that there is nothing to save. */
import { Check, Trash2 } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { Address } from '../addresses.ts'
import { Link } from '../links.tsx'
import { sharedTexts } from '../shell/texts.ts'

type Kind = 'primary' | 'plain' | 'quiet' | 'remove' | 'danger'

const KINDS: Record<Kind, string> = {
  primary:
    'bg-accent text-on-accent hover:bg-accent-hover border-transparent shadow-lift disabled:not-aria-busy:border-line disabled:not-aria-busy:bg-panel disabled:not-aria-busy:text-soft disabled:not-aria-busy:opacity-100 disabled:not-aria-busy:shadow-none',
  plain: 'bg-card text-ink border-line-strong hover:bg-panel shadow-lift',
  quiet: 'text-soft border-transparent hover:bg-panel hover:text-ink',
  /** For rows of lists, where red buttons would stand out more than the content. */
  remove: 'text-soft border-transparent hover:bg-bad-wash hover:text-bad focus-visible:text-bad',
  danger: 'bg-card text-bad border-line-strong hover:bg-bad-wash shadow-lift',
}

const SHAPE =
  'inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-part border px-3.5 text-sm max-sm:px-3 font-medium whitespace-nowrap transition-colors disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0'

interface Look {
  kind?: Kind
  children?: ReactNode
}

export function Button({
  kind = 'plain',
  busy,
  shortcut,
  saved,
  className = '',
  children,
  ...rest
}: Look & ComponentProps<'button'> & { busy?: boolean; shortcut?: 'save'; saved?: boolean }) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      data-kind={kind}
      data-shortcut={shortcut}
      aria-keyshortcuts={shortcut && 'Control+S'}
      {...rest}
      disabled={rest.disabled || saved || busy}
      className={`${SHAPE} ${KINDS[kind]} ${className}`}
    >
      {saved && !busy ? (
        <>
          <Check aria-hidden /> {sharedTexts.saved}
        </>
      ) : (
        children
      )}
    </button>
  )
}

export function LinkButton({ kind = 'plain', to, children }: Look & { to: Address }) {
  return (
    <Link to={to} data-kind={kind} className={`${SHAPE} ${KINDS[kind]}`}>
      {children}
    </Link>
  )
}

interface RemoveProps {
  /** Contains the text. */
  label: string
  text?: string
  onClick(): void
}

/** Removes the item of a row. On a phone it is an icon, which leaves more room for the name. */
export const RemoveButton = ({ label, text = sharedTexts.remove, onClick }: RemoveProps) => (
  <Button kind="remove" className="max-sm:size-9 max-sm:px-0" aria-label={label} title={label} onClick={onClick}>
    <Trash2 className="sm:hidden" aria-hidden />
    <span className="max-sm:hidden">{text}</span>
  </Button>
)

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
