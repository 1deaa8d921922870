/** Past and upcoming activity of a project, and its counts. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { firstIdAt, isId, timeOfId } from '../../../kernel/ids.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import { EMAIL_COUNTS, noEmails, ratesOf } from '../../../kernel/sending/email-rates.ts'
import { type DayRange, dayOf, dayRange, refuseReversedRange } from '../../../kernel/time-range.ts'
import { getContact } from '../../audience/contacts/actions.ts'
import {
  countEvents as countKept,
  idRange,
  listEventNames,
  readDaysCount,
  readEmailDays,
} from '../../record/journal/actions.ts'
import * as queries from './queries.ts'
import type { ActivityListQuery, ActivityStatsQuery, TimelineQuery } from './schemas.ts'

export async function listActivity(ctx: Context, projectId: string, query: z.output<typeof ActivityListQuery>) {
  const { limit, cursor, types, contactId, from, to } = query
  refuseReversedRange({ from, to })
  if (contactId !== undefined) await requireContact(ctx, projectId, contactId)
  const range = { types, contactId, ...(from && { first: firstIdAt(from) }), ...(to && { end: firstIdAt(after(to)) }) }
  const end = cursor !== undefined && (range.end === undefined || cursor < range.end) ? cursor : range.end
  const [rows, total] = await Promise.all([
    queries.listFeed(ctx.db, projectId, { ...range, end }, { limit: limit + 1 }),
    cursor === undefined ? countActivity(ctx, projectId, range, { from, to }) : 0,
  ])
  return cursorPage(rows, limit, total, showActivity)
}

async function requireContact(ctx: Context, projectId: string, contactId: string): Promise<void> {
  if (!isId(contactId)) throw notFound('contact', contactId)
  await getContact(ctx, projectId, contactId)
}

const after = (at: Date) => new Date(at.getTime() + 1)

async function countActivity(
  ctx: Context,
  projectId: string,
  filter: queries.FeedFilter,
  range: { from?: Date | undefined; to?: Date | undefined },
) {
  const [events, others] = await Promise.all([
    filter.contactId === undefined
      ? countProjectEvents(ctx, projectId, filter.types, range)
      : queries.countEvents(ctx.db, projectId, filter),
    queries.countOthers(ctx.db, projectId, filter),
  ])
  return events + others
}

/** Full days use stored counts; parts of the first and last day are counted. */
async function countProjectEvents(
  ctx: Context,
  projectId: string,
  types: string[] | undefined,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): Promise<number> {
  if (!from && !to && types === undefined) return countKept(ctx, projectId, {})
  const start = from ?? new Date(0)
  const end = to ?? new Date(ctx.clock.now().getTime() + DAY_MS)
  const firstWhole = Math.ceil(start.getTime() / DAY_MS) * DAY_MS
  const endOfWhole = Math.floor(after(end).getTime() / DAY_MS) * DAY_MS
  const count = (from: number, to: number) =>
    queries.countEvents(ctx.db, projectId, { types, first: firstIdAt(new Date(from)), end: firstIdAt(new Date(to)) })
  if (firstWhole >= endOfWhole) return count(start.getTime(), after(end).getTime())
  const whole = { first: dayOf(new Date(firstWhole)), last: dayOf(new Date(endOfWhole - 1)) }
  const counts = await Promise.all([
    readDaysCount(ctx, projectId, whole, types),
    start.getTime() < firstWhole ? count(start.getTime(), firstWhole) : 0,
    after(end).getTime() > endOfWhole ? count(endOfWhole, after(end).getTime()) : 0,
  ])
  return counts.reduce((sum, part) => sum + part, 0)
}

const DAY_MS = 86_400_000

export const showActivity = (row: queries.FeedRow) => ({
  id: row.id,
  type: row.type,
  timestamp: row.at,
  contact: contactOf(row),
  metadata: row.metadata,
  email: emailOf(row),
})

const emailOf = (row: queries.FeedRow) =>
  row.email_id === null
    ? null
    : {
        id: row.email_id,
        status: row.email_status!,
        sentAt: row.sent_at,
        deliveredAt: row.delivered_at,
        openedAt: row.opened_at,
        clickedAt: row.clicked_at,
        bouncedAt: row.bounced_at,
        complainedAt: row.complained_at,
      }

const contactOf = ({ contact_id, contact_email }: { contact_id: string | null; contact_email: string | null }) =>
  contact_id && contact_email ? { id: contact_id, email: contact_email } : null

export async function listActivityTypes(ctx: Context, projectId: string) {
  const names = await listEventNames(ctx, projectId)
  return { types: [...new Set([...names, ...queries.OTHER_TYPES])].sort() }
}

const MINUTE_MS = 60_000

export async function countRecentActivity(ctx: Context, projectId: string, minutes: number) {
  const now = ctx.clock.now()
  const filter = idRange({ from: new Date(now.getTime() - minutes * MINUTE_MS) }, now)
  const [events, others] = await Promise.all([
    queries.countEvents(ctx.db, projectId, filter),
    queries.countOthers(ctx.db, projectId, filter),
  ])
  return { count: events + others, minutes }
}

export async function listUpcoming(ctx: Context, projectId: string, limit: number) {
  const rows = await queries.listUpcoming(ctx.db, projectId, limit)
  return {
    data: rows.map((row) => ({
      type: row.type,
      at: row.at,
      name: row.name,
      campaignId: row.campaign_id,
      workflowId: row.workflow_id,
      executionId: row.execution_id,
      emailId: row.email_id,
      stepId: row.step_id,
      awaitedEvent: row.awaited_event,
      contact: contactOf(row),
    })),
  }
}

export async function getActivityStats(ctx: Context, projectId: string, query: z.output<typeof ActivityStatsQuery>) {
  const days = dayRange(query, ctx.clock.now())
  const [events, emails] = await Promise.all([readDaysCount(ctx, projectId, days), sumEmailDays(ctx, projectId, days)])
  return { from: days.first, to: days.last, totals: { events, ...emails }, ...ratesOf(emails) }
}

async function sumEmailDays(ctx: Context, projectId: string, days: DayRange) {
  const sum = noEmails()
  for (const day of await readEmailDays(ctx, projectId, days)) {
    for (const name of EMAIL_COUNTS) sum[name] += day[name]
  }
  return sum
}

export async function listTimeline(
  ctx: Context,
  projectId: string,
  contactId: string,
  { limit, cursor }: z.output<typeof TimelineQuery>,
) {
  await getContact(ctx, projectId, contactId)
  const [rows, total] = await Promise.all([
    queries.listTimeline(ctx.db, projectId, contactId, cursor, limit),
    cursor === undefined ? queries.countTimeline(ctx.db, projectId, contactId) : 0,
  ])
  return cursorPage(rows, limit, total, showTimelineItem)
}

const showTimelineItem = (row: queries.TimelineRow) => ({
  id: row.id,
  kind: row.kind,
  timestamp: row.at ?? timeOfId(row.id),
  event: row.kind === 'event' ? { name: row.event_name!, emailId: row.email_id, data: row.event_data! } : null,
  email:
    row.kind === 'email'
      ? {
          id: row.id,
          subject: row.subject,
          status: row.status!,
          sourceType: row.source_type!,
          opens: row.opens!,
          clicks: row.clicks!,
          origin: originOf(row),
        }
      : null,
  import: row.kind === 'import' ? { id: row.id, createdContact: row.created! } : null,
})

const ORIGINS = { CAMPAIGN: 'campaign', WORKFLOW: 'workflow', TEST: 'test', INBOUND: 'received' } as const

/** Why an email was sent. Names are null if what they name was deleted. */
const originOf = (row: queries.TimelineRow) => ({
  type: ORIGINS[row.source_type as keyof typeof ORIGINS] ?? (row.via as 'api' | 'smtp' | 'dashboard' | null) ?? 'api',
  campaign: row.campaign_id ? { id: row.campaign_id, name: row.campaign_name } : null,
  workflow: row.workflow_id ? { id: row.workflow_id, name: row.workflow_name!, executionId: row.execution_id! } : null,
  step: row.step_id ? { id: row.step_id, name: row.step_name } : null,
  key: row.key_id ? { id: row.key_id, name: row.key_name } : null,
})
