/**
 * Reads the outbox, captured messages and events directly from the database, even while the service isn't running. It
 * can also block the service at moments that matter for "at least once", such as after an email was sent and before
 * that is recorded.
 */
import pg from 'pg'
import { eventually } from '../service-process.ts'

export type OutboxView = Awaited<ReturnType<typeof openOutboxView>>

export async function openOutboxView(url: string) {
  const client = await connect(url)

  async function query<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return (await client.query<Row>(statement, values)).rows
  }

  /** Email ID → status. */
  async function statuses(): Promise<Map<string, string>> {
    const rows = await query<{ id: string; status: string }>('select id, status from emails')
    return new Map(rows.map((row) => [row.id, row.status]))
  }

  async function idsIn(status: string): Promise<string[]> {
    return [...(await statuses())].filter(([, now]) => now === status).map(([id]) => id)
  }

  /** Email ID → how often a message with its Message-ID was captured. */
  async function captures(): Promise<Map<string, number>> {
    const rows = await query<{ raw: Buffer }>('select raw from captured_messages')
    const counts = new Map<string, number>()
    for (const { raw } of rows) {
      const id = /^Message-ID:\s+<([^@>]+)@/im.exec(raw.toString('utf8'))?.[1] ?? 'no Message-ID'
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    return counts
  }

  /** Email ID → number of `email.sent` events. */
  async function sentEvents(): Promise<Map<string, number>> {
    const rows = await query<{ email_id: string; count: number }>(
      `select email_id, count(*)::int as count from events where name = 'email.sent' group by email_id`,
    )
    return new Map(rows.map((row) => [row.email_id, row.count]))
  }

  /**
   * No email reaches this status until the returned function is called. SENDING: workers wait before they claim one.
   * DELIVERED: they have passed it to the transport and wait to record it.
   */
  async function holdAt(status: 'SENDING' | 'DELIVERED'): Promise<() => Promise<void>> {
    const holder = await connect(url)
    await query(HOLD_FUNCTION)
    await withoutDeadlock(
      `create or replace trigger hold before update on emails
       for each row when (new.status = '${status}' and old.status <> '${status}') execute function hold()`,
    )
    // After the trigger is created: an earlier lock would block a worker inside the table that the trigger waits for.
    await holder.query('select pg_advisory_lock($1)', [HOLD])
    return async () => {
      await holder.end()
      await withoutDeadlock('drop trigger hold on emails')
    }
  }

  /** The statement locks every partition, and a worker may lock them in another order; then one of the two fails. */
  async function withoutDeadlock(statement: string): Promise<void> {
    await eventually('the statement is not refused because of a deadlock', 120_000, () =>
      query(statement).then(
        () => true,
        (error) => {
          if (error.code !== '40P01') throw error
          return false
        },
      ),
    )
  }

  /** The processes that wait in a blocked statement, by the names of their sessions. */
  async function heldSessions(): Promise<string[]> {
    const rows = await query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
       where datname = current_database() and wait_event = 'advisory'`,
    )
    return rows.map((row) => row.name)
  }

  /** The last statements of a killed process may or may not complete; this ends them. */
  async function endSessionsOf(applicationNames: string[]): Promise<void> {
    const sessions = 'from pg_stat_activity where application_name = any($1) and datname = current_database()'
    await query(`select pg_terminate_backend(pid) ${sessions}`, [applicationNames])
    await eventually('the sessions of the killed process end', 120_000, async () => {
      return (await query(`select pid ${sessions}`, [applicationNames])).length === 0
    })
  }

  return {
    query,
    statuses,
    idsIn,
    captures,
    sentEvents,
    holdAt,
    heldSessions,
    endSessionsOf,
    close: () => client.end(),
  }
}

const HOLD = 1_212_501_572
const HOLD_FUNCTION = `
  create or replace function hold() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(${HOLD});
    return new;
  end $$`

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'test', connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined) // the next statement fails
  await client.connect()
  return client
}
