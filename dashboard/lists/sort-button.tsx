/** A column header that sorts the list: the first click by it, the next in the other direction. Kept in the address. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useSearchState } from '../data/project.ts'
import { sortTexts } from '../shell/texts.ts'
import { FIRST_PAGE } from './list.tsx'

interface SortProps {
  label: string
  /** The value of the parameter `sort`; with a minus sign for descending. */
  by: string
  /** The order of the list without the parameter. */
  initial: string
  descendingFirst?: boolean
}

export function SortButton({ label, by, initial, descendingFirst }: SortProps) {
  const [{ sort = initial }, change] = useSearchState<'sort' | keyof typeof FIRST_PAGE>()
  const isSorted = sort === by || sort === `-${by}`
  const first = descendingFirst ? `-${by}` : by
  const next = isSorted ? (sort === by ? `-${by}` : by) : first
  const Arrow = sort === by ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      className={`-mx-1 inline-flex items-center gap-1 rounded px-1 font-medium hover:text-ink ${isSorted ? 'text-ink' : ''}`}
      onClick={() => change({ sort: next === initial ? undefined : next, ...FIRST_PAGE })}
    >
      {label}
      {isSorted && (
        <>
          <Arrow className="size-3.5" aria-hidden />
          <span className="sr-only">{sort === by ? sortTexts.ascending : sortTexts.descending}</span>
        </>
      )}
    </button>
  )
}
