/** The state of this installation, for people and for load balancers. */
import type { Context } from '../../context.ts'
import { isDatabaseAway } from '../../platform/database/transaction.ts'
import { queueDepth } from '../../platform/queue/job-table.ts'
import { VERSION } from '../../platform/version.ts'
import { takesPayments } from '../billing/stripe.ts'
import { findTransportPause } from '../delivery/pace.ts'
import { oauthConfig } from '../oauth/actions.ts'

export const configuration = (ctx: Context) => ({
  version: VERSION,
  features: {
    signup: !ctx.settings.DISABLE_SIGNUPS,
    billing: takesPayments(ctx),
    oauth: oauthConfig(ctx.signInProviders),
    inbound: ctx.settings.INBOUND_SMTP_PORT > 0,
    smtp: ctx.settings.SUBMISSION_SMTP_PORT > 0,
    transport: ctx.mail.name,
  },
  urls: { api: ctx.baseUrl, dashboard: ctx.baseUrl },
})

export async function readiness(ctx: Context) {
  try {
    const [queue, pause] = await Promise.all([queueDepth(ctx.db), findTransportPause(ctx)])
    return { ready: true, database: true, queue, degraded: pause ? [pauseNote(pause)] : [] }
  } catch (error) {
    if (isDatabaseAway(error)) return { ready: false, database: false, queue: null, degraded: [] }
    throw error
  }
}

/** Without the reason, which may name machines: anybody may ask. */
const pauseNote = ({ transport, since, until }: { transport: string; since: Date; until: Date }) =>
  `Mail cannot leave by ${transport} since ${since.toISOString()}; the next try is at ${until.toISOString()}. The log says why.`
