/** What a workflow may ask of the outbox: to take an email in the transaction of a step, and who gets no bulk mail. */
import type { Context } from '../../context.ts'
import * as queries from './workflow-queries.ts'

export type { WorkflowEmail } from './workflow-queries.ts'

/** The project's limit for the month if that has no room for it: then nothing was written. */
export const addWorkflowEmail = (
  ctx: Context,
  projectId: string,
  email: queries.WorkflowEmail,
): Promise<number | null> => queries.insertWorkflowEmail(ctx.db, projectId, email, ctx.clock.now())

export const isSuppressed = (ctx: Context, projectId: string, email: string): Promise<boolean> =>
  queries.isSuppressed(ctx.db, projectId, email)
