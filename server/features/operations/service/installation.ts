/** The installation as its operator sees it: health, retention, settings and captured system mail. */
import PostalMime from 'postal-mime'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import { countRunningWorkers } from '../../../platform/queue/running-workers.ts'
import { VERSION } from '../../../platform/version.ts'
import { findTransportPause, resumeSending } from '../../mail/delivery/breaker.ts'
import { getRetention } from '../retention/actions.ts'
import type { Readiness } from './actions.ts'
import * as queries from './queries.ts'

export async function getInstallation(ctx: Context, readiness: Readiness) {
  const { settings } = ctx
  const [state, runningWorkers, database, retention, pause, quota] = await Promise.all([
    readiness.read({ withPause: false }),
    countRunningWorkers(ctx.db),
    queries.readDatabaseFacts(ctx.db),
    getRetention(ctx),
    findTransportPause(ctx),
    ctx.mail.quota?.().catch(() => undefined),
  ])
  return {
    version: VERSION,
    node: process.versions.node,
    uptimeSeconds: Math.floor(process.uptime()),
    role: settings.ROLE,
    workers: settings.WORKERS,
    runningWorkers,
    degraded: state.degraded,
    warnings: settingsWarnings(ctx),
    queue: state.queue,
    database: { ...database, embedded: settings.DATABASE_URL === '' },
    retention,
    mail: {
      transport: ctx.mail.kind,
      systemFrom: settings.SYSTEM_FROM,
      pause: pause ?? null,
      quota: quota ?? null,
      sendRatePerSecond: settings.SEND_RATE_PER_SECOND || null,
    },
    signUp: !settings.DISABLE_SIGNUPS,
    baseUrl: ctx.baseUrl,
  }
}

/** Settings that work but leave something open, each with what to do. Also logged at the start. */
export const settingsWarnings = ({ mail, settings }: Pick<Context, 'mail' | 'settings'>): string[] =>
  mail.capabilities.receivesReports && settings.SNS_TOPIC_ARNS.length === 0
    ? [
        'SNS_TOPIC_ARNS is empty, so anyone with an AWS account can report bounces and complaints about email that is sent through SES. Set it to the ARN of your SNS topic.',
      ]
    : []

/** For all processes. If sending still fails, it is paused again. */
export async function resumeTransport(ctx: Context): Promise<{ resumed: boolean }> {
  const resumed = await resumeSending(ctx)
  if (resumed) ctx.log.info('sending was resumed by the operator')
  return { resumed }
}

export async function listSystemMail(ctx: Context, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
  const [rows, total] = await Promise.all([
    queries.listSystemMail(ctx.db, { before: cursor, limit }),
    cursor === undefined ? queries.countSystemMail(ctx.db) : 0,
  ])
  const subjects = new Map(
    await Promise.all(rows.map(async (row) => [row.id, (await parsed(ctx, row)).subject ?? ''] as const)),
  )
  return cursorPage(rows, limit, total, (row) => showMessage(row, subjects.get(row.id)!))
}

export async function getSystemMessage(ctx: Context, id: string) {
  const row = isId(id) ? await queries.findSystemMessage(ctx.db, id) : undefined
  if (!row) throw notFound('message', id)
  const { subject = '', html = '', text = '' } = await parsed(ctx, row)
  return { ...showMessage(row, subject), html, text }
}

const parsed = (ctx: Context, { id, raw, encrypted }: queries.SystemMessage) =>
  PostalMime.parse(encrypted ? ctx.secrets.decryptContent(id, raw) : raw)

const showMessage = ({ id, recipients, created_at }: queries.SystemMessage, subject: string) => ({
  id,
  to: recipients.join(', '),
  subject,
  createdAt: created_at,
})
