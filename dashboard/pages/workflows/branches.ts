/** Branches without a next step, where a new step can be added. */
import { STEPS, stepName } from './steps/registry.ts'
import type { Branch, Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

export interface OpenBranch {
  stepId: string
  branch: Branch
  label: string
}

/** A step has either one transition without a branch, or one for each branch. */
export function openBranches({ steps, transitions }: Workflow): OpenBranch[] {
  return steps.flatMap((step) => {
    const { branches } = STEPS[step.type]
    const taken = transitions.filter(({ fromStepId }) => fromStepId === step.id).map(({ branch }) => branch)
    return branches
      .filter((branch) => !taken.includes(branch) && !taken.includes(null) && (branch !== null || taken.length === 0))
      .map((branch) => ({ stepId: step.id, branch, label: texts.branches.after(stepName(step), branch, branches) }))
  })
}
