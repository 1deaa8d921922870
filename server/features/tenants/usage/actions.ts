/** Usage and limits of a project by calendar month (UTC), its reputation, and what happens if the reputation is bad. */
import type { Context } from '../../../context.ts'
import { billingLimitExceeded } from '../../../kernel/errors.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { enqueueNotices } from '../../record/notices/actions.ts'
import { nameInEmail } from '../../record/notices/names.ts'
import { listManagers } from '../members/actions.ts'
import { disableProject } from '../projects/actions.ts'
import * as queries from './queries.ts'
import { assessReputation, type Rates, ratesOf, THRESHOLDS } from './reputation.ts'

const HISTORY_MONTHS = 12
const DAY_MS = 24 * 3_600_000

type BySource<T> = Record<queries.UsageSource, T>

const bySource = <T>(amountFor: (source: queries.UsageSource) => T): BySource<T> =>
  Object.fromEntries(queries.USAGE_SOURCES.map((source) => [source, amountFor(source)])) as BySource<T>

/** The month `back` months before this one, as YYYY-MM. */
function monthOf(ctx: Context, back = 0): string {
  const now = ctx.clock.now()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7)
}

const firstDay = (month: string) => `${month}-01`

export async function getLimits(ctx: Context, projectId: string) {
  const month = monthOf(ctx)
  const [limits, usage] = await Promise.all([
    queries.listLimits(ctx.db, projectId),
    queries.listUsage(ctx.db, projectId, firstDay(month)),
  ])
  return bySource((source) => ({
    limit: limits.find((row) => row.source === source)?.max ?? null,
    used: usedIn(usage, month, source),
  }))
}

/** Limits that are not named are unchanged. */
export async function setLimits(
  ctx: Context,
  projectId: string,
  wanted: Partial<BySource<number | null | undefined>>,
  who: Actor,
) {
  const given = queries.USAGE_SOURCES.filter((source) => wanted[source] !== undefined)
  await transaction(ctx.db, async (tx) => {
    const known = new Map((await queries.listLimits(tx, projectId)).map(({ source, max }) => [source, max]))
    for (const source of given) {
      await queries.setLimit(tx, projectId, source, wanted[source] ?? null, firstDay(monthOf(ctx)))
    }
    const before = Object.fromEntries(given.map((source) => [source, known.get(source) ?? null]))
    const details = { ...Object.fromEntries(given.map((source) => [source, wanted[source] ?? null])), before }
    if (given.length > 0) await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'billing-limits.changed', details })
  })
  return getLimits(ctx, projectId)
}

export async function getUsage(ctx: Context, projectId: string) {
  const months = Array.from({ length: HISTORY_MONTHS }, (_, back) => monthOf(ctx, back))
  const usage = await queries.listUsage(ctx.db, projectId, firstDay(months.at(-1)!))
  const history = months.map((month) => {
    const counts = bySource((source) => usedIn(usage, month, source))
    return { month, ...counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) }
  })
  return { ...history[0]!, history }
}

const usedIn = (usage: queries.UsageRow[], month: string, source: queries.UsageSource): number =>
  usage.find((row) => row.month === month && row.source === source)?.count ?? 0

/**
 * Refuses what would exceed the limit before it starts. For sources that write their emails later: the statement that
 * writes them checks again, so this is only an early check.
 */
export async function requireWithinLimit(
  ctx: Context,
  projectId: string,
  source: queries.UsageSource,
  emails: number,
): Promise<void> {
  const { limit, used } = (await getLimits(ctx, projectId))[source]
  if (limit !== null && used + emails > limit) throw billingLimitExceeded(source, limit)
}

/** After usage was folded: updates the counter of each limit. */
export async function alignLimits(ctx: Context, projectIds: string[]): Promise<void> {
  for (const projectId of projectIds) {
    await transaction(ctx.db, (tx) => queries.alignLimits(tx, projectId, firstDay(monthOf(ctx))))
  }
}

/** Today and the six days before. */
const sevenDaysAgo = (ctx: Context) => new Date(ctx.clock.now().getTime() - 6 * DAY_MS).toISOString().slice(0, 10)

export async function getSecurity(ctx: Context, projectId: string) {
  const [{ sevenDay, allTime }, project] = await Promise.all([
    queries.findDeliveries(ctx.db, projectId, sevenDaysAgo(ctx)),
    queries.findDisabled(ctx.db, projectId),
  ])
  return {
    status: assessReputation(sevenDay, allTime),
    isDisabled: project?.disabled_at != null,
    disabledReason: project?.disabled_reason ?? null,
    sevenDay: ratesOf(sevenDay),
    allTime: ratesOf(allTime),
    thresholds: THRESHOLDS,
  }
}

/**
 * After deliveries were folded: if AUTO_DISABLE is set, disables projects with a critical rate of bounces or
 * complaints.
 */
export async function checkReputations(ctx: Context, projectIds: string[]): Promise<void> {
  if (!ctx.settings.AUTO_DISABLE) return
  for (const projectId of projectIds) {
    const { status, sevenDay, allTime } = await getSecurity(ctx, projectId)
    if (status !== 'critical') continue
    await disable(ctx, projectId, sevenDay.sent >= THRESHOLDS.minimumEmails ? sevenDay : allTime)
  }
}

async function disable(ctx: Context, projectId: string, rates: Rates): Promise<void> {
  const reason = reasonOf(rates)
  await transaction(ctx.db, async (tx) => {
    const project = await disableProject(ctx, tx, projectId, reason)
    if (!project) return
    const managers = await listManagers(tx, projectId)
    await enqueueNotices(
      ctx,
      tx,
      managers.map((to) => disabledNotice(ctx, to, project.name, reason)),
    )
    ctx.log.warn({ projectId, reason }, 'a project was disabled')
  })
}

const percent = (rate: number) => `${Number((rate * 100).toFixed(2))}%`

const reasonOf = ({ bounceRate, complaintRate }: Rates): string =>
  bounceRate >= THRESHOLDS.bounceRate.critical
    ? `${percent(bounceRate)} of its emails bounced permanently; the limit is ${percent(THRESHOLDS.bounceRate.critical)}.`
    : `${percent(complaintRate)} of its emails were reported as spam; the limit is ${percent(THRESHOLDS.complaintRate.critical)}.`

const disabledNotice = (ctx: Context, to: string, name: string, reason: string) => ({
  to,
  subject: `Posthorn has disabled ${nameInEmail('project', name)}`,
  text: `Posthorn has disabled ${nameInEmail('project', name)}: ${reason}

You can still view the project, but it can’t send email or be changed. Emails that are waiting to be sent are kept.

Find out where these addresses came from, then ask the operator of this installation to enable the project again.

${ctx.baseUrl}/app`,
})
