/** The reputation of a project over HTTP. Monthly usage and limits are part of the billing routes. */
import { ANY_SCOPE } from '../../../kernel/scopes.ts'
import { idOf, type Route, route } from '../../../platform/http/route.ts'
import { getSecurity } from './actions.ts'
import { getMe } from './me.ts'
import { Me, Security } from './schemas.ts'

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
  route({
    method: 'GET',
    path: '/me',
    client: 'apiKeys.me',
    access: 'project',
    scope: ANY_SCOPE,
    tag: 'API keys',
    summary: 'Get what a key is',
    description:
      'The project of the key that makes the request, its scopes, and the limits that apply to it. Every key can call it, except one that can only track events.',
    replies: { 200: { description: 'The project, the key and the limits.', schema: Me } },
    handle: (ctx, { caller }) => getMe(ctx, caller.projectId, caller.key),
  }),
  security('/projects/{id}/security', 'projects.security'),
  security('/users/@me/projects/{id}/security', 'projects.ownSecurity'),
]
