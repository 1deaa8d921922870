/**
 * Eight workers start at once and send a campaign and a burst of requests while the periodic jobs run. Every email is sent
 * once, and every periodic job is enqueued once in each of its periods.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClients, TO_READERS } from './clients.ts'
import { type Installation, inInstallation } from './installation.ts'

const WORKERS = 8
const READERS = 2_000
const BURSTS = 20
const BURST = 100
/** Long enough for three periods of the jobs that run every minute. */
const RUN_MS = 3 * 60_000 + 20_000
const MINUTES_MIN = 3
const FINISHES_WITHIN_MS = 180_000

/** Records every occurrence of a periodic job. Jobs that run when a worker starts are enqueued by each of them. */
const RECORD_OCCURRENCES = `
  create table occurrences (name text not null, at timestamptz not null);
  create function record_occurrence() returns trigger language plpgsql as $$
  begin
    insert into occurrences values (new.name, new.run_at);
    return null;
  end $$;
  create trigger record_occurrence after insert or update of run_at on posthorn_queue.jobs for each row
    when (new.key like 'timetable:%' and new.locked_by is null and new.attempts = 0 and extract(second from new.run_at) = 0)
    execute function record_occurrence()`

async function run(installation: Installation): Promise<string[]> {
  const api = await installation.start({ ROLE: 'api' })
  const clients = createClients(installation, () => api.baseUrl)
  await clients.addContacts(Array.from({ length: READERS }, (_, i) => `reader-${i}@example.org`))
  await installation.query(RECORD_OCCURRENCES)
  const from = performance.now()
  await clients.sendCampaign(TO_READERS)
  const starting = Promise.all(Array.from({ length: WORKERS }, () => installation.start({ ROLE: 'worker' })))
  for (let burst = 0; burst < BURSTS; burst++) {
    await Promise.all(Array.from({ length: BURST }, (_, i) => clients.send(`customer-${burst}-${i}@example.org`)))
  }
  await starting
  await clients.sendCampaign(TO_READERS)
  await sleep(Math.max(0, RUN_MS - (performance.now() - from)))
  const errors = [...(await clients.untilDone(FINISHES_WITHIN_MS)), ...(await clients.findErrors())]
  const occurrences = await installation.query<{ name: string; at: Date; times: number }>(
    'select name, at, count(*)::int as times from occurrences group by name, at order by name, at',
  )
  for (const { name, at, times } of occurrences) {
    if (times > 1) errors.push(`${name} was enqueued ${times} times for ${at.toISOString()}`)
  }
  const minutes = occurrences.filter(({ name }) => name === 'set-workflow-alarms').length
  if (minutes < MINUTES_MIN) errors.push(`only ${minutes} minutes with periodic jobs instead of ${MINUTES_MIN}`)
  console.log(
    `${WORKERS} workers: ${installation.sink.accepted.size} emails, ${occurrences.length} occurrences of periodic jobs in ${minutes} minutes.`,
  )
  return errors
}

await inInstallation(run)
