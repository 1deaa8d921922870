/** The definition of a step type in the dashboard. Each type is one file in this folder; `registry.ts` lists them. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PosthornError, Schemas } from '../../../data/api.ts'

export type Workflow = Schemas['WorkflowWithGraph']
export type Step = Workflow['steps'][number]
export type StepType = Step['type']
export type Branch = Workflow['transitions'][number]['branch']
export type Config = Record<string, unknown>

/** The data type of a step type that is dragged from the palette. */
export const DRAGGED_STEP = 'application/posthorn-step'

/** A step in the form, before it is saved. */
export interface StepDraft {
  type: StepType
  name: string
  config: Config
  templateId: string | null
}

export interface StepFormProps {
  draft: StepDraft
  error: PosthornError | null
  /** The event that starts the workflow. */
  triggerEvent: string | null
  set(changes: Partial<StepDraft>): void
}

export interface StepDefinition {
  title: string
  icon: LucideIcon
  /** The configuration of a new step. */
  defaultConfig: Config
  /** What the step does, in a few words, for its box in the graph. */
  summary(config: Config): string
  /** The outcome of the step in an execution; empty if there is nothing to add to its status. */
  describeOutput(output: Record<string, unknown>): string
  /** The branches its transitions can have, as in the server's definition; null is a transition without a branch. */
  branches: Branch[] | ((config: Config) => Branch[])
  /** When a branch is taken, as part of a sentence. */
  when?: Partial<Record<NonNullable<Branch>, string>>
  Form(props: StepFormProps): ReactNode
}
