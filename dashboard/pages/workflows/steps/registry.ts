/** Every step type, for the palette, the graph and the forms. */
import { condition } from './condition.tsx'
import { delay } from './delay.tsx'
import { exit } from './exit.tsx'
import { sendEmail } from './send-email.tsx'
import type { Branch, Step, StepDefinition, StepType } from './step.ts'
import { updateContact } from './update-contact.tsx'
import { waitForEvent } from './wait-for-event.tsx'
import { webhook } from './webhook.tsx'

export const STEPS: Record<StepType, StepDefinition> = {
  SEND_EMAIL: sendEmail,
  DELAY: delay,
  WAIT_FOR_EVENT: waitForEvent,
  CONDITION: condition,
  WEBHOOK: webhook,
  UPDATE_CONTACT: updateContact,
  EXIT: exit,
}

export const STEP_TYPES = Object.keys(STEPS) as StepType[]

/** The names of all branches, in the order in which each type has them. */
export const BRANCHES = [...new Set(Object.values(STEPS).flatMap(({ branches }) => branches))].filter(
  (branch) => branch !== null,
)

const rankOf = (branch: Branch): number => (branch === null ? 0 : BRANCHES.indexOf(branch))

/** Of the transitions of a step, the first is the one on the left, and the one that is followed if the step is removed. */
export const inBranchOrder = <T extends { branch: Branch }>(transitions: readonly T[]): T[] =>
  [...transitions].sort((a, b) => rankOf(a.branch) - rankOf(b.branch))

export const stepName = (step: Pick<Step, 'name' | 'type'>) => step.name ?? STEPS[step.type].title
