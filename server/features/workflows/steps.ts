/** Every type of step there is. */
import type { StepType } from './graph.ts'
import { conditionStep } from './step-condition.ts'
import { delayStep } from './step-delay.ts'
import { exitStep } from './step-exit.ts'
import type { StepKind } from './step-kind.ts'
import { sendEmailStep } from './step-send-email.ts'
import { updateContactStep } from './step-update-contact.ts'
import { waitForEventStep } from './step-wait-for-event.ts'
import { webhookStep } from './step-webhook.ts'

const KINDS = [
  sendEmailStep,
  delayStep,
  waitForEventStep,
  conditionStep,
  webhookStep,
  updateContactStep,
  exitStep,
] as const

const byType = new Map(KINDS.map((kind) => [kind.type, kind]))

export const kindOf = (type: StepType): StepKind => byType.get(type)!
