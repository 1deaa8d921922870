/** An OTLP/HTTP receiver on loopback, in place of a collector of another company. It stores what it receives. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordOutput } from '../known-secrets.ts'

type Value = { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean }
type Attributes = Array<{ key: string; value: Value }>

interface RawSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attributes
  links: Array<{ traceId: string; spanId: string }>
  status?: { code: number }
}

export interface ReceivedSpan extends Omit<RawSpan, 'attributes'> {
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
}

interface Point {
  attributes: Attributes
  asDouble?: number
  count?: string
  sum?: number
  bucketCounts?: string[]
  explicitBounds?: number[]
}

interface Data {
  dataPoints: Point[]
}

export interface ReceivedMetric {
  name: string
  sum?: Data & { isMonotonic: boolean }
  gauge?: Data
  histogram?: Data
  resource: Record<string, unknown>
}

export const valuesOf = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

export type OtlpReceiver = Awaited<ReturnType<typeof openOtlpReceiver>>

export async function openOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const metrics: ReceivedMetric[] = []
  const requests: Array<{ path: string; headers: IncomingHttpHeaders; text: string }> = []
  let status = 200
  let answer: object = {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    recordOutput('an export to OpenTelemetry', text)
    requests.push({ path: request.url!, headers: request.headers, text })
    if (status === 200) accept(JSON.parse(text))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })

  function accept({ resourceSpans = [], resourceMetrics = [] }): void {
    for (const { resource, scopeSpans } of resourceSpans as Array<{
      resource: { attributes: Attributes }
      scopeSpans: Array<{ spans: RawSpan[] }>
    }>) {
      const attributes = valuesOf(resource.attributes)
      const received = scopeSpans.flatMap((scope) => scope.spans)
      spans.push(...received.map((span) => ({ ...span, attributes: valuesOf(span.attributes), resource: attributes })))
    }
    for (const { resource, scopeMetrics } of resourceMetrics as Array<{
      resource: { attributes: Attributes }
      scopeMetrics: Array<{ metrics: ReceivedMetric[] }>
    }>) {
      const attributes = valuesOf(resource.attributes)
      metrics.push(...scopeMetrics.flatMap((scope) => scope.metrics.map((m) => ({ ...m, resource: attributes }))))
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    requests,
    answerWith(given: number, body: object = {}) {
      status = given
      answer = body
    },
    clear() {
      spans.length = 0
      metrics.length = 0
      requests.length = 0
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
