/** Projects of the signed-in person: their keys, settings, reset and deletion. */
import { z } from 'zod'
import { Answer, type Caller, idOf, type RequestFacts, route } from '../../platform/http/route.ts'
import { changeProject, createProject, getSetupState, listProjects, regenerateKeys } from './actions.ts'
import { deleteProject, resetProject } from './removal.ts'
import { NewProject, Project, ProjectPatch, ProjectWithKeys, ResetReply, ResetRequest, SetupState } from './schemas.ts'

const whoIs = (caller: Caller, facts: RequestFacts) => ({ actor: caller.userId ?? 'key', ip: facts.ip })

const one = { access: 'own-project', tag: 'Projects', params: { id: idOf('project') } } as const
const managed = { ...one, role: 'ADMIN' } as const

export const projectRoutes = [
  route({
    method: 'GET',
    path: '/users/@me/projects',
    access: 'session',
    tag: 'Projects',
    summary: 'List the projects you are a member of',
    replies: { 200: { description: 'Your projects, oldest first', schema: z.array(Project) } },
    handle: (ctx, { caller }) => listProjects(ctx, caller.userId!),
  }),
  route({
    method: 'POST',
    path: '/users/@me/projects',
    access: 'session',
    tag: 'Projects',
    summary: 'Create a project',
    description: 'You become its owner. The reply is the only one that shows the secret key whole.',
    body: NewProject,
    replies: { 201: { description: 'The project with its two keys', schema: ProjectWithKeys } },
    handle: (ctx, { caller, body, facts }) => createProject(ctx, caller.userId!, body, facts.ip),
  }),
  route({
    ...managed,
    method: 'POST',
    path: '/users/@me/projects/{id}/regenerate-keys',
    summary: 'Replace both keys',
    description: 'The old keys stop working at once.',
    replies: { 200: { description: 'The project with its new keys', schema: ProjectWithKeys } },
    handle: (ctx, { caller, facts }) => regenerateKeys(ctx, caller.projectId, caller.userId, facts.ip),
  }),
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
    handle: (ctx, { caller, facts }) => deleteProject(ctx, caller.projectId, whoIs(caller, facts)),
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
      const outcome = await resetProject(ctx, caller.projectId, body?.confirm, who)
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
]
