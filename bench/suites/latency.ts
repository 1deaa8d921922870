/**
 * From `POST /v1/send` to the end of SMTP DATA, one email at a time, of twenty projects in turns: on an idle service, and
 * while another project's campaign is being sent. Compared with the sum of what can't be avoided, measured in the same run: one commit, one
 * signature and one SMTP transaction.
 */
import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { dkimSignature } from '../../server/platform/mime/dkim.ts'
import { openConnection } from '../../server/platform/smtp/smtp-connection.ts'
import { parseMailUrl, type SmtpOptions } from '../../server/platform/transports/mail-url.ts'
import { summarize } from '../measure.ts'
import { printTable, ratio, showBars, under } from '../report.ts'
import { type Service, startService } from '../service.ts'
import { startSink } from '../sink.ts'

const EMAILS = Number(process.env.BENCH_EMAILS ?? 100_000)
const PROBES = Number(process.env.BENCH_PROBES ?? 300)
const PROBE_EVERY_MS = 100
const PROJECTS = 20
const DURING_CAMPAIGN_MS_MAX = 500
const REFERENCES = 100
const ARRIVES_WITHIN_MS = 60_000
const BODY = `<html><body>${'<p>The quick brown fox jumps over the lazy dog, line by line by line.</p>'.repeat(50)}</body></html>`

interface Figures {
  p50Ms: number
  p99Ms: number
}

export async function benchLatency(dataDir: string): Promise<void> {
  const first = await startService({ dataDir })
  const projects = await createProjects(first)
  await first.stop()
  const arrived = new Map<string, number>()
  const sink = await startSink((probe, at) => arrived.set(probe, at))
  const mailUrl = `smtp://127.0.0.1:${sink.port}?tls=off`
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'warn', MAIL_URL: mailUrl } })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  let probes = 0
  const probe = () => sendProbe(service, projects[probes % PROJECTS]!, `probe-${++probes}`, arrived)
  try {
    await client.query(FILL, [service.keys.projectId, EMAILS])
    await client.query('vacuum analyze contacts')
    for (let i = 0; i < 50; i++) await probe() // warm-up
    const references = await measureReferences(client, mailUrl)
    const idle = await measureProbes(probe, () => true)
    const before = (await sink.counts()).messages
    const campaign = await startCampaign(service)
    const startedAt = performance.now()
    const busy = await measureProbes(probe, campaign.isSending)
    const perSecond = ((await sink.counts()).messages - before) / ((performance.now() - startedAt) / 1000)
    await campaign.cancel()
    print(references, idle, busy, perSecond)
  } finally {
    await client.end()
    await service.stop()
    sink.stop()
  }
}

const FILL = `
  insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
  select $1, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(lpad(to_hex(i), 12, '0'), 1, 3) || '8' ||
      lpad(to_hex(i), 15, '0'))::uuid, 'reader-' || i || '@example.org', true, true, jsonb_build_object('name', 'Reader ' || i), now(), now()
  from generate_series(1, $2::int) i`

interface Call {
  key?: string
  cookie?: string
  body?: object
}

async function call({ url }: Service, method: string, path: string, { key, cookie, body }: Call = {}) {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(cookie ? { cookie } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  const response = (await reply.json()) as { id: string; secretKey: string; status: string }
  return { body: response, cookie: reply.headers.get('set-cookie')?.split(';')[0] }
}

interface Sender {
  key: string
  domain: string
}

/** Projects next to that of the first start. While email is captured, their domains are verified without DNS. */
async function createProjects(service: Service): Promise<Sender[]> {
  const { email, password } = service.keys
  const { cookie } = await call(service, 'POST', '/auth/login', { body: { email, password } })
  const senders: Sender[] = []
  for (let i = 0; i < PROJECTS; i++) {
    const created = await call(service, 'POST', '/users/@me/projects', {
      cookie: cookie!,
      body: { name: `Codes ${i}` },
    })
    const sender = { key: created.body.secretKey, domain: `codes-${i}.example` }
    const { id } = (await call(service, 'POST', '/domains', { key: sender.key, body: { domain: sender.domain } })).body
    await call(service, 'GET', `/domains/${id}/verify`, { key: sender.key })
    senders.push(sender)
  }
  return senders
}

async function sendProbe(
  service: Service,
  { key, domain }: Sender,
  name: string,
  arrived: Map<string, number>,
): Promise<number> {
  const body = { to: `${name}@example.org`, from: `us@${domain}`, subject: 'Your code', body: BODY }
  const sentAt = performance.timeOrigin + performance.now()
  await call(service, 'POST', '/v1/send', { key, body })
  for (const deadline = performance.now() + ARRIVES_WITHIN_MS; performance.now() < deadline; await sleep(1)) {
    const at = arrived.get(name)
    if (at !== undefined) return at - sentAt
  }
  throw new Error(`The email to ${name} did not arrive within ${ARRIVES_WITHIN_MS / 1000} s.`)
}

async function measureProbes(
  probe: () => Promise<number>,
  isRunning: () => boolean | Promise<boolean>,
): Promise<Figures> {
  const latencies: number[] = []
  const startedAt = performance.now()
  while (latencies.length < PROBES && (await isRunning())) {
    latencies.push(await probe())
    await sleep(PROBE_EVERY_MS)
  }
  return summarize(latencies, (performance.now() - startedAt) / 1000)
}

async function startCampaign(service: Service) {
  const { secretKey: key } = service.keys
  const news = {
    name: 'News',
    subject: 'News for {{ name }}',
    body: BODY,
    from: 'news@example.com',
    audienceType: 'ALL',
  }
  const { id } = (await call(service, 'POST', '/campaigns', { key, body: news })).body
  await call(service, 'POST', `/campaigns/${id}/send`, { key })
  await sleep(2_000) // until it is being sent
  return {
    isSending: async () => (await call(service, 'GET', `/campaigns/${id}`, { key })).body.status === 'SENDING',
    cancel: () => call(service, 'POST', `/campaigns/${id}/cancel`, { key }).catch(() => undefined), // it may have completed
  }
}

const RAW = Buffer.from(
  `From: us@codes.example\r\nTo: a@example.org\r\nSubject: Your code\r\n\r\n${BODY.replaceAll('</p>', '</p>\r\n')}\r\n`,
)

/** One after the other, as in the service, and then the same pause as between the emails. */
async function measureReferences(client: pg.Client, mailUrl: string): Promise<Record<string, Figures>> {
  await client.query('create table if not exists bench_commits (id int)')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const line = await openConnection(parseMailUrl(mailUrl) as SmtpOptions)
  const steps: Record<string, () => unknown> = {
    'one commit': () => client.query('insert into bench_commits values (1)'),
    'one signature': () => dkimSignature(RAW, { domain: 'codes.example', selector: 'bench', privateKey }, new Date()),
    'one SMTP transaction': () => line.send({ sender: 'us@codes.example', recipients: ['a@example.org'], raw: RAW }),
  }
  const times = Object.keys(steps).map((): number[] => [])
  for (let i = 0; i < REFERENCES; i++) {
    for (const [step, action] of Object.values(steps).entries()) {
      const startedAt = performance.now()
      await action()
      times[step]!.push(performance.now() - startedAt)
    }
    await sleep(PROBE_EVERY_MS)
  }
  line.quit()
  return Object.fromEntries(Object.keys(steps).map((name, step) => [name, summarize(times[step]!, 1)]))
}

function print(references: Record<string, Figures>, idle: Figures, busy: Figures, campaignPerSecond: number): void {
  const sum = Object.values(references).reduce((total, { p50Ms }) => total + p50Ms, 0)
  const ms = (value: number) => value.toFixed(2)
  printTable(
    `From POST /v1/send to the end of DATA, ${PROBES} emails of ${PROJECTS} projects, one at a time`,
    ['', 'p50 ms', 'p99 ms', 'ratio', 'bars'],
    [
      ...Object.entries(references).map(([name, figures]) => [name, ms(figures.p50Ms), ms(figures.p99Ms), '', '']),
      ['the three together', ms(sum), '', '1.00', ''],
      [
        'idle',
        ms(idle.p50Ms),
        ms(idle.p99Ms),
        ratio(idle.p50Ms, sum),
        showBars([under(idle.p50Ms / sum, 3, 'p50 by the three')]),
      ],
      [
        "during another project's campaign",
        ms(busy.p50Ms),
        ms(busy.p99Ms),
        ratio(busy.p99Ms, idle.p50Ms),
        showBars([
          under(busy.p99Ms / idle.p50Ms, 10, 'p99 by the idle p50'),
          under(busy.p99Ms, DURING_CAMPAIGN_MS_MAX, 'p99 ms'),
        ]),
      ],
    ],
  )
  console.log(`  the campaign was sent at ${Math.round(campaignPerSecond)} emails/s meanwhile`)
}
