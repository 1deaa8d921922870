/**
 * One trace through the real processes of `npm start`: the API accepts an email, and the worker delivers it. Also checks
 * that the dashboard and the alert rules in ops/ use only metrics that the service has.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETTINGS } from '../../config.ts'
import { type MailSink, openMailSink } from '../delivery/mail-sink.ts'
import { openTestDatabase } from '../harness.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { type OtlpReceiver, openOtlpReceiver } from './otlp-receiver.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const { load: parseYaml } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const home = mkdtempSync(path.join(tmpdir(), 'posthorn-telemetry-'))
let database: Awaited<ReturnType<typeof openTestDatabase>>
let receiver: OtlpReceiver
let sink: MailSink
let service: ServiceProcess
let metricsText: string

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
  metricsText = (await call(service, 'GET', '/metrics')).body
}, 180_000)

afterAll(async () => {
  await service?.stop()
  sink.close()
  receiver.close()
  await database.close()
  rmSync(home, { recursive: true, force: true })
}, 60_000)

it('one trace leads from POST /v1/send in the API to the reply of the mail server in the worker', async () => {
  const own = () => receiver.spans.filter(({ traceId }) => traceId === TRACE)
  const find = (name: string) => own().find((span) => span.name === name)
  await eventually('every span is exported', 30_000, () => find('job deliver-email') && find('POST /v1/send'))
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
  await eventually('both processes have exported', 30_000, () => {
    const processes = processesWith('posthorn_event_loop_delay_seconds')
    return processes.includes('main') && processes.includes('worker')
  })
  expect(processesWith('posthorn_queue_ready_jobs')).toContain('main')
})

describe('the files in ops/', () => {
  interface Rule {
    alert: string
    expr: string
    for: string
    labels: { severity: string }
    annotations: { summary: string; description: string }
  }
  const { groups } = parseYaml(read('ops/prometheus/alerts.yml')) as { groups: Array<{ rules: Rule[] }> }
  const rules = groups.flatMap((group) => group.rules)
  const dashboard = JSON.parse(read('ops/grafana/posthorn.json')) as {
    panels: Array<{ title: string; targets?: Array<{ expr: string }> }>
  }
  const queries = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))

  /** Every metric in a query, without the endings that Prometheus gives the series of a histogram. */
  function metricsIn(expr: string): string[] {
    const known = new Set([...metricsText.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
    const used = [...expr.matchAll(/\b(?:posthorn|process|nodejs)_\w+/g)].map(([name]) => name)
    return used.map((name) => (known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '')))
  }

  it('use only metrics of /metrics', () => {
    const texts = [...rules.map(({ alert: title, expr }) => ({ title, expr })), ...queries]
    expect(rules.length).toBeGreaterThan(5)
    expect(queries.length).toBeGreaterThan(10)
    for (const { title, expr } of texts) {
      const used = metricsIn(expr)
      expect(used.length, title).toBeGreaterThan(0)
      for (const name of used) expect(metricsText, title).toContain(`\n# TYPE ${name} `)
    }
  })

  it('have a duration, a severity and a description in every alert', () => {
    for (const rule of rules) {
      expect(rule).toMatchObject({ for: expect.stringMatching(/^\d+m$/), labels: { severity: expect.any(String) } })
      expect(rule.annotations.summary, rule.alert).not.toBe('')
      expect(rule.annotations.description, rule.alert).not.toBe('')
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  it('and docs/observability.md name only settings that exist', () => {
    const named = [...read('docs/observability.md').matchAll(/\bOTEL_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(5)
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(named))
  })
})
