/** Pagination by cursor or by page number. Every page has an address, so the browser's back button leads to the previous one. */
import { ArrowLeft, ArrowRight, ChevronsLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { pagerTexts } from '../shell/texts.ts'
import { Button } from '../ui/button.tsx'

const Bar = ({ position, children }: { position?: string; children: ReactNode }) => (
  <nav
    aria-label={pagerTexts.label}
    className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm"
  >
    <span className="figures text-soft">{position}</span>
    <span className="flex gap-2">{children}</span>
  </nav>
)

interface CursorProps {
  cursor?: string
  next: string | null
  onGo(cursor: string | undefined): void
  /** The position of the first row, if it is known. */
  first: number | undefined
  rows: number
  total?: string
}

export function Pager({ cursor, next, onGo, first, rows, total }: CursorProps) {
  if (!cursor && !next && !total) return null
  const isWhole = !cursor && !next
  return (
    <Bar position={first === undefined || isWhole || rows === 0 ? total : pagerTexts.rows(first, rows, total)}>
      {cursor && (
        <Button kind="quiet" onClick={() => onGo(undefined)}>
          <ChevronsLeft aria-hidden /> {pagerTexts.first}
        </Button>
      )}
      {(cursor || next) && (
        <Button disabled={!next} onClick={() => next && onGo(next)}>
          {pagerTexts.next} <ArrowRight aria-hidden />
        </Button>
      )}
    </Bar>
  )
}

interface NumberProps {
  page: number
  totalPages: number
  onGo(page: number): void
  /** The rows of this page, and how many a full page has. */
  rows: number
  pageSize: number | undefined
  total?: string
}

export function PageNumbers({ page, totalPages, onGo, rows, pageSize, total }: NumberProps) {
  if (totalPages <= 1 && page <= 1 && !total) return null
  const first = pageSize && rows > 0 ? (page - 1) * pageSize + 1 : undefined
  const position = first ? pagerTexts.rows(first, rows, total) : pagerTexts.position(page, totalPages)
  return (
    <Bar position={totalPages <= 1 && total ? total : position}>
      {(totalPages > 1 || page > 1) && (
        <>
          <Button disabled={page <= 1} onClick={() => onGo(page - 1)}>
            <ArrowLeft aria-hidden /> {pagerTexts.previous}
          </Button>
          <Button disabled={page >= totalPages} onClick={() => onGo(page + 1)}>
            {pagerTexts.next} <ArrowRight aria-hidden />
          </Button>
        </>
      )}
    </Bar>
  )
}
