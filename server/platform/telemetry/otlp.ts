/** Spans and metrics in the JSON form of OTLP 1.x (https://opentelemetry.io/docs/specs/otlp/). */
import type { Attributes } from '../../kernel/tracing.ts'
import type { ProcessMetrics } from '../metrics.ts'
import { VERSION } from '../version.ts'
import type { SpanRecord } from './tracer.ts'

const SCOPE = { name: 'posthorn', version: VERSION }
const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 }
const STATUS_ERROR = 2
const CUMULATIVE = 2

/** Nanoseconds as text, because JSON numbers are too short for them. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`

function anyValue(value: string | number | boolean) {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: anyValue(value) }]))

export const spansRequest = (resource: Attributes, spans: SpanRecord[]) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: SCOPE, spans: spans.map(spanOf) }],
    },
  ],
})

const spanOf = (span: SpanRecord) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId && { parentSpanId: span.parentId }),
  name: span.name,
  kind: KINDS[span.kind ?? 'internal'],
  startTimeUnixNano: nanoseconds(span.startedAt),
  endTimeUnixNano: nanoseconds(span.endedAt),
  attributes: attributesOf(span.attributes),
  links: span.links,
  ...(span.failed && { status: { code: STATUS_ERROR } }),
})

type Metric = ProcessMetrics[number]
type Value = Metric['values'][number] & { metricName?: string }

export interface MetricTimes {
  /** When the counts began, in milliseconds since 1970. */
  since: number
  now: number
}

export function metricsRequest(resource: Attributes, metrics: ProcessMetrics, times: MetricTimes) {
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeMetrics: [{ scope: SCOPE, metrics: metrics.flatMap((metric) => metricOf(metric, times)) }],
      },
    ],
  }
}

/** The metric has the same name as in /metrics. */
function metricOf(metric: Metric, times: MetricTimes): object[] {
  const { name, help: description } = metric
  const values = metric.values as Value[]
  const type = String(metric.type)
  if (type === 'histogram') {
    const dataPoints = histogramPoints(values, name, times)
    return [{ name, description, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } }]
  }
  const dataPoints = values.filter(({ value }) => Number.isFinite(value)).map((value) => pointOf(value, times))
  if (type === 'gauge') return [{ name, description, gauge: { dataPoints } }]
  if (type !== 'counter') return []
  return [{ name, description, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } }]
}

const timesOf = ({ since, now }: MetricTimes) => ({
  startTimeUnixNano: nanoseconds(since),
  timeUnixNano: nanoseconds(now),
})

const pointOf = ({ labels, value }: Value, times: MetricTimes) => ({
  attributes: attributesOf(labels as Attributes),
  ...timesOf(times),
  asDouble: value,
})

/** Prometheus has a value for each bucket, which includes the smaller ones; OTLP has a list for each set of labels. */
function histogramPoints(values: Value[], name: string, times: MetricTimes) {
  const points = new Map<string, { labels: Attributes; bounds: number[]; counts: number[]; sum: number }>()
  for (const { labels, value, metricName } of values) {
    const { le, ...rest } = labels as Attributes
    const key = JSON.stringify(rest)
    const point = points.get(key) ?? { labels: rest, bounds: [], counts: [], sum: 0 }
    points.set(key, point)
    if (metricName === `${name}_sum`) point.sum = value
    if (metricName !== `${name}_bucket`) continue
    if (le !== '+Inf') point.bounds.push(Number(le))
    point.counts.push(value)
  }
  return [...points.values()].map(({ labels, bounds, counts, sum }) => ({
    attributes: attributesOf(labels),
    ...timesOf(times),
    count: String(counts.at(-1) ?? 0),
    sum,
    bucketCounts: counts.map((count, i) => String(count - (counts[i - 1] ?? 0))),
    explicitBounds: bounds,
  }))
}
