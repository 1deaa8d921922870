/** Every step type. Validation, the OpenAPI document, the graph's rules and the engine take theirs from here. */
import { Refusal } from '../../kernel/errors.ts'
import type { Branch, StepDefinition } from './step.ts'
import { conditionStep } from './step-condition.ts'
import { delayStep } from './step-delay.ts'
import { exitStep } from './step-exit.ts'
import { sendEmailStep } from './step-send-email.ts'
import { updateContactStep } from './step-update-contact.ts'
import { waitForEventStep } from './step-wait-for-event.ts'
import { webhookStep } from './step-webhook.ts'

const DEFINITIONS = [
  sendEmailStep,
  delayStep,
  waitForEventStep,
  conditionStep,
  webhookStep,
  updateContactStep,
  exitStep,
] as const

export type StepType = (typeof DEFINITIONS)[number]['type']

export const STEP_TYPES = DEFINITIONS.map(({ type }) => type) as [StepType, ...StepType[]]

const byType = new Map<string, StepDefinition>(DEFINITIONS.map((definition) => [definition.type, definition]))

export function definitionOf(type: string): StepDefinition {
  const definition = byType.get(type)
  if (!definition) throw new Refusal('invalid', 'VALIDATION_ERROR', `There is no step type ${type}.`)
  return definition
}

export const branchesOf = (type: string): readonly (Branch | null)[] => definitionOf(type).branches ?? [null]

export const isExternal = (type: string): boolean => byType.get(type)?.external === true
