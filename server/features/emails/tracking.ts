/** Which emails are tracked, and how: links that lead over us, and a pixel at the end. */
import type { Context } from '../../context.ts'
import { insertBeforeEnd } from './footer.ts'
import { replaceLinks } from './tracking-html.ts'
import { clickUrls, openUrl } from './tracking-links.ts'

export interface TrackableEmail {
  id: string
  project_id: string
  contact_id: string | null
  source_type: string
  template_id: string | null
  content_type: string
  /** The project's setting. */
  tracking: string
}

/**
 * Campaigns, workflows and template mail, as the project wishes. The body of a /v1/send request is the caller's own
 * and stays as it is; and where there is no contact there is nobody to follow.
 */
export function isTracked(email: TrackableEmail): boolean {
  if (email.contact_id === null || (email.source_type === 'TRANSACTIONAL' && email.template_id === null)) return false
  return email.tracking === 'ENABLED' || (email.tracking === 'MARKETING_ONLY' && email.content_type !== 'TRANSACTIONAL')
}

/** Our own pages by which a reader leaves must not depend on anything; what leads over us already need not do so twice. */
const OWN_PAGES = ['/unsubscribe/', '/subscribe/', '/manage/', '/t/']

export function withTracking(
  { secrets, baseUrl }: Pick<Context, 'secrets' | 'baseUrl'>,
  email: TrackableEmail,
  html: string,
): string {
  if (!isTracked(email)) return html
  const tracked = { projectId: email.project_id, emailId: email.id }
  const urlOf = clickUrls(secrets, baseUrl, tracked)
  const known = new Map<string, string | undefined>()
  const body = replaceLinks(html, (link) => {
    if (known.has(link)) return known.get(link)
    const isOwn = link.startsWith(baseUrl) && OWN_PAGES.some((path) => link.startsWith(path, baseUrl.length))
    const url = isOwn ? undefined : urlOf(link)
    known.set(link, url)
    return url
  })
  const pixel = `<img src="${openUrl(secrets, baseUrl, tracked)}" width="1" height="1" alt="" style="display:block;border:0">`
  return insertBeforeEnd(body, pixel)
}
