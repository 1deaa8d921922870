/** Lists of emails. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { EMAIL_STATUSES, SOURCE_TYPES } from '../../../kernel/content/mail-content.ts'
import { badRequest, notFound } from '../../../kernel/errors.ts'
import { firstIdAt, isId } from '../../../kernel/ids.ts'
import { cursorPage, encodeCursor } from '../../../kernel/pages.ts'
import { refuseReversedRange } from '../../../kernel/time-range.ts'
import { getContact } from '../../audience/contacts/actions.ts'
import * as queries from './list-queries.ts'
import { campaignExists } from './queries.ts'
import type { EmailListQuery } from './schemas.ts'
import { showEmail, subjectOf } from './show.ts'

type EmailList = z.output<typeof EmailListQuery>

/** Received emails are found by their status, which has an index; sources have none. */
const indexed = ({ status, sourceType }: Pick<EmailList, 'status' | 'sourceType'>) =>
  sourceType === 'INBOUND' && (status ?? 'RECEIVED') === 'RECEIVED' ? { status: 'RECEIVED', sourceType: undefined } : {}

export async function listEmails(ctx: Context, projectId: string, input: EmailList) {
  const { limit, cursor, from, to, ...filter } = input
  requireOneOf('status', filter.status, EMAIL_STATUSES)
  requireOneOf('sourceType', filter.sourceType, SOURCE_TYPES)
  refuseReversedRange({ from, to })
  if (filter.contactId !== undefined) await requireContact(ctx, projectId, filter.contactId)
  if (filter.campaignId !== undefined) await requireCampaign(ctx, projectId, filter.campaignId)
  const search = filter.search || undefined
  const given = {
    ...filter,
    ...indexed(filter),
    search,
    from: from && firstIdAt(from),
    before: endOfPage(cursor, to),
    limit,
  }
  const [addressee, searchedTo] = await Promise.all([
    search && queries.findAddressee(ctx.db, projectId, search),
    queries.isSearch(given) ? queries.endOfSearch(ctx.db, projectId, given) : undefined,
  ])
  const query = { ...given, addressee, searchedTo }
  const [rows, total] = await Promise.all([
    queries.listEmails(ctx.db, projectId, query),
    cursor === undefined ? queries.countEmails(ctx.db, projectId, query) : 0,
  ])
  const subjects = new Map(await Promise.all(rows.map(async (row) => [row.id, await subjectOf(ctx, row)] as const)))
  const page = cursorPage(rows, limit, total, (row) => showEmail(row, subjects.get(row.id)!))
  return page.hasMore || addressee || !searchedTo ? page : { ...page, hasMore: true, cursor: encodeCursor(searchedTo) }
}

function requireOneOf(name: string, value: string | undefined, values: readonly string[]): void {
  if (value !== undefined && !values.includes(value)) throw badRequest(`${name} must be one of ${values.join(', ')}.`)
}

/** Ids sort by time: the first id that isn't on the page, because of its cursor or because it is after `to`. */
function endOfPage(cursor: string | undefined, to: Date | undefined): string | undefined {
  const end = to && firstIdAt(new Date(to.getTime() + 1))
  return cursor !== undefined && (end === undefined || cursor < end) ? cursor : end
}

async function requireContact(ctx: Context, projectId: string, contactId: string): Promise<void> {
  if (!isId(contactId)) throw notFound('contact', contactId)
  await getContact(ctx, projectId, contactId)
}

async function requireCampaign(ctx: Context, projectId: string, campaignId: string): Promise<void> {
  const isThere = isId(campaignId) && (await campaignExists(ctx.db, projectId, campaignId))
  if (!isThere) throw notFound('campaign', campaignId)
}
