/** A menu behind a button. */
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface MenuEntry {
  label: ReactNode
  onSelect(): void
  danger?: boolean
  checked?: boolean
  /** Hidden on wide screens. */
  onlyPhone?: boolean
  /** For choices of which several may be made. */
  keepOpen?: boolean
}

const LINE = 'mt-1.5 border-t border-line pt-1.5'
/** Below groups that wide screens don't show. */
const PHONE_LINE = 'max-sm:mt-1.5 max-sm:border-t max-sm:border-line max-sm:pt-1.5'

const isOnlyPhone = (entries: MenuEntry[]) => entries.every(({ onlyPhone }) => onlyPhone)

/** Groups are separated by a line. */
export function Menu({
  trigger,
  groups,
  align = 'end',
}: {
  trigger: ReactNode
  groups: MenuEntry[][]
  align?: 'start' | 'end'
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          data-appear
          className="z-50 max-h-[70vh] min-w-52 overflow-y-auto rounded-card border border-line bg-card p-1.5 text-sm shadow-float"
        >
          {groups.map((entries, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups don't move.
            <Radix.Group key={i} className={i === 0 ? '' : groups.slice(0, i).every(isOnlyPhone) ? PHONE_LINE : LINE}>
              {entries.map((entry, n) => (
                <Radix.Item
                  // biome-ignore lint/suspicious/noArrayIndexKey: entries don't move either.
                  key={n}
                  onSelect={(event) => {
                    if (entry.keepOpen) event.preventDefault()
                    entry.onSelect()
                  }}
                  aria-current={entry.checked || undefined}
                  className={`flex cursor-pointer items-center gap-2.5 rounded-part px-2.5 py-1.5 outline-none select-none data-highlighted:bg-panel [&_svg]:size-4 [&_svg]:shrink-0 ${entry.danger ? 'text-bad' : ''} ${entry.onlyPhone ? 'sm:hidden' : ''} ${entry.checked ? 'font-medium text-accent' : ''}`}
                >
                  {entry.label}
                </Radix.Item>
              ))}
            </Radix.Group>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
