/** Tabs. The open one may be kept in the address. */
import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'

interface Tab {
  name: string
  label: ReactNode
  content: ReactNode
}

export function Tabs({
  label,
  tabs,
  open,
  onOpen,
  fill = false,
}: {
  label: string
  tabs: Tab[]
  open: string
  onOpen(name: string): void
  /** The open tab gets the height that is left in its flex container. */
  fill?: boolean
}) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: not all tabs fit on a phone, so the open one is scrolled into view.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[data-state=active]')
    if (tab && list.current) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.clientWidth) / 2
  }, [open])
  return (
    <Radix.Root value={open} onValueChange={onOpen} className={fill ? 'flex min-h-0 flex-1 flex-col' : ''}>
      <Radix.List
        ref={list}
        aria-label={label}
        className="relative flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line px-3 max-sm:gap-0"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.name}
            value={tab.name}
            className="-mb-px border-b-2 border-transparent px-2.5 py-2.5 text-sm font-medium max-sm:px-2 max-sm:text-[0.8125rem] whitespace-nowrap text-soft hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.name}
          value={tab.name}
          className={`focus-visible:-outline-offset-2 ${fill ? 'flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden' : ''}`}
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
