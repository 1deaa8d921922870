/** What the renderer and its threads say to each other. */
import type { RenderOptions as KernelOptions } from '../../kernel/liquid-context.ts'
import type { TemplateFault } from '../../kernel/liquid-error.ts'
import type { Scope } from '../../kernel/liquid-scope.ts'

export type RenderOptions = Pick<KernelOptions, 'escape' | 'now'>

export interface RenderRequest {
  source: string
  scope: Scope
  options: RenderOptions
}

export type RenderReply =
  | { kind: 'ready' }
  | { kind: 'rendered'; text: string }
  | { kind: 'failed'; reason: TemplateFault; message: string; line?: number; column?: number }
  | { kind: 'broken'; message: string }
