/** Everything the service does, registered in the open: every route, job and timetable entry. */
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { forgetExpiredSessions } from './features/accounts/actions.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import { eraseContacts, foldContactCounts } from './features/contacts/actions.ts'
import { forgetOldContactJobs } from './features/contacts/contact-jobs.ts'
import { contactFieldRoutes } from './features/contacts/field-routes.ts'
import { contactJobHandlers } from './features/contacts/job-handlers.ts'
import { contactJobRoutes } from './features/contacts/job-routes.ts'
import { preferenceRoutes } from './features/contacts/preference-routes.ts'
import { contactRoutes } from './features/contacts/routes.ts'
import { suppressionRoutes } from './features/contacts/suppression-routes.ts'
import { domainRoutes } from './features/domains/routes.ts'
import { emailJobs } from './features/emails/jobs.ts'
import { emailRoutes } from './features/emails/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { forgetOldRequests } from './features/projects/actions.ts'
import { projectRoutes } from './features/projects/routes.ts'
import { serviceRoutes } from './features/service/routes.ts'
import { templateRoutes } from './features/templates/routes.ts'
import { createGate } from './gate/gate.ts'
import { makePartitions } from './platform/database/partitions.ts'
import { apiReferencePage } from './platform/http/api-reference.ts'
import { openApiDocument } from './platform/http/openapi.ts'
import { PAGE_CSP } from './platform/http/page-look.ts'
import type { Route } from './platform/http/route.ts'
import { buildServer } from './platform/http/server.ts'
import { welcomePage } from './platform/http/welcome-page.ts'
import type { JobHandlers } from './platform/queue/catalogue.ts'
import type { Timetable } from './platform/queue/timetable.ts'
import { VERSION } from './platform/version.ts'

export const routes: Route[] = [
  ...emailRoutes,
  ...eventRoutes,
  ...contactRoutes,
  ...contactFieldRoutes,
  ...contactJobRoutes,
  ...suppressionRoutes,
  ...preferenceRoutes,
  ...templateRoutes,
  ...domainRoutes,
  ...projectRoutes,
  ...accountRoutes,
  ...serviceRoutes,
]

export const jobs = (ctx: Context): JobHandlers => ({
  ...emailJobs(ctx),
  ...contactJobHandlers(ctx),
  'erase-contacts': (payload) => eraseContacts(ctx, payload),
  'make-partitions': () => makePartitions(ctx.db, ctx.clock.now()),
  'fold-contact-counts': () => foldContactCounts(ctx),
  'forget-expired': async () => {
    await forgetExpiredSessions(ctx)
    await forgetOldRequests(ctx)
    await forgetOldContactJobs(ctx)
  },
})

export const timetable: Timetable = [
  { job: 'make-partitions', every: '1 day', atStart: true },
  { job: 'fold-contact-counts', every: '1 minute' },
  { job: 'forget-bodies', every: '1 day' },
  { job: 'forget-expired', every: '1 hour' },
]

export function buildApp(ctx: Context): FastifyInstance {
  const server = buildServer(ctx, routes, createGate(ctx))
  addPages(server, ctx)
  return server
}

/** The API reference and the page at the root. Made once, when first asked for: the routes don't change while we run. */
function addPages(server: FastifyInstance, ctx: Context): void {
  const document = once(() => openApiDocument(routes, { version: VERSION, baseUrl: ctx.baseUrl }))
  const json = once(() => JSON.stringify(document()))
  const pages = {
    '/': once(() => welcomePage({ version: VERSION, baseUrl: ctx.baseUrl })),
    '/docs': once(() => apiReferencePage(document())),
  }

  server.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(json()))
  for (const [path, html] of Object.entries(pages)) {
    server.get(path, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_CSP).send(html()),
    )
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
