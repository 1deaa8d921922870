/**
 * Where spans begin and end. Nothing is traced until a tracer is installed (platform/telemetry), which happens only if
 * OpenTelemetry is configured; without one, each function here is a single check. Attributes never contain addresses,
 * contents, tokens or the values of a query.
 */
export type Attributes = Record<string, string | number | boolean | undefined>

export interface Span {
  /** In the form of W3C Trace Context, to continue the trace in another process. */
  readonly traceparent: string
  readonly traceId: string
  /** False: nothing is recorded, and neither are the spans below it. */
  readonly isSampled: boolean
  readonly hasEnded: boolean
  set(attributes: Attributes): void
  /** Marks the span as failed. */
  fail(type: string): void
  end(): void
}

export interface SpanOptions {
  kind?: 'server' | 'client' | 'consumer'
  attributes?: Attributes
  /** Spans of other traces that this one belongs to as well. */
  links?: Span[]
}

export interface Tracer {
  /** A string is the `traceparent` of another process; an invalid one is ignored. Without a parent, a new trace begins. */
  start(name: string, parent: Span | string | undefined, options: SpanOptions): Span
  /** `work`, and everything that it waits for, has this current span, or none. */
  run<T>(span: Span | undefined, work: () => T): T
  current(): Span | undefined
}

/** A process has one tracer, as it has one registry of metrics. */
let tracer: Tracer | undefined

export function installTracer(installed: Tracer | undefined): void {
  tracer = installed
}

/** Undefined if nothing is traced, or if the current span has ended and only its timers are left. */
export function currentSpan(): Span | undefined {
  const span = tracer?.current()
  return span?.hasEnded ? undefined : span
}

/** For requests and jobs: continues a trace of another process, or begins one. Undefined if nothing is traced. */
export const startTrace = (name: string, traceparent: unknown, options: SpanOptions): Span | undefined =>
  tracer?.start(name, typeof traceparent === 'string' ? traceparent : undefined, options)

export const runInSpan = <T>(span: Span | undefined, work: () => T): T =>
  tracer && span ? tracer.run(span, work) : work()

/** A span below the current one; undefined if there is none. */
export function startSpan(name: string, options: SpanOptions): Span | undefined {
  const parent = currentSpan()
  return parent && tracer!.start(name, parent, options)
}

interface WorkOptions extends SpanOptions {
  isFailure?: (error: unknown) => boolean
}

/** Runs `work` in a span below the current one. If there is none, `work` runs without a span. */
export function withSpan<T>(
  name: string,
  { isFailure = () => true, ...options }: WorkOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options)
  if (!span) return work(undefined)
  return runInSpan(span, () => work(span))
    .catch((error) => {
      if (isFailure(error)) span.fail(errorType(error))
      throw error
    })
    .finally(() => span.end())
}

/** The code or class of an error. Its message is never recorded, because it may contain addresses or values. */
export function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code
  return typeof name === 'string' ? name : 'unknown'
}

/**
 * Work that several callers share, each with its own trace, such as one statement for many requests. It is part of the
 * trace of one caller; every other trace has a span of the same duration that links to it.
 */
export function traceShared<T>(callers: Array<Span | undefined>, work: () => Promise<T>): Promise<T> {
  if (!tracer) return work()
  const spans = [...new Set(callers)].filter((span) => span && !span.hasEnded) as Span[]
  const leader = spans.find(({ isSampled }) => isSampled) ?? spans[0]
  if (!leader || spans.length === 1) return tracer.run(leader, work)
  const attributes = { 'posthorn.batch.size': callers.length }
  const shared = tracer.start('shared work', leader, { attributes })
  const others = spans
    .filter((span) => span !== leader)
    .map((span) => tracer!.start('shared work', span, { attributes, links: [shared] }))
  return tracer.run(shared, work).finally(() => {
    for (const span of [shared, ...others]) span.end()
  })
}
