/** The public archive of a project: its list, a campaign without any data of a contact, and its feed. */
import type { Context } from '../../../../context.ts'
import { cleanSubject } from '../../../../platform/mime/mime.ts'
import { templateScope } from '../../../../platform/rendering/template.ts'
import { TemplateError } from '../../../../platform/rendering/template-error.ts'
import { NO_LINKS } from '../../../audience/preferences/actions.ts'
import { withPreheader } from '../../../content/composing/additions.ts'
import * as queries from './queries.ts'

const PAGE_SIZE = 50
const FEED_SIZE = 20

export interface ArchivedCampaign {
  id: string
  subject: string
  preheader: string
  sentAt: Date
  url: string
}

/** One more than a page has shows whether there is another. */
export async function listArchive(ctx: Context, slug: string, page: number) {
  const archive = await queries.findArchive(ctx.db, slug)
  if (!archive) return undefined
  const window = { limit: PAGE_SIZE + 1, offset: (page - 1) * PAGE_SIZE }
  const rows = await queries.listPublic(ctx.db, archive.project_id, window)
  const campaigns = await showAll(ctx, archive, rows.slice(0, PAGE_SIZE))
  return { archive, campaigns, page, hasMore: rows.length > PAGE_SIZE }
}

export async function readFeed(ctx: Context, slug: string) {
  const archive = await queries.findArchive(ctx.db, slug)
  if (!archive) return undefined
  const rows = await queries.listPublic(ctx.db, archive.project_id, { limit: FEED_SIZE, offset: 0 })
  return { archive, url: urlOf(ctx, archive), campaigns: await showAll(ctx, archive, rows) }
}

/** The HTML of the email. Its links are those that the author wrote, and nothing in it is tracked. */
export async function readArchived(ctx: Context, slug: string, id: string): Promise<string | undefined> {
  const archive = await queries.findArchive(ctx.db, slug)
  const campaign = archive && (await queries.findPublic(ctx.db, archive.project_id, id))
  if (!campaign) return undefined
  const body = withPreheader(campaign.body, campaign.preheader)
  return render(ctx, archive, campaign, body, true)
}

const urlOf = (ctx: Context, { slug }: queries.Archive): string => `${ctx.baseUrl}/archive/${slug}`

const showAll = (
  ctx: Context,
  archive: queries.Archive,
  rows: Array<Omit<queries.PublicCampaign, 'body'>>,
): Promise<ArchivedCampaign[]> =>
  Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      subject: cleanSubject((await render(ctx, archive, row, row.subject, false)) ?? ''),
      preheader: cleanSubject((await render(ctx, archive, row, row.preheader ?? '', false)) ?? ''),
      sentAt: row.sent_at,
      url: `${urlOf(ctx, archive)}/${row.id}`,
    })),
  )

/** Without a contact, variables have their fallbacks. Undefined if a template requires a value that is missing. */
async function render(
  ctx: Context,
  archive: queries.Archive,
  { id, sent_at, data: contentData }: Pick<queries.PublicCampaign, 'id' | 'sent_at' | 'data'>,
  source: string,
  isHtml: boolean,
): Promise<string | undefined> {
  const links = { ...NO_LINKS, viewInBrowserUrl: `${urlOf(ctx, archive)}/${id}` }
  const scope = templateScope({ contentData, requestData: {}, contactData: {}, contact: { id: '', email: '' }, links })
  try {
    return await ctx.renderer.render(archive.project_id, source, scope, { escape: isHtml, now: sent_at })
  } catch (error) {
    if (error instanceof TemplateError) return undefined
    throw error
  }
}
