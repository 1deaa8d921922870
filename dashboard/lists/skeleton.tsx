/** Placeholders in the shape of the rows that are loading. */
import { sharedTexts } from '../shell/texts.ts'

const ROWS = 6
/** Different widths look like text. */
const WIDTHS = ['w-2/5', 'w-1/3', 'w-1/2', 'w-2/5', 'w-1/4', 'w-1/3']

const Bar = ({ className }: { className: string }) => (
  <span className={`block h-3 animate-pulse rounded bg-panel motion-reduce:animate-none ${className}`} />
)

export const SkeletonRows = ({ rows = ROWS }: { rows?: number }) => (
  <div role="status">
    <span className="sr-only">{sharedTexts.loading}</span>
    <div aria-hidden className="divide-y divide-line">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders don't move.
        <div key={i} className="flex items-center gap-6 px-5 py-4">
          <Bar className={WIDTHS[i % WIDTHS.length]!} />
          <Bar className="ms-auto w-16 max-sm:hidden" />
          <Bar className="w-14" />
        </div>
      ))}
    </div>
  </div>
)
