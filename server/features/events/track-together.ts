/** Events that arrive together are recorded by one statement. */
import type { Context } from '../../context.ts'
import { gather } from '../../kernel/gather.ts'
import { isDatabaseAway } from '../../platform/database/transaction.ts'
import { askSameOfContact } from '../contacts/actions.ts'
import { type EventToRecord, trackEvents } from './queries.ts'

const TOGETHER = { most: 50, atOnce: 3 }

const entrances = new WeakMap<Context, (event: EventToRecord) => Promise<string>>()

/** Returns the id of the contact. */
export function recordEvent(ctx: Context, event: EventToRecord): Promise<string> {
  let entrance = entrances.get(ctx)
  if (!entrance) {
    entrance = gather((events: EventToRecord[]) => trackEvents(ctx.db, events), {
      ...TOGETHER,
      mayJoin,
      // While the database is away nobody knows what the statement did.
      tryAlone: (error) => !isDatabaseAway(error),
    })
    entrances.set(ctx, entrance)
  }
  return entrance(event)
}

function mayJoin(): (event: EventToRecord) => boolean {
  const asksSame = askSameOfContact()
  return (event) => asksSame(event.upsert)
}
