/** The public archive of a project, for anyone. Nothing in it is tracked, and nothing in it is about a contact. */
import { z } from 'zod'
import { isId } from '../../../../kernel/ids.ts'
import { EMAIL_POLICY } from '../../../../platform/http/link-pages.ts'
import { CustomResponse, route } from '../../../../platform/http/route.ts'
import { listArchive, readArchived, readFeed } from './actions.ts'
import { archivePage, archivePolicy, atomFeed, missingPage } from './pages.ts'

const PAGES_MAX = 1_000

const open = { method: 'GET', access: 'open', limitedByNetwork: true, tag: 'Campaigns' } as const

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=60',
  'x-content-type-options': 'nosniff',
}

const missing = () =>
  new CustomResponse(404, missingPage, {
    ...HEADERS,
    'cache-control': 'no-store',
    'content-security-policy': archivePolicy({}),
  })

const MISSING = { description: 'An error page.', contentType: 'text/html' }

export const archiveRoutes = [
  route({
    ...open,
    path: '/archive/{slug}',
    summary: 'List the public campaigns of a project',
    description:
      'A page of the public campaigns that were sent, newest first. Owners and admins enable it with the project setting `archive`.',
    params: { slug: 'text' },
    query: z.object({ page: z.coerce.number().int().min(1).max(PAGES_MAX).catch(1).optional() }),
    replies: { 200: { description: 'The page.', contentType: 'text/html' }, 404: MISSING },
    handle: async (ctx, { params, query }) => {
      const listed = await listArchive(ctx, params.slug, query.page ?? 1)
      if (!listed) return missing()
      const policy = archivePolicy(listed.archive.branding)
      return new CustomResponse(200, archivePage(listed), { ...HEADERS, 'content-security-policy': policy })
    },
  }),
  route({
    ...open,
    path: '/archive/{slug}/feed.xml',
    summary: 'Get the feed of an archive',
    description: 'The 20 newest public campaigns, as an Atom feed.',
    params: { slug: 'text' },
    replies: { 200: { description: 'The feed.', contentType: 'application/atom+xml' }, 404: MISSING },
    handle: async (ctx, { params }) => {
      const feed = await readFeed(ctx, params.slug)
      if (!feed) return missing()
      return new CustomResponse(200, atomFeed(feed), {
        ...HEADERS,
        'content-type': 'application/atom+xml; charset=utf-8',
      })
    },
  }),
  route({
    ...open,
    path: '/archive/{slug}/{campaignId}',
    summary: 'View a public campaign',
    description: 'The email without any data of a contact: variables have their fallbacks. Nothing in it is tracked.',
    params: { slug: 'text', campaignId: 'text' },
    replies: { 200: { description: 'The email.', contentType: 'text/html' }, 404: MISSING },
    handle: async (ctx, { params }) => {
      const email = isId(params.campaignId) ? await readArchived(ctx, params.slug, params.campaignId) : undefined
      if (email === undefined) return missing()
      return new CustomResponse(200, email, { ...HEADERS, 'content-security-policy': EMAIL_POLICY })
    },
  }),
]
