/** Contacts by condition: the same editor as for segments, applied as soon as it says something; and the way to keep it. */
import { ListFilter as FilterIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { inProjectPath } from '../../navigation.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { type Condition, countFilters, isComplete, newFilter } from '../../parts/condition.ts'
import { ConditionEditor } from '../../parts/condition-editor.tsx'
import { FROM_THE_START } from '../../parts/list.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { useSettled } from '../../use-settled.ts'

const PAUSE_MS = 400

/** Says nothing yet, so that opening the panel changes nothing. */
const OPEN: Condition = { logic: 'AND', groups: [{ filters: [newFilter('email', 'string')] }] }

interface WhereProps {
  where: Condition | undefined
  open: boolean
  onOpen(open: boolean): void
}

export function WhereButton({ where, open, onOpen }: WhereProps) {
  const count = where ? countFilters(where) : 0
  return (
    <Button aria-expanded={open} onClick={() => onOpen(!open)} className={where ? 'border-accent text-accent' : ''}>
      <FilterIcon aria-hidden /> {count === 0 ? 'Filter' : count === 1 ? '1 filter' : `${count} filters`}
    </Button>
  )
}

export function WherePanel({ where, onOpen }: Omit<WhereProps, 'open'>) {
  const { projectId } = useApi()
  const [, change] = useSearchState<'where' | 'cursor' | 'page'>()
  const [draft, setDraft] = useState(where ?? OPEN)
  const settled = useSettled(draft, PAUSE_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when what is asked for has changed.
  useEffect(() => {
    const text = JSON.stringify(settled)
    if (isComplete(settled) && text !== JSON.stringify(where))
      change({ where: text, ...FROM_THE_START }, { replace: true })
  }, [settled])
  const clears = () => {
    change({ where: undefined, ...FROM_THE_START })
    onOpen(false)
  }
  return (
    <section aria-label="Filter by condition" className="border-y border-line bg-paper px-5 py-4 max-sm:px-4">
      <ConditionEditor condition={draft} onChange={setDraft} />
      <div className="mt-3 flex flex-wrap items-center gap-2 border-t border-line pt-3">
        {isComplete(draft) ? (
          <LinkButton to={inProjectPath(projectId, 'segments/new')} search={{ where: JSON.stringify(draft) }}>
            Keep as a segment
          </LinkButton>
        ) : (
          <p className="text-sm text-soft">Fill in every filter to apply them.</p>
        )}
        <Button kind="quiet" className="ml-auto" onClick={clears}>
          Clear the filter
        </Button>
      </div>
    </section>
  )
}
