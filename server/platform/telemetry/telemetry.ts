/**
 * Exports traces and metrics over OTLP/HTTP. Loaded only if OTEL_EXPORTER_OTLP_ENDPOINT is set. An endpoint that is slow
 * or unavailable never delays the service: spans wait in memory up to a limit, and further ones are dropped and counted.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { pause, within } from '../../kernel/clock.ts'
import { type Attributes, installTracer } from '../../kernel/tracing.ts'
import type { Settings } from '../../settings/config.ts'
import type { Log } from '../log.ts'
import { countDroppedSpans, metricsOfThisProcess } from '../metrics.ts'
import { VERSION } from '../version.ts'
import { metricsRequest, spansRequest } from './otlp.ts'
import { createTracer, type SpanRecord } from './tracer.ts'

const SPANS_MAX = 16_384
const BATCH_MAX = 512
const SEND_EVERY_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
const RESPONSE_TIMEOUT_MS = 10_000
const WARN_EVERY_MS = 60_000
/** A shutdown has ten seconds in total. */
const STOP_WITHIN_MS = 500

export interface TelemetryOptions {
  settings: Settings
  log: Pick<Log, 'warn'>
  /** `main`, `worker`, …: processes of an installation differ by it. */
  processName: string
  /** How long `stop` may take. */
  stopWithinMs?: number
}

export interface Telemetry {
  /** Exports what is left, with a deadline. */
  stop(): Promise<void>
}

export function startTelemetry(options: TelemetryOptions): Telemetry {
  const { settings, log, processName, stopWithinMs = STOP_WITHIN_MS } = options
  const stopping = new AbortController()
  const resource = resourceOf(settings, processName)
  const post = createPost(settings, createWarning(log))
  const running: Array<{ exportNow: (signal?: AbortSignal) => Promise<unknown>; discard?: () => void }> = []

  if (settings.OTEL_TRACES_EXPORTER === 'otlp') {
    const spans = createSpanQueue((batch, signal) => post('/v1/traces', spansRequest(resource, batch), signal))
    const sampling = { sampler: settings.OTEL_TRACES_SAMPLER, ratio: settings.OTEL_TRACES_SAMPLER_ARG }
    installTracer(createTracer(sampling, spans.add))
    void repeat(spans.exportNow, SEND_EVERY_MS, stopping.signal)
    running.push(spans)
  }
  if (settings.OTEL_METRICS_EXPORTER === 'otlp') {
    const since = Date.now() - process.uptime() * 1_000
    const exportNow = async (signal?: AbortSignal) => {
      const metrics = await metricsOfThisProcess().catch(() => undefined) // such as those of a database that is closed
      if (metrics) await post('/v1/metrics', metricsRequest(resource, metrics, { since, now: Date.now() }), signal)
      return true // the next export contains the counts of this one
    }
    void repeat(exportNow, settings.OTEL_METRIC_EXPORT_INTERVAL, stopping.signal)
    running.push({ exportNow })
  }

  return {
    async stop() {
      if (stopping.signal.aborted) return
      stopping.abort()
      installTracer(undefined)
      const signal = AbortSignal.timeout(stopWithinMs)
      await within(stopWithinMs, Promise.all(running.map(({ exportNow }) => exportNow(signal))))
      for (const { discard } of running) discard?.()
    },
  }
}

function resourceOf(settings: Settings, processName: string): Attributes {
  const { OTEL_RESOURCE_ATTRIBUTES: given, OTEL_SERVICE_NAME: name } = settings
  return {
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
    'posthorn.process': processName,
    ...given,
    'service.name': name || given['service.name'] || 'posthorn',
  }
}

/** Until it is stopped. After a failure the pauses grow. */
async function repeat(work: () => Promise<boolean>, everyMs: number, signal: AbortSignal): Promise<void> {
  for (let pauseMs = everyMs; ; ) {
    try {
      await pause(pauseMs, signal)
    } catch {
      return
    }
    pauseMs = (await work().catch(() => false)) ? everyMs : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
}

interface Sent {
  /** `later`: the endpoint is unavailable, so the same request can be retried. */
  outcome: 'accepted' | 'refused' | 'later'
  /** How many spans of an accepted request were rejected. */
  refusedSpans?: number
}

function createSpanQueue(send: (batch: SpanRecord[], signal?: AbortSignal) => Promise<Sent>) {
  let waiting: SpanRecord[] = []
  let sending: Promise<boolean> | undefined

  async function sendAll(signal?: AbortSignal): Promise<boolean> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX)
      const { outcome, refusedSpans = 0 } = await send(batch, signal)
      if (outcome === 'later') return false
      waiting = waiting.slice(batch.length)
      countDroppedSpans('refused', outcome === 'refused' ? batch.length : refusedSpans)
    }
    return true
  }

  return {
    add(span: SpanRecord): void {
      if (waiting.length < SPANS_MAX) waiting.push(span)
      else countDroppedSpans('queue-full', 1)
    },
    /** True if nothing is left. One at a time, so that no batch is sent twice. */
    async exportNow(signal?: AbortSignal): Promise<boolean> {
      while (sending) await sending
      sending = sendAll(signal).finally(() => {
        sending = undefined
      })
      return sending
    },
    discard(): void {
      countDroppedSpans('stopped', waiting.length)
      waiting = []
    },
  }
}

/** Responses for which OTLP specifies a retry. */
const RETRIED = new Set([429, 502, 503, 504])

function createPost(settings: Settings, warn: (reason: string) => void) {
  const headers = { ...settings.OTEL_EXPORTER_OTLP_HEADERS, 'content-type': 'application/json' }
  return async (path: string, content: object, signal?: AbortSignal): Promise<Sent> => {
    try {
      const reply = await fetch(settings.OTEL_EXPORTER_OTLP_ENDPOINT + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(content),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(RESPONSE_TIMEOUT_MS), ...(signal ? [signal] : [])]),
      })
      const text = await reply.text() // even if it isn't needed, so that the connection can be used again
      if (reply.ok) return { outcome: 'accepted', refusedSpans: refusedSpansIn(text) }
      warn(`status ${reply.status}`)
      return { outcome: RETRIED.has(reply.status) ? 'later' : 'refused' }
    } catch (error) {
      const { cause, name } = error as { cause?: { code?: string }; name: string }
      warn(cause?.code ?? name)
      return { outcome: 'later' }
    }
  }
}

/** An endpoint can accept a request and refuse some of its spans. The number is text in JSON, because it has 64 bits. */
function refusedSpansIn(response: string): number {
  try {
    return Math.max(0, Number(JSON.parse(response).partialSuccess?.rejectedSpans)) || 0
  } catch {
    return 0 // some endpoints respond with an empty body
  }
}

/** At most one line per minute, and never with the endpoint or a header. */
function createWarning(log: Pick<Log, 'warn'>): (reason: string) => void {
  let warnedAt = Number.NEGATIVE_INFINITY
  return (reason) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn({ reason }, 'traces or metrics could not be exported to OTEL_EXPORTER_OTLP_ENDPOINT')
  }
}
