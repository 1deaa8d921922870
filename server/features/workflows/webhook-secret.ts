/**
 * The secret that signs a project's webhooks. Made when it is first needed; replaced by hand, and then both the new one
 * and the one before sign for a day, so that no delivery is refused while receivers change over.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import * as queries from './webhook-secret-queries.ts'

const BYTES = 32
const DAY_MS = 86_400_000

export async function getWebhookSecret(ctx: Context, projectId: string) {
  const row = await requireSecret(ctx, projectId)
  return { secret: shown(ctx, row.sealed), createdAt: row.created_at }
}

export async function rotateWebhookSecret(ctx: Context, projectId: string) {
  await requireSecret(ctx, projectId)
  const now = ctx.clock.now()
  const row = await queries.replaceSecret(ctx.db, projectId, newSecret(ctx), now, new Date(now.getTime() + DAY_MS))
  return { secret: shown(ctx, row.sealed), createdAt: row.created_at }
}

/** Those that sign now, the newest first. */
export async function webhookSecrets(ctx: Context, projectId: string): Promise<Buffer[]> {
  const { sealed, sealed_before, before_until } = await requireSecret(ctx, projectId)
  const before = sealed_before && before_until && before_until > ctx.clock.now() ? [sealed_before] : []
  return [sealed, ...before].map((secret) => Buffer.from(ctx.secrets.decrypt(secret), 'base64'))
}

const requireSecret = async (ctx: Context, projectId: string): Promise<queries.SecretRow> =>
  (await queries.findSecret(ctx.db, projectId)) ??
  (await queries.insertSecret(ctx.db, projectId, newSecret(ctx), ctx.clock.now()))

const newSecret = (ctx: Context): Buffer => ctx.secrets.encrypt(randomBytes(BYTES).toString('base64'))

const shown = (ctx: Context, sealed: Buffer): string => `whsec_${ctx.secrets.decrypt(sealed)}`
