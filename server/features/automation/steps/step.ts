/**
 * What a step type is. Each type is one file, `step-<type>.ts`: its configuration, its branches, what it refers to and
 * what it does. `registry.ts` lists them.
 */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'

export interface StepContact {
  id: string
  email: string
  subscribed: boolean
  data: Record<string, unknown>
}

/** What a step can use when it runs for one execution. */
export interface StepInput {
  ctx: Context
  /** The transaction that also saves the outcome; for an external step the database itself. */
  db: Database | Tx
  projectId: string
  workflow: { id: string; name: string }
  execution: {
    id: string
    startedAt: Date
    context: Record<string, unknown>
    /** Data of the event that started it; null if it was started manually. */
    event: Record<string, unknown> | null
    /** Events up to this id are in the past. */
    seenUpTo: string
  }
  contact: StepContact
  step: { id: string; templateId: string | null }
  now: Date
}

type Output = Record<string, unknown>

/** What came of running a step. The engine decides what follows from it (executions/advance.ts). */
export type Outcome<Branch extends string = string> =
  | {
      kind: 'continue'
      branch?: Branch
      output?: Output
      /** The step had nothing to do. */
      skipped?: true
      /** The contact after the step changed it. */
      contact?: StepContact
      /** For the steps that follow, events up to this id are in the past. */
      seenUpTo?: string
    }
  | { kind: 'wait'; until: Date | null; forEvent?: string }
  | { kind: 'exit'; reason: string | null }
  | { kind: 'fail'; error: string; output?: Output }

/** A wait that began earlier. */
export interface Wait {
  until: Date | null
  forEvent: string | null
}

/** A step as a request describes it. */
export interface GivenStep {
  config: Record<string, unknown>
  templateId: string | null | undefined
}

/** What is stored of it. What a step refers to has columns of its own, because others search for it. */
export interface StoredStep {
  config: Record<string, unknown>
  template_id: string | null
  /** The event it waits for. */
  event_name: string | null
  /** Contact fields (`email`, `data.plan`) and events of a condition (`event.signup`). */
  used_fields: string[]
}

export interface StepDefinition<Type extends string = string, Config = unknown, Branch extends string = string> {
  type: Type
  config: z.ZodType<Config>
  /**
   * The branches its transitions can have, the one that is preferred if the step is removed first; null is a transition
   * without a branch. Without this, only null. A function names those of a configuration, which may not be valid yet.
   */
  branches?: readonly (Branch | null)[] | ((config: Record<string, unknown>) => string[])
  /** Texts with Liquid in the configuration, by path: they must parse when the step is saved. */
  liquid?(config: Config): Record<string, string>
  /**
   * Runs before the step is stored: throws if it refers to something that doesn't exist in the project, and returns
   * what to store beyond the parsed configuration.
   */
  prepare?(
    config: Config,
    given: GivenStep,
    saving: { ctx: Context; tx: Tx; projectId: string },
  ): Promise<Partial<StoredStep>>
  /** It has effects that no transaction can roll back, so it runs after everything before it is committed. */
  external?: true
  run(input: StepInput, config: Config): Promise<Outcome<NoInfer<Branch>>>
  /** `run` for executions of one project that reach the step in the same transaction; no contact is there twice. */
  runMany?(inputs: StepInput[], config: Config): Promise<Outcome<NoInfer<Branch>>[]>
  /** Runs when a wait may be over: its time is up, or an event arrived. */
  resume?(input: StepInput, config: Config, wait: Wait): Promise<Outcome<NoInfer<Branch>>>
  /**
   * When a wait that began at `since` ends by this configuration; null if it has no end. Called for waits that began with
   * another configuration.
   */
  waitUntil?(config: Config, wait: { contact: StepContact; since: Date; now: Date }): Date | null
  /** What `run` would do, for steps that have to be simulated without doing it. */
  simulate?(input: StepInput, config: Config, assume: { events: boolean }): Promise<Outcome<NoInfer<Branch>>>
}

export const defineStep = <const Type extends string, Config, const Branch extends string = string>(
  definition: StepDefinition<Type, Config, Branch>,
): StepDefinition<Type> => definition as StepDefinition<Type>
