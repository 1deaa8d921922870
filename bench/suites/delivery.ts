/**
 * From the outbox to the transport: the jobs of a full outbox are added at once, and the time until the last email is
 * recorded is measured. Once with a mail server in a separate process, once captured in the database.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Party, residentMegabytes, watchCores } from '../cores.ts'
import { type MailLimit, measureMailLimit } from '../limits/mail-limit.ts'
import { type ProcessorTime, watchProcessor } from '../processor.ts'
import {
  atLeast,
  type Bar,
  PROCESSOR_COLUMNS,
  printTable,
  ratio,
  showBars,
  showParts,
  showUnit,
  tenths,
  under,
  whole,
} from '../report.ts'
import { type Service, startService } from '../service.ts'
import { startSink } from '../sink.ts'

const EMAILS = Number(process.env.BENCH_EMAILS ?? 100_000)
const WARM_UP = 5_000
const DONE_WITHIN_MS = 600_000
const LOOK_EVERY_MS = 200
const MESSAGE_BYTES = 3_000

interface Run {
  perSecond: number
  growthMegabytes: number
  cores: Record<string, number>
  processor: ProcessorTime | undefined
}

export async function benchDelivery(dataDir: string): Promise<void> {
  const first = await startService({ dataDir })
  await first.stop()
  const sink = await startSink()
  try {
    const smtp = await measureDelivery(dataDir, `smtp://127.0.0.1:${sink.port}?tls=off`, [sink.party], EMAILS)
    const { messages } = await sink.counts()
    if (messages < EMAILS) throw new Error(`The mail server accepted ${messages} of ${EMAILS} emails.`)
    const limit = await measureMailLimit(sink.port, MESSAGE_BYTES)
    const capture = await measureDelivery(dataDir, 'capture:', [], EMAILS)
    print(limit, smtp, capture)
  } finally {
    sink.stop()
  }
}

export async function measureDelivery(
  dataDir: string,
  mailUrl: string,
  others: Party[],
  emails: number,
  env: Record<string, string> = {},
): Promise<Run> {
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'warn', MAIL_URL: mailUrl, ...env } })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await deliver(service, client, WARM_UP)
    const before = residentMegabytes(service.pid) ?? 0
    const coresSoFar = watchCores([...service.parties, ...others])
    const processorSoFar = watchProcessor(service.parties)
    const { seconds, peakMegabytes } = await deliver(service, client, emails)
    const processor = processorSoFar(emails)
    return { perSecond: emails / seconds, growthMegabytes: peakMegabytes - before, cores: coresSoFar(), processor }
  } finally {
    await client.end()
    await service.stop()
  }
}

/** Fills the outbox, adds all jobs in one commit, and waits for the last email. */
async function deliver(service: Service, client: pg.Client, emails: number) {
  const project = service.keys.projectId
  await fillOutbox(service, client, emails)
  const startedAt = performance.now()
  let peakMegabytes = 0
  for (let over = false; !over; ) {
    if (performance.now() - startedAt > DONE_WITHIN_MS) throw new Error('The emails were not delivered in time.')
    await sleep(LOOK_EVERY_MS)
    peakMegabytes = Math.max(peakMegabytes, residentMegabytes(service.pid) ?? 0)
    over = !(await client.query({ name: 'any-left', text: ANY_LEFT, values: [project] })).rows[0].left
  }
  return { seconds: (performance.now() - startedAt) / 1000, peakMegabytes }
}

/** Emails in the outbox, without their jobs. */
export async function fillOutbox(service: Service, client: pg.Client, emails: number): Promise<void> {
  const project = service.keys.projectId
  await client.query('truncate emails, email_contents, captured_messages, events')
  await client.query(FILL_CONTENT, [project])
  await client.query(FILL_OUTBOX, [project, emails])
  await client.query('analyze emails')
  await client.query(ENQUEUE, [project])
}

const CONTENT_ID = '01900000-0000-7000-8000-000000000001'

const FILL_CONTENT = `
  insert into email_contents (project_id, id, subject, body, type, created_at)
  values ($1, '${CONTENT_ID}', 'Your order, {{ name }}', '<html><body><h1>Thank you, {{ name }}</h1>' ||
    repeat('<p>This is line number {{ n }} for {{ email }}: the quick brown fox.</p>', 20) || '</body></html>', 'TRANSACTIONAL', now())`

const FILL_OUTBOX = `
  insert into emails (project_id, id, content_id, to_email, from_email, variables, source_type, created_at, updated_at)
  select $1, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(lpad(to_hex(i), 12, '0'), 1, 3) || '8' ||
      lpad(to_hex(i), 15, '0'))::uuid, '${CONTENT_ID}', 'reader-' || i || '@example.org', 'shop@example.com',
    jsonb_build_object('name', 'Reader ' || i, 'n', i), 'TRANSACTIONAL', now(), now()
  from generate_series(1, $2::int) i`

const ENQUEUE = `
  select count(posthorn_queue.add_job('deliver-email', json_build_object('projectId', project_id, 'emailId', id)))
  from emails where project_id = $1`

/** Checks whether any is left; counting them would slow the service down. */
const ANY_LEFT = `
  select exists (select from emails where project_id = $1 and status = 'PENDING')
    or exists (select from emails where project_id = $1 and status = 'SENDING') as left`

function print(limit: MailLimit, smtp: Run, capture: Run): void {
  const bare = (name: string, perSecond: number) => [name, '', '', whole(perSecond), '', '', '']
  const row = (name: string, run: Run, of: number, bars: Bar[]) => [
    name,
    ...showUnit(run.processor),
    whole(run.perSecond),
    ratio(run.perSecond, of),
    `+${tenths(run.growthMegabytes)}`,
    showBars(bars),
  ]
  printTable(
    `${whole(EMAILS)} emails from the outbox`,
    ['', ...PROCESSOR_COLUMNS, 'emails/s', 'ratio', 'memory MB', 'target'],
    [
      bare('signatures, all cores', limit.signaturesPerSecond),
      bare('a bare SMTP sender, not signed', limit.senderPerSecond),
      bare('both, one after the other: the limit', limit.perSecond),
      row('to a mail server, of the limit', smtp, limit.perSecond, [
        atLeast(smtp.perSecond / limit.perSecond, 0.65, 'ratio'),
        under(smtp.growthMegabytes, 80, 'MB'),
      ]),
      row('captured, of the bare sender', capture, limit.senderPerSecond, [
        atLeast(capture.perSecond / limit.senderPerSecond, 0.35, 'ratio'),
        under(capture.growthMegabytes, 80, 'MB'),
      ]),
    ],
  )
  for (const [name, { cores, processor }] of Object.entries({ 'to a mail server': smtp, captured: capture })) {
    console.log(showParts(`an email ${name}`, processor))
    const shares = Object.entries(cores).map(([party, busy]) => `${party} ${busy.toFixed(2)}`)
    console.log(`  cores busy, ${name}: ${shares.join(', ')}`)
  }
}
