/** Filters the contact list by a condition, which applies once it is complete and can be saved as a segment. */
import { ListFilter as FilterIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Condition, countFilters, isComplete, newFilter } from '../../conditions/condition.ts'
import { ConditionEditor } from '../../conditions/condition-editor.tsx'
import { useApi, useSearchState } from '../../data/project.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { FIRST_PAGE } from '../../lists/list.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { texts } from './texts.ts'

const DEBOUNCE_MS = 400

/** Incomplete, so that opening the panel doesn't change the list. */
const INCOMPLETE: Condition = { logic: 'AND', groups: [{ filters: [newFilter('email', 'string')] }] }

interface ConditionProps {
  condition: Condition | undefined
  open: boolean
  onOpen(open: boolean): void
}

export function ConditionButton({ condition, open, onOpen }: ConditionProps) {
  const count = condition ? countFilters(condition) : 0
  return (
    <Button aria-expanded={open} onClick={() => onOpen(!open)} className={condition ? 'border-accent text-accent' : ''}>
      <FilterIcon aria-hidden /> {texts.filter.button(count)}
    </Button>
  )
}

export function ConditionPanel({ condition, onOpen }: Omit<ConditionProps, 'open'>) {
  const { projectId } = useApi()
  const [, change] = useSearchState<'where' | 'cursor' | 'page'>()
  const [draft, setDraft] = useState(condition ?? INCOMPLETE)
  const debounced = useDebounced(draft, DEBOUNCE_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the draft has changed.
  useEffect(() => {
    const text = JSON.stringify(debounced)
    if (isComplete(debounced) && text !== JSON.stringify(condition))
      change({ where: text, ...FIRST_PAGE }, { replace: true })
  }, [debounced])
  const clearFilters = () => {
    change({ where: undefined, ...FIRST_PAGE })
    onOpen(false)
  }
  return (
    <section aria-label={texts.filter.label} className="border-y border-line bg-paper px-5 py-4">
      <ConditionEditor condition={draft} onChange={setDraft} />
      <div className="mt-3 flex flex-wrap items-center gap-2 border-t border-line pt-3">
        {isComplete(draft) ? (
          <LinkButton to={projectPage(projectId, 'segments/new', { where: JSON.stringify(draft) })}>
            {texts.filter.saveSegment}
          </LinkButton>
        ) : (
          <p className="text-sm text-soft">{texts.filter.incomplete}</p>
        )}
        <Button kind="quiet" className="-me-3.5 ms-auto max-sm:-me-3" onClick={clearFilters}>
          {texts.filter.clear}
        </Button>
      </div>
    </section>
  )
}
