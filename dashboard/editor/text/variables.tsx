import { useMemo } from 'react'
import { useContactFields } from '../../data/use-contact-facts.ts'
import { texts } from '../texts.ts'

export interface VariableOption {
  name: string
  description: string
}

const DATA_PREFIX = 'data.'

const ALWAYS: VariableOption[] = [
  { name: 'email', description: texts.variables.email },
  { name: 'unsubscribeUrl', description: texts.variables.unsubscribeUrl },
  { name: 'manageUrl', description: texts.variables.manageUrl },
  { name: 'viewInBrowserUrl', description: texts.variables.viewInBrowserUrl },
]

/** Names of fields that a greeting can use, the best one first. */
const NAME_FIELDS = ['firstName', 'first_name', 'firstname', 'name', 'fullName', 'full_name']

/** The field with the name of a contact; null if there is none, undefined while loading. */
export function useNameField(): string | null | undefined {
  const { data: fields, isPending } = useContactFields()
  if (isPending) return undefined
  return NAME_FIELDS.find((name) => fields?.some(({ field }) => field === `${DATA_PREFIX}${name}`)) ?? null
}

export function useVariables(): VariableOption[] {
  const { data: fields } = useContactFields()
  return useMemo(() => {
    const custom = (fields ?? []).filter(({ isCustom }) => isCustom)
    return [
      ...custom.map(({ field, type }) => ({
        name: field.slice(DATA_PREFIX.length),
        description: texts.variables.field(type),
      })),
      ...ALWAYS,
    ]
  }, [fields])
}

const OPTIONS_MAX = 8

/** Names that start with what was typed come before names that only contain it. */
export function matchVariables(options: readonly VariableOption[], typed: string): VariableOption[] {
  const wanted = typed.toLowerCase()
  const rank = ({ name }: VariableOption) => {
    const at = name.toLowerCase().indexOf(wanted)
    return at < 0 ? Number.POSITIVE_INFINITY : Math.min(at, 1)
  }
  return options
    .filter((option) => rank(option) < Number.POSITIVE_INFINITY)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, OPTIONS_MAX)
}

interface VariableListProps {
  id: string
  options: readonly VariableOption[]
  /** The position of the highlighted option. */
  active: number
  onChoose(name: string): void
}

/** The options of a completion. The focus stays in the text, which names the highlighted option. */
export const VariableList = ({ id, options, active, onChoose }: VariableListProps) => (
  <div id={id} role="listbox" aria-label={texts.variables.label} className="max-h-72 overflow-y-auto p-1.5 text-sm">
    {options.map(({ name, description }, i) => (
      <div
        key={name}
        id={`${id}-${i}`}
        role="option"
        tabIndex={-1}
        aria-selected={i === active}
        // The text keeps its focus and its selection.
        onPointerDown={(event) => {
          event.preventDefault()
          onChoose(name)
        }}
        className="flex cursor-pointer items-baseline justify-between gap-4 rounded-part px-2.5 py-1.5 hover:bg-panel aria-selected:bg-panel"
      >
        <span className="font-mono text-[0.8125rem]">{name}</span>
        <span className="text-xs text-soft">{description}</span>
      </div>
    ))}
  </div>
)
