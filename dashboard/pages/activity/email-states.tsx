/** What has happened to an email so far, in order, with the latest in bold. */
import { Check, X } from 'lucide-react'
import { eventLabel, isFailure } from '../../conditions/event-labels.ts'
import type { Activity } from '../../data/live.ts'
import { formatDateTime } from '../../figures/format.ts'

type Email = NonNullable<Activity['email']>

const STATES: [event: string, at: (email: Email) => string | null][] = [
  ['email.sent', ({ sentAt }) => sentAt],
  ['email.delivery', ({ deliveredAt }) => deliveredAt],
  ['email.open', ({ openedAt }) => openedAt],
  ['email.click', ({ clickedAt }) => clickedAt],
  ['email.bounce', ({ bouncedAt }) => bouncedAt],
  ['email.complaint', ({ complainedAt }) => complainedAt],
  ['email.failed', ({ status }) => (status === 'FAILED' ? '' : null)],
]

export function EmailStates({ email, latest }: { email: Email; latest: string }) {
  const reached = STATES.flatMap(([event, atOf]) => {
    const at = atOf(email) ?? (event === latest ? '' : null)
    return at === null ? [] : [{ event, at }]
  })
  const shown = reached.length > 0 ? reached : [{ event: latest, at: '' }]
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-[0.8125rem]">
      {shown.map(({ event, at }) => (
        <li
          key={event}
          title={at ? formatDateTime(new Date(at)) : undefined}
          className={`flex items-center gap-1 ${isFailure(event) ? 'text-bad' : event === latest ? 'font-medium text-ink' : 'text-soft'}`}
        >
          {isFailure(event) ? (
            <X className="size-3.5" aria-hidden />
          ) : (
            <Check className="size-3.5 text-good" aria-hidden />
          )}
          {eventLabel(event)}
        </li>
      ))}
    </ul>
  )
}
