/** Runs single steps. What a user's configuration or data makes impossible fails the step; any other error is thrown. */
import { Refusal } from '../../kernel/errors.ts'
import { TemplateError } from '../../platform/rendering/template-error.ts'
import { definitionOf } from '../steps/registry.ts'
import type { Outcome, StepInput, Wait } from '../steps/step.ts'
import type { readGraph } from '../workflows/actions.ts'
import type { Graph } from '../workflows/graph.ts'

type StepRow = Awaited<ReturnType<typeof readGraph>>['steps'][number]

/** A step of a graph with its parsed configuration. */
export interface RunnableStep extends StepRow {
  /** Parsed once. Throws if this version no longer accepts what an earlier one stored. */
  parsedConfig(): unknown
}

export type RunnableGraph = Graph<RunnableStep>

export const runnable = (graph: Graph<StepRow>): RunnableGraph => ({
  ...graph,
  steps: graph.steps.map((step) => {
    let parsed: { config: unknown } | undefined
    const parsedConfig = () => {
      parsed ??= { config: parseConfig(step) }
      return parsed.config
    }
    return { ...step, parsedConfig }
  }),
})

function parseConfig(step: StepRow): unknown {
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
