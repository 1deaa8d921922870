/**
 * A campaign from start to end: how fast a million contacts become its recipients, how fast their emails reach a mail
 * server in a separate process, and how soon a canceled campaign stops sending.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { residentMegabytes, watchCores } from '../cores.ts'
import { measureMailLimit } from '../limits/mail-limit.ts'
import { watchProcessor } from '../processor.ts'
import { atLeast, printTable, ratio, showBars, showParts, tenths, under, whole } from '../report.ts'
import { type Service, startService } from '../service.ts'
import { startSink } from '../sink.ts'

const CONTACTS = Number(process.env.BENCH_CONTACTS ?? 1_000_000)
const EMAILS = Number(process.env.BENCH_EMAILS ?? 100_000)
const DONE_WITHIN_MS = 900_000
const LOOK_EVERY_MS = 50
const MESSAGE_BYTES = 6_000

export async function benchCampaign(dataDir: string): Promise<void> {
  const first = await startService({ dataDir })
  await first.stop()
  const sink = await startSink()
  const env = { LOG_LEVEL: 'warn', MAIL_URL: `smtp://127.0.0.1:${sink.port}?tls=off` }
  const service = await startService({ dataDir, env })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await fill(client, service.keys.projectId, EMAILS)
    await send(service, client)
    const before = residentMegabytes(service.pid) ?? 0
    const coresSoFar = watchCores([...service.parties, sink.party])
    const processorSoFar = watchProcessor(service.parties)
    const whole100 = await send(service, client)
    const processor = processorSoFar(EMAILS)
    const cores = coresSoFar()
    const limit = await measureMailLimit(sink.port, MESSAGE_BYTES)
    await fill(client, service.keys.projectId, CONTACTS)
    const frozen = await freezeAndCancel(service, client, async () => (await sink.counts()).messages)
    printTable(
      'A campaign',
      ['', '', 'target'],
      [
        ...(processor
          ? [
              ['processor ms for an email', processor.totalMs.toFixed(2), ''],
              [
                'the same in signatures',
                ratio(processor.totalMs, processor.signatureMs),
                showBars([under(processor.totalMs / processor.signatureMs, 1.9, 'signatures')]),
              ],
            ]
          : []),
        [
          'recipients frozen per second',
          whole(frozen.perSecond),
          showBars([atLeast(frozen.perSecond, 50_000, 'contacts/s')]),
        ],
        ['signatures and a bare sender, emails per second: the limit', whole(limit.perSecond), ''],
        ['emails per second, end to end', whole(whole100.perSecond), ''],
        [
          'ratio of the limit',
          ratio(whole100.perSecond, limit.perSecond),
          showBars([atLeast(whole100.perSecond / limit.perSecond, 0.65, 'ratio')]),
        ],
        [
          'memory MB',
          `+${tenths(whole100.peakMegabytes - before)}`,
          showBars([under(whole100.peakMegabytes - before, 80, 'MB')]),
        ],
        [
          'seconds from canceling until no email is sent',
          tenths(frozen.quietAfter),
          showBars([under(frozen.quietAfter, 2, 's')]),
        ],
      ],
    )
    console.log(showParts('an email', processor))
    console.log(
      `  cores busy: ${Object.entries(cores)
        .map(([party, busy]) => `${party} ${busy.toFixed(2)}`)
        .join(', ')}`,
    )
  } finally {
    await client.end()
    await service.stop()
    sink.stop()
  }
}

export const fill = async (client: pg.Client, projectId: string, contacts: number) => {
  await client.query('truncate emails, email_contents, events')
  await client.query('delete from contacts where project_id = $1', [projectId])
  await client.query(FILL, [projectId, contacts])
  await client.query('delete from contact_count_changes')
  await client.query('vacuum analyze contacts')
}

const FILL = `
  insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
  select $1, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(lpad(to_hex(i), 12, '0'), 1, 3) || '8' ||
      lpad(to_hex(i), 15, '0'))::uuid, 'reader-' || i || '@example.org', true, true, jsonb_build_object('name', 'Reader ' || i, 'n', i), now(), now()
  from generate_series(1, $2::int) i`

export async function create(service: Service, more: object = {}): Promise<string> {
  const body = {
    name: 'News',
    subject: 'News for {{ name }}',
    body: `<html><body><h1>Hello, {{ name }}</h1>${'<p>This is line number {{ n }} for {{ email }}: <a href="https://example.com/x">the fox</a>.</p>'.repeat(20)}</body></html>`,
    from: 'news@example.com',
    audienceType: 'ALL',
    ...more,
  }
  return (await call(service, 'POST', '/campaigns', body)).id
}

export async function call(service: Service, method: string, path: string, body?: object) {
  const reply = await fetch(`${service.keys.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.keys.secretKey}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as { id: string; status: string; totalRecipients: number }
}

async function send(service: Service, client: pg.Client) {
  const id = await create(service)
  const startedAt = performance.now()
  await call(service, 'POST', `/campaigns/${id}/send`)
  let peakMegabytes = 0
  await until(async () => {
    peakMegabytes = Math.max(peakMegabytes, residentMegabytes(service.pid) ?? 0)
    return (await client.query('select status from campaigns where id = $1', [id])).rows[0].status === 'SENT'
  })
  return { perSecond: EMAILS / ((performance.now() - startedAt) / 1000), peakMegabytes }
}

async function freezeAndCancel(service: Service, client: pg.Client, countAccepted: () => Promise<number>) {
  const id = await create(service)
  const startedAt = performance.now()
  await call(service, 'POST', `/campaigns/${id}/send`)
  await until(
    async () => (await client.query('select frozen_at from campaigns where id = $1', [id])).rows[0].frozen_at !== null,
  )
  const perSecond = CONTACTS / ((performance.now() - startedAt) / 1000)
  await sleep(1_000)
  const cancelledAt = performance.now()
  await call(service, 'POST', `/campaigns/${id}/cancel`)
  let [before, lastChange] = [await countAccepted(), performance.now()]
  await until(async () => {
    const now = await countAccepted()
    if (now > before) [before, lastChange] = [now, performance.now()]
    return performance.now() - Math.max(lastChange, cancelledAt) > 2_000
  })
  return { perSecond, quietAfter: Math.max(0, lastChange - cancelledAt) / 1000 }
}

export async function until(isOver: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now()
  while (!(await isOver())) {
    if (performance.now() - startedAt > DONE_WITHIN_MS) throw new Error('The campaign did not end in time.')
    await sleep(LOOK_EVERY_MS)
  }
}
