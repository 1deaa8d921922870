/** Projects of the signed-in person, and the keys of one. */
import { z } from 'zod'
import { idOf, route } from '../../platform/http/route.ts'
import { createProject, listProjects, regenerateKeys } from './actions.ts'
import { NewProject, Project, ProjectWithKeys } from './schemas.ts'

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
    method: 'POST',
    path: '/users/@me/projects/{id}/regenerate-keys',
    access: 'own-project',
    role: 'ADMIN',
    tag: 'Projects',
    summary: 'Replace both keys',
    description: 'The old keys stop working at once.',
    params: { id: idOf('project') },
    replies: { 200: { description: 'The project with its new keys', schema: ProjectWithKeys } },
    handle: (ctx, { caller, facts }) => regenerateKeys(ctx, caller.projectId, caller.userId, facts.ip),
  }),
]
