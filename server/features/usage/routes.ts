/** How the mail of a project is received, over HTTP. Monthly usage and limits are part of billing's routes. */
import { idOf, route } from '../../platform/http/route.ts'
import { getSecurity } from './actions.ts'
import { Security } from './schemas.ts'

const security = (path: string) =>
  route({
    method: 'GET',
    path,
    access: 'own-project',
    tag: 'Projects',
    summary: 'See how the mail of a project is received',
    description:
      'The last seven days decide the status once they hold 100 emails; before that, everything ever sent does. Only Permanent bounces count.',
    params: { id: idOf('project') },
    replies: { 200: { description: 'Rates, thresholds and what they amount to', schema: Security } },
    handle: (ctx, { caller }) => getSecurity(ctx, caller.projectId),
  })

export const usageRoutes = [security('/projects/{id}/security'), security('/users/@me/projects/{id}/security')]
