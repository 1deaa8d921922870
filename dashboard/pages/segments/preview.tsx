/** Who matches a condition at this moment: how many, and some of them. Asked again when the condition stands still. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { unwrap } from '../../api.ts'
import { type Condition, isComplete } from '../../parts/condition.ts'
import { Problem } from '../../parts/problem.tsx'
import { useApi } from '../../project.ts'
import { useSettled } from '../../use-settled.ts'

const PAUSE_MS = 400

export function SegmentPreview({ condition }: { condition: Condition }) {
  const { projectId, api } = useApi()
  const settled = useSettled(condition, PAUSE_MS)
  const { data, error, isFetching } = useQuery({
    queryKey: [projectId, 'segments', 'preview', JSON.stringify(settled)],
    enabled: isComplete(settled),
    queryFn: () => unwrap(api.segments.preview({ condition: settled as never })),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
  const open = !isComplete(condition)
  return (
    <section
      aria-label="Who matches"
      aria-live="polite"
      aria-busy={isFetching}
      className="sticky top-6 rounded-card border border-line bg-card p-5 shadow-lift"
    >
      {open && <p className="text-sm text-soft">Fill in every filter to see who matches.</p>}
      {!open && error && <Problem error={error} />}
      {!open && !error && data && (
        <div className={isFetching ? 'opacity-70' : ''}>
          <p className="figures text-3xl font-semibold tracking-tight">{data.count.toLocaleString()}</p>
          <p className="text-sm text-soft">{data.count === 1 ? 'contact matches now' : 'contacts match now'}</p>
          {data.sample.length > 0 && (
            <ul className="mt-4 space-y-1.5 border-t border-line pt-4 text-sm">
              {data.sample.map(({ id, email, subscribed }) => (
                <li key={id} className="flex justify-between gap-3">
                  <span className="min-w-0 truncate">{email}</span>
                  {!subscribed && <span className="shrink-0 text-soft">not subscribed</span>}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  )
}
