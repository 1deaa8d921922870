/** The number of contacts that match a condition, and some of them, updated once typing pauses. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Condition, isComplete } from '../../conditions/condition.ts'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useContactTotal } from '../../data/use-contact-facts.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { formatNumber, formatShare } from '../../figures/format.ts'
import { Problem } from '../../lists/problem.tsx'
import { texts } from './texts.ts'

const DEBOUNCE_MS = 400

export function SegmentPreview({ condition }: { condition: Condition }) {
  const { projectId, api } = useApi()
  const debounced = useDebounced(condition, DEBOUNCE_MS)
  const { data, error, isFetching } = useQuery({
    queryKey: [projectId, 'segments', 'preview', JSON.stringify(debounced)],
    enabled: isComplete(debounced),
    queryFn: () => unwrap(api.segments.preview({ condition: debounced })),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
  const { data: contacts } = useContactTotal()
  const incomplete = !isComplete(condition)
  return (
    <section
      aria-label={texts.preview.label}
      aria-live="polite"
      aria-busy={isFetching}
      className="sticky top-6 rounded-card border border-line bg-card p-5 shadow-lift"
    >
      {incomplete && <p className="text-sm text-soft">{texts.preview.incomplete}</p>}
      {!incomplete && error && <Problem error={error} />}
      {!incomplete && !error && data && (
        <div className={isFetching ? 'opacity-70' : ''}>
          <p className="figures text-3xl font-semibold tracking-tight">{formatNumber(data.count)}</p>
          <p className="text-sm text-soft">{texts.preview.matching(data.count)}</p>
          {contacts !== undefined && contacts > 0 && (
            <p className="text-sm text-soft">{texts.share(formatShare(data.count, contacts))}</p>
          )}
          {data.sample.length > 0 && (
            <ul className="mt-4 space-y-1.5 border-t border-line pt-4 text-sm">
              {data.sample.map(({ id, email, subscribed }) => (
                <li key={id} className="flex justify-between gap-3">
                  <span className="min-w-0 truncate">{email}</span>
                  {!subscribed && <span className="shrink-0 text-soft">{texts.preview.notSubscribed}</span>}
                </li>
              ))}
              {data.count > data.sample.length && (
                <li className="text-soft">{texts.preview.more(data.count - data.sample.length)}</li>
              )}
            </ul>
          )}
        </div>
      )}
    </section>
  )
}
