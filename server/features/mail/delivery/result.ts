/** The outcome of an attempt to deliver an email. Everything that is expected to happen is a result, not an exception. */
import type { Context } from '../../../context.ts'

export interface Wait {
  /** When to retry. */
  at: Date
  reason: string
  /** In the line for the sending rate; see `bucket.ts`. */
  place?: number
}

export type DeliveryResult =
  | { state: 'sent' | 'bounced' | 'failed' }
  /** There is nothing left to send: it is done or canceled. */
  | { state: 'lost' }
  /** Retried at its time. A blocked email waits until someone changes something. */
  | ({ state: 'later' | 'blocked' } & Wait)

export const isResult = (value: object): value is DeliveryResult => 'state' in value

export const later = (wait: Wait): DeliveryResult => ({ state: 'later', ...wait })

export const after = (ctx: Context, ms: number): Date => new Date(ctx.clock.now().getTime() + ms)
