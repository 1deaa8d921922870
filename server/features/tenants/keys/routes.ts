/** API keys over HTTP. Every member can list them; admins, the owner, the secret key and keys with full access manage them. */
import { z } from 'zod'
import { idOf, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import { changeApiKey, createApiKey, deleteApiKey, listApiKeys, rotateApiKey } from './actions.ts'
import { listProjectKeys } from './project-keys.ts'
import {
  ApiKey,
  ApiKeyChanges,
  ApiKeyPage,
  ApiKeyQuery,
  CreatedApiKey,
  NewApiKey,
  ProjectKey,
  Rotation,
} from './schemas.ts'

const keys = { access: 'project', tag: 'API keys' } as const
const managed = { ...keys, role: 'ADMIN', scope: 'full' } as const
const one = { ...managed, params: { id: idOf('API key') } } as const

export const keyRoutes = [
  route({
    ...keys,
    method: 'GET',
    path: '/api-keys',
    client: 'apiKeys.list',
    summary: 'List API keys',
    description:
      'Newest first, without the keys themselves. The public and the secret key of the project are not included.',
    query: ApiKeyQuery,
    replies: { 200: { description: 'A page of API keys.', schema: ApiKeyPage } },
    handle: (ctx, { caller, query }) => listApiKeys(ctx, caller.projectId, query),
  }),
  route({
    ...managed,
    method: 'POST',
    path: '/api-keys',
    client: 'apiKeys.create',
    summary: 'Create an API key',
    description:
      'This is the only response that contains the key. An API key can only create keys with the same or fewer scopes, the same or an earlier expiry and the same or fewer addresses. 409 if the project has 100 keys.',
    strict: true,
    body: NewApiKey,
    example: { name: 'Web shop', scopes: ['send', 'contacts:write'], allowedIps: ['203.0.113.0/24'] },
    replies: { 201: { description: 'The API key, with the key itself.', schema: CreatedApiKey } },
    refusals: [409],
    handle: (ctx, { caller, body, facts }) => createApiKey(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/api-keys/{id}',
    client: 'apiKeys.update',
    summary: 'Update an API key',
    description:
      'Applies from the next request on. An expired key works again with a later `expiresAt`, or without one.',
    strict: true,
    body: ApiKeyChanges,
    example: { scopes: ['send'], expiresAt: null },
    replies: { 200: { description: 'The API key.', schema: ApiKey } },
    handle: (ctx, { caller, params, body, facts }) =>
      changeApiKey(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/api-keys/{id}/rotate',
    client: 'apiKeys.rotate',
    summary: 'Rotate an API key',
    description:
      'Returns a new key. The old one works for `overlapHours` more, so that you can replace it without an interruption. 409 if the key has expired.',
    strict: true,
    body: Rotation,
    example: { overlapHours: 24 },
    replies: { 200: { description: 'The API key, with the new key itself.', schema: CreatedApiKey } },
    refusals: [409],
    handle: (ctx, { caller, params, body, facts }) =>
      rotateApiKey(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/api-keys/{id}',
    client: 'apiKeys.delete',
    summary: 'Delete an API key',
    description: 'It stops working immediately, and so do the keys that it replaced.',
    replies: { 204: { description: 'Deleted.' } },
    handle: (ctx, { caller, params, facts }) => deleteApiKey(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    access: 'own-project',
    tag: 'Projects',
    method: 'GET',
    path: '/projects/{id}/keys',
    client: 'projects.keys',
    summary: 'Get the project keys',
    description: 'When the public and the secret key were last used. The secret key itself is not returned.',
    params: { id: idOf('project') },
    replies: { 200: { description: 'The secret key and the public key.', schema: z.array(ProjectKey) } },
    handle: (ctx, { caller }) => listProjectKeys(ctx, caller.projectId),
  }),
]
