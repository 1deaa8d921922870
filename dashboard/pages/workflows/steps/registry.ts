/** Every step type, for the palette, the graph and the forms. */
import { condition } from './condition.tsx'
import { delay } from './delay.tsx'
import { exit } from './exit.tsx'
import { sendEmail } from './send-email.tsx'
import { split } from './split.tsx'
import type { Branch, Config, Step, StepDefinition, StepType } from './step.ts'
import { updateContact } from './update-contact.tsx'
import { waitForEvent } from './wait-for-event.tsx'
import { webhook } from './webhook.tsx'

export const STEPS: Record<StepType, StepDefinition> = {
  SEND_EMAIL: sendEmail,
  DELAY: delay,
  WAIT_FOR_EVENT: waitForEvent,
  CONDITION: condition,
  SPLIT: split,
  WEBHOOK: webhook,
  UPDATE_CONTACT: updateContact,
  EXIT: exit,
}

export const STEP_TYPES = Object.keys(STEPS) as StepType[]

/** The branches that transitions from a step can have. */
export function branchesOf({ type, config }: Pick<Step, 'type'> & { config: Config }): Branch[] {
  const { branches } = STEPS[type]
  return typeof branches === 'function' ? branches(config) : branches
}

/** Whether another step can follow. */
export const canContinue = (type: StepType): boolean =>
  branchesOf({ type, config: STEPS[type].defaultConfig }).length > 0

type Branching = readonly (Pick<Step, 'id' | 'type'> & { config: Config })[]

/** The first transition of a step is the one on the left, and the one that is followed if the step is removed. */
export function inBranchOrder<T extends { fromStepId: string; branch: Branch }>(
  transitions: readonly T[],
  steps: Branching,
): T[] {
  const byId = new Map(steps.map((step) => [step.id, branchesOf(step)]))
  const rankOf = ({ fromStepId, branch }: T) => byId.get(fromStepId)?.indexOf(branch) ?? -1
  return [...transitions].sort((a, b) => rankOf(a) - rankOf(b))
}

export const stepName = (step: Pick<Step, 'name' | 'type'>) => step.name ?? STEPS[step.type].title
