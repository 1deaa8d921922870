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
          data-appear
          className="z-50 max-h-[70vh] min-w-52 overflow-y-auto rounded-card border border-line bg-card p-1.5 text-sm shadow-float"
        >
          {groups.map((entries, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups don't move.
            <Radix.Group key={i} className="not-first:mt-1.5 not-first:border-t not-first:border-line not-first:pt-1.5">
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
