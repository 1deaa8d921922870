/**
 * One trace through the real processes of `npm start`: the API accepts an email, and the worker delivers it. Also checks
 * that the dashboard and the alert rules in ops/ use only metrics that the service has.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETTINGS } from '../../settings/config.ts'
import { type MailSink, openMailSink } from '../delivery/mail-sink.ts'
import { openTestDatabase } from '../harness.ts'
import { ALERT_TESTS, ALERTS, alertsShownToFire, missingSeries, queries, rules, selectorsIn } from '../ops-series.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { type OtlpReceiver, openOtlpReceiver } from './otlp-receiver.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const home = mkdtempSync(path.join(tmpdir(), 'posthorn-telemetry-'))
let database: Awaited<ReturnType<typeof openTestDatabase>>
let receiver: OtlpReceiver
let sink: MailSink
let service: ServiceProcess

beforeAll(async () => {
  database = await openTestDatabase()
  receiver = await openOtlpReceiver()
  sink = await openMailSink()
  service = await startService({
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: database.url,
    PORT: '0',
    MAIL_URL: sink.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  const body = { email: 'operator@example.org', password: 'correct horse' }
  const signUp = await call(service, 'POST', '/auth/signup', { body })
  const cookie = signUp.headers.get('set-cookie')!.split(';')[0]!
  const { body: project } = await call(service, 'POST', '/users/@me/projects', { cookie, body: { name: 'Test' } })
  await call(service, 'POST', '/domains', { key: project.secretKey, body: { domain: 'example.com' } })
  await database.pool.query("update domains set status = 'VERIFIED' where project_id = $1", [project.id])
  const sent = await call(service, 'POST', '/v1/send', {
    key: project.secretKey,
    headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
    body: { to: 'reader@example.org', from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>' },
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
})

afterAll(async () => {
  await service?.stop()
  sink.close()
  receiver.close()
  await database.close()
  rmSync(home, { recursive: true, force: true })
})

it('one trace leads from POST /v1/send in the API to the reply of the mail server in the worker', async () => {
  const own = () => receiver.spans.filter(({ traceId }) => traceId === TRACE)
  const find = (name: string) => own().find((span) => span.name === name)
  await eventually('every span is exported', 120_000, () => find('job deliver-email') && find('POST /v1/send'))
  const path = ['POST /v1/send', 'job deliver-email', 'deliver email', 'SMTP transaction'].map((name) => find(name)!)
  expect(path.map(({ parentSpanId }) => parentSpanId)).toEqual([
    '00f067aa0ba902b7',
    ...path.slice(0, -1).map(({ spanId }) => spanId),
  ])
  expect(path.map(({ resource }) => resource['posthorn.process'])).toEqual(['main', 'worker', 'worker', 'worker'])
  expect(path[3]!.attributes['smtp.reply_code']).toBe('250')
  expect(path[0]!.resource).toMatchObject({
    'service.name': 'posthorn',
    'deployment.environment.name': 'test',
  })
  expect(receiver.requests.map(({ text }) => text).join()).not.toMatch(/example\.(org|com)/)
})

it('both processes export their metrics', async () => {
  const processesWith = (metric: string) =>
    receiver.metrics.filter(({ name }) => name === metric).map(({ resource }) => resource['posthorn.process'])
  await eventually('both processes have exported', 120_000, () => {
    const processes = processesWith('posthorn_event_loop_delay_seconds')
    return processes.includes('main') && processes.includes('worker')
  })
  expect(processesWith('posthorn_queue_ready_jobs')).toContain('main')
})

describe('the files in ops/', () => {
  it('use only series that the processes of ROLE=all have from the start', async () => {
    expect(queries.length).toBeGreaterThan(25)
    const missing = async () => missingSeries((await call(service, 'GET', '/metrics')).body)
    await eventually('the worker has run a job', 120_000, async () => (await missing()).length === 0).catch(
      async (error) => expect(await missing(), error.message).toEqual([]),
    )
  })

  it('are parsed with every selector', () => {
    const names = (expr: string) => selectorsIn(expr).map(({ name }) => name)
    expect(
      names('sum by (job, le) (rate(a_bucket{x="b(c)", y=~"d|e"}[5m])) / on (job) b offset 15m > 0.1 and c'),
    ).toEqual(['a_bucket', 'b', 'c'])
    expect(selectorsIn('max(a{job=~"$job", outcome="sent"})')).toEqual([
      {
        name: 'a',
        matchers: [
          { label: 'job', operator: '=~', value: '$job' },
          { label: 'outcome', operator: '=', value: 'sent' },
        ],
      },
    ])
    for (const { title, expr } of queries) expect(selectorsIn(expr).length, title).toBeGreaterThan(0)
  })

  it('have a duration, a severity and a description in every alert, and a test in which it fires', () => {
    for (const rule of rules) {
      expect(rule).toMatchObject({ for: expect.stringMatching(/^\d+m$/), labels: { severity: expect.any(String) } })
      expect(rule.annotations.summary, rule.alert).not.toBe('')
      expect(rule.annotations.description, rule.alert).not.toBe('')
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    expect(rules.map(({ alert }) => alert).filter((alert) => !alertsShownToFire.includes(alert))).toEqual([])
  })

  /** Part of Prometheus, which not every machine has. */
  const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: ROOT, encoding: 'utf8' })
  it.skipIf(promtool('--version').error)('are accepted by promtool, and their alerts fire in its tests', () => {
    for (const args of [
      ['check', 'rules', ALERTS],
      ['test', 'rules', ALERT_TESTS],
    ]) {
      const { status, stdout, stderr } = promtool(...args)
      expect(status, stdout + stderr).toBe(0)
    }
  })

  it('and docs/observability.md name only settings that exist', () => {
    const named = [...read('docs/observability.md').matchAll(/\bOTEL_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(5)
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(named))
  })
})
