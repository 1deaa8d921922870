/** Tags over HTTP. They are set through the campaigns, templates, segments and workflows that have them. */
import { z } from 'zod'
import { route } from '../../../platform/http/route.ts'
import { listTags } from './tag-queries.ts'

const count = z.number().int()

const Tag = z
  .object({ tag: z.string(), campaigns: count, templates: count, segments: count, workflows: count })
  .meta({ id: 'Tag' })

export const tagRoutes = [
  route({
    method: 'GET',
    path: '/tags',
    client: 'tags.list',
    replica: true,
    access: 'project',
    tag: 'Tags',
    summary: 'List tags',
    description: 'By name, with how many campaigns, templates, segments and workflows have each tag.',
    replies: { 200: { description: 'All tags of the project.', schema: z.array(Tag) } },
    handle: (ctx, { caller }) => listTags(ctx.db, caller.projectId),
  }),
]
