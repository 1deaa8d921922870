/** CONDITION: takes the branch “yes” or “no”. */
import { Split } from 'lucide-react'
import { type Condition, emptyCondition } from '../../../parts/condition.ts'
import { ConditionEditor } from '../../../parts/condition-editor.tsx'
import type { Config, StepDefinition, StepFormProps } from './step.ts'

type Filter = Condition['groups'][number]['filters'][number]

/** The API also accepts a single filter in place of a tree. */
const asTree = (config: Config): Condition =>
  'groups' in config
    ? (config as unknown as Condition)
    : { logic: 'AND', groups: [{ filters: [config as unknown as Filter] }] }

const ConditionForm = ({ draft, error, triggerEvent, set }: StepFormProps) => (
  <ConditionEditor
    condition={asTree(draft.config)}
    event={triggerEvent}
    error={error}
    path="config"
    onChange={(condition) => set({ config: { ...condition } })}
  />
)

function summary(config: Config): string {
  const fields = asTree(config).groups.flatMap(({ filters }) => (filters ?? []).map(({ field }) => field))
  return fields.slice(0, 3).join(', ') + (fields.length > 3 ? '…' : '')
}

export const condition: StepDefinition = {
  title: 'Check a condition',
  icon: Split,
  defaultConfig: { ...emptyCondition() },
  summary,
  branches: ['yes', 'no'],
  Form: ConditionForm,
}
