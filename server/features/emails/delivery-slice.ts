/** Many emails from one job, as a campaign sends them: through the same steps, some at a time. */
import type { Context } from '../../context.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import { deliverEmail } from './deliver.ts'
import { type EmailRef, enqueueDeliveries } from './delivery-queries.ts'

const AT_ONCE = 50

export interface SliceOptions {
  /** Of jobs of this kind; see PRIORITY. */
  priority: number
  /** The queue hands the slice out again, so whoever was sending it is gone. */
  takeOver: boolean
}

export interface SliceResult {
  /** How many have to wait for another try. */
  postponed: number
  /** The latest moment at which one of them is tried again. */
  until: Date | undefined
}

/**
 * Resolves when each has an outcome or a job of its own for another try. Safe to call again with the same emails:
 * what is done is left alone. Throws the first error when all the others have been seen to.
 */
export async function deliverEmails(ctx: Context, emails: EmailRef[], options: SliceOptions): Promise<SliceResult> {
  const later: Array<EmailRef & { at: Date }> = []
  const errors: unknown[] = []
  let next = 0

  async function deliverOneAfterAnother(): Promise<void> {
    while (next < emails.length) {
      const { projectId, emailId } = emails[next++]!
      try {
        await deliverEmail(ctx, { projectId, emailId, ...options })
      } catch (error) {
        if (error instanceof TryAgainAt) later.push({ projectId, emailId, at: error.at })
        else errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, emails.length) }, deliverOneAfterAnother))
  if (later.length > 0) await enqueueDeliveries(ctx.db, later, options.priority)
  if (errors.length > 0) throw errors[0]
  const until = later.reduce<Date | undefined>((latest, { at }) => (latest && latest > at ? latest : at), undefined)
  return { postponed: later.length, until }
}
