/** How often each event was recorded: the events that you track first, then those of emails. Selecting one filters the list. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../api.ts'
import { activityLabel, isSystemEvent } from '../../parts/event-labels.ts'
import { formatNumber } from '../../parts/format.ts'
import { Card } from '../../parts/page.tsx'
import { useApi } from '../../project.ts'
import { texts } from './texts.ts'

const SHOWN_MAX = 8

export function EventCounts({ onSelect }: { onSelect(name: string): void }) {
  const { projectId, api } = useApi()
  const { data: stats } = useQuery({
    queryKey: [projectId, 'events', 'stats'],
    queryFn: () => unwrap(api.events.stats()),
  })
  const tracked = stats?.data.filter(({ name }) => !isSystemEvent(name)) ?? []
  const others = stats?.data.filter(({ name }) => isSystemEvent(name)) ?? []
  const most = [...tracked, ...others].slice(0, SHOWN_MAX)
  const highest = Math.max(0, ...most.map(({ count }) => count))
  if (highest === 0) return null
  return (
    <Card title={texts.counts.title} lead={texts.counts.lead}>
      <ul className="grid gap-x-10 gap-y-1 sm:grid-cols-2">
        {most.map(({ name, count, contacts }) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => onSelect(name)}
              className="-mx-2 w-[calc(100%+1rem)] rounded-md px-2 py-1.5 text-left hover:bg-panel"
            >
              <span className="flex items-baseline justify-between gap-3 text-sm">
                <span className="truncate font-medium">{activityLabel(name)}</span>
                <span className="figures shrink-0">
                  {formatNumber(count)} <span className="text-soft">{texts.counts.contacts(contacts)}</span>
                </span>
              </span>
              <span aria-hidden className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-panel">
                <span
                  className="block h-full rounded-full bg-accent"
                  style={{ width: `${(count / highest) * 100}%` }}
                />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
