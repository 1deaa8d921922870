/** CONDITION: takes the branch “yes” or “no”. */
import { Split } from 'lucide-react'
import { type Condition, emptyCondition, isTimed, operatorLabel, takesValue } from '../../../conditions/condition.ts'
import { ConditionEditor } from '../../../conditions/condition-editor.tsx'
import { conditionTexts } from '../../../shell/texts.ts'
import { texts } from '../texts.ts'
import type { Config, StepDefinition, StepFormProps } from './step.ts'

type Filter = Condition['groups'][number]['filters'][number]

/** The API also accepts a single filter in place of a tree. */
const asTree = (config: Config): Condition =>
  'groups' in config
    ? (config as unknown as Condition)
    : { logic: 'AND', groups: [{ filters: [config as unknown as Filter] }] }

const ConditionForm = ({ draft, error, triggerEvent, set }: StepFormProps) => (
  <div>
    <h3 className="mb-1.5 text-sm font-medium">{texts.conditionTitle}</h3>
    <ConditionEditor
      condition={asTree(draft.config)}
      event={triggerEvent}
      error={error}
      path="config"
      onChange={(condition) => set({ config: { ...condition } })}
    />
  </div>
)

/** "plan is pro", "email.open within the last 7 days". */
function describeFilter({ field, operator, value, unit }: Filter): string {
  const labels: Record<string, string> = conditionTexts.fields
  const name =
    labels[field] ?? (field.startsWith('segment.') ? 'A segment' : field.replace(/^(data|event\.data)\./, ''))
  const shown = typeof value === 'boolean' ? (value ? conditionTexts.yes : conditionTexts.no) : String(value ?? '')
  const object = takesValue(operator) ? [shown, isTimed(operator) ? (unit ?? '') : ''] : []
  return [name, operatorLabel(operator, undefined), ...object].filter((part) => part !== '').join(' ')
}

function summary(config: Config): string {
  const filters = asTree(config).groups.flatMap(({ filters }) => (filters ?? []).filter(({ field }) => field))
  return filters.map(describeFilter).join(', ')
}

export const condition: StepDefinition = {
  title: 'Check a condition',
  icon: Split,
  defaultConfig: { ...emptyCondition() },
  summary,
  describeOutput: ({ matched }) =>
    matched ? 'Condition met, took the “Yes” branch' : 'Condition not met, took the “No” branch',
  branches: ['yes', 'no'],
  when: { yes: 'if the condition is met', no: 'if the condition is not met' },
  Form: ConditionForm,
}
