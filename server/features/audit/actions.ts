/**
 * The record of administrative acts, apart from the activity of contacts. `recordAct` is called inside the transaction
 * of the act: what is in the log happened, and what happened is in the log.
 */
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { newId } from '../../kernel/ids.ts'
import { cursorPage } from '../../kernel/pages.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import * as queries from './queries.ts'
import type { Act, AuditQuery } from './schemas.ts'

const KEPT_MS = 2 * 365 * 24 * 3600_000

/** Who acts, and from where: the id of a person, `key` for an API key, `system` for the service itself. */
export interface Actor {
  actor: string
  ip?: string | undefined
}

export interface NewAct extends Actor {
  projectId: string
  act: Act
  /** What a reader needs to understand the act. Never a secret. */
  details?: Record<string, unknown>
}

export const recordAct = (ctx: Pick<Context, 'clock'>, db: Database | Tx, act: NewAct): Promise<void> =>
  queries.insertAct(db, act.projectId, toRow(ctx, act))

/** For an act on a person's own account: it is written into every project they are a member of. */
export const recordActOfPerson = (
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  userId: string,
  act: { act: Act; ip?: string | undefined; details?: Record<string, unknown> },
): Promise<void> => queries.insertActInProjectsOf(tx, userId, toRow(ctx, { ...act, actor: userId }))

export async function listActs(ctx: Context, projectId: string, { cursor, limit, act }: z.output<typeof AuditQuery>) {
  const [rows, total] = await Promise.all([
    queries.listActs(ctx.db, projectId, { act, before: cursor, limit }),
    cursor === undefined ? queries.countActs(ctx.db, projectId, { act }) : 0,
  ])
  return cursorPage(rows, limit, total, showAct)
}

/** How often an act was recorded since a moment. */
export const countActs = (db: Database | Tx, projectId: string, act: Act, since: Date): Promise<number> =>
  queries.countActs(db, projectId, { act, since })

export const forgetOldActs = (ctx: Context): Promise<void> =>
  queries.forgetActs(ctx.db, new Date(ctx.clock.now().getTime() - KEPT_MS))

function toRow(ctx: Pick<Context, 'clock'>, act: Omit<NewAct, 'projectId'>): queries.NewAuditRow {
  const now = ctx.clock.now()
  const actorKind = act.actor === 'key' ? 'KEY' : act.actor === 'system' ? 'SYSTEM' : 'USER'
  return {
    id: newId(now),
    act: act.act,
    actorKind,
    actorUserId: actorKind === 'USER' ? act.actor : null,
    details: act.details ?? {},
    ip: act.ip ?? null,
    now,
  }
}

const showAct = (row: queries.AuditRow) => ({
  id: row.id,
  act: row.act,
  actor: { type: row.actor_kind, userId: row.actor_user_id, email: row.actor_email },
  details: row.details,
  ip: row.ip,
  createdAt: row.created_at,
})
