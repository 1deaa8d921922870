/** Administration of one project: settings, reset, deletion, and how it is doing. */
import { Answer, type Caller, idOf, type RequestFacts, route } from '../../platform/http/route.ts'
import { changeProject, getSetupState } from './administration.ts'
import { ProjectPatch, ResetReply, ResetRequest, Security, SetupState } from './administration-schemas.ts'
import type { ProjectRemoval } from './removal.ts'
import { Project } from './schemas.ts'
import { getSecurity } from './security.ts'

const whoIs = (caller: Caller, facts: RequestFacts) => ({ actor: caller.userId ?? 'key', ip: facts.ip })

const one = { access: 'own-project', tag: 'Projects', params: { id: idOf('project') } } as const
const managed = { ...one, role: 'ADMIN' } as const

const security = (path: string) =>
  route({
    ...one,
    method: 'GET',
    path,
    summary: 'See how the mail of a project is received',
    description:
      'The last seven days decide the status once they hold 100 emails; before that, everything ever sent does. Only Permanent bounces count.',
    replies: { 200: { description: 'Rates, thresholds and what they amount to', schema: Security } },
    handle: (ctx, { caller }) => getSecurity(ctx, caller.projectId),
  })

export const administrationRoutes = (removal: ProjectRemoval) => [
  route({
    ...managed,
    method: 'PATCH',
    path: '/users/@me/projects/{id}',
    summary: 'Change the settings of a project',
    body: ProjectPatch,
    replies: { 200: { description: 'The project', schema: Project } },
    handle: (ctx, { caller, body, facts }) =>
      changeProject(ctx, caller.projectId, body, { ...whoIs(caller, facts), userId: caller.userId }),
  }),
  route({
    ...managed,
    method: 'DELETE',
    path: '/users/@me/projects/{id}',
    summary: 'Delete a project',
    description:
      'Its keys stop working and its members lose access at once; its data is removed in the background. This cannot be undone.',
    replies: { 204: { description: 'Deleted' } },
    handle: (ctx, { caller, facts }) => removal.deleteProject(ctx, caller.projectId, whoIs(caller, facts)),
  }),
  route({
    ...managed,
    method: 'POST',
    path: '/users/@me/projects/{id}/reset',
    summary: 'Empty a project',
    description:
      'Removes contacts, suppressions, events, emails, templates, campaigns, segments, workflows and uploads. Keeps the project, its keys, members and domains, its usage and limits, its reputation and its audit log. A session must confirm with the name of the project. This cannot be undone.',
    body: ResetRequest,
    replies: {
      200: { description: 'Everything is gone', schema: ResetReply },
      202: { description: 'There was a lot; the rest is removed in the background', schema: ResetReply },
    },
    handle: async (ctx, { caller, body, facts }) => {
      const who = { ...whoIs(caller, facts), isPerson: caller.userId !== undefined }
      const outcome = await removal.resetProject(ctx, caller.projectId, body?.confirm, who)
      return new Answer(outcome.complete ? 200 : 202, outcome)
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/projects/{id}/setup-state',
    summary: 'See what a new project has still to do',
    replies: { 200: { description: 'What is there', schema: SetupState } },
    handle: (ctx, { caller }) => getSetupState(ctx, caller.projectId),
  }),
  security('/projects/{id}/security'),
  security('/users/@me/projects/{id}/security'),
]
