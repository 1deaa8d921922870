import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Posthorn } from '../../sdk/index.ts'
import type { Command } from '../command.ts'
import type { Connection } from '../connection.ts'
import { paint } from '../output.ts'
import { listDomains } from './domains.ts'

interface Finding {
  check: string
  ok: boolean
  /** What was found and, if it isn't well, what to do. */
  message: string
}

const RESPOND_WITHIN_MS = 10_000
const CLOCK_DIFFERENCE_MAX_MS = 60_000
const HOUR_MS = 3_600_000

export const doctor: Command = {
  summary: 'Check the service, its database, configuration, clock and disk, the key, the domains and delivery',
  run: async ({ connection, posthorn, output }) => {
    const findings: Finding[] = []
    for await (const finding of examine(connection(), posthorn())) {
      findings.push(finding)
      const mark = finding.ok ? paint('green', 'ok      ') : paint('red', 'problem ')
      output.say(`${mark} ${finding.check}: ${finding.message}`)
    }
    if (output.json) output.item(findings)
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1
  },
}

async function* examine({ url }: Connection, posthorn: Posthorn): AsyncGenerator<Finding> {
  const ready = await fetch(new URL('ready', `${url}/`), { signal: AbortSignal.timeout(RESPOND_WITHIN_MS) }).catch(
    () => undefined,
  )
  if (!ready) {
    yield {
      check: 'service',
      ok: false,
      message: `${url} does not respond. Check the URL, and whether the service is running.`,
    }
    return
  }
  yield { check: 'service', ok: true, message: `${url} responds.` }
  yield* readiness(ready.ok, (await ready.json().catch(() => ({}))) as Readiness)
  yield clock(ready.headers.get('date'))
  yield* disk()

  yield* configuration(url, posthorn)

  const me = await posthorn.request('GET /me')
  if (me.error) {
    yield { check: 'key', ok: false, message: `${me.error.message} Create a key in the dashboard under Settings.` }
    return
  }
  yield { check: 'key', ok: true, message: `It belongs to ${me.data.project.name}.` }
  yield* domains(posthorn)
  yield* delivery(posthorn)
  yield* webhooks(posthorn)
}

interface Readiness {
  database?: boolean
  degraded?: string[]
  error?: { message?: string }
}

function* readiness(isReady: boolean, { database, degraded = [], error }: Readiness): Generator<Finding> {
  yield {
    check: 'database',
    ok: database === true,
    message: database
      ? 'The service reaches its database.'
      : (error?.message ?? 'The service does not reach its database. Check DATABASE_URL, and the log of the service.'),
  }
  if (!database) return
  const ok = isReady && degraded.length === 0
  yield {
    check: 'jobs',
    ok,
    message: ok
      ? 'Jobs are run and email can be sent.'
      : degraded.join(' ') || 'The service is not ready. See its log.',
  }
}

const FREE_BYTES_MIN = 1024 ** 3
const FREE_SHARE_MIN = 0.05

/** Checks the data folder, if the command runs on the machine of the service. */
async function* disk(): AsyncGenerator<Finding> {
  const folder = process.env.DATA_DIR ?? 'data'
  const space = existsSync(folder) ? await statfs(folder).catch(() => undefined) : undefined
  if (!space || space.blocks === 0) return
  const free = space.bavail * space.bsize
  const ok = free >= FREE_BYTES_MIN && space.bavail / space.blocks >= FREE_SHARE_MIN
  const text = `${(free / 1024 ** 3).toFixed(1)} GB are free in ${folder}.`
  yield {
    check: 'disk',
    ok,
    message: ok ? text : `${text} PostgreSQL stops when the disk is full: free some space, or shorten the retention.`,
  }
}

/** What the service reports about itself, compared with how it was reached. */
async function* configuration(url: string, posthorn: Posthorn): AsyncGenerator<Finding> {
  const { data } = await posthorn.service.config()
  if (!data) return
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
  const problems = [
    ...(!isLocal && new URL(data.urls.api).host !== new URL(url).host
      ? [`Links in emails begin with ${data.urls.api}, but you reach the service at ${url}. Set BASE_URL.`]
      : []),
    ...(!isLocal && !url.startsWith('https:') ? ['Keys travel without encryption. Use HTTPS (docs/deploy.md).'] : []),
    ...(!isLocal && data.features.transport === 'capture'
      ? ['Emails are stored and not delivered. Set MAIL_URL to deliver them.']
      : []),
  ]
  yield {
    check: 'configuration',
    ok: problems.length === 0,
    message: problems.join(' ') || `Version ${data.version}, email transport ${data.features.transport}.`,
  }
}

function clock(date: string | null): Finding {
  const difference = date === null ? 0 : Math.abs(Date.parse(date) - Date.now())
  const ok = difference <= CLOCK_DIFFERENCE_MAX_MS
  const seconds = Math.round(difference / 1_000)
  return {
    check: 'clock',
    ok,
    message: ok
      ? 'The clocks of this machine and of the service agree.'
      : `The clocks of this machine and of the service differ by ${seconds} s. Set both by NTP, because signatures have a time.`,
  }
}

async function* domains(posthorn: Posthorn): AsyncGenerator<Finding> {
  const found = await listDomains(posthorn).catch(() => undefined)
  if (!found) return // the key may not read domains
  if (found.length === 0) {
    yield { check: 'domains', ok: false, message: 'There is no sender domain. Add one in the dashboard under Domains.' }
  }
  for (const { id } of found) {
    const { data: domain } = await posthorn.domains.verify(id)
    if (!domain) continue
    const missing = domain.records.filter(({ verified }) => !verified).map(({ type, name }) => `${type} ${name}`)
    yield {
      check: `domain ${domain.domain}`,
      ok: domain.verified,
      message: domain.verified
        ? 'It is verified.'
        : `It is not verified. Set these DNS records: ${missing.join(', ')}. posthorn domains check ${domain.domain} shows their values.`,
    }
  }
}

async function* delivery(posthorn: Posthorn): AsyncGenerator<Finding> {
  const from = new Date(Date.now() - HOUR_MS).toISOString()
  const [failed, waiting] = await Promise.all(
    (['FAILED', 'PENDING'] as const).map((status) => posthorn.emails.list({ status, from, limit: 1 })),
  )
  if (!failed?.data || !waiting?.data) return
  const last = failed.data.data[0]
  yield {
    check: 'delivery',
    ok: failed.data.total === 0,
    message:
      failed.data.total === 0
        ? `No email failed in the last hour; ${waiting.data.total} wait to be sent.`
        : `${failed.data.total} emails failed in the last hour. The last one: ${last?.error ?? 'no reason is known'}`,
  }
}

async function* webhooks(posthorn: Posthorn): AsyncGenerator<Finding> {
  const { data: page } = await posthorn.webhookEndpoints.list({ limit: 100 })
  const failing = page?.data.filter(({ failingSince, disabledReason }) => failingSince ?? disabledReason) ?? []
  if (!page || page.data.length === 0) return
  yield {
    check: 'webhooks',
    ok: failing.length === 0,
    message:
      failing.length === 0
        ? 'All endpoints respond.'
        : `${failing.map(({ url }) => url).join(', ')} fails. The log in the dashboard shows the responses.`,
  }
}
