/** Every step type, for the palette, the graph and the forms. */
import { condition } from './condition.tsx'
import { delay } from './delay.tsx'
import { exit } from './exit.tsx'
import { sendEmail } from './send-email.tsx'
import type { Step, StepDefinition, StepType } from './step.ts'
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

export const stepName = (step: Pick<Step, 'name' | 'type'>) => step.name ?? STEPS[step.type].title
