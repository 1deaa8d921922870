/**
 * Finds the project of a key or a member and counts the call against the project's rate limit, in one statement.
 * Nothing is cached, so a replaced key, an ended session and a removed member are refused from the next request on.
 */
import type { Context } from '../context.ts'
import { createBatcher } from '../kernel/batcher.ts'
import type { SharedRead } from '../platform/http/route.ts'
import { hashKey } from '../platform/secrets.ts'
import * as queries from './queries.ts'

/** What a request needs from its project, and the state of the project's rate window after this call. */
export interface AdmittedProject {
  projectId: string
  disabled: boolean
  /** The role of a member; null for a key. */
  role: string | null
  windowCount: number
  windowStartedAt: Date
  /** What was to be read together with the key; absent if nothing was. */
  rows?: unknown[]
}

export interface KeyCall {
  key: string
  kind: 'public' | 'secret'
}

export interface Admission {
  /** Undefined if no project has the key. Concurrent calls share one statement. */
  admitKey(call: KeyCall): Promise<AdmittedProject | undefined>
  /** The same in a statement of its own that reads something of the project as well. */
  admitKeyAndRead(call: KeyCall, read: SharedRead): Promise<AdmittedProject | undefined>
  /** Undefined if the user is not a member of the project. */
  admitMember(projectId: string, userId: string): Promise<AdmittedProject | undefined>
}

export const createAdmission = (ctx: Context): Admission => ({
  admitKey: createBatcher((calls: KeyCall[]) => admitTogether(ctx, calls), { batchMax: 200, concurrency: 4 }),
  async admitKeyAndRead({ key, kind }, read) {
    const now = ctx.clock.now()
    const limit = ctx.settings.RATE_LIMIT_PER_MINUTE
    const rows = await queries.admitKeyAndRead(ctx.db, { hash: hashKey(key), kind }, read, limit, now)
    const [first] = rows
    return first && { ...toAdmitted(first, first.window_count ?? 0, now), rows: rows.filter(({ id }) => id !== null) }
  },
  async admitMember(projectId, userId) {
    const now = ctx.clock.now()
    const row = await queries.admitMember(ctx.db, projectId, userId, ctx.settings.RATE_LIMIT_PER_MINUTE > 0, now)
    return row && toAdmitted(row, row.window_count ?? 0, now)
  },
})

async function admitTogether(ctx: Context, calls: KeyCall[]): Promise<Array<AdmittedProject | undefined>> {
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
  const ordinals = ordinalsOf(rows)
  return calls.map((call) => {
    const row = byPosition.get(distinct.get(`${call.kind} ${call.key}`)!.position)
    return row && toAdmitted(row, ordinals(row.project_id), now)
  })
}

/** The window has the count after all calls of this statement; this assigns each call its own number. */
function ordinalsOf(rows: queries.AdmittedRow[]) {
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

const toAdmitted = (row: queries.AdmittedRow, windowCount: number, now: Date): AdmittedProject => ({
  projectId: row.project_id,
  disabled: row.disabled,
  role: row.role,
  windowCount,
  windowStartedAt: row.window_started_at ?? now,
})
