/** Reads events and their stored counts. Events are written as a part of other statements: see `writeEvents`. */
import type { Context } from '../../../context.ts'
import { firstIdAt } from '../../../kernel/ids.ts'
import type { DayRange, TimeRange } from '../../../kernel/time-range.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { deleteDropped } from '../../../platform/database/tallies.ts'
import * as queries from './queries.ts'
import * as tallies from './tally-queries.ts'

export type { EventRow } from './queries.ts'
export { announceChange } from './queries.ts'
export type { NameTally } from './tally-queries.ts'

export const listEvents = (ctx: Context, projectId: string, filter: queries.EventFilter) =>
  queries.listEvents(ctx.db, projectId, filter)

export const countEvents = (
  ctx: Context,
  projectId: string,
  { name, contactId }: { name?: string | undefined; contactId?: string | undefined },
): Promise<number> =>
  contactId === undefined
    ? tallies.readEventCount(ctx.db, projectId, name)
    : queries.countContactEvents(ctx.db, projectId, contactId, name)

export const listEventNames = (ctx: Context, projectId: string) => tallies.listNames(ctx.db, projectId)

/** Stored for all time; counted for a time range. */
export const readNameTallies = (ctx: Context, projectId: string, range: TimeRange = {}) =>
  range.from || range.to
    ? queries.countNamesBetween(ctx.db, projectId, idRange(range, ctx.clock.now()))
    : tallies.readNameTallies(ctx.db, projectId)

export async function readNameTally(ctx: Context, projectId: string, name: string): Promise<tallies.NameTally> {
  const [tally] = await tallies.readNameTallies(ctx.db, projectId, name)
  return tally ?? { name, count: 0, contacts: 0, total: 0 }
}

export const readTopNames = (ctx: Context, projectId: string, days: DayRange, limit: number) =>
  tallies.readTopNames(ctx.db, projectId, days, limit)

export const readDaysCount = (ctx: Context, projectId: string, days: DayRange, names?: string[]) =>
  tallies.readDaysCount(ctx.db, projectId, days, names)

export const readEventDays = (ctx: Context, projectId: string, name: string, days: DayRange) =>
  tallies.readEventDays(ctx.db, projectId, name, days)

export const readEmailDays = (ctx: Context, projectId: string, days: DayRange) =>
  tallies.readEmailDays(ctx.db, projectId, days)

/** The ids of a time range; both ends are inclusive. */
export const idRange = ({ from, to }: TimeRange, now: Date): queries.IdRange => ({
  first: firstIdAt(from ?? new Date(0)),
  end: firstIdAt(new Date((to ?? new Date(now.getTime() + AHEAD_MS)).getTime() + 1)),
})

/** The ids of a busy process can be ahead of the clock. */
const AHEAD_MS = 2_000

const DELETE_AT_ONCE = 10_000

/** Deletes all events that exist now, and the counts of those that were removed because of their age. Returns how many. */
export async function deleteEvents(ctx: Context, projectId: string, name: string): Promise<number> {
  const { end } = idRange({}, ctx.clock.now())
  let deleted = 0
  for (let some = DELETE_AT_ONCE; some === DELETE_AT_ONCE; deleted += some) {
    some = await queries.deleteSomeEvents(ctx.db, projectId, name, end, DELETE_AT_ONCE)
  }
  await deleteDropped(ctx.db, projectId, 'event_days', ['name', name])
  return deleted
}

/** A hundred thousand in a few seconds, without long statements. */
const ERASE_AT_ONCE = 5_000

/** When contacts are deleted. */
export const eventsOfContacts = {
  erase: (db: Database, projectId: string, contactIds: string[]): Promise<number> =>
    queries.eraseEvents(db, projectId, contactIds, ERASE_AT_ONCE),
}
