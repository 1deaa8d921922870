/**
 * Finds the project of a key or a member and counts the call against the project's minute, in one statement. Nothing is
 * cached, so a replaced key, an ended session and a removed member are refused from the next request on.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { Refusal } from '../kernel/errors.ts'
import { gather } from '../kernel/gather.ts'
import { hashKey } from '../platform/secrets.ts'
import * as queries from './queries.ts'

/** What a request needs to know of its project, and the state of the project's rate window after this call. */
export interface AdmittedProject {
  projectId: string
  disabled: boolean
  /** The role of a member; null for a key. */
  role: string | null
  windowCount: number
  windowStartedAt: Date
}

export interface KeyCall {
  key: string
  kind: 'public' | 'secret'
}

export interface Admission {
  /** Undefined if no project has the key. Calls that arrive together share one statement. */
  admitKey(call: KeyCall): Promise<AdmittedProject | undefined>
  /** Undefined if the person is not a member of the project. */
  admitMember(projectId: string, userId: string): Promise<AdmittedProject | undefined>
}

export const createAdmission = (ctx: Context): Admission => ({
  admitKey: gather((calls: KeyCall[]) => admitTogether(ctx, calls), { most: 200, atOnce: 4 }),
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
  const ordinals = countingBack(rows)
  return calls.map((call) => {
    const row = byPosition.get(distinct.get(`${call.kind} ${call.key}`)!.position)
    return row && toAdmitted(row, ordinals(row.project_id), now)
  })
}

/** The window has the count after all calls of this statement; each call gets its own number in it. */
function countingBack(rows: queries.AdmittedRow[]) {
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

const WINDOW_MS = 60_000
const HOUR_MS = 3_600_000

/** Reports the project's rate limit in the headers and refuses the request if it is exceeded. All processes share the count. */
export function applyRateLimit(ctx: Context, reply: FastifyReply, project: AdmittedProject): void {
  const limit = ctx.settings.RATE_LIMIT_PER_MINUTE
  if (limit === 0) return
  const endsAt = project.windowStartedAt.getTime() + WINDOW_MS
  const reset = Math.max(1, Math.ceil((endsAt - ctx.clock.now().getTime()) / 1000))
  reply.headers({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - project.windowCount)),
    'ratelimit-reset': String(reset),
  })
  if (project.windowCount <= limit) return
  throw new Refusal(
    'too-many',
    'RATE_LIMIT_EXCEEDED',
    `The rate limit of ${limit} requests per minute has been reached.`,
    {
      details: { retryAfter: reset, limit },
      suggestion: `Wait ${reset} seconds, then try again.`,
    },
  )
}

export const forgetOldWindows = (ctx: Context): Promise<void> =>
  queries.forgetOldWindows(ctx.db, new Date(ctx.clock.now().getTime() - HOUR_MS))
