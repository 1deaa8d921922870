/** The versions of templates and campaigns over HTTP: the same endpoints, below the path of what they belong to. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { idOf, type Route, route } from '../../../platform/http/route.ts'
import { type Actor, actorOf } from '../../record/audit/actions.ts'
import {
  ContentVersion,
  ContentVersionList,
  getVersion,
  listVersions,
  renameVersion,
  VersionChanges,
  type VersionOwner,
} from './versions.ts'

interface VersionedResource {
  resource: VersionOwner['kind']
  tag: string
  path: string
  /** The clients' noun for them. */
  client: string
  /** Another project's is not found. */
  ownerOf(ctx: Context, projectId: string, id: string): Promise<VersionOwner>
  restored: {
    schema: z.ZodType
    description: string
    refusals?: number[]
    restore(ctx: Context, projectId: string, id: string, number: string, who: Actor): Promise<unknown>
  }
}

export function versionRoutes({ resource, tag, path, client, ownerOf, restored }: VersionedResource): Route<unknown>[] {
  const all = { access: 'project', tag, params: { id: idOf(resource) } } as const
  const one = { ...all, params: { id: idOf(resource), number: 'text' } } as const
  const version = { 200: { description: 'The version.', schema: ContentVersion } }
  return [
    route({
      ...all,
      method: 'GET',
      path: `${path}/{id}/versions`,
      client: `${client}.versions`,
      summary: `List versions of a ${resource}`,
      description:
        'Newest first, without their contents. Every change to the subject, preheader, text or body adds one. The last 200 are kept; those without a name are deleted first.',
      replies: { 200: { description: 'The versions.', schema: ContentVersionList } },
      handle: async (ctx, { caller, params }) => listVersions(ctx, await ownerOf(ctx, caller.projectId, params.id)),
    }),
    route({
      ...one,
      method: 'GET',
      path: `${path}/{id}/versions/{number}`,
      client: `${client}.version`,
      summary: `Get a version of a ${resource}`,
      replies: version,
      handle: async (ctx, { caller, params }) =>
        getVersion(ctx, await ownerOf(ctx, caller.projectId, params.id), params.number),
    }),
    route({
      ...one,
      method: 'PATCH',
      path: `${path}/{id}/versions/{number}`,
      client: `${client}.nameVersion`,
      summary: `Name a version of a ${resource}`,
      body: VersionChanges,
      replies: version,
      handle: async (ctx, { caller, params, body }) =>
        renameVersion(ctx, await ownerOf(ctx, caller.projectId, params.id), params.number, body.name),
    }),
    route({
      ...one,
      method: 'POST',
      path: `${path}/{id}/versions/{number}/restore`,
      client: `${client}.restoreVersion`,
      summary: `Restore a version of a ${resource}`,
      description: restored.description,
      replies: { 200: { description: `The ${resource}.`, schema: restored.schema } },
      ...(restored.refusals && { refusals: restored.refusals }),
      handle: (ctx, { caller, params, facts }) =>
        restored.restore(ctx, caller.projectId, params.id, params.number, actorOf(caller, facts)),
    }),
  ]
}
