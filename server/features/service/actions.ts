/** The state of this installation, for people and for load balancers. */
import type { Context } from '../../context.ts'
import { isDatabaseAway } from '../../platform/database/transaction.ts'
import { queueDepth } from '../../platform/queue/depth.ts'
import { VERSION } from '../../platform/version.ts'

export const configuration = (ctx: Context) => ({
  version: VERSION,
  features: {
    signup: !ctx.settings.DISABLE_SIGNUPS,
    billing: false,
    oauth: { github: false, google: false },
    inbound: false,
    smtp: false,
    transport: ctx.mail.name,
  },
  urls: { api: ctx.baseUrl, dashboard: ctx.baseUrl },
})

export async function readiness(ctx: Context) {
  try {
    return { ready: true, database: true, queue: await queueDepth(ctx.db) }
  } catch (error) {
    if (isDatabaseAway(error)) return { ready: false, database: false, queue: null }
    throw error
  }
}
