/** Tabs by keyboard and pointer. Which one is open may live in the address. */
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface Tab {
  name: string
  words: ReactNode
  content: ReactNode
}

export function Tabs({
  label,
  tabs,
  open,
  onOpen,
}: {
  label: string
  tabs: Tab[]
  open: string
  onOpen(name: string): void
}) {
  return (
    <Radix.Root value={open} onValueChange={onOpen}>
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line px-3">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.name}
            value={tab.name}
            className="-mb-px border-b-2 border-transparent px-2.5 py-2.5 text-sm font-medium whitespace-nowrap text-soft hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.words}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.name} value={tab.name} className="focus-visible:-outline-offset-2">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
