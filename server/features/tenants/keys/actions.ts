/**
 * API keys with scopes (`phk_…`). The gate looks them up for every request, so a change applies from the next one on, in
 * every process. A key can only manage keys that are limited at least as much as itself.
 */
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { conflict, countOf, forbidden, invalidField, notFound, Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import { ANY_SCOPE, type CallerKey, hasScope, onlyTracks } from '../../../kernel/scopes.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { isInRanges } from '../../../platform/network/address-ranges.ts'
import { hashKey } from '../../../platform/secrets.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { isWithinLimits, type KeyLimits } from './limits.ts'
import * as queries from './queries.ts'
import { type ApiKeyChanges, type ApiKeyQuery, type NewApiKey, OVERLAP_HOURS, type Rotation } from './schemas.ts'

const KEYS_MAX = 100
/** Keys that were replaced and still work, and the current one. */
const SECRETS_MAX = 100
const PREFIX_LENGTH = 12
const HOUR_MS = 3_600_000

export type KeyKind = 'public' | 'secret' | 'scoped'

const KINDS = new Map<string, KeyKind>([
  ['pk_', 'public'],
  ['sk_', 'secret'],
  ['phk_', 'scoped'],
])

/** The prefix tells the kind; undefined if it can't be a key. */
export const kindOfKey = (key: string): KeyKind | undefined => KINDS.get(key.slice(0, key.indexOf('_') + 1))

/** Refuses a valid key that can't be used from this address, or for what it is used. */
export function requireScope(key: CallerKey, requiredScope: string, address: string): void {
  if (key.allowedIps.length > 0 && !isInRanges(address, key.allowedIps)) {
    throw new Refusal('forbidden', 'FORBIDDEN', `This API key can't be used from the address ${address}.`, {
      suggestion: 'Add the address to allowedIps of the key, or use another key.',
    })
  }
  if (requiredScope === ANY_SCOPE) {
    if (onlyTracks(key.scopes)) throw forbidden("A key that can only track events can't be used here.")
    return
  }
  if (hasScope(key.scopes, requiredScope)) return
  throw new Refusal('forbidden', 'FORBIDDEN', `This API key doesn't have the scope ${requiredScope}.`, {
    details: { requiredScope },
    suggestion: 'Add the scope to the key, or use another key.',
  })
}

export async function listApiKeys(ctx: Context, projectId: string, { cursor, limit }: z.output<typeof ApiKeyQuery>) {
  const [rows, total] = await Promise.all([
    queries.listApiKeys(ctx.db, projectId, { before: cursor, limit, now: ctx.clock.now() }),
    cursor === undefined ? queries.countApiKeys(ctx.db, projectId) : 0,
  ])
  return cursorPage(rows, limit, total, showApiKey)
}

export async function createApiKey(ctx: Context, projectId: string, input: z.output<typeof NewApiKey>, by: Actor) {
  const now = ctx.clock.now()
  const { name, scopes, test } = input
  const limits = { scopes, expiresAt: input.expiresAt ?? null, allowedIps: input.allowedIps ?? [], test }
  refusePast(limits.expiresAt, now)
  refuseWider(limits, by.key)
  const [id, key] = [newId(now), makeKey()]
  return transaction(ctx.db, async (tx) => {
    await queries.lockKeysOf(tx, projectId)
    if ((await queries.countApiKeys(tx, projectId)) >= KEYS_MAX) {
      throw conflict(`A project can have at most ${KEYS_MAX} API keys. Delete one first.`)
    }
    await queries.insertApiKey(tx, projectId, { id, name, prefix: prefixOf(key), ...limits, createdBy: by, now })
    await queries.insertSecret(tx, projectId, id, hashKey(key))
    await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'key.created', details: { keyId: id, name, ...limits } })
    return { ...(await getApiKey(tx, projectId, id, now)), key }
  })
}

export async function changeApiKey(
  ctx: Context,
  projectId: string,
  id: string,
  changes: z.output<typeof ApiKeyChanges>,
  by: Actor,
) {
  const now = ctx.clock.now()
  refusePast(changes.expiresAt ?? null, now)
  return changing(ctx, projectId, id, by, async (tx, before) => {
    const { name = before.name, scopes = before.scopes, expiresAt = before.expiresAt } = changes
    const allowedIps = changes.allowedIps === undefined ? before.allowedIps : (changes.allowedIps ?? [])
    refuseWider({ scopes, expiresAt, allowedIps, test: before.test }, by.key)
    const fields = Object.keys(changes) as Array<keyof typeof changes>
    if (fields.length === 0) return before
    const columns = { name, scopes, expires_at: expiresAt, allowed_ips: allowedIps }
    await queries.updateApiKey(tx, projectId, id, columns, now)
    const after = await getApiKey(tx, projectId, id, now)
    const valuesIn = (key: ShownKey) => Object.fromEntries(fields.map((field) => [field, key[field]]))
    const details = { keyId: id, name: before.name, ...valuesIn(after), before: valuesIn(before) }
    await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'key.changed', details })
    return after
  })
}

/** The old key works for a while longer, so that it can be replaced wherever it is used. */
export async function rotateApiKey(
  ctx: Context,
  projectId: string,
  id: string,
  rotation: z.output<typeof Rotation>,
  by: Actor,
) {
  const now = ctx.clock.now()
  const overlapHours = rotation?.overlapHours ?? OVERLAP_HOURS
  const key = makeKey()
  return changing(ctx, projectId, id, by, async (tx, { name, expiresAt }) => {
    if (expiresAt && expiresAt <= now) {
      throw conflict(`This API key expired on ${expiresAt.toISOString()}. Set a later expiresAt, then rotate it.`)
    }
    const until = new Date(now.getTime() + overlapHours * HOUR_MS)
    if (until > now) await queries.endSecret(tx, projectId, id, until)
    await queries.deleteSecrets(tx, projectId, id, until > now ? now : undefined)
    if ((await queries.countSecrets(tx, projectId, id)) >= SECRETS_MAX) {
      throw conflict(
        `${countOf(SECRETS_MAX, 'replaced key')} of this API key still work. Rotate it with overlapHours 0 to end all of them.`,
      )
    }
    await queries.insertSecret(tx, projectId, id, hashKey(key))
    await queries.updateApiKey(tx, projectId, id, { prefix: prefixOf(key) }, now)
    const details = { keyId: id, name, overlapHours }
    await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'key.rotated', details })
    return { ...(await getApiKey(tx, projectId, id, now)), key }
  })
}

export async function deleteApiKey(ctx: Context, projectId: string, id: string, by: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await queries.lockKeysOf(tx, projectId)
    const { name } = await getApiKey(tx, projectId, id, ctx.clock.now())
    await queries.deleteApiKey(tx, projectId, id)
    await recordAuditEntry(ctx, tx, { projectId, ...by, act: 'key.deleted', details: { keyId: id, name } })
  })
}

/** Replacing the public and the secret key returns a key without any limits. */
export function refuseLimitedKey(key: CallerKey | undefined): void {
  if (key && (key.expiresAt || key.allowedIps.length > 0 || key.test)) throw wider()
}

type ShownKey = ReturnType<typeof showApiKey>

/** Changes a key, one change at a time. An API key can't change a key that is limited less than itself. */
async function changing<T>(
  ctx: Context,
  projectId: string,
  id: string,
  { key }: Actor,
  change: (tx: Tx, before: ShownKey) => Promise<T>,
): Promise<T> {
  return transaction(ctx.db, async (tx) => {
    await queries.lockKeysOf(tx, projectId)
    const before = await getApiKey(tx, projectId, id, ctx.clock.now())
    refuseWider(before, key)
    return change(tx, before)
  })
}

async function getApiKey(tx: Tx, projectId: string, id: string, now: Date): Promise<ShownKey> {
  const row = await queries.findApiKey(tx, projectId, id, now)
  if (!row) throw notFound('API key', id)
  return showApiKey(row)
}

function refusePast(expiresAt: Date | null, now: Date): void {
  if (expiresAt && expiresAt <= now) throw invalidField('expiresAt', 'Must be in the future.')
}

function refuseWider(limits: KeyLimits, own: CallerKey | undefined): void {
  if (own && !isWithinLimits(limits, own)) throw wider()
}

const wider = () =>
  forbidden(
    "An API key can't manage a key with more scopes, a later expiry or more addresses than its own, and a test key manages only test keys.",
  )

const makeKey = () => `phk_${randomBytes(24).toString('hex')}`

const prefixOf = (key: string) => key.slice(0, PREFIX_LENGTH)

const showApiKey = (row: queries.ApiKeyRow) => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  expiresAt: row.expires_at,
  allowedIps: row.allowed_ips,
  test: row.test,
  prefix: row.prefix,
  previousKeyExpiresAt: row.previous_expires_at,
  lastUsedAt: row.last_used_at,
  lastUsedIp: row.last_used_ip,
  createdBy: { type: row.created_by_type, id: row.created_by_id, name: row.created_by_name },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
