/** What the service says about itself. */
import { z } from 'zod'
import { Answer, route } from '../../platform/http/route.ts'
import { metricsText } from '../../platform/metrics.ts'
import { VERSION } from '../../platform/version.ts'
import type { Providers } from '../oauth/providers.ts'
import { configuration, readiness } from './actions.ts'

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
    .meta({ description: 'Jobs due now, due later, given up, and how long the oldest has been due.' }),
  degraded: z.array(z.string()).meta({ description: 'What does not work as it should while the rest does, in words.' }),
})

export const serviceRoutes = [
  route({
    method: 'GET',
    path: '/config',
    access: 'open',
    tag: 'Service',
    summary: 'Which features this installation has',
    replies: { 200: { description: 'Version and features', schema: Configuration } },
    handle: (ctx, _input, { signInProviders }: { signInProviders: Providers }) => configuration(ctx, signInProviders),
  }),
  route({
    method: 'GET',
    path: '/health',
    access: 'open',
    tag: 'Service',
    summary: 'The process lives',
    replies: { 200: { description: 'It does', schema: z.object({ status: z.literal('ok'), version: z.string() }) } },
    handle: () => ({ status: 'ok', version: VERSION }),
  }),
  route({
    method: 'GET',
    path: '/ready',
    access: 'open',
    tag: 'Service',
    summary: 'The process can serve: database and queue answer',
    replies: {
      200: { description: 'Ready', schema: Readiness },
      503: { description: 'Not ready', schema: Readiness },
    },
    handle: async (ctx) => {
      const state = await readiness(ctx)
      return new Answer(state.ready ? 200 : 503, state)
    },
  }),
  route({
    method: 'GET',
    path: '/metrics',
    access: 'open',
    tag: 'Service',
    summary: 'Metrics for Prometheus',
    replies: { 200: { description: 'Text in the Prometheus format', contentType: 'text/plain' } },
    handle: async () =>
      new Answer(200, await metricsText(), { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  }),
]
