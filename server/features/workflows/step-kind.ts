/**
 * What a type of step is: the settings it takes, and what it does with a contact who comes to it. One file each,
 * `step-*.ts`, all of them listed in `steps.ts`.
 */
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Branch, StepType } from './graph.ts'

export interface Traveller {
  id: string
  email: string
  subscribed: boolean
  data: Record<string, unknown>
}

/** Where a contact has come to, and everything a step may look at. */
export interface Scene {
  /** Its `db` is the transaction that the step belongs to, except for steps that act outside. */
  ctx: Context
  projectId: string
  workflow: { id: string; name: string }
  execution: {
    id: string
    startedAt: Date
    context: Record<string, unknown>
    /** Data of the event that started it; null for a start by hand. */
    event: Record<string, unknown> | null
    /** Events up to this one are past. */
    seenUpTo: string
  }
  contact: Traveller
  step: { id: string; templateId: string | null }
  now: Date
}

type Output = Record<string, unknown>

export type Outcome =
  | {
      kind: 'goes on'
      branch?: Branch
      output?: Output
      /** It had nothing to do. */
      skipped?: true
      /** As the step left the contact. */
      contact?: Traveller
      /** What came before this is past for the steps that follow. */
      seenUpTo?: string
    }
  | { kind: 'waits'; until: Date | null; forEvent?: string }
  | { kind: 'exits'; reason: string | null }
  | { kind: 'fails'; error: string; output?: Output }

/** A wait that began earlier. */
export interface Wait {
  until: Date | null
  forEvent: string | null
}

export interface StepKind<C = unknown> {
  type: StepType
  config: z.ZodType<C>
  /** Texts with Liquid in the settings, by their path: they must be readable when they are saved. */
  templates?(config: C): Record<string, string>
  /** It acts on the world outside, which no transaction can take back: it runs after what led to it is committed. */
  outside?: true
  run(scene: Scene, config: C): Promise<Outcome>
  /** `run` for contacts of one project who come to the step in the same transaction, none of them twice. */
  runTogether?(scenes: Scene[], config: C): Promise<Outcome[]>
  /** The wait may be over: its time has come, or something happened. */
  resume?(scene: Scene, config: C, wait: Wait): Promise<Outcome>
  /** What `run` would do, where that must not be done to find out. */
  simulate?(scene: Scene, config: C, assume: { events: boolean }): Promise<Outcome>
}

export const stepKind = <C>(kind: StepKind<C>): StepKind => kind as StepKind<unknown>
