/**
 * The condition editor of segments, audiences and CONDITION steps. All filters of a group must match, and all or any of
 * the groups. Groups can be nested.
 */
import { Ellipsis, Plus, Trash2 } from 'lucide-react'
import type { PosthornError } from '../data/api.ts'
import { RichText } from '../shell/rich-text.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { type Condition, DEPTH_MAX, type Filter, type Group, newFilter } from './condition.ts'
import { type FieldFamily, useConditionFields } from './condition-fields.ts'
import { FilterRow } from './condition-filter.tsx'
import { conditionTexts } from './texts.ts'

interface EditorProps {
  condition: Condition
  onChange(condition: Condition): void
  /** The trigger event whose data can be used too, if there is one. */
  event?: string | null
  /** The API's error, and the path of the condition in the request body. */
  error?: PosthornError | null
  path?: string
}

export function ConditionEditor({ condition, onChange, event, error, path = 'condition' }: EditorProps) {
  const families = useConditionFields(event)
  return (
    <fieldset>
      <legend className="sr-only">{conditionTexts.condition}</legend>
      <Node condition={condition} onChange={onChange} families={families} error={error} path={path} level={1} />
    </fieldset>
  )
}

interface Shared {
  families: FieldFamily[]
  error: PosthornError | null | undefined
  path: string
  level: number
}

interface NodeProps extends Shared {
  condition: Condition
  onChange(condition: Condition): void
}

const AND = 'pb-2 ps-1 text-xs font-semibold tracking-wide text-soft'

const without = <T,>(items: T[], at: number) => items.filter((_, i) => i !== at)
const replaced = <T,>(items: T[], at: number, item: T) => items.map((old, i) => (i === at ? item : old))

function Node({ condition, onChange, ...shared }: NodeProps) {
  const { logic, groups } = condition
  const setGroups = (next: Group[]) => onChange({ ...condition, groups: next })
  // A second group is an alternative: filters that must match as well belong to the first one.
  const nextLogic = groups.length > 1 ? logic : 'OR'
  return (
    <div className="space-y-3">
      {groups.length > 1 && (
        <div className="flex items-center gap-2 text-sm text-soft">
          <RichText
            text={conditionTexts.matchGroups}
            elements={{
              select: () => (
                <div className="w-24">
                  <Select
                    label={conditionTexts.logic}
                    hideLabel
                    value={logic}
                    options={{ AND: conditionTexts.all, OR: conditionTexts.any }}
                    onChange={(event) => onChange({ ...condition, logic: event.target.value as Condition['logic'] })}
                  />
                </div>
              ),
            }}
          />
        </div>
      )}
      {groups.map((group, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no ID.
        <div key={i} className="space-y-3">
          {i > 0 && (
            <p className="flex items-center gap-3 text-xs font-semibold tracking-wide text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
              {logic === 'AND' ? conditionTexts.and : conditionTexts.or}
            </p>
          )}
          <GroupBox
            {...shared}
            path={`${shared.path}.groups.${i}`}
            group={group}
            onChange={(next) => setGroups(replaced(groups, i, next))}
            onRemove={groups.length > 1 ? () => setGroups(without(groups, i)) : undefined}
          />
        </div>
      ))}
      <Button
        kind="quiet"
        className="-ms-3.5 max-sm:-ms-3"
        onClick={() => onChange({ logic: nextLogic, groups: [...groups, newGroup()] })}
      >
        <Plus aria-hidden /> {nextLogic === 'AND' ? conditionTexts.addAndGroup : conditionTexts.addOrGroup}
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
  const { families, error, path, level } = shared
  const setFilters = (next: Filter[]) => onChange({ ...group, filters: next })
  const removeFilter = (at: number) => {
    const left = without(filters, at)
    if (left.length > 0 || conditions) setFilters(left)
    else if (onRemove) onRemove()
    else setFilters([newFilter('subscribed', 'boolean')])
  }
  const removeAlternatives = () =>
    onChange({ filters: filters.length > 0 ? filters : [newFilter('subscribed', 'boolean')] })
  return (
    <div className="rounded-part border border-line bg-panel/50 p-3">
      <div className="space-y-2">
        {filters.map((filter, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: filters have no ID either.
          <div key={i}>
            {i > 0 && <p className={AND}>{conditionTexts.and}</p>}
            <FilterRow
              filter={filter}
              families={families}
              error={errorBelow(error, `${path}.filters.${i}`)}
              onChange={(next) => setFilters(replaced(filters, i, next))}
              onRemove={() => removeFilter(i)}
            />
          </div>
        ))}
        {conditions && (
          <div>
            {filters.length > 0 && <p className={AND}>{conditionTexts.and}</p>}
            <div className="rounded-part border border-line bg-card p-3">
              <Node
                condition={conditions}
                onChange={(next) => onChange({ ...group, conditions: next })}
                families={families}
                error={error}
                path={`${path}.conditions`}
                level={level + 1}
              />
            </div>
          </div>
        )}
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-1">
        <Button
          kind="quiet"
          className="-ms-3 max-sm:-ms-2.5"
          onClick={() => setFilters([...filters, newFilter('subscribed', 'boolean')])}
        >
          <Plus aria-hidden /> {conditionTexts.addFilter}
        </Button>
        <span className="ms-auto flex gap-1">
          {(conditions || level < DEPTH_MAX) && (
            <Menu
              trigger={
                <IconButton label={conditionTexts.groupActions}>
                  <Ellipsis />
                </IconButton>
              }
              groups={[
                [
                  conditions
                    ? { label: conditionTexts.removeAlternatives, onSelect: removeAlternatives }
                    : {
                        label: conditionTexts.addAlternatives,
                        onSelect: () => onChange({ ...group, conditions: alternatives() }),
                      },
                ],
              ]}
            />
          )}
          {onRemove && (
            <IconButton label={conditionTexts.removeGroup} onClick={onRemove}>
              <Trash2 />
            </IconButton>
          )}
        </span>
      </div>
    </div>
  )
}

/** Incomplete, so that it changes nothing before it is filled in. */
const newGroup = (): Group => ({ filters: [newFilter('email', 'string')] })

const alternatives = (): Condition => ({ logic: 'OR', groups: [newGroup(), newGroup()] })

const errorBelow = (error: PosthornError | null | undefined, path: string): string | undefined =>
  error?.errors?.find(({ field }) => field?.startsWith(`${path}.`))?.message
