/** Traces and metrics over OTLP: what is exported, what never is, and that a failing endpoint affects nothing. */
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { currentSpan, startTrace } from '../../kernel/tracing.ts'
import type { Log } from '../../platform/log.ts'
import type { JobHandlers } from '../../platform/queue/catalogue.ts'
import type { Job } from '../../platform/queue/claimed-jobs.ts'
import { perform } from '../../platform/queue/perform.ts'
import { startTelemetry, type Telemetry } from '../../platform/telemetry/telemetry.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { openSmtpTestServer, type SmtpTestServer } from '../mail/smtp-test-server.ts'
import { type Fixture, openFixture, openReceiver } from '../workflows/workflow-fixture.ts'
import { type OtlpReceiver, openOtlpReceiver, type ReceivedSpan, valuesOf } from './otlp-receiver.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const SAMPLED = `00-${TRACE}-${PARENT}-01`
const HEADER_VALUE = 'a-key-of-the-collector'

let fixture: Fixture
let app: Fixture['app']
let project: Fixture['project']
let mailServer: SmtpTestServer
let receiver: OtlpReceiver
let telemetry: Telemetry | undefined
const warnings: object[] = []

beforeAll(async () => {
  mailServer = await openSmtpTestServer()
  receiver = await openOtlpReceiver()
  const mailUrl = `smtp://127.0.0.1:${mailServer.port}?tls=off`
  fixture = await openFixture({ MAIL_URL: mailUrl, WEBHOOK_ALLOW_PRIVATE: 'true' })
  app = fixture.app
  project = fixture.project
})
beforeEach(() => {
  receiver.clear()
  receiver.answerWith(200)
  warnings.length = 0
})
afterEach(async () => {
  await telemetry?.stop()
  telemetry = undefined
})
afterAll(async () => {
  receiver.close()
  await app.close()
  await mailServer.close()
})

function start(env: Record<string, string> = {}): void {
  const settings = readSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${HEADER_VALUE}`,
    OTEL_METRICS_EXPORTER: 'none',
    ...env,
  })
  const log = { warn: (...line: object[]) => void warnings.push(line) } as Pick<Log, 'warn'>
  telemetry = startTelemetry({ settings, log, processName: 'test', stopWithinMs: 10_000 })
}

/** Everything that was recorded until now is exported when telemetry stops. */
async function exported(): Promise<ReceivedSpan[]> {
  await telemetry?.stop()
  return receiver.spans
}

const send = (to: string, headers: Record<string, string> = {}) =>
  app.request('POST', '/v1/send', {
    key: project.secretKey,
    headers,
    body: { to, from: 'hello@example.com', subject: 'A private subject', body: '<p>A private body</p>' },
  })

const payloads = async () =>
  (await app.pool.query("select payload from posthorn_queue.jobs where name = 'deliver-email'")).rows.map(
    (r) => r.payload,
  )

const named = (spans: ReceivedSpan[], name: string) => spans.filter((span) => span.name === name)

/** The names of a span and of those above it, up to the first one that is not in the export. */
function pathOf(spans: ReceivedSpan[], span: ReceivedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent ? [...pathOf(spans, parent), span.name] : [span.name]
}

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('a request, its job and the SMTP transaction are one trace, which continues that of the caller', async () => {
    start()
    expect((await send('one@example.org', { traceparent: SAMPLED })).status).toBe(200)
    await app.drain()
    const spans = (await exported()).filter(({ traceId }) => traceId === TRACE)
    const [transaction] = named(spans, 'SMTP transaction')
    expect(pathOf(spans, transaction!)).toEqual([
      'POST /v1/send',
      'job deliver-email',
      'deliver email',
      'SMTP transaction',
    ])
    expect(named(spans, 'POST /v1/send')).toMatchObject([
      {
        parentSpanId: PARENT,
        kind: 2,
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/v1/send',
          'http.response.status_code': '200',
          'posthorn.project.id': project.id,
        },
        resource: { 'service.name': 'posthorn', 'posthorn.process': 'test' },
      },
    ])
    expect(named(spans, 'job deliver-email')).toMatchObject([
      {
        kind: 5,
        attributes: {
          'posthorn.job.name': 'deliver-email',
          'posthorn.job.attempt': '1',
          'posthorn.job.outcome': 'done',
        },
      },
    ])
    expect(transaction).toMatchObject({
      kind: 3,
      attributes: {
        'server.address': '127.0.0.1',
        'server.port': String(mailServer.port),
        'smtp.reply_code': '250',
      },
    })
    expect(pathOf(spans, named(spans, 'insert-emails-with-options')[0]!)).toEqual([
      'POST /v1/send',
      'insert-emails-with-options',
    ])
    expect(pathOf(spans, named(spans, 'claim-emails')[0]!)).toEqual([
      'POST /v1/send',
      'job deliver-email',
      'deliver email',
      'claim-emails',
    ])
    expect(pathOf(spans, named(spans, 'sign message')[0]!).at(-2)).toBe('deliver email')
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
    }
  })

  it('requests that share a statement keep their own traces, down to the SMTP transaction', async () => {
    start()
    const traces = Array.from({ length: 8 }, (_, i) => TRACE.replace('0', String(i + 1)))
    await Promise.all(
      traces.map((trace, i) => send(`many-${i}@example.org`, { traceparent: `00-${trace}-${PARENT}-01` })),
    )
    await app.drain()
    const spans = await exported()
    for (const trace of traces) {
      const own = spans.filter(({ traceId }) => traceId === trace)
      expect(named(own, 'POST /v1/send')).toHaveLength(1)
      expect(pathOf(own, named(own, 'SMTP transaction')[0]!)).toHaveLength(4)
    }
    const statements = named(spans, 'insert-emails-with-options')
    expect(statements.length).toBeLessThan(traces.length)
    const shared = named(spans, 'shared work')
    const linked = shared.filter(({ links }) => links.length > 0)
    expect(linked.length).toBeGreaterThan(0)
    for (const { links } of linked) expect(shared.map(({ spanId }) => spanId)).toContain(links[0]!.spanId)
  })

  it('a trace that the caller does not record is not exported, and neither is its delivery', async () => {
    start()
    await send('unsampled@example.org', { traceparent: `00-${TRACE}-${PARENT}-00` })
    await app.drain()
    expect((await exported()).filter(({ traceId }) => traceId === TRACE)).toEqual([])
    expect(mailServer.taken.at(-1)!.recipients).toEqual(['unsampled@example.org'])
  })

  it('OTEL_TRACES_SAMPLER_ARG=0 records no trace of its own', async () => {
    start({ OTEL_TRACES_SAMPLER_ARG: '0' })
    await send('ratio@example.org')
    await app.drain()
    expect(await exported()).toEqual([])
  })

  it('a job without a trace, from a process that has none, begins its own', async () => {
    await send('untraced@example.org')
    start()
    await app.drain()
    const spans = await exported()
    const [job] = named(spans, 'job deliver-email')
    expect(job!.parentSpanId).toBeUndefined()
    expect(pathOf(spans, named(spans, 'SMTP transaction')[0]!)[0]).toBe('job deliver-email')
  })

  it('a mail server that refuses an email is recorded with its reply code, and without its words', async () => {
    mailServer.options.answerRecipient = () => '550 5.1.1 <refused@example.org> does not exist'
    start()
    await send('refused@example.org', { traceparent: SAMPLED })
    await app.drain()
    delete mailServer.options.answerRecipient
    const [transaction] = named(await exported(), 'SMTP transaction')
    expect(transaction).toMatchObject({ status: { code: 2 }, attributes: { 'smtp.reply_code': '550' } })
    expect(receiver.requests.map(({ text }) => text).join()).not.toContain('does not exist')
  })

  it('neither addresses, contents, keys nor query values are exported', async () => {
    start()
    await send('private@example.org', { traceparent: SAMPLED })
    await app.request('GET', '/contacts?email=private@example.org', { key: project.secretKey })
    await app.request('GET', '/no-such-path/private-token')
    await app.drain()
    await exported()
    const text = receiver.requests.map((request) => request.text).join('\n')
    expect(text).toContain('GET /contacts')
    for (const secret of [
      'private@example.org',
      'hello@example.com',
      'A private subject',
      'A private body',
      'private-token',
      project.secretKey,
      HEADER_VALUE,
    ]) {
      expect(text).not.toContain(secret)
    }
    expect(receiver.requests[0]!.headers['x-api-key']).toBe(HEADER_VALUE)
  })

  it('the span of a job ends even if its outcome cannot be reported', async () => {
    start()
    const job: Job = {
      id: '1',
      name: 'deliver-email',
      payload: {},
      attempts: 1,
      maxAttempts: 2,
      priority: 0,
      runAt: new Date(),
    }
    const onOutcome = () => {
      throw new Error('reporting failed')
    }
    await expect(
      perform(job, { handlers: {} as JobHandlers, failureHandlers: {}, log: undefined, onOutcome }),
    ).rejects.toThrow('reporting failed')
    expect(named(await exported(), 'job deliver-email')).toHaveLength(1)
  })

  it('a webhook carries the trace to its receiver', async () => {
    const target = await openReceiver()
    start()
    const contactId = await fixture.contact('hook@example.org')
    const workflow = await fixture.createWorkflow({ triggerType: 'MANUAL' }, [
      ['WEBHOOK', { url: `${target.url}?token=private-token` }],
    ])
    await fixture.start(workflow, contactId)
    await app.drain()
    target.close()
    const [webhook] = named(await exported(), 'webhook')
    expect(target.received[0]!.headers.traceparent).toBe(`00-${webhook!.traceId}-${webhook!.spanId}-01`)
    expect(webhook!.attributes).toMatchObject({
      'http.response.status_code': '200',
      'posthorn.step.id': workflow.ids[0],
    })
    expect(receiver.requests.map(({ text }) => text).join()).not.toContain('private-token')
  })

  it('the metrics are those of /metrics, with the same names and values', async () => {
    await send('counted@example.org')
    await app.drain()
    start({ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'otlp' })
    expect(currentSpan()).toBeUndefined()
    const { body: text } = await app.request('GET', '/metrics')
    await exported()
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/v1/metrics'])
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    expect(receiver.metrics.map(({ name }) => name).toSorted()).toEqual(names.toSorted())

    const emails = receiver.metrics.find(({ name }) => name === 'posthorn_emails_total')!
    const sent = emails.sum!.dataPoints.find(({ attributes }) => valuesOf(attributes).outcome === 'sent')!
    expect(emails.sum!.isMonotonic).toBe(true)
    expect(text).toContain(`posthorn_emails_total{outcome="sent",process="main"} ${sent.asDouble}\n`)

    const waits = receiver.metrics.find(({ name }) => name === 'posthorn_emails_queued_seconds')!
    const wait = waits.histogram!.dataPoints.find(({ attributes }) => valuesOf(attributes).priority === 'transactional')
    expect(wait!.bucketCounts).toHaveLength(wait!.explicitBounds!.length + 1)
    expect(wait!.bucketCounts!.reduce((sum, count) => sum + Number(count), 0)).toBe(Number(wait!.count))
    expect(text).toContain(
      `posthorn_emails_queued_seconds_count{priority="transactional",process="main"} ${wait!.count}\n`,
    )
  })
})

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('nothing is traced, and jobs have no trace', async () => {
    await send('off@example.org', { traceparent: SAMPLED })
    const [payload] = await payloads()
    expect(Object.keys(payload).toSorted()).toEqual(['emailId', 'projectId'])
    expect(startTrace('request', SAMPLED, {})).toBeUndefined()
    await app.drain()
    expect(mailServer.taken.at(-1)!.recipients).toEqual(['off@example.org'])
  })

  it('the exporter is not loaded: only service.ts imports it, on demand', async () => {
    const folder = path.join(import.meta.dirname, '../..')
    const files = (await readdir(folder, { recursive: true })).filter((file) =>
      /^(?!test\/|dist|node_modules).*(?<!\.test)\.ts$/.test(file),
    )
    const lines = files.map((file) => [
      file,
      readFileSync(path.join(folder, file), 'utf8').match(/.*telemetry\/.*\.ts'.*/g),
    ])
    expect(lines.filter(([, found]) => found)).toEqual([
      ['service.ts', ["    const { startTelemetry } = await import('./platform/telemetry/telemetry.ts')"]],
    ])
  })

  it('a job with a trace, from a process that has one, is run', async () => {
    start()
    await send('rolling@example.org', { traceparent: SAMPLED })
    const [payload] = await payloads()
    expect(payload.traceparent).toMatch(new RegExp(`^00-${TRACE}-`))
    await telemetry!.stop()
    await app.drain()
    expect(mailServer.taken.at(-1)!.recipients).toEqual(['rolling@example.org'])
  })
})

describe('an endpoint that fails', () => {
  const droppedFor = async (reason: string) =>
    Number(
      new RegExp(`dropped_spans_total{reason="${reason}",process="main"} (\\d+)`).exec(
        (await app.request('GET', '/metrics')).body,
      )?.[1] ?? 0,
    )

  it('changes nothing for requests and delivery, and is logged once', async () => {
    start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_METRICS_EXPORTER: 'otlp' })
    expect((await send('dead@example.org')).status).toBe(200)
    await app.drain()
    expect(mailServer.taken.at(-1)!.recipients).toEqual(['dead@example.org'])
    await telemetry!.stop()
    expect(warnings).toHaveLength(1)
    expect(JSON.stringify(warnings)).not.toContain(HEADER_VALUE)
  })

  it('and is unavailable gets the spans later, once', async () => {
    receiver.answerWith(503)
    start()
    startTrace('kept', undefined, {})!.end()
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(0)
    receiver.answerWith(200)
    expect(named(await exported(), 'kept')).toHaveLength(1)
  })

  it('and refuses spans loses them, which is counted', async () => {
    const before = await droppedFor('refused')
    receiver.answerWith(400)
    start()
    startTrace('refused', undefined, {})!.end()
    await telemetry!.stop()
    expect(await droppedFor('refused')).toBe(before + 1)
  })

  it('and rejects some spans of an accepted request loses them, which is counted', async () => {
    const before = await droppedFor('refused')
    receiver.answerWith(200, { partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } })
    start()
    for (let i = 0; i < 3; i++) startTrace('refused', undefined, {})!.end()
    await telemetry!.stop()
    expect(await droppedFor('refused')).toBe(before + 2)
  })

  it('until the service stops loses the remaining spans, which is counted', async () => {
    const before = await droppedFor('stopped')
    receiver.answerWith(503)
    start()
    for (let i = 0; i < 3; i++) startTrace('left', undefined, {})!.end()
    await telemetry!.stop()
    expect(await droppedFor('stopped')).toBe(before + 3)
  })

  it('never uses more memory than the limit: further spans are dropped and counted', async () => {
    const before = await droppedFor('queue-full')
    start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    for (let i = 0; i < 16_384 + 10; i++) startTrace('span', undefined, {})!.end()
    await telemetry!.stop()
    expect(await droppedFor('queue-full')).toBe(before + 10)
  })
})
