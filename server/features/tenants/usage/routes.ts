/** The reputation of a project over HTTP. Monthly usage and limits are part of the billing routes. */
import { idOf, type Route, route } from '../../../platform/http/route.ts'
import { getSecurity } from './actions.ts'
import { Security } from './schemas.ts'

const security = (path: string, client: Route['client']) =>
  route({
    method: 'GET',
    path,
    client,
    access: 'own-project',
    tag: 'Projects',
    summary: 'Get sending reputation',
    description:
      'The status is based on the last seven days if they contain at least 100 emails, and on all emails otherwise. Only permanent bounces count.',
    params: { id: idOf('project') },
    replies: { 200: { description: 'Rates, thresholds and the resulting status.', schema: Security } },
    handle: (ctx, { caller }) => getSecurity(ctx, caller.projectId),
  })

export const usageRoutes = [
  security('/projects/{id}/security', 'projects.security'),
  security('/users/@me/projects/{id}/security', 'projects.ownSecurity'),
]
