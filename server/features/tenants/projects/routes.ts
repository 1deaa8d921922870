/** Projects of the signed-in user: keys, settings, reset and deletion. */
import { z } from 'zod'
import { CustomResponse, idOf, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import { changeProject, createProject, getSetupState, listProjects, regenerateKeys } from './actions.ts'
import type { ProjectRemoval } from './removal.ts'
import { NewProject, Project, ProjectPatch, ProjectWithKeys, ResetReply, ResetRequest, SetupState } from './schemas.ts'

const one = { access: 'own-project', tag: 'Projects', params: { id: idOf('project') } } as const
const managed = { ...one, role: 'ADMIN' } as const

export const projectRoutes = (removal: ProjectRemoval) => [
  route({
    method: 'GET',
    path: '/users/@me/projects',
    client: 'projects.list',
    access: 'session',
    tag: 'Projects',
    summary: 'List your projects',
    replies: { 200: { description: 'Projects you are a member of, oldest first.', schema: z.array(Project) } },
    handle: (ctx, { caller }) => listProjects(ctx, caller.userId!),
  }),
  route({
    method: 'POST',
    path: '/users/@me/projects',
    client: 'projects.create',
    access: 'session',
    tag: 'Projects',
    summary: 'Create a project',
    description: 'You become its owner. This is the only response that contains the full secret key.',
    body: NewProject,
    example: { name: 'Acme' },
    replies: { 201: { description: 'The project with its API keys.', schema: ProjectWithKeys } },
    handle: (ctx, { caller, body, facts }) => createProject(ctx, caller.userId!, body, facts.ip),
  }),
  route({
    ...managed,
    method: 'POST',
    path: '/users/@me/projects/{id}/regenerate-keys',
    client: 'projects.regenerateKeys',
    scope: 'full',
    summary: 'Regenerate the project keys',
    description:
      'Replaces the public and the secret key. The old ones stop working immediately. The keys of `/api-keys` stay as they are. An API key that expires or is limited to addresses is refused.',
    replies: { 200: { description: 'The project with its new API keys.', schema: ProjectWithKeys } },
    handle: (ctx, { caller, facts }) => regenerateKeys(ctx, caller.projectId, actorOf(caller, facts)),
  }),
  route({
    ...managed,
    method: 'PATCH',
    path: '/users/@me/projects/{id}',
    client: 'projects.update',
    summary: 'Update a project',
    description: 'Changes the settings that are named; null clears one.',
    strict: true,
    body: ProjectPatch,
    example: { name: 'Acme', tracking: 'ENABLED' },
    replies: { 200: { description: 'The project.', schema: Project } },
    ifMatch: true,
    handle: (ctx, { caller, body, facts }) =>
      changeProject(ctx, caller.projectId, body, actorOf(caller, facts), facts.ifMatch),
  }),
  route({
    ...managed,
    method: 'DELETE',
    path: '/users/@me/projects/{id}',
    client: 'projects.delete',
    summary: 'Delete a project',
    description:
      "Its API keys stop working and its members lose access immediately. Its data is deleted in the background. This can't be undone.",
    replies: { 204: { description: 'Deleted.' } },
    handle: (ctx, { caller, facts }) => removal.deleteProject(ctx, caller.projectId, actorOf(caller, facts)),
  }),
  route({
    ...managed,
    method: 'POST',
    path: '/users/@me/projects/{id}/reset',
    client: 'projects.reset',
    summary: 'Reset a project',
    description:
      "Deletes contacts, suppressions, events, emails, templates, campaigns, segments, workflows and uploads. Keeps the project, its API keys, members and domains, its usage and limits, its reputation and its audit log. With a session, the request must confirm the name of the project. This can't be undone.",
    body: ResetRequest,
    example: { confirm: 'Acme' },
    replies: {
      200: { description: 'All data was deleted.', schema: ResetReply },
      202: { description: 'The remaining data is being deleted in the background.', schema: ResetReply },
    },
    handle: async (ctx, { caller, body, facts }) => {
      const who = { ...actorOf(caller, facts), isPerson: caller.userId !== undefined }
      const outcome = await removal.resetProject(ctx, caller.projectId, body?.confirm, who)
      return new CustomResponse(outcome.complete ? 200 : 202, outcome)
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/projects/{id}/setup-state',
    client: 'projects.setupState',
    summary: 'Get setup progress',
    replies: { 200: { description: 'Which setup steps are complete.', schema: SetupState } },
    handle: (ctx, { caller }) => getSetupState(ctx, caller.projectId),
  }),
]
