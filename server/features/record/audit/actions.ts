/**
 * The audit log: who changed what in a project. `recordAuditEntry` is called inside the transaction of the action, so the
 * log has an entry exactly if the action happened.
 */
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { newId } from '../../../kernel/ids.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import { type CallerKey, SECRET_KEY } from '../../../kernel/scopes.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import * as queries from './queries.ts'
import type { AuditAction, AuditQuery } from './schemas.ts'

const KEPT_MS = 2 * 365 * 24 * 3600_000

/** The actor and the origin of an action: a user's id, `key` for an API key, `system` for the service itself. */
export interface Actor {
  actor: string
  key?: CallerKey | undefined
  ip?: string | undefined
}

/** The actor of a request with a session or an API key. */
export const actorOf = (
  { userId, key }: { userId?: string; key?: CallerKey },
  { ip }: { ip: string },
): Actor & { userId: string | undefined } => ({ actor: userId ?? 'key', key, ip, userId })

/** What nobody requested, such as the first templates of a project. */
export const SYSTEM: Actor = { actor: 'system' }

/** Entries name only that these changed: they are long, or can contain personal data. */
const CONTENTS = [
  'subject',
  'preheader',
  'body',
  'text',
  'document',
  'mjml',
  'header',
  'footer',
  'blocks',
  'condition',
  'audienceCondition',
]

/** They change with others, or without anyone's request. */
const DERIVED = ['updatedAt', 'version', 'editor', 'lastUsedAt', 'memberCount', 'revision']

type Fields = Record<string, unknown>

/**
 * What differs between two states of something, for the details of an entry: the values now and before, and the names of
 * changed contents. Undefined if nothing differs.
 */
export function changesOf(before: Fields, after: Fields): Fields | undefined {
  const changed = Object.keys(after).filter(
    (name) => !DERIVED.includes(name) && !isDeepStrictEqual(before[name] ?? null, after[name] ?? null),
  )
  if (changed.length === 0) return undefined
  const values = changed.filter((name) => !CONTENTS.includes(name))
  const contents = changed.filter((name) => CONTENTS.includes(name))
  const pick = (fields: Fields) => Object.fromEntries(values.map((name) => [name, fields[name] ?? null]))
  return { ...pick(after), ...(contents.length > 0 && { contents }), before: pick(before) }
}

export interface NewAuditEntry extends Actor {
  projectId: string
  act: AuditAction
  /** Details that explain the action. Never a secret. */
  details?: Record<string, unknown>
}

export const recordAuditEntry = (ctx: Pick<Context, 'clock'>, db: Database | Tx, act: NewAuditEntry): Promise<void> =>
  queries.insertAuditEntry(db, act.projectId, toRow(ctx, act))

/** For a change of a user's own account: written to every project that the user is a member of. */
export const recordAuditEntryOfPerson = (
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  userId: string,
  act: { act: AuditAction; ip?: string | undefined; details?: Record<string, unknown> },
): Promise<void> => queries.insertAuditEntryInProjectsOf(tx, userId, toRow(ctx, { ...act, actor: userId }))

export async function listAuditEntries(
  ctx: Context,
  projectId: string,
  { cursor, limit, act }: z.output<typeof AuditQuery>,
) {
  const [rows, total] = await Promise.all([
    queries.listAuditEntries(ctx.db, projectId, { act, before: cursor, limit }),
    cursor === undefined ? queries.countAuditEntries(ctx.db, projectId, act) : 0,
  ])
  return cursorPage(rows, limit, total, showAuditEntry)
}

export const deleteOldAuditEntries = (ctx: Context): Promise<void> =>
  queries.deleteAuditEntries(ctx.db, new Date(ctx.clock.now().getTime() - KEPT_MS))

function toRow(ctx: Pick<Context, 'clock'>, act: Omit<NewAuditEntry, 'projectId'>): queries.NewAuditRow {
  const now = ctx.clock.now()
  const actorKind = act.actor === 'key' ? 'KEY' : act.actor === 'system' ? 'SYSTEM' : 'USER'
  return {
    id: newId(now),
    act: act.act,
    actorKind,
    actorUserId: actorKind === 'USER' ? act.actor : null,
    actorKey: actorKind === 'KEY' ? act.key : undefined,
    details: act.details ?? {},
    ip: act.ip ?? null,
    now,
  }
}

/** The names of actors without a stored one. Entries of version 0.1.0 have no name of a key: a project had only one. */
const NAMES: Record<string, string> = { KEY: SECRET_KEY.name, SYSTEM: 'Posthorn' }

const showAuditEntry = (row: queries.AuditRow) => ({
  id: row.id,
  act: row.act,
  actor: {
    type: row.actor_kind.toLowerCase(),
    id: row.actor_user_id ?? row.actor_key_id,
    name: row.actor_email ?? row.actor_key_name ?? NAMES[row.actor_kind] ?? null,
    userId: row.actor_user_id,
    email: row.actor_email,
  },
  details: row.details,
  ip: row.ip,
  createdAt: row.created_at,
})
