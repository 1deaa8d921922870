/** The properties that events, emails or clicks must have so that they count: “where total is greater than 50”. */
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { CampaignPicker } from '../pickers/campaign-picker.tsx'
import { Combobox } from '../pickers/combobox.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Input, NumberInput, Select } from '../ui/field.tsx'
import {
  activityProperties,
  type Filter,
  isTimed,
  operatorLabel,
  type PropertyFilter,
  propertyOperators,
  takesValue,
  type ValueType,
} from './condition.ts'
import { Amount } from './period-input.tsx'
import { conditionTexts } from './texts.ts'

const PROPERTIES_MAX = 10

interface PropertiesProps {
  filter: Filter
  onChange(filter: Filter): void
}

export function PropertyFilters({ filter, onChange }: PropertiesProps) {
  const { where = [] } = filter
  const types = useEventProperties(filter.field)
  const setWhere = (next: PropertyFilter[]) => {
    const { where: _, ...others } = filter
    onChange(next.length > 0 ? { ...others, where: next } : others)
  }
  return (
    <div className="mt-2 space-y-2 border-s-2 border-line ps-3">
      {where.map((one, i) => (
        <PropertyRow
          // biome-ignore lint/suspicious/noArrayIndexKey: properties have no ID.
          key={i}
          field={filter.field}
          filter={one}
          types={types}
          onChange={(next) => setWhere(where.map((old, at) => (at === i ? next : old)))}
          onRemove={() => setWhere(where.filter((_, at) => at !== i))}
        />
      ))}
      {where.length < PROPERTIES_MAX && (
        <Button
          kind="quiet"
          className="-ms-3 max-sm:-ms-2.5"
          onClick={() => setWhere([...where, newProperty(filter.field, types)])}
        >
          <Plus aria-hidden /> {where.length > 0 ? conditionTexts.addAnotherProperty : conditionTexts.addProperty}
        </Button>
      )}
    </div>
  )
}

type Types = ReadonlyMap<string, ValueType>

/** The properties in the data of recent events, with their types. */
function useEventProperties(field: string): Types {
  const { projectId, api } = useApi()
  const name = field.startsWith('event.') ? field.slice('event.'.length) : ''
  const { data } = useQuery({
    queryKey: [projectId, 'events', name, 'fields'],
    enabled: name !== '',
    queryFn: async () => (await unwrap(api.events.fields(name))).fields,
    staleTime: 60_000,
  })
  return new Map(data?.map(({ property, type }) => [property, type]))
}

function newProperty(field: string, types: Types): PropertyFilter {
  const property = field.startsWith('email.') ? activityProperties(field)[0]! : ([...types.keys()][0] ?? '')
  return startOf(field, property, types)
}

const startOf = (field: string, property: string, types: Types): PropertyFilter =>
  withOperator({ property, operator: '' }, propertyOperators(field, property, types.get(property))[0]!, types)

function withOperator({ property, value, unit }: PropertyFilter, operator: string, types: Types): PropertyFilter {
  if (!takesValue(operator)) return { property, operator }
  if (isTimed(operator))
    return { property, operator, value: typeof value === 'number' ? value : 30, unit: unit ?? 'days' }
  if (types.get(property) === 'boolean') return { property, operator, value: typeof value === 'boolean' ? value : true }
  return value === undefined ? { property, operator } : { property, operator, value }
}

interface RowProps {
  field: string
  filter: PropertyFilter
  types: Types
  onChange(filter: PropertyFilter): void
  onRemove(): void
}

function PropertyRow({ field, filter, types, onChange, onRemove }: RowProps) {
  const { property, operator } = filter
  const type = types.get(property)
  const operators = propertyOperators(field, property, type)
  const offered = operators.includes(operator) ? operators : [operator, ...operators]
  return (
    <div className="flex items-start gap-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
        <div className="min-w-32 flex-1">
          <PropertyName
            field={field}
            property={property}
            types={types}
            onChange={(next) => onChange(startOf(field, next, types))}
          />
        </div>
        <div className="min-w-32 flex-1">
          <Select
            label={conditionTexts.operator}
            hideLabel
            value={operator}
            options={Object.fromEntries(offered.map((one) => [one, operatorLabel(one, type)]))}
            onChange={(event) => onChange(withOperator(filter, event.target.value, types))}
          />
        </div>
        {takesValue(operator) && <PropertyValue filter={filter} type={type} onChange={onChange} />}
      </div>
      <IconButton label={conditionTexts.removeProperty} className="mt-0.5" onClick={onRemove}>
        <X />
      </IconButton>
    </div>
  )
}

interface NameProps {
  field: string
  property: string
  types: Types
  onChange(property: string): void
}

/** Events can have properties that recent ones don't have, so those can be typed in. */
function PropertyName({ field, property, types, onChange }: NameProps) {
  if (field.startsWith('email.')) {
    const names = activityProperties(field)
    return (
      <Select
        label={conditionTexts.property}
        hideLabel
        value={property}
        options={Object.fromEntries(names.map((name) => [name, conditionTexts.properties[name] ?? name]))}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return (
    <Combobox
      free
      label={conditionTexts.property}
      hideLabel
      placeholder={conditionTexts.propertyPlaceholder}
      value={property}
      choices={[...types.keys()].map((name) => ({ value: name, label: name }))}
      onChoose={onChange}
    />
  )
}

interface ValueProps {
  filter: PropertyFilter
  type: ValueType | undefined
  onChange(filter: PropertyFilter): void
}

function PropertyValue({ filter, type, onChange }: ValueProps) {
  const set = (value: PropertyFilter['value']) => onChange({ ...filter, value })
  const number = typeof filter.value === 'number' ? filter.value : undefined
  if (isTimed(filter.operator)) {
    return <Amount value={number} unit={filter.unit} onChange={(value, unit) => onChange({ ...filter, value, unit })} />
  }
  if (filter.property === 'campaignId')
    return (
      <div className="min-w-40 flex-1">
        <CampaignPicker
          label={conditionTexts.value}
          hideLabel
          value={typeof filter.value === 'string' ? filter.value : ''}
          onChoose={set}
        />
      </div>
    )
  if (type === 'boolean' || typeof filter.value === 'boolean') return <YesNo value={filter.value} onChange={set} />
  if (type === 'number' || typeof filter.value === 'number') {
    return (
      <div className="min-w-28 flex-1">
        <NumberInput label={conditionTexts.value} hideLabel value={number} onChange={set} />
      </div>
    )
  }
  const text = filter.value === undefined || filter.value === null ? '' : String(filter.value)
  return (
    <div className="min-w-36 flex-1">
      <Input
        label={conditionTexts.value}
        hideLabel
        type={type === 'date' && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text)) ? 'date' : 'text'}
        placeholder={filter.property === 'link' ? conditionTexts.linkPlaceholder : conditionTexts.valuePlaceholder}
        value={text}
        onChange={(event) => set(event.target.value)}
      />
    </div>
  )
}

export const YesNo = ({ value, onChange }: { value: unknown; onChange(value: boolean): void }) => (
  <div className="min-w-28 flex-1">
    <Select
      label={conditionTexts.value}
      hideLabel
      value={String(value ?? true)}
      options={{ true: conditionTexts.yes, false: conditionTexts.no }}
      onChange={(event) => onChange(event.target.value === 'true')}
    />
  </div>
)
