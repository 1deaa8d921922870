/**
 * Spans and their contexts. The current span follows the promises of its work. Whether a trace is recorded is decided
 * once, by the process in which it begins, and travels with its `traceparent`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Attributes, Span, SpanOptions, Tracer } from '../../kernel/tracing.ts'

/** A span that has ended. */
export interface SpanRecord {
  traceId: string
  spanId: string
  parentId: string | undefined
  name: string
  kind: SpanOptions['kind']
  attributes: Attributes
  links: ReadonlyArray<{ traceId: string; spanId: string }>
  failed: boolean
  /** In milliseconds since 1970. */
  startedAt: number
  endedAt: number
}

export interface Sampling {
  /** By the names of the specification: `always_on`, `parentbased_traceidratio`, … */
  sampler: string
  /** The share of traces that ratio-based samplers keep, from 0 to 1. */
  ratio: number
}

interface ParentContext {
  traceId: string
  spanId: string
  isSampled: boolean
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/
/** Later versions may append fields; this one has none. */
const VERSION_0_LENGTH = 55

/** Undefined if it isn't valid. */
export function parseTraceparent(text: string): ParentContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? []
  if (!flags || (text.startsWith('00') && text.length !== VERSION_0_LENGTH)) return undefined
  return { traceId: traceId!, spanId: spanId!, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** By the random end of the trace ID, so that all processes decide alike. */
const RATIO_DIGITS = 13
const isInRatio = (traceId: string, ratio: number) =>
  Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) < ratio * 16 ** RATIO_DIGITS

function decide({ sampler, ratio }: Sampling, traceId: string, parent: ParentContext | undefined): boolean {
  if (parent && sampler.startsWith('parentbased')) return parent.isSampled
  if (sampler.endsWith('always_on')) return true
  return sampler.endsWith('traceidratio') && isInRatio(traceId, ratio)
}

export function createTracer(sampling: Sampling, onEnd: (span: SpanRecord) => void): Tracer {
  const storage = new AsyncLocalStorage<Span | undefined>()
  const recorder = { now: createPreciseClock(), onEnd }
  return {
    start(name, parent, options) {
      const given = typeof parent === 'string' ? parseTraceparent(parent) : (parent as TracedSpan | undefined)
      const traceId = given?.traceId ?? randomBytes(16).toString('hex')
      // Within a process, spans have the decision of the first one.
      const isSampled = given instanceof TracedSpan ? given.isSampled : decide(sampling, traceId, given)
      return new TracedSpan(name, { traceId, parentId: given?.spanId, isSampled }, options, recorder)
    },
    run: (span, work) => storage.run(span, work),
    current: () => storage.getStore(),
  }
}

interface Recorder {
  /** In milliseconds since 1970, with fractions. */
  now(): number
  onEnd(span: SpanRecord): void
}

class TracedSpan implements Span {
  readonly traceId: string
  readonly spanId = randomBytes(8).toString('hex')
  readonly isSampled: boolean
  hasEnded = false
  readonly #record: SpanRecord | undefined
  readonly #recorder: Recorder

  constructor(
    name: string,
    { traceId, parentId, isSampled }: { traceId: string; parentId: string | undefined; isSampled: boolean },
    { kind, attributes, links = [] }: SpanOptions,
    recorder: Recorder,
  ) {
    this.traceId = traceId
    this.isSampled = isSampled
    this.#recorder = recorder
    if (!isSampled) return
    const linked = links.map((span) => ({ traceId: span.traceId, spanId: (span as TracedSpan).spanId }))
    const startedAt = recorder.now()
    this.#record = {
      traceId,
      spanId: this.spanId,
      parentId,
      name,
      kind,
      attributes: { ...attributes },
      links: linked,
      failed: false,
      startedAt,
      endedAt: startedAt,
    }
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-${this.isSampled ? '01' : '00'}`
  }

  set(attributes: Attributes): void {
    if (this.#record) Object.assign(this.#record.attributes, attributes)
  }

  fail(type: string): void {
    if (!this.#record) return
    this.#record.failed = true
    this.#record.attributes['error.type'] = type
  }

  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    if (!this.#record) return
    this.#record.endedAt = this.#recorder.now()
    this.#recorder.onEnd(this.#record)
  }
}

/** The clock of the machine can be changed while the process runs, so it is read again every minute. */
const CLOCK_LASTS_MS = 60_000

/** Finer than milliseconds, so that spans that begin within one are shown in their order. */
function createPreciseClock(): () => number {
  let offset = 0
  let until = 0
  return () => {
    const now = performance.now()
    if (now >= until) {
      offset = Date.now() - now
      until = now + CLOCK_LASTS_MS
    }
    return offset + now
  }
}
