/**
 * A condition, edited by eye: groups of filters. In a group all must hold; between groups all or any. A group may hold
 * groups of its own. Segments, audiences and CONDITION steps use it.
 */
import { Group as GroupIcon, Plus, Trash2 } from 'lucide-react'
import type { PosthornError } from '../api.ts'
import { Button, IconButton } from './button.tsx'
import { type Condition, DEEPEST, emptyCondition, type Filter, type Group, newFilter } from './condition.ts'
import { type FieldFamily, useConditionFields } from './condition-fields.ts'
import { FilterRow } from './condition-filter.tsx'
import { Select } from './field.tsx'

interface EditorProps {
  condition: Condition
  onChange(condition: Condition): void
  /** The event whose data may be asked about too; leave it out where there is none. */
  event?: string | null
  /** What the API refused, and where in its body the condition was. */
  error?: PosthornError | null
  place?: string
}

export function ConditionEditor({ condition, onChange, event, error, place = 'condition' }: EditorProps) {
  const families = useConditionFields(event)
  return (
    <fieldset>
      <legend className="sr-only">Condition</legend>
      <Node condition={condition} onChange={onChange} families={families} error={error} place={place} level={1} />
    </fieldset>
  )
}

interface Shared {
  families: FieldFamily[]
  error: PosthornError | null | undefined
  place: string
  level: number
}

interface NodeProps extends Shared {
  condition: Condition
  onChange(condition: Condition): void
}

const without = <T,>(items: T[], at: number) => items.filter((_, i) => i !== at)
const replaced = <T,>(items: T[], at: number, item: T) => items.map((old, i) => (i === at ? item : old))

function Node({ condition, onChange, ...shared }: NodeProps) {
  const { logic, groups } = condition
  const setGroups = (next: Group[]) => onChange({ ...condition, groups: next })
  return (
    <div className="space-y-3">
      {groups.length > 1 && (
        <div className="flex items-center gap-2 text-sm text-soft">
          Who matches
          <div className="w-24">
            <Select
              label="How groups are joined"
              hideLabel
              value={logic}
              options={{ AND: 'all', OR: 'any' }}
              onChange={(event) => onChange({ ...condition, logic: event.target.value as Condition['logic'] })}
            />
          </div>
          of these groups
        </div>
      )}
      {groups.map((group, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group has no name but its place.
        <div key={i} className="space-y-3">
          {i > 0 && (
            <p className="flex items-center gap-3 text-xs font-semibold tracking-wide text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
              {logic === 'AND' ? 'AND' : 'OR'}
            </p>
          )}
          <GroupBox
            {...shared}
            place={`${shared.place}.groups.${i}`}
            group={group}
            onChange={(next) => setGroups(replaced(groups, i, next))}
            onRemove={groups.length > 1 ? () => setGroups(without(groups, i)) : undefined}
          />
        </div>
      ))}
      <Button kind="quiet" onClick={() => setGroups([...groups, ...emptyCondition().groups])}>
        <Plus aria-hidden /> Add a group
      </Button>
    </div>
  )
}

interface GroupProps extends Shared {
  group: Group
  onChange(group: Group): void
  onRemove: (() => void) | undefined
}

function GroupBox({ group, onChange, onRemove, ...shared }: GroupProps) {
  const { filters, conditions } = group
  const { families, error, place, level } = shared
  const setFilters = (next: Filter[]) => onChange({ ...group, filters: next })
  const removes = (at: number) => {
    const left = without(filters, at)
    if (left.length > 0 || conditions) setFilters(left)
    else if (onRemove) onRemove()
    else setFilters([newFilter('subscribed', 'boolean')])
  }
  return (
    <div className="rounded-part border border-line bg-panel/50 p-3">
      <div className="space-y-2">
        {filters.map((filter, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: nor has a filter.
          <div key={i}>
            {i > 0 && <p className="pb-2 pl-1 text-xs font-medium text-soft">and</p>}
            <FilterRow
              filter={filter}
              families={families}
              wrong={wrongIn(error, `${place}.filters.${i}`)}
              onChange={(next) => setFilters(replaced(filters, i, next))}
              onRemove={() => removes(i)}
            />
          </div>
        ))}
        {conditions && (
          <div>
            {filters.length > 0 && <p className="pb-2 pl-1 text-xs font-medium text-soft">and</p>}
            <div className="rounded-part border border-line bg-card p-3">
              <Node
                condition={conditions}
                onChange={(next) => onChange({ ...group, conditions: next })}
                families={families}
                error={error}
                place={`${place}.conditions`}
                level={level + 1}
              />
            </div>
          </div>
        )}
      </div>
      <div className="mt-2 flex flex-wrap gap-1">
        <Button kind="quiet" onClick={() => setFilters([...filters, newFilter('subscribed', 'boolean')])}>
          <Plus aria-hidden /> Add a filter
        </Button>
        {!conditions && level < DEEPEST && (
          <Button kind="quiet" onClick={() => onChange({ ...group, conditions: twoGroups() })}>
            <GroupIcon aria-hidden /> Nest groups
          </Button>
        )}
        {conditions && (
          <Button
            kind="quiet"
            onClick={() => onChange({ filters: filters.length > 0 ? filters : [newFilter('subscribed', 'boolean')] })}
          >
            Remove the nested groups
          </Button>
        )}
        {onRemove && (
          <IconButton label="Remove this group" className="ml-auto" onClick={onRemove}>
            <Trash2 />
          </IconButton>
        )}
      </div>
    </div>
  )
}

/** One who nests wants a choice. */
const twoGroups = (): Condition => ({
  logic: 'OR',
  groups: [...emptyCondition().groups, ...emptyCondition().groups],
})

const wrongIn = (error: PosthornError | null | undefined, place: string): string | undefined =>
  error?.errors?.find(({ field }) => field?.startsWith(`${place}.`))?.message
