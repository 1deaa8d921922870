/** All step types, for validation, the OpenAPI document and the rules of graphs; and how a step of any type is run. */
import { Refusal } from '../../../kernel/errors.ts'
import { TemplateError } from '../../../platform/rendering/template-error.ts'
import type { Outcome, StepDefinition, StepInput, Wait } from './step.ts'
import { conditionStep } from './step-condition.ts'
import { delayStep } from './step-delay.ts'
import { exitStep } from './step-exit.ts'
import { sendEmailStep } from './step-send-email.ts'
import { splitStep } from './step-split.ts'
import { updateContactStep } from './step-update-contact.ts'
import { waitForEventStep } from './step-wait-for-event.ts'
import { webhookStep } from './step-webhook.ts'

const DEFINITIONS = [
  sendEmailStep,
  delayStep,
  waitForEventStep,
  conditionStep,
  splitStep,
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

export function branchesOf({ type, config = {} }: { type: string; config?: unknown }): readonly (string | null)[] {
  const { branches = [null] } = definitionOf(type)
  return typeof branches === 'function' ? branches((config ?? {}) as Record<string, unknown>) : branches
}

export const isExternal = (type: string): boolean => byType.get(type)?.external === true

// Running single steps. What the user's configuration or data makes impossible fails the step; any other error is thrown.

interface ConfiguredStep {
  type: string
  config: Record<string, unknown>
}

/** A step with its parsed configuration. */
export interface RunnableStep extends ConfiguredStep {
  /** Parsed once. Throws if this version no longer accepts what an earlier one stored. */
  parsedConfig(): unknown
}

export function runnable<S extends ConfiguredStep>(step: S): S & RunnableStep {
  let parsed: { config: unknown } | undefined
  const parsedConfig = () => {
    parsed ??= { config: parseConfig(step) }
    return parsed.config
  }
  return { ...step, parsedConfig }
}

function parseConfig(step: ConfiguredStep): unknown {
  const parsed = definitionOf(step.type).config.safeParse(step.config)
  if (parsed.success) return parsed.data
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'The configuration of this step is no longer valid. Save it again.')
}

export const runStep = (step: RunnableStep, input: StepInput): Promise<Outcome> =>
  failingOnRefusal(async () => definitionOf(step.type).run(input, step.parsedConfig()))

/** A refusal comes before anything is written, so then each one can still run alone. */
export async function runStepMany(step: RunnableStep, inputs: StepInput[]): Promise<Outcome[]> {
  if (inputs.length > 1) {
    try {
      const many = await definitionOf(step.type).runMany?.(inputs, step.parsedConfig())
      if (many) return many
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  const outcomes: Outcome[] = []
  for (const input of inputs) outcomes.push(await runStep(step, input))
  return outcomes
}

export const resumeStep = (step: RunnableStep, input: StepInput, wait: Wait): Promise<Outcome> =>
  failingOnRefusal(async () => definitionOf(step.type).resume!(input, step.parsedConfig(), wait))

/** Undefined if executions don't wait at steps of this type. */
export const waitUntil = (
  step: RunnableStep,
  wait: Parameters<NonNullable<StepDefinition['waitUntil']>>[1],
): Date | null | undefined => definitionOf(step.type).waitUntil?.(step.parsedConfig(), wait)

export const simulateStep = (step: RunnableStep, input: StepInput, assume: { events: boolean }): Promise<Outcome> =>
  failingOnRefusal(async () => {
    const definition = definitionOf(step.type)
    const config = step.parsedConfig()
    return definition.simulate ? definition.simulate(input, config, assume) : definition.run(input, config)
  })

async function failingOnRefusal(run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run()
  } catch (error) {
    if (isRefusal(error)) return { kind: 'fail', error: messageOf(error) }
    throw error
  }
}

const isRefusal = (error: unknown): error is TemplateError | Refusal =>
  error instanceof TemplateError || error instanceof Refusal

function messageOf(error: TemplateError | Refusal): string {
  const problem = error instanceof Refusal ? error.extras.problems?.[0] : undefined
  return problem ? `${problem.field}: ${problem.message}` : error.message
}
