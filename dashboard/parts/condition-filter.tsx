/** One filter as a sentence: the field, how it compares, with what. */
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId } from 'react'
import { unwrap } from '../api.ts'
import { useApi } from '../project.ts'
import { IconButton } from './button.tsx'
import {
  type Filter,
  isTimed,
  type KnownField,
  newFilter,
  operatorsFor,
  operatorWords,
  takesValue,
  type Unit,
  withOperator,
} from './condition.ts'
import type { FieldFamily } from './condition-fields.ts'
import { Input, Select } from './field.tsx'

const OTHER = 'other'
const UNITS: Record<Unit, string> = { minutes: 'minutes', hours: 'hours', days: 'days' }

interface FilterProps {
  filter: Filter
  families: FieldFamily[]
  /** Told by the API about this filter. */
  wrong?: string
  onChange(filter: Filter): void
  onRemove(): void
}

export function FilterRow({ filter, families, wrong, onChange, onRemove }: FilterProps) {
  const known = families.flatMap(({ fields }) => fields).find(({ field }) => field === filter.field)
  const type = known?.type
  const operators = operatorsFor(filter.field, type)
  const offered = operators.includes(filter.operator) ? operators : [filter.operator, ...operators]
  return (
    <div>
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
          <div className="min-w-40 flex-1">
            <FieldSelect filter={filter} families={families} known={known} onChange={onChange} />
          </div>
          <div className="min-w-36 flex-1">
            <Select
              label="Comparison"
              hideLabel
              value={filter.operator}
              options={Object.fromEntries(offered.map((operator) => [operator, operatorWords(operator, type)]))}
              onChange={(event) => onChange(withOperator(filter, event.target.value, type))}
            />
          </div>
          {takesValue(filter.operator) && <Value filter={filter} known={known} onChange={onChange} />}
        </div>
        <IconButton label="Remove this filter" className="mt-0.5" onClick={onRemove}>
          <X />
        </IconButton>
      </div>
      {wrong && <p className="mt-1 text-[0.8125rem] text-bad">{wrong}</p>}
    </div>
  )
}

type PartProps = Pick<FilterProps, 'filter' | 'onChange'> & { known: KnownField | undefined }

function FieldSelect({ filter, families, known, onChange }: PartProps & { families: FieldFamily[] }) {
  const id = useId()
  const pick = (field: string) => {
    if (field === OTHER) return onChange({ field: 'data.', operator: 'equals' })
    const { type } = families.flatMap(({ fields }) => fields).find((one) => one.field === field)!
    onChange(newFilter(field, type))
  }
  return (
    <>
      <label htmlFor={id} className="sr-only">
        Field
      </label>
      <select
        id={id}
        value={known ? filter.field : OTHER}
        onChange={(event) => pick(event.target.value)}
        className="h-9 w-full rounded-part border border-line-strong bg-card px-3 pr-8 text-sm font-medium text-ink hover:border-soft focus-visible:border-accent"
      >
        {families.map(({ words, fields }) => (
          <optgroup key={words} label={words}>
            {fields.map((one) => (
              <option key={one.field} value={one.field}>
                {one.words}
              </option>
            ))}
          </optgroup>
        ))}
        <option value={OTHER}>Another field…</option>
      </select>
      {!known && (
        <Input
          label="Name of the field"
          hideLabel
          className="mt-2 font-mono"
          placeholder="data.plan, event.signed-up"
          spellCheck={false}
          value={filter.field}
          onChange={(event) => {
            const field = event.target.value
            const fits = operatorsFor(field, undefined).includes(filter.operator)
            onChange(fits ? { ...filter, field } : newFilter(field, undefined))
          }}
        />
      )}
    </>
  )
}

function Value({ filter, known, onChange }: PartProps) {
  const set = (value: Filter['value']) => onChange({ ...filter, value })
  if (isTimed(filter.operator)) {
    return (
      <div className="flex min-w-40 flex-1 gap-2">
        <NumberInput value={filter.value} onChange={set} className="w-20" />
        <div className="flex-1">
          <Select
            label="Unit"
            hideLabel
            value={filter.unit ?? 'days'}
            options={UNITS}
            onChange={(event) => onChange({ ...filter, unit: event.target.value as Unit })}
          />
        </div>
      </div>
    )
  }
  const type = known?.type
  if (type === 'boolean' || typeof filter.value === 'boolean') {
    return (
      <div className="min-w-28 flex-1">
        <Select
          label="Value"
          hideLabel
          value={String(filter.value ?? true)}
          options={{ true: 'yes', false: 'no' }}
          onChange={(event) => set(event.target.value === 'true')}
        />
      </div>
    )
  }
  if (type === 'number') return <NumberInput value={filter.value} onChange={set} className="min-w-28 flex-1" />
  return <TextValue filter={filter} isDate={type === 'date'} suggest={known !== undefined} onSet={set} />
}

interface NumberProps {
  value: Filter['value']
  onChange(value: number | undefined): void
  className: string
}

const NumberInput = ({ value, onChange, className }: NumberProps) => (
  <div className={className}>
    <Input
      label="Value"
      hideLabel
      type="number"
      step="any"
      value={typeof value === 'number' ? value : ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.valueAsNumber)}
    />
  </div>
)

interface TextProps {
  filter: Filter
  isDate: boolean
  suggest: boolean
  onSet(value: string): void
}

/** With the values that contacts have, most frequent first. */
function TextValue({ filter, isDate, suggest, onSet }: TextProps) {
  const { projectId, api } = useApi()
  const list = useId()
  const { data: values } = useQuery({
    queryKey: [projectId, 'contacts', 'fields', filter.field, 'values'],
    enabled: suggest && !isDate && filter.field.startsWith('data.'),
    queryFn: async () => (await unwrap(api.contacts.fields.values(filter.field, { limit: 50 }))).values,
  })
  const text = filter.value === undefined || filter.value === null ? '' : String(filter.value)
  return (
    <div className="min-w-36 flex-1">
      <Input
        label="Value"
        hideLabel
        type={isDate && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text)) ? 'date' : 'text'}
        placeholder="value"
        list={values ? list : undefined}
        value={text}
        onChange={(event) => onSet(event.target.value)}
      />
      {values && (
        <datalist id={list}>
          {values.map((value) => (
            <option key={String(value)} value={String(value)} />
          ))}
        </datalist>
      )}
    </div>
  )
}
