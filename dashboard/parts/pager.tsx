/** Below lists: on by cursor, or by the number of the page. Back by cursor is the browser's own, as every page has an address. */
import { ArrowRight, ChevronsLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

const Bar = ({ words, children }: { words: ReactNode; children: ReactNode }) => (
  <nav
    aria-label="Pages"
    className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm max-sm:px-4"
  >
    <span className="figures text-soft">{words}</span>
    <span className="flex gap-2">{children}</span>
  </nav>
)

interface CursorProps {
  cursor?: string
  next: string | null
  onGo(cursor: string | undefined): void
  words?: ReactNode
}

export function Pager({ cursor, next, onGo, words }: CursorProps) {
  if (!cursor && !next && !words) return null
  return (
    <Bar words={words}>
      {cursor && (
        <Button kind="quiet" onClick={() => onGo(undefined)}>
          <ChevronsLeft aria-hidden /> First page
        </Button>
      )}
      {(cursor || next) && (
        <Button disabled={!next} onClick={() => next && onGo(next)}>
          Next <ArrowRight aria-hidden />
        </Button>
      )}
    </Bar>
  )
}

interface NumberProps {
  page: number
  totalPages: number
  onGo(page: number): void
  words?: ReactNode
}

export function PageNumbers({ page, totalPages, onGo, words }: NumberProps) {
  if (totalPages <= 1 && page <= 1 && !words) return null
  const place = `Page ${page.toLocaleString()} of ${totalPages.toLocaleString()}`
  return (
    <Bar words={words ? [words, totalPages > 1 && `, ${place.toLowerCase()}`] : place}>
      {(totalPages > 1 || page > 1) && (
        <>
          <Button disabled={page <= 1} onClick={() => onGo(page - 1)}>
            Previous
          </Button>
          <Button disabled={page >= totalPages} onClick={() => onGo(page + 1)}>
            Next
          </Button>
        </>
      )}
    </Bar>
  )
}
