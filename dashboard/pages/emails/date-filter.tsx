/** Restricts a list to a range of time: one of the presets, or two dates. It is kept in the address. */

import { useSearchState } from '../../data/project.ts'
import { FIRST_PAGE, ListFilter } from '../../lists/list.tsx'
import { Input } from '../../ui/field.tsx'
import { CUSTOM } from './date-range.ts'
import { texts } from './texts.ts'

const T = texts.time

export function DateFilter() {
  const [state, change] = useSearchState<'time' | 'from' | 'to' | keyof typeof FIRST_PAGE>()
  const date = (name: 'from' | 'to', limits: { min?: string; max?: string }) => (
    <div className="w-40 max-sm:min-w-36 max-sm:flex-1">
      <Input
        label={T[name]}
        hideLabel
        title={T[name]}
        type="date"
        value={state[name] ?? ''}
        {...limits}
        onChange={(event) => change({ [name]: event.target.value || undefined, ...FIRST_PAGE }, { replace: true })}
      />
    </div>
  )
  return (
    <>
      <ListFilter label={T.label} name="time" options={T.options} />
      {state.time === CUSTOM && (
        <div className="flex items-center gap-2 max-sm:w-full">
          {date('from', { max: state.to })}
          <span aria-hidden className="text-soft">
            –
          </span>
          {date('to', { min: state.from })}
        </div>
      )}
    </>
  )
}
