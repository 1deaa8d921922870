import type { RawBuilder } from 'kysely'
import { sql } from './connection/sql.ts'

/** The time of a change, later than that of the change before: ETags distinguish changes by it. */
export const changedAt = (now: Date): RawBuilder<Date> =>
  sql<Date>`greatest(${now}::timestamptz, updated_at + interval '1 millisecond')`
