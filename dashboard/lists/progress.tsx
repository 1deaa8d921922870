/** A progress bar, and a query that polls a job until it ends. */
import { useQuery } from '@tanstack/react-query'
import { formatPercent } from '../figures/format.ts'

export function Progress({ percent, label }: { percent: number; label: string }) {
  return (
    <div>
      <div className="mb-1.5 flex justify-between text-sm">
        <span>{label}</span>
        <span className="figures text-soft">{formatPercent(percent / 100, 0)}</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={Math.round(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 overflow-hidden rounded-full bg-panel"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-300"
          style={{ width: `${percent}%` }}
        />
      </div>
    </div>
  )
}

/** The stream doesn't report the progress of jobs, which usually end within seconds. */
const POLL_INTERVAL_MS = 500

export interface Job {
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  progress: number
  error: string | null
}

export const hasEnded = (job: Job | undefined) => job?.status === 'COMPLETED' || job?.status === 'FAILED'

/** `pollAfter`: how often it is read after its end, if something that it started goes on. */
export function useJob<T extends Job>(
  key: unknown[],
  load: (() => Promise<T>) | undefined,
  pollAfter: (job: T) => number | false = () => false,
) {
  return useQuery({
    queryKey: key,
    enabled: load !== undefined,
    queryFn: () => load!(),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? pollAfter(data) : POLL_INTERVAL_MS),
  })
}
