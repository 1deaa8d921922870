/** Consecutive entries of the same kind, shown as one that expands. */
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { activityLabel } from '../../conditions/event-labels.ts'
import type { Activity } from '../../data/live.ts'
import { Moment } from '../../figures/moment.tsx'
import { Entry, EntryIcon } from './entry.tsx'
import { texts } from './texts.ts'

interface EntryGroupProps {
  /** Newest first. */
  items: Activity[]
  onFilterContact?: ((contactId: string) => void) | undefined
}

export function EntryGroup({ items, onFilterContact }: EntryGroupProps) {
  const [open, setOpen] = useState(false)
  const listId = useId()
  const { type, metadata, timestamp } = items[0]!
  const contacts = new Set(items.flatMap(({ contact }) => (contact ? [contact.id] : [])))
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        onClick={() => setOpen(!open)}
        className="flex w-full items-start gap-3 px-5 py-3 text-start text-sm transition-colors hover:bg-panel/60 focus-visible:-outline-offset-2"
      >
        <EntryIcon type={type} />
        <span className="min-w-0 flex-1">
          <span className="block font-medium wrap-anywhere">{activityLabel(type, metadata)}</span>
          <span className="block text-soft">{texts.group(items.length, contacts.size)}</span>
        </span>
        <span className="flex shrink-0 items-center gap-1.5 text-soft">
          <Moment at={timestamp} relative />
          <ChevronDown className={`size-4 transition-transform ${open ? 'rotate-180' : ''}`} aria-hidden />
        </span>
      </button>
      {open && (
        <ol id={listId} className="divide-y divide-line border-t border-line bg-panel/40 sm:ps-10">
          {items.map((item) => (
            <Entry key={item.id} item={item} onFilterContact={onFilterContact} />
          ))}
        </ol>
      )}
    </li>
  )
}
