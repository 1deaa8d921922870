/** Projects: creating, listing and changing them, and their API keys. */
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Branding } from '../../../kernel/content/branding.ts'
import { notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { createBatcher } from '../../../kernel/waiting.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { removeKeys } from '../../../platform/first-run-file.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { hashKey } from '../../../platform/secrets.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { addOwner, countProject, findRole } from '../members/actions.ts'
import * as queries from './queries.ts'
import type { ProjectPatch } from './schemas.ts'

export async function createProject(ctx: Context, userId: string, input: { name: string }, ip?: string) {
  return transaction(ctx.db, async (tx) => {
    await countProject(ctx, tx, userId)
    return createProjectIn(ctx, tx, userId, input, ip)
  })
}

export async function createProjectIn(ctx: Context, tx: Tx, userId: string, { name }: { name: string }, ip?: string) {
  const now = ctx.clock.now()
  const keys = makeKeys()
  const row = await queries.insertProject(tx, { id: newId(now), name, ...keys, now })
  await queries.replaceKeys(tx, row.id, hashesOf(keys))
  await addOwner(tx, row.id, userId, now)
  await recordAuditEntry(ctx, tx, { projectId: row.id, actor: userId, ip, act: 'project.created', details: { name } })
  return { ...showProject({ ...row, role: 'OWNER' }), ...showKeys(keys) }
}

export async function listProjects(ctx: Context, userId: string) {
  const rows = await queries.listProjectsOf(ctx.db, userId)
  return rows.map(showProject)
}

export async function listKeys(ctx: Context, projectId: string) {
  const rows = await queries.listKeys(ctx.db, projectId)
  return rows.map((row) => ({
    type: row.kind === 'secret' ? ('SECRET' as const) : ('PUBLIC' as const),
    key: row.kind === 'secret' ? row.secret_key_hint : row.public_key,
    lastUsedAt: row.last_used_at,
  }))
}

const MINUTE_MS = 60_000

/**
 * Records when keys were last used: at most once a minute for each key, and without delaying the request. The uses of
 * many keys share a statement.
 */
export function createKeyUses(ctx: Context) {
  let minute = 0
  let recorded = new Set<string>()
  const record = createBatcher(
    async (hashes: Buffer[]) => {
      await queries.recordKeyUses(ctx.db, hashes, ctx.clock.now())
      return hashes
    },
    { batchMax: 1_000, concurrency: 1 },
  )
  return (hash: Buffer): void => {
    const now = Math.floor(ctx.clock.now().getTime() / MINUTE_MS)
    if (now !== minute) recorded = new Set()
    minute = now
    const id = hash.toString('base64')
    if (recorded.has(id)) return
    recorded.add(id)
    record(hash).catch((error: unknown) => ctx.log.debug({ err: error }, 'the use of a key could not be recorded'))
  }
}

/** Both keys change together; the old ones stop working when this returns. */
export async function regenerateKeys(ctx: Context, projectId: string, userId: string | undefined, ip?: string) {
  const keys = makeKeys()
  const row = await transaction(ctx.db, async (tx) => {
    const shown = await queries.showNewKeys(tx, projectId, keys, ctx.clock.now())
    if (!shown) throw notFound('project', projectId)
    await queries.replaceKeys(tx, projectId, hashesOf(keys))
    await recordAuditEntry(ctx, tx, { projectId, actor: userId ?? 'key', ip, act: 'keys.regenerated' })
    return shown
  })
  await removeFirstKeys(ctx, projectId)
  const role = userId ? await findRole(ctx.db, projectId, userId) : undefined
  return { ...showProject({ ...row, role: role ?? null }), ...showKeys(keys) }
}

/** If the file can't be written, the next start removes them. */
export const removeFirstKeys = (ctx: Context, projectId: string): Promise<void> =>
  removeKeys(ctx.settings.DATA_DIR, projectId, ctx.clock.now()).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'first-run.json still has keys that no longer work'),
  )

export const isKeyOf = (ctx: Context, projectId: string, key: string): Promise<boolean> =>
  queries.hasKey(ctx.db, projectId, hashKey(key))

export async function changeProject(
  ctx: Context,
  projectId: string,
  change: z.output<typeof ProjectPatch>,
  who: Actor & { userId?: string | undefined },
) {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const row = await transaction(ctx.db, async (tx) => {
    const original = await queries.lockProject(tx, projectId)
    const changed = await queries.updateProject(tx, projectId, columnsOf(given), ctx.clock.now())
    if (!original || !changed) throw notFound('project', projectId)
    const shown: Record<string, unknown> = showProject({ ...original, role: null })
    const before = Object.fromEntries(Object.keys(given).map((name) => [name, shown[name]]))
    const { actor, ip } = who
    await recordAuditEntry(ctx, tx, { projectId, actor, ip, act: 'project.changed', details: { ...given, before } })
    if (Object.keys(given).some((name) => name !== 'tracking')) await enqueueRecompile(tx, projectId)
    return changed
  })
  const role = who.userId ? await findRole(ctx.db, projectId, who.userId) : undefined
  return showProject({ ...row, role: role ?? null })
}

/**
 * Visual templates and drafts contain the project's name, language and brand, so they are compiled again. Several
 * changes share a job.
 */
const enqueueRecompile = (tx: Tx, projectId: string): Promise<void> =>
  enqueue(tx, 'recompile-emails', { projectId }, { jobKey: `recompile-emails ${projectId}` })

function columnsOf(change: z.output<typeof ProjectPatch>) {
  const { postalAddress, logoUrl, brandColor: color, emailStyle, socialLinks, ...settings } = change
  const branding = Object.fromEntries(
    Object.entries({ postalAddress, logoUrl, color, settings: emailStyle, socialLinks }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value || null]],
    ),
  )
  return Object.keys(branding).length > 0 ? { ...settings, branding } : settings
}

export const getSetupState = (ctx: Context, projectId: string) => queries.findSetupState(ctx.db, projectId)

/** Disables a project: it can be read, but neither changed nor used to send. Undefined if it was already disabled. */
export async function disableProject(ctx: Context, tx: Tx, projectId: string, reason: string) {
  const project = await queries.disableProject(tx, projectId, reason, ctx.clock.now())
  if (project)
    await recordAuditEntry(ctx, tx, { projectId, actor: 'system', act: 'project.disabled', details: { reason } })
  return project
}

/** Long and random; the prefix shows the type of key. */
interface KeyPair {
  publicKey: string
  secretKey: string
  secretKeyHint: string
}

function makeKeys(): KeyPair {
  const secretKey = `sk_${randomBytes(24).toString('hex')}`
  return { publicKey: `pk_${randomBytes(24).toString('hex')}`, secretKey, secretKeyHint: `sk_…${secretKey.slice(-4)}` }
}

const hashesOf = (keys: KeyPair) => ({ public: hashKey(keys.publicKey), secret: hashKey(keys.secretKey) })

const showKeys = ({ publicKey, secretKey }: KeyPair) => ({ public: publicKey, secret: secretKey, publicKey, secretKey })

const showProject = (row: queries.ProjectRow & { role: string | null }) => ({
  id: row.id,
  name: row.name,
  publicKey: row.public_key,
  secretKeyHint: row.secret_key_hint,
  disabled: row.disabled_at !== null,
  disabledReason: row.disabled_reason,
  tracking: row.tracking,
  language: row.language,
  postalAddress: (row.branding as Branding).postalAddress ?? null,
  logoUrl: (row.branding as Branding).logoUrl ?? null,
  brandColor: (row.branding as Branding).color ?? null,
  emailStyle: (row.branding as Branding).settings ?? null,
  socialLinks: (row.branding as Branding).socialLinks ?? null,
  role: row.role,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
