/** Projects of the signed-in user: keys, settings, reset and deletion. */
import { z } from 'zod'
import { type Caller, CustomResponse, idOf, type RequestFacts, route } from '../../../platform/http/route.ts'
import { changeProject, createProject, getSetupState, listKeys, listProjects, regenerateKeys } from './actions.ts'
import type { ProjectRemoval } from './removal.ts'
import {
  ApiKey,
  NewProject,
  Project,
  ProjectPatch,
  ProjectWithKeys,
  ResetReply,
  ResetRequest,
  SetupState,
} from './schemas.ts'

const actorOf = (caller: Caller, facts: RequestFacts) => ({ actor: caller.userId ?? 'key', ip: facts.ip })

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
    summary: 'Regenerate API keys',
    description: 'Replaces both keys. The old keys stop working immediately.',
    replies: { 200: { description: 'The project with its new API keys.', schema: ProjectWithKeys } },
    handle: (ctx, { caller, facts }) => regenerateKeys(ctx, caller.projectId, caller.userId, facts.ip),
  }),
  route({
    ...managed,
    method: 'PATCH',
    path: '/users/@me/projects/{id}',
    client: 'projects.update',
    summary: 'Update a project',
    body: ProjectPatch,
    example: { name: 'Acme', tracking: 'ENABLED' },
    replies: { 200: { description: 'The project.', schema: Project } },
    handle: (ctx, { caller, body, facts }) =>
      changeProject(ctx, caller.projectId, body, { ...actorOf(caller, facts), userId: caller.userId }),
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
    path: '/projects/{id}/keys',
    client: 'projects.keys',
    summary: 'List API keys',
    description: 'When each key was last used. The secret key itself is not returned.',
    replies: { 200: { description: 'The secret key and the public key.', schema: z.array(ApiKey) } },
    handle: (ctx, { caller }) => listKeys(ctx, caller.projectId),
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
