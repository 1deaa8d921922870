/**
 * The secret that signs a project's webhooks. It is created when it is first needed. After a rotation both the new and
 * the previous secret sign for a day, so receivers can change over without rejecting requests.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Database, Tx } from '../../../platform/database/connect.ts'
import * as queries from './queries.ts'

const BYTES = 32
const DAY_MS = 86_400_000

export async function getWebhookSecret(ctx: Context, projectId: string) {
  return showSecret(ctx, await findOrCreate(ctx, projectId, ctx.db))
}

export async function rotateWebhookSecret(ctx: Context, projectId: string) {
  await findOrCreate(ctx, projectId, ctx.db)
  const now = ctx.clock.now()
  const previousUntil = new Date(now.getTime() + DAY_MS)
  return showSecret(ctx, await queries.replaceWebhookSecret(ctx.db, projectId, newSecret(ctx), now, previousUntil))
}

/** The secrets that sign now, newest first. */
export async function webhookSecrets(ctx: Context, projectId: string, db: Database | Tx): Promise<Buffer[]> {
  const { sealed, sealed_before, before_until } = await findOrCreate(ctx, projectId, db)
  const previous = sealed_before && before_until && before_until > ctx.clock.now() ? [sealed_before] : []
  return [sealed, ...previous].map((secret) => Buffer.from(ctx.secrets.decrypt(secret), 'base64'))
}

const findOrCreate = async (ctx: Context, projectId: string, db: Database | Tx): Promise<queries.WebhookSecretRow> =>
  (await queries.findWebhookSecret(db, projectId)) ??
  (await queries.insertWebhookSecret(db, projectId, newSecret(ctx), ctx.clock.now()))

const newSecret = (ctx: Context): Buffer => ctx.secrets.encrypt(randomBytes(BYTES).toString('base64'))

const showSecret = (ctx: Context, { sealed, created_at }: queries.WebhookSecretRow) => ({
  secret: `whsec_${ctx.secrets.decrypt(sealed)}`,
  createdAt: created_at,
})
