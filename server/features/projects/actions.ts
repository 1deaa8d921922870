/** Projects: making them, opening the door to them, and changing their keys. */
import type { Context } from '../../context.ts'
import { notFound } from '../../kernel/errors.ts'
import { gather } from '../../kernel/gather.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { hashKey } from '../../platform/secrets.ts'
import { recordAct } from './audit.ts'
import { type KeyPair, makeKeys } from './keys.ts'
import * as queries from './queries.ts'
import { showProject } from './show-project.ts'

const HOUR_MS = 3_600_000

export type KeyKind = 'public' | 'secret'
export { type Actor, forgetOldActs, recordAct, recordActOfPerson } from './audit.ts'
export { acceptInvitation, forgetOldInvitations, previewInvitation } from './invitations.ts'
export type { AdmittedProject } from './queries.ts'
export { createRemoval } from './removal.ts'
export { checkReputations } from './security.ts'
export { foldUsage, getLimits, getUsage, requireRoom, setLimits } from './usage.ts'

interface KeyCall {
  key: string
  kind: KeyKind
}

const doors = new WeakMap<Context, (call: KeyCall) => Promise<queries.AdmittedProject | undefined>>()

/** Opens the door for a key: its project and the state of its rate window, or nothing. Calls that arrive together share one statement. */
export function admitKey(ctx: Context, call: KeyCall): Promise<queries.AdmittedProject | undefined> {
  let door = doors.get(ctx)
  if (!door) {
    door = gather((calls: KeyCall[]) => admitTogether(ctx, calls), { most: 200, atOnce: 4 })
    doors.set(ctx, door)
  }
  return door(call)
}

async function admitTogether(ctx: Context, calls: KeyCall[]): Promise<Array<queries.AdmittedProject | undefined>> {
  const distinct = new Map<string, KeyCall & { calls: number; position: number }>()
  for (const call of calls) {
    const id = `${call.kind} ${call.key}`
    const entry = distinct.get(id) ?? { ...call, calls: 0, position: distinct.size + 1 }
    entry.calls++
    distinct.set(id, entry)
  }
  const now = ctx.clock.now()
  const rows = await queries.admitKeys(
    ctx.db,
    [...distinct.values()].map(({ key, kind, calls }) => ({ hash: hashKey(key), kind, calls })),
    ctx.settings.RATE_LIMIT_PER_MINUTE > 0,
    now,
  )
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  const ordinals = countingBack(rows)
  return calls.map((call) => {
    const row = byPosition.get(distinct.get(`${call.kind} ${call.key}`)!.position)
    return row && toAdmitted(row, ordinals(row.project_id), now)
  })
}

/** The window holds the count after all calls of this turn; each call gets its own place in it. */
function countingBack(rows: Array<{ project_id: string; calls: number; window_count: number | null }>) {
  const next = new Map<string, number>()
  for (const row of rows) {
    next.set(row.project_id, (next.get(row.project_id) ?? (row.window_count ?? 0) + 1) - row.calls)
  }
  return (projectId: string) => {
    const ordinal = next.get(projectId)!
    next.set(projectId, ordinal + 1)
    return ordinal
  }
}

/** Opens the door for a person who is a member. */
export async function admitMember(
  ctx: Context,
  projectId: string,
  userId: string,
): Promise<queries.AdmittedProject | undefined> {
  const now = ctx.clock.now()
  const row = await queries.admitMember(ctx.db, projectId, userId, ctx.settings.RATE_LIMIT_PER_MINUTE > 0, now)
  return row && toAdmitted(row, row.window_count ?? 0, now)
}

function toAdmitted(
  row: { project_id: string; disabled: boolean; role: string | null; window_started_at: Date | null },
  windowCount: number,
  now: Date,
): queries.AdmittedProject {
  return {
    projectId: row.project_id,
    disabled: row.disabled,
    role: row.role,
    windowCount,
    windowStartedAt: row.window_started_at ?? now,
  }
}

export async function createProject(ctx: Context, userId: string, input: { name: string }, ip?: string) {
  return transaction(ctx.db, (tx) => createProjectIn(ctx, tx, userId, input, ip))
}

export async function createProjectIn(ctx: Context, tx: Tx, userId: string, { name }: { name: string }, ip?: string) {
  const now = ctx.clock.now()
  const keys = makeKeys()
  const row = await queries.insertProject(tx, { id: newId(now), name, ...keys, now })
  await queries.replaceKeys(tx, row.id, hashesOf(keys))
  await queries.insertMember(tx, row.id, userId, 'OWNER', now)
  await recordAct(ctx, tx, { projectId: row.id, actor: userId, ip, act: 'project.created', details: { name } })
  return { ...showProject({ ...row, role: 'OWNER' }), ...showKeys(keys) }
}

export async function listProjects(ctx: Context, userId: string) {
  const rows = await queries.listProjectsOf(ctx.db, userId)
  return rows.map(showProject)
}

/** Both keys change together; the old ones are dead when this returns. */
export async function regenerateKeys(ctx: Context, projectId: string, userId: string | undefined, ip?: string) {
  const keys = makeKeys()
  const row = await transaction(ctx.db, async (tx) => {
    const shown = await queries.showNewKeys(tx, projectId, keys, ctx.clock.now())
    if (!shown) throw notFound('project', projectId)
    await queries.replaceKeys(tx, projectId, hashesOf(keys))
    await recordAct(ctx, tx, { projectId, actor: userId ?? 'key', ip, act: 'keys.regenerated' })
    return shown
  })
  const role = userId ? await queries.findRole(ctx.db, projectId, userId) : undefined
  return { ...showProject({ ...row, role: role ?? null }), ...showKeys(keys) }
}

/** Claims a key for a request, or returns the request that has it. */
export async function claimIdempotencyKey(ctx: Context, projectId: string, key: string, request: string) {
  const now = ctx.clock.now()
  return queries.claimIdempotencyKey(ctx.db, projectId, { key, request, now, expiredBefore: keysExpireBefore(ctx) })
}

export const releaseIdempotencyKey = (ctx: Context, projectId: string, key: string) =>
  queries.releaseIdempotencyKey(ctx.db, projectId, key)

export const keepIdempotencyKey = (ctx: Context, projectId: string, key: string, status: number) =>
  queries.keepIdempotencyKey(ctx.db, projectId, key, status)

const keysExpireBefore = (ctx: Context) =>
  new Date(ctx.clock.now().getTime() - ctx.settings.IDEMPOTENCY_KEY_TTL_HOURS * HOUR_MS)

/** Rate windows and idempotency keys that no longer matter. */
export async function forgetOldRequests(ctx: Context): Promise<void> {
  await queries.forgetOldWindows(ctx.db, new Date(ctx.clock.now().getTime() - HOUR_MS))
  await queries.forgetOldKeys(ctx.db, keysExpireBefore(ctx))
}

const hashesOf = (keys: KeyPair) => ({ public: hashKey(keys.publicKey), secret: hashKey(keys.secretKey) })

const showKeys = ({ publicKey, secretKey }: KeyPair) => ({ public: publicKey, secret: secretKey, publicKey, secretKey })
