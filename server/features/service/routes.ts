/** The state of the service: configuration, liveness, readiness and metrics. */
import { z } from 'zod'
import { Answer, route } from '../../platform/http/route.ts'
import { metricsText } from '../../platform/metrics.ts'
import { VERSION } from '../../platform/version.ts'
import type { WorkerProcesses } from '../../platform/worker-processes.ts'
import type { Providers } from '../oauth/providers.ts'
import { configuration, readiness, requireMetricsToken } from './actions.ts'

const Configuration = z.object({
  version: z.string(),
  features: z.object({
    signup: z.boolean(),
    billing: z.boolean(),
    oauth: z.object({ github: z.boolean(), google: z.boolean(), oidc: z.object({ name: z.string() }).optional() }),
    inbound: z.boolean(),
    smtp: z.boolean(),
    transport: z.string(),
  }),
  urls: z.object({ api: z.string(), dashboard: z.string() }),
})

const Readiness = z.object({
  ready: z.boolean(),
  database: z.boolean(),
  queue: z
    .object({
      ready: z.number(),
      scheduled: z.number(),
      failed: z.number(),
      oldestReadySeconds: z.number(),
    })
    .nullable()
    .meta({ description: 'Jobs that are due now, due later or failed, and the age of the oldest due job.' }),
  degraded: z
    .array(z.string())
    .meta({ description: 'Components that currently fail while the rest of the service works.' }),
})

export const serviceRoutes = [
  route({
    method: 'GET',
    path: '/config',
    access: 'open',
    tag: 'Service',
    summary: 'Get features and version',
    replies: { 200: { description: 'The version and the enabled features.', schema: Configuration } },
    handle: (ctx, _input, { signInProviders }: { signInProviders: Providers }) => configuration(ctx, signInProviders),
  }),
  route({
    method: 'GET',
    path: '/health',
    access: 'open',
    tag: 'Service',
    summary: 'Check liveness',
    replies: {
      200: {
        description: 'The process is running.',
        schema: z.object({ status: z.literal('ok'), version: z.string() }),
      },
    },
    handle: () => ({ status: 'ok', version: VERSION }),
  }),
  route({
    method: 'GET',
    path: '/ready',
    access: 'open',
    tag: 'Service',
    summary: 'Check readiness',
    replies: {
      200: { description: 'Ready.', schema: Readiness },
      503: { description: 'The database or the queue is not available.', schema: Readiness },
    },
    handle: async (ctx, _input, { workerProcesses }: { workerProcesses: WorkerProcesses }) => {
      const state = await readiness(ctx, workerProcesses)
      return new Answer(state.ready ? 200 : 503, state)
    },
  }),
  route({
    method: 'GET',
    path: '/metrics',
    access: 'open',
    tag: 'Service',
    summary: 'Get Prometheus metrics',
    description: 'If `METRICS_TOKEN` is set, it is required as a bearer token.',
    replies: { 200: { description: 'Metrics in the Prometheus text format.', contentType: 'text/plain' } },
    refusals: [401],
    handle: async (ctx, { facts }, { workerProcesses }: { workerProcesses: WorkerProcesses }) => {
      requireMetricsToken(ctx, facts.headers.authorization)
      return new Answer(200, await metricsText(await workerProcesses.metrics()), {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      })
    },
  }),
]
