/** SPLIT: divides contacts between branches at random. */
import { Plus, Shuffle, X } from 'lucide-react'
import { formatShare } from '../../../figures/format.ts'
import { Button } from '../../../ui/button.tsx'
import { fieldError, Input, NumberInput } from '../../../ui/field.tsx'
import { asText, configSetter } from './fields.tsx'
import type { Config, StepDefinition, StepFormProps } from './step.ts'
import { stepTexts } from './texts.ts'

const T = stepTexts.split
const [BRANCHES_MIN, BRANCHES_MAX] = [2, 5]

interface SplitBranch {
  name: string
  weight: number | undefined
}

const branchesIn = ({ branches }: Config): SplitBranch[] => (Array.isArray(branches) ? branches : [])

/** "A", or the next letter that is free. */
function freeName(branches: SplitBranch[]): string {
  const letters = ['A', 'B', 'C', 'D', 'E']
  return letters.find((letter) => branches.every(({ name }) => name !== letter)) ?? ''
}

function SplitForm(props: StepFormProps) {
  const branches = branchesIn(props.draft.config)
  const total = branches.reduce((sum, { weight }) => sum + (weight ?? 0), 0)
  const setBranches = (changed: SplitBranch[]) => configSetter(props)({ branches: changed })
  const change = (i: number, changes: Partial<SplitBranch>) =>
    setBranches(branches.map((branch, at) => (at === i ? { ...branch, ...changes } : branch)))
  return (
    <div className="space-y-3">
      {branches.map(({ name, weight }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name is what is edited
        <div key={i} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Input
              label={T.name(i + 1)}
              value={asText(name)}
              error={fieldError(props.error, `config.branches.${i}.name`)}
              onChange={(event) => change(i, { name: event.target.value })}
            />
          </div>
          <div className="w-28">
            <NumberInput
              label={T.weight}
              min={1}
              step={1}
              value={weight}
              hint={total > 0 && weight ? formatShare(weight, total) : undefined}
              error={fieldError(props.error, `config.branches.${i}.weight`)}
              onChange={(value) => change(i, { weight: value })}
            />
          </div>
          <Button
            kind="quiet"
            className="mt-6.5"
            aria-label={T.remove(name)}
            title={T.remove(name)}
            disabled={branches.length <= BRANCHES_MIN}
            onClick={() => setBranches(branches.filter((_, at) => at !== i))}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      {branches.length < BRANCHES_MAX && (
        <Button onClick={() => setBranches([...branches, { name: freeName(branches), weight: 1 }])}>
          <Plus aria-hidden /> {T.add}
        </Button>
      )}
      <p className="text-[0.8125rem] text-soft">{T.hint}</p>
    </div>
  )
}

function summary(config: Config): string {
  const branches = branchesIn(config)
  const total = branches.reduce((sum, { weight }) => sum + (weight ?? 0), 0)
  return branches.map(({ name, weight }) => `${name} ${formatShare(weight ?? 0, total)}`).join(', ')
}

export const split: StepDefinition = {
  title: T.title,
  icon: Shuffle,
  defaultConfig: {
    branches: [
      { name: 'A', weight: 1 },
      { name: 'B', weight: 1 },
    ],
  },
  summary,
  describeOutput: ({ branch }) => (branch ? T.took(String(branch)) : ''),
  branches: (config) => branchesIn(config).map(({ name }) => asText(name).trim()),
  Form: SplitForm,
}
