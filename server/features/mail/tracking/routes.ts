/** The URLs of the pixel and the links of a tracked email. No cookies, nothing cached, and no referrer. */
import { html } from '../../../platform/http/html.ts'
import { PAGE_CSP, page } from '../../../platform/http/page-look.ts'
import { CustomResponse, route } from '../../../platform/http/route.ts'
import type { Tracking } from './actions.ts'

/** One transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const HEADERS = {
  'cache-control': 'no-store, private, max-age=0',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
}

const unknownLink = page(
  'This link doesn’t work',
  html`<main class="welcome"><h1>This link doesn’t work</h1>
<p>It may be incomplete. Open the email again and click the link in it.</p></main>`,
  { hidden: true },
)

export const trackingRoutes = [
  route({
    method: 'GET',
    path: '/t/o/{token}',
    access: 'open',
    tag: 'Tracking',
    summary: 'Load a tracking pixel',
    description:
      'Always returns an image. The first load counts as an open; loads by scanners and prefetchers do not count.',
    params: { token: 'text' },
    replies: { 200: { description: 'A transparent pixel.', contentType: 'image/gif' } },
    handle: async (_ctx, { params, facts }, { tracking }: { tracking: Tracking }) => {
      await tracking.handleOpen(params.token, facts)
      return new CustomResponse(200, PIXEL, { ...HEADERS, 'content-type': 'image/gif' })
    },
  }),
  route({
    method: 'GET',
    path: '/t/c/{token}',
    access: 'open',
    tag: 'Tracking',
    summary: 'Follow a tracked link',
    description: 'Redirects only to the URL in the email, which is part of the signed token.',
    params: { token: 'text' },
    replies: {
      302: { description: "Redirects to the link's URL." },
      404: { description: 'An error page: the link is invalid.', contentType: 'text/html' },
    },
    handle: async (_ctx, { params, facts }, { tracking }: { tracking: Tracking }) => {
      const link = await tracking.handleClick(params.token, facts)
      if (link !== undefined) return new CustomResponse(302, undefined, { ...HEADERS, location: link })
      return new CustomResponse(404, unknownLink, {
        ...HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': PAGE_CSP,
      })
    },
  }),
]
