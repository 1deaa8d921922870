/** How the mail of a project is received, and what happens when it is received badly. */
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { enqueueNotices } from '../notices/actions.ts'
import { recordAct } from './audit.ts'
import { judge, type Rates, ratesOf, THRESHOLDS } from './reputation.ts'
import * as queries from './security-queries.ts'

const DAY_MS = 24 * 3_600_000

/** Today and the six days before it. */
const sevenDaysAgo = (ctx: Context) => new Date(ctx.clock.now().getTime() - 6 * DAY_MS).toISOString().slice(0, 10)

export async function getSecurity(ctx: Context, projectId: string) {
  const [{ sevenDay, allTime }, project] = await Promise.all([
    queries.findDeliveries(ctx.db, projectId, sevenDaysAgo(ctx)),
    queries.findDisabled(ctx.db, projectId),
  ])
  return {
    status: judge(sevenDay, allTime),
    isDisabled: project?.disabled_at != null,
    disabledReason: project?.disabled_reason ?? null,
    sevenDay: ratesOf(sevenDay),
    allTime: ratesOf(allTime),
    thresholds: THRESHOLDS,
  }
}

/** Every minute: brings the counts up to date and, where AUTO_DISABLE is set, stops projects that harm everyone's mail. */
export async function checkReputations(ctx: Context): Promise<void> {
  const worthALook = await queries.foldDeliveries(ctx.db)
  if (!ctx.settings.AUTO_DISABLE) return
  for (const projectId of worthALook) {
    const { status, sevenDay, allTime } = await getSecurity(ctx, projectId)
    if (status !== 'critical') continue
    await disable(ctx, projectId, sevenDay.sent >= THRESHOLDS.minimumEmails ? sevenDay : allTime)
  }
}

async function disable(ctx: Context, projectId: string, rates: Rates): Promise<void> {
  const reason = reasonOf(rates)
  await transaction(ctx.db, async (tx) => {
    const project = await queries.disableProject(tx, projectId, reason, ctx.clock.now())
    if (!project) return
    await recordAct(ctx, tx, { projectId, actor: 'system', act: 'project.disabled', details: { reason } })
    const managers = await queries.listManagers(tx, projectId)
    await enqueueNotices(
      ctx,
      tx,
      managers.map((to) => disabledNotice(ctx, to, project.name, reason)),
    )
    ctx.log.warn({ projectId, reason }, 'a project was disabled')
  })
}

const percent = (rate: number) => `${Number((rate * 100).toFixed(2))} %`

const reasonOf = ({ bounceRate, complaintRate }: Rates): string =>
  bounceRate >= THRESHOLDS.bounceRate.critical
    ? `${percent(bounceRate)} of its emails bounced for good; ${percent(THRESHOLDS.bounceRate.critical)} is critical.`
    : `${percent(complaintRate)} of its emails were reported as spam; ${percent(THRESHOLDS.complaintRate.critical)} is critical.`

const disabledNotice = (ctx: Context, to: string, name: string, reason: string) => ({
  to,
  subject: `The project "${name.replaceAll(/\s+/g, ' ')}" was disabled`,
  text: `Posthorn has stopped the project "${name.replaceAll(/\s+/g, ' ')}": ${reason}

It can be read, but it sends nothing and takes no changes. What waits to be sent is kept.

Find out where these addresses came from, then ask whoever runs this service to enable the project again.

${ctx.baseUrl}/app`,
})
