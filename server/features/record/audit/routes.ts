/** The audit log over HTTP. */
import { idOf, route } from '../../../platform/http/route.ts'
import { listAuditEntries } from './actions.ts'
import { AuditPage, AuditQuery } from './schemas.ts'

export const auditRoutes = [
  route({
    method: 'GET',
    path: '/projects/{id}/audit-log',
    client: 'projects.auditLog',
    replica: true,
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Projects',
    summary: 'List audit log entries',
    description:
      'Every change of the project, newest first, kept for two years. Actions by contacts are listed under activity.',
    params: { id: idOf('project') },
    query: AuditQuery,
    replies: { 200: { description: 'A page of audit log entries.', schema: AuditPage } },
    refusals: [400, 422],
    handle: (ctx, { caller, query }) => listAuditEntries(ctx, caller.projectId, query),
  }),
]
