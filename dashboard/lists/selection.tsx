/** Rows of a list that are selected for an action: some of the page, or all that the list has. */
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../ui/button.tsx'

/** The selection is empty again when the list changes. `All` is what selects all rows as they were shown. */
export function useSelection<All>(listKey: string) {
  interface Selection {
    listKey: string
    ids: string[]
    all?: { condition: All; count: number }
  }
  const [selection, setSelection] = useState<Selection>({ listKey, ids: [] })
  const isCurrent = selection.listKey === listKey
  return {
    selected: new Set(isCurrent ? selection.ids : []) as ReadonlySet<string>,
    all: isCurrent ? selection.all : undefined,
    select: (ids: string[]) => setSelection({ listKey, ids }),
    selectAll: (all: NonNullable<Selection['all']>) => setSelection({ listKey, ids: [], all }),
  }
}

interface SelectionBarProps {
  texts: {
    label: string
    selected(count: number): string
    selectAll(total: number): string
    clear: string
  }
  count: number
  /** The number of rows on all pages, if they are not all selected. */
  total: number | undefined
  onSelectAll(): void
  onClear(): void
  /** The actions. */
  children: ReactNode
}

/** Below the list while something is selected. */
export function SelectionBar({ texts, count, total, onSelectAll, onClear, children }: SelectionBarProps) {
  if (count === 0) return null
  return (
    <div
      role="toolbar"
      aria-label={texts.label}
      data-bottom-bar
      className="sticky bottom-4 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-card border border-line bg-card p-2 ps-4 text-sm shadow-float"
      data-appear
    >
      <span className="figures me-2 font-medium">{texts.selected(count)}</span>
      {total !== undefined && (
        <Button kind="quiet" className="text-accent! underline" onClick={onSelectAll}>
          {texts.selectAll(total)}
        </Button>
      )}
      {children}
      <IconButton label={texts.clear} onClick={onClear}>
        <X />
      </IconButton>
    </div>
  )
}
