/** How often each event was recorded: the events that you track, and those of emails and segments. Selecting one filters the list. */
import { useQuery } from '@tanstack/react-query'
import { isSystemEvent } from '../../conditions/event-labels.ts'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { formatNumber } from '../../figures/format.ts'
import { Card } from '../../shell/page.tsx'
import { useEventLabel } from './segment-labels.ts'
import { texts } from './texts.ts'

const SHOWN_MAX = 6

interface EventCount {
  name: string
  count: number
  contacts: number
}

interface CountsProps {
  onSelect(name: string): void
}

export function EventCounts({ onSelect }: CountsProps) {
  const { projectId, api } = useApi()
  const { data: stats } = useQuery({
    queryKey: [projectId, 'events', 'stats'],
    queryFn: () => unwrap(api.events.stats()),
  })
  if (!stats || stats.data.length === 0) return null
  const groups: [string, EventCount[]][] = [
    [texts.own, stats.data.filter(({ name }) => !isSystemEvent(name))],
    [texts.system, stats.data.filter(({ name }) => isSystemEvent(name))],
  ]
  return (
    <Card title={texts.counts.title} lead={texts.counts.lead}>
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        {groups
          .filter(([, counts]) => counts.length > 0)
          .map(([heading, counts]) => (
            <section key={heading}>
              <h3 className="mb-1 text-[0.8125rem] font-medium text-soft">{heading}</h3>
              <Bars counts={counts.slice(0, SHOWN_MAX)} onSelect={onSelect} />
            </section>
          ))}
      </div>
    </Card>
  )
}

/** Each group has its own scale: there are far more emails than other events. */
function Bars({ counts, onSelect }: CountsProps & { counts: EventCount[] }) {
  const labelOf = useEventLabel()
  const highest = Math.max(...counts.map(({ count }) => count))
  return (
    <ul className="grid gap-y-1">
      {counts.map(({ name, count, contacts }) => (
        <li key={name}>
          <button
            type="button"
            onClick={() => onSelect(name)}
            className="-mx-2 w-[calc(100%+1rem)] rounded-md px-2 py-1.5 text-start hover:bg-panel"
          >
            <span className="flex items-baseline justify-between gap-3 text-sm">
              <span className="font-medium wrap-anywhere">{labelOf(name)}</span>
              <span className="figures shrink-0">
                {formatNumber(count)} <span className="text-soft">{texts.counts.contacts(count, contacts)}</span>
              </span>
            </span>
            <span aria-hidden className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-panel">
              <span className="block h-full rounded-full bg-accent" style={{ width: `${(count / highest) * 100}%` }} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
