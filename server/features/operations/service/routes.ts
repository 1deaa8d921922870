/** The state of the service: configuration, liveness, readiness and metrics. */
import { z } from 'zod'
import { CustomResponse, idOf, route } from '../../../platform/http/route.ts'
import { metricsText } from '../../../platform/metrics.ts'
import { VERSION } from '../../../platform/version.ts'
import type { WorkerProcesses } from '../../../platform/worker-processes.ts'
import type { Providers } from '../../tenants/oauth/providers.ts'
import { configuration, type Readiness, requireMetricsToken } from './actions.ts'
import { getInstallation, getSystemMessage, listSystemMail, resumeTransport } from './installation.ts'
import { Installation, Queue, SystemMailPage, SystemMailQuery, SystemMessage } from './schemas.ts'

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
  smtp: z
    .object({ host: z.string(), port: z.number(), encryption: z.enum(['starttls', 'implicit']) })
    .optional()
    .meta({ description: 'Where SMTP clients submit email. Absent if SMTP submission is off.' }),
  inbound: z
    .object({ host: z.string(), port: z.number() })
    .optional()
    .meta({ description: 'Where email for verified domains is received. Absent if receiving email is off.' }),
  urls: z.object({ api: z.string(), dashboard: z.string() }),
})

const ReadinessReply = z.object({
  ready: z.boolean(),
  database: z.boolean(),
  queue: Queue.nullable(),
  degraded: z
    .array(z.string())
    .meta({ description: 'What currently fails: no worker is running, or no email can be sent.' }),
})

/** Also served by a process with ROLE=worker. */
export const monitoringRoutes = [
  route({
    method: 'GET',
    path: '/health',
    client: 'service.health',
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
    client: 'service.ready',
    access: 'open',
    tag: 'Service',
    summary: 'Check readiness',
    replies: {
      200: { description: 'Ready.', schema: ReadinessReply },
      503: {
        description:
          'The database is not available, or no worker has run jobs for 30 seconds although this process starts workers.',
        schema: ReadinessReply,
      },
    },
    handle: async (_ctx, _input, { readiness }: { readiness: Readiness }) => {
      const state = await readiness.read()
      return new CustomResponse(state.ready ? 200 : 503, state)
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
      return new CustomResponse(200, await metricsText(await workerProcesses.metrics()), {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      })
    },
  }),
]

export const serviceRoutes = [
  route({
    method: 'GET',
    path: '/config',
    client: 'service.config',
    access: 'open',
    tag: 'Service',
    summary: 'Get features and version',
    replies: { 200: { description: 'The version and the enabled features.', schema: Configuration } },
    handle: (ctx, _input, { signInProviders }: { signInProviders: Providers }) => configuration(ctx, signInProviders),
  }),
  ...monitoringRoutes,
  route({
    method: 'GET',
    path: '/installation',
    client: 'service.installation',
    access: 'session',
    operator: true,
    tag: 'Service',
    summary: 'Get the state of the installation',
    description: 'Only for the operator: the first account, or the accounts listed in `OPERATOR_EMAILS`.',
    replies: { 200: { description: 'Version, queue, database, retention and mail transport.', schema: Installation } },
    refusals: [403],
    handle: (ctx, _input, { readiness }: { readiness: Readiness }) => getInstallation(ctx, readiness),
  }),
  route({
    method: 'POST',
    path: '/installation/transport/resume',
    client: 'service.resumeTransport',
    access: 'session',
    operator: true,
    tag: 'Service',
    summary: 'Resume sending',
    description:
      'Ends the pause after sending has failed, so that all processes send the waiting emails now. If they fail, sending is paused again. Only for the operator.',
    replies: {
      200: {
        description: 'Whether sending was paused.',
        schema: z.object({ resumed: z.boolean() }),
      },
    },
    refusals: [403],
    handle: (ctx) => resumeTransport(ctx),
  }),
  route({
    method: 'GET',
    path: '/installation/mail',
    client: 'service.systemMail.list',
    access: 'session',
    operator: true,
    tag: 'Service',
    summary: 'List captured system mail',
    description:
      'Account and notification emails that were captured instead of sent, newest first; empty unless `MAIL_URL=capture:`. Only for the operator.',
    query: SystemMailQuery,
    replies: { 200: { description: 'A page of messages.', schema: SystemMailPage } },
    refusals: [400, 403, 422],
    handle: (ctx, { query }) => listSystemMail(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/installation/mail/{id}',
    client: 'service.systemMail.get',
    access: 'session',
    operator: true,
    tag: 'Service',
    summary: 'Get a captured system message',
    description: 'Only for the operator.',
    params: { id: idOf('message') },
    replies: { 200: { description: 'The message.', schema: SystemMessage } },
    refusals: [403],
    handle: (ctx, { params }) => getSystemMessage(ctx, params.id),
  }),
]
