/** Reading the journal. Writing it is a piece of other statements: see `writeEvents`. */
import type { Context } from '../../context.ts'
import * as queries from './queries.ts'

export type { EventRow } from './queries.ts'

export const listEvents = (ctx: Context, projectId: string, filter: queries.EventFilter) =>
  queries.listEvents(ctx.db, projectId, filter)

export const countEvents = (ctx: Context, projectId: string, filter: queries.EventFilter) =>
  queries.countEvents(ctx.db, projectId, filter)
