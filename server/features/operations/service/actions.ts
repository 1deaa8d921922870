/** The state of this installation, for users and load balancers. */
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { isDatabaseUnavailable } from '../../../platform/database/connection/transaction.ts'
import { queueDepth } from '../../../platform/queue/job-table.ts'
import { countRunningWorkers, SILENT_AFTER_MS } from '../../../platform/queue/running-workers.ts'
import { hashKey } from '../../../platform/secrets.ts'
import { mailHostOf } from '../../../platform/smtp/open-server.ts'
import { VERSION } from '../../../platform/version.ts'
import type { WorkerProcesses } from '../../../platform/worker-processes.ts'
import { findTransportPause } from '../../mail/delivery/breaker.ts'
import { acceptsPayments } from '../../tenants/billing/stripe.ts'
import { oauthConfig } from '../../tenants/oauth/actions.ts'
import type { Providers } from '../../tenants/oauth/providers.ts'

export const configuration = (ctx: Context, signInProviders: Providers) => ({
  version: VERSION,
  features: {
    signup: !ctx.settings.DISABLE_SIGNUPS,
    billing: acceptsPayments(ctx),
    oauth: oauthConfig(signInProviders),
    inbound: ctx.settings.INBOUND_SMTP_PORT > 0,
    smtp: ctx.settings.SUBMISSION_SMTP_PORT > 0,
    transport: ctx.mail.kind,
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

export type Readiness = ReturnType<typeof createReadiness>

/** Whether this process and the installation do what they should, for load balancers and operators. */
export function createReadiness(ctx: Context, workerProcesses: WorkerProcesses) {
  const startedAt = ctx.clock.now()
  const { ROLE } = ctx.settings

  /** No worker counts as missing before it had the time to start. */
  const runsSince = () => ctx.clock.now().getTime() - startedAt.getTime()

  /** A worker reports on itself; the API needs any worker. */
  async function lacksWorkers(): Promise<boolean> {
    const running = await countRunningWorkers(ctx.db, ROLE === 'worker' ? ctx.workerLock : undefined)
    return running === 0 && runsSince() > SILENT_AFTER_MS
  }

  return {
    /** The installation page shows a pause with its reason instead. */
    async read({ withPause = true } = {}) {
      try {
        const [queue, pause, isIdle] = await Promise.all([queueDepth(ctx.db), findTransportPause(ctx), lacksWorkers()])
        const degraded = [
          ...(isIdle ? [idleNotes[ROLE]] : []),
          ...(pause && withPause ? [pauseNote(ctx, pause)] : []),
          ...workerProcesses.missing().map(missingNote),
        ]
        // The API works without a worker: another machine is to run one. The other roles are to run jobs themselves.
        return { ready: !isIdle || ROLE === 'api', database: true, queue, degraded }
      } catch (error) {
        if (isDatabaseUnavailable(error)) return { ready: false, database: false, queue: null, degraded: [] }
        throw error
      }
    },
  }
}

const SILENT_SECONDS = SILENT_AFTER_MS / 1000

const idleNotes = {
  all: `No worker is running: no jobs have been run for ${SILENT_SECONDS} seconds, so no email is sent. See the log for the reason.`,
  api: `No worker is running: no jobs have been run for ${SILENT_SECONDS} seconds, so no email is sent. Start a process with ROLE=worker.`,
  worker: `This worker is not running: it has run no jobs for ${SILENT_SECONDS} seconds. See the log for the reason.`,
}

const missingNote = (name: string) =>
  `The process "${name}" exited unexpectedly and is being restarted. See the log for the reason.`

type TransportPause = NonNullable<Awaited<ReturnType<typeof findTransportPause>>>

/** Without the reason, which could reveal host names: the endpoint is public. */
function pauseNote(ctx: Context, { transport, credentialsRefused, since, until }: TransportPause): string {
  const problem = credentialsRefused
    ? `The mail server refuses the credentials (${transport}), so no email has been sent since ${since.toISOString()}. Check ${ctx.mail.credentialSettings}.`
    : `Sending through ${transport} has been failing since ${since.toISOString()}.`
  return `${problem} The next attempt is at ${until.toISOString()}. See the log for the reason.`
}
