/** Below lists that go by page number. */
import { Button } from './button.tsx'

interface PagesProps {
  page: number
  totalPages: number
  onGo(page: number): void
}

export function PageNumbers({ page, totalPages, onGo }: PagesProps) {
  if (totalPages <= 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm">
      <span className="figures text-soft">
        Page {page.toLocaleString()} of {totalPages.toLocaleString()}
      </span>
      <span className="flex gap-2">
        <Button disabled={page <= 1} onClick={() => onGo(page - 1)}>
          Previous
        </Button>
        <Button disabled={page >= totalPages} onClick={() => onGo(page + 1)}>
          Next
        </Button>
      </span>
    </nav>
  )
}
