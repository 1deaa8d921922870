/** One filter: field, operator and value. */
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { Combobox } from '../pickers/combobox.tsx'
import { Picker } from '../pickers/picker.tsx'
import { IconButton } from '../ui/button.tsx'
import { Input, NumberInput, Select } from '../ui/field.tsx'
import {
  type Filter,
  isCount,
  isTimed,
  type KnownField,
  newFilter,
  operatorLabel,
  operatorsFor,
  type Period,
  takesPeriod,
  takesProperties,
  takesValue,
  withOperator,
} from './condition.ts'
import type { FieldFamily } from './condition-fields.ts'
import { Amount, PeriodInput } from './period-input.tsx'
import { PropertyFilters, YesNo } from './property-filters.tsx'
import { conditionTexts } from './texts.ts'

const OTHER = 'other'

interface FilterProps {
  filter: Filter
  families: FieldFamily[]
  /** The API's error about this filter. */
  error?: string
  onChange(filter: Filter): void
  onRemove(): void
}

export function FilterRow({ filter, families, error, onChange, onRemove }: FilterProps) {
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
              label={conditionTexts.operator}
              hideLabel
              value={filter.operator}
              options={Object.fromEntries(offered.map((operator) => [operator, operatorLabel(operator, type)]))}
              onChange={(event) => onChange(withOperator(filter, event.target.value, type))}
            />
          </div>
          {takesValue(filter.operator) && <Value filter={filter} known={known} onChange={onChange} />}
          {takesPeriod(filter.operator) && (
            <PeriodInput period={filter.within} onChange={(within) => onChange(withPeriod(filter, within))} />
          )}
        </div>
        <IconButton label={conditionTexts.removeFilter} className="mt-0.5" onClick={onRemove}>
          <X />
        </IconButton>
      </div>
      {takesProperties(filter.field) && <PropertyFilters filter={filter} onChange={onChange} />}
      {error && <p className="mt-1 text-[0.8125rem] text-bad">{error}</p>}
    </div>
  )
}

type PartProps = Pick<FilterProps, 'filter' | 'onChange'> & { known: KnownField | undefined }

function FieldSelect({ filter, families, known, onChange }: PartProps & { families: FieldFamily[] }) {
  const selectField = (field: string) => {
    if (field === OTHER) return onChange({ field: 'data.', operator: 'equals' })
    const { type } = families.flatMap(({ fields }) => fields).find((one) => one.field === field)!
    onChange(newFilter(field, type))
  }
  return (
    <>
      <Picker
        kind="field"
        label={conditionTexts.field}
        hideLabel
        className="font-medium"
        value={known ? filter.field : OTHER}
        choices={[
          ...families.flatMap(({ label: group, fields }) =>
            fields.map(({ field, label }) => ({ value: field, label, group })),
          ),
          { value: OTHER, label: conditionTexts.otherField, group: conditionTexts.others },
        ]}
        onChoose={selectField}
      />
      {!known && (
        <Input
          label={conditionTexts.fieldName}
          hideLabel
          className="mt-2 font-mono"
          placeholder={conditionTexts.fieldNamePlaceholder}
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
  const number = (
    <NumberInput
      label={conditionTexts.value}
      hideLabel
      value={typeof filter.value === 'number' ? filter.value : undefined}
      onChange={set}
    />
  )
  if (isTimed(filter.operator)) {
    const amount = typeof filter.value === 'number' ? filter.value : undefined
    return <Amount value={amount} unit={filter.unit} onChange={(value, unit) => onChange({ ...filter, value, unit })} />
  }
  if (isCount(filter.operator)) return <Times filter={filter} onSet={set} />
  const type = known?.type
  if (type === 'boolean' || typeof filter.value === 'boolean') return <YesNo value={filter.value} onChange={set} />
  if (type === 'number') return <div className="min-w-28 flex-1">{number}</div>
  return <TextValue filter={filter} isDate={type === 'date'} suggest={known !== undefined} onSet={set} />
}

function Times({ filter, onSet }: { filter: Filter; onSet(value: number | undefined): void }) {
  const value = typeof filter.value === 'number' ? filter.value : undefined
  return (
    <div className="flex items-center gap-2">
      <div className="w-20">
        <NumberInput label={conditionTexts.timesLabel} hideLabel min={0} step={1} value={value} onChange={onSet} />
      </div>
      <span className="text-sm text-soft">{conditionTexts.times(value ?? 0)}</span>
    </div>
  )
}

function withPeriod({ within: _, ...filter }: Filter, within: Period | undefined): Filter {
  return within ? { ...filter, within } : filter
}

interface TextProps {
  filter: Filter
  isDate: boolean
  suggest: boolean
  onSet(value: string): void
}

/** Suggests the values that contacts have, the most frequent first. */
function TextValue({ filter, isDate, suggest, onSet }: TextProps) {
  const { projectId, api } = useApi()
  const { data: values } = useQuery({
    queryKey: [projectId, 'contacts', 'fields', filter.field, 'values'],
    enabled: suggest && !isDate && filter.field.startsWith('data.'),
    queryFn: async () => (await unwrap(api.contacts.fields.values(filter.field, { limit: 50 }))).values,
    retry: 3,
  })
  const text = filter.value === undefined || filter.value === null ? '' : String(filter.value)
  const shared = {
    label: conditionTexts.value,
    hideLabel: true,
    placeholder: conditionTexts.valuePlaceholder,
    value: text,
  }
  return (
    <div className="min-w-36 flex-1">
      {isDate && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text)) ? (
        <Input {...shared} type="date" onChange={(event) => onSet(event.target.value)} />
      ) : (
        <Combobox
          {...shared}
          free
          choices={(values ?? []).map((value) => ({ value: String(value), label: String(value) }))}
          onChoose={onSet}
        />
      )}
    </div>
  )
}
