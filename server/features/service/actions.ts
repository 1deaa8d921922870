/** The state of this installation, for users and load balancers. */
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import { Refusal } from '../../kernel/errors.ts'
import { isDatabaseUnavailable } from '../../platform/database/transaction.ts'
import { queueDepth } from '../../platform/queue/job-table.ts'
import { hashKey } from '../../platform/secrets.ts'
import { mailHostOf } from '../../platform/smtp/open-server.ts'
import { VERSION } from '../../platform/version.ts'
import type { WorkerProcesses } from '../../platform/worker-processes.ts'
import { acceptsPayments } from '../billing/stripe.ts'
import { findTransportPause } from '../delivery/breaker.ts'
import { oauthConfig } from '../oauth/actions.ts'
import type { Providers } from '../oauth/providers.ts'

export const configuration = (ctx: Context, signInProviders: Providers) => ({
  version: VERSION,
  features: {
    signup: !ctx.settings.DISABLE_SIGNUPS,
    billing: acceptsPayments(ctx),
    oauth: oauthConfig(signInProviders),
    inbound: ctx.settings.INBOUND_SMTP_PORT > 0,
    smtp: ctx.settings.SUBMISSION_SMTP_PORT > 0,
    transport: ctx.mail.name,
  },
  ...mailServersOf(ctx),
  urls: { api: ctx.baseUrl, dashboard: ctx.baseUrl },
})

/** The SMTP servers that are turned on. */
function mailServersOf(ctx: Context) {
  const { SUBMISSION_SMTP_PORT, SUBMISSION_SMTP_TLS, INBOUND_SMTP_PORT } = ctx.settings
  const host = mailHostOf(ctx)
  return {
    ...(SUBMISSION_SMTP_PORT > 0
      ? { smtp: { host, port: SUBMISSION_SMTP_PORT, encryption: SUBMISSION_SMTP_TLS } }
      : {}),
    ...(INBOUND_SMTP_PORT > 0 ? { inbound: { host, port: INBOUND_SMTP_PORT } } : {}),
  }
}

export function requireMetricsToken({ settings }: Context, authorization: string | string[] | undefined): void {
  if (settings.METRICS_TOKEN === '') return
  // Hashed, because only equally long values can be compared in constant time.
  const isRight = timingSafeEqual(hashKey(String(authorization)), hashKey(`Bearer ${settings.METRICS_TOKEN}`))
  if (isRight) return
  throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'The metrics of this installation require a token.', {
    suggestion: 'Send METRICS_TOKEN as "Authorization: Bearer <token>".',
  })
}

export async function readiness(ctx: Context, workerProcesses: WorkerProcesses) {
  try {
    const [queue, pause] = await Promise.all([queueDepth(ctx.db), findTransportPause(ctx)])
    const degraded = [...(pause ? [pauseNote(pause)] : []), ...workerProcesses.missing().map(missingNote)]
    return { ready: true, database: true, queue, degraded }
  } catch (error) {
    if (isDatabaseUnavailable(error)) return { ready: false, database: false, queue: null, degraded: [] }
    throw error
  }
}

const missingNote = (name: string) =>
  `The process "${name}" exited unexpectedly and is being restarted. See the log for the reason.`

/** Without the reason, which could reveal host names: the endpoint is public. */
const pauseNote = ({ transport, since, until }: { transport: string; since: Date; until: Date }) =>
  `Sending through ${transport} has been failing since ${since.toISOString()}. The next attempt is at ${until.toISOString()}. See the log for the reason.`
