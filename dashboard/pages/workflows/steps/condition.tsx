/** CONDITION: takes the branch “yes” or “no”. */
import { Split } from 'lucide-react'
import { type Condition, emptyCondition } from '../../../conditions/condition.ts'
import { ConditionEditor } from '../../../conditions/condition-editor.tsx'
import { describeFilter } from '../../../conditions/describe-condition.ts'
import type { Config, StepDefinition, StepFormProps } from './step.ts'
import { stepTexts } from './texts.ts'

const T = stepTexts.condition

type Filter = Condition['groups'][number]['filters'][number]

/** The step has only the IDs of segments and workflows. */
const NO_NAMES = new Map<string, string>()

/** The API also accepts a single filter in place of a tree. */
const asTree = (config: Config): Condition =>
  'groups' in config
    ? (config as unknown as Condition)
    : { logic: 'AND', groups: [{ filters: [config as unknown as Filter] }] }

const ConditionForm = ({ draft, error, triggerEvent, set }: StepFormProps) => (
  <div>
    <h3 className="mb-1.5 text-sm font-medium">{T.label}</h3>
    <ConditionEditor
      condition={asTree(draft.config)}
      event={triggerEvent}
      error={error}
      path="config"
      onChange={(condition) => set({ config: { ...condition } })}
    />
  </div>
)

function summary(config: Config): string {
  const filters = asTree(config).groups.flatMap(({ filters }) => (filters ?? []).filter(({ field }) => field))
  return filters.map((filter) => describeFilter(filter, NO_NAMES)).join(', ')
}

export const condition: StepDefinition = {
  title: T.title,
  icon: Split,
  defaultConfig: { ...emptyCondition() },
  summary,
  describeOutput: ({ matched }) => (matched ? T.met : T.notMet),
  branches: ['yes', 'no'],
  when: T.when,
  Form: ConditionForm,
}
