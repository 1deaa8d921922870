/**
 * The OpenTelemetry settings. Their names come from its specification; only some of its values are supported. They are read
 * only if an endpoint is set.
 */
import { integer, oneOf, setting, text, WrongValue, webAddress } from './setting-values.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/

/** `name=value,name=value`, with percent-encoded values. */
function pairs(words: string, fits: (name: string, value: string) => boolean) {
  return (given: string): Readonly<Record<string, string>> => {
    const items = given === '' ? [] : given.split(',').filter((item) => item.trim() !== '')
    return Object.fromEntries(
      items.map((item) => {
        const at = item.indexOf('=')
        const name = item.slice(0, Math.max(at, 0)).trim()
        const value = decoded(item.slice(at + 1).trim())
        if (name === '' || value === undefined || !fits(name, value)) throw new WrongValue(words)
        return [name, value]
      }),
    )
  }
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

function endpoint(value: string): string {
  const address = webAddress(value)
  if (address !== '' && new URL(address).username !== '') {
    throw new WrongValue('an http:// or https:// URL without a username; use OTEL_EXPORTER_OTLP_HEADERS')
  }
  return address
}

function ratio(value: string): number {
  const number = Number(value)
  if (!(number >= 0 && number <= 1)) throw new WrongValue('a number from 0 to 1')
  return number
}

export const OPENTELEMETRY_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    default: '',
    takes: 'URL',
    help: 'Where traces and metrics are sent (OTLP over HTTP), such as http://localhost:4318. Empty: OpenTelemetry is off. See docs/observability.md.',
    parse: endpoint,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting({
    default: '',
    takes: 'name=value, …',
    help: 'Headers of these requests, such as an API key. Values are percent-encoded.',
    parse: pairs(
      'a list such as name=value,name=value',
      (name, value) => HEADER_NAME.test(name) && !/[^\t\x20-\x7e\x80-\xff]/.test(value),
    ),
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting({
    default: 'http/json',
    takes: 'http/json',
    help: 'Protocol of these requests. Other OpenTelemetry protocols are not supported.',
    parse: oneOf('http/json'),
  }),
  OTEL_TRACES_EXPORTER: setting({
    default: 'otlp',
    takes: 'otlp, none',
    help: 'Whether traces are sent.',
    parse: oneOf('otlp', 'none'),
  }),
  OTEL_METRICS_EXPORTER: setting({
    default: 'otlp',
    takes: 'otlp, none',
    help: 'Whether metrics are sent.',
    parse: oneOf('otlp', 'none'),
  }),
  OTEL_SERVICE_NAME: setting({ ...text, help: 'Name of the service in traces and metrics. Empty: posthorn.' }),
  OTEL_RESOURCE_ATTRIBUTES: setting({
    default: '',
    takes: 'name=value, …',
    help: 'Attributes added to all traces and metrics, such as deployment.environment.name=production.',
    parse: pairs('a list such as name=value,name=value', () => true),
  }),
  OTEL_TRACES_SAMPLER: setting({
    default: 'parentbased_traceidratio',
    takes: SAMPLERS.join(', '),
    help: 'Which traces are recorded. With parentbased, the caller decides for requests that have a traceparent.',
    parse: oneOf(...SAMPLERS),
  }),
  OTEL_TRACES_SAMPLER_ARG: setting({
    default: '1',
    takes: '0–1',
    help: 'Share of traces that are recorded, for ratio-based samplers.',
    parse: ratio,
  }),
  OTEL_METRIC_EXPORT_INTERVAL: setting({
    default: '60000',
    takes: '1000–3600000',
    help: 'How often metrics are sent, in milliseconds.',
    parse: integer(1_000, 3_600_000),
  }),
}
