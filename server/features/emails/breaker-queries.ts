/** Transports that rest, for all processes to see. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

export interface Pause {
  reason: string
  since: Date
  pausedUntil: Date
}

const COLUMNS = sql`reason, since, paused_until as "pausedUntil"`

export async function findPause(db: Database, transport: string): Promise<Pause | undefined> {
  const { rows } = await sql<Pause>`/* find-transport-pause */
    select ${COLUMNS} from transport_pauses where transport = ${transport}`.execute(db)
  return rows[0]
}

/** Each pause is twice as long as the last one; failures that arrive during a pause belong to the one before it. */
export async function pause(
  db: Database,
  transport: string,
  reason: string,
  now: Date,
  pauseMs: { first: number; longest: number },
): Promise<Pause> {
  const { rows } = await sql<Pause>`/* pause-transport */
    insert into transport_pauses as p (transport, reason, since, paused_until, pauses)
    values (${transport}, ${reason}, ${now}, ${now}::timestamptz + make_interval(secs => ${pauseMs.first / 1000}::float8), 1)
    on conflict (transport) do update set
      reason = excluded.reason, probed_until = null,
      pauses = case when p.paused_until > ${now} then p.pauses else p.pauses + 1 end,
      paused_until = case when p.paused_until > ${now} then p.paused_until else ${now}::timestamptz + make_interval(
        secs => least(${pauseMs.longest / 1000}::float8, ${pauseMs.first / 1000}::float8 * power(2, least(p.pauses, 30)))) end
    returning ${COLUMNS}`.execute(db)
  return rows[0]!
}

/** After a pause one of all that wait may try. True for that one. */
export async function takeProbe(db: Database, transport: string, now: Date, until: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`/* take-transport-probe */
    update transport_pauses set probed_until = ${until}
    where transport = ${transport} and paused_until <= ${now} and (probed_until is null or probed_until <= ${now})`.execute(
    db,
  )
  return numAffectedRows === 1n
}

export async function giveProbeBack(db: Database, transport: string): Promise<void> {
  await sql`/* give-transport-probe-back */
    update transport_pauses set probed_until = null where transport = ${transport}`.execute(db)
}

export async function resume(db: Database, transport: string): Promise<void> {
  await sql`/* resume-transport */ delete from transport_pauses where transport = ${transport}`.execute(db)
}
