/**
 * Finds the project of a key or a member and counts the call against the project's minute, in one statement. Secret keys,
 * public keys and sessions each have a budget, so what a website does can't use up what its servers need. Nothing is
 * cached, so a replaced key, an ended session and a removed member are refused from the next request on.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { createBatcher } from '../kernel/batcher.ts'
import { countOf, Refusal } from '../kernel/errors.ts'
import { createMinuteCounts } from '../kernel/minute-counts.ts'
import type { SharedRead } from '../platform/http/route.ts'
import { networkOf } from '../platform/network/public-address.ts'
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
  /** For requests that come from anyone's browser: refuses a client network that sends too many of them. */
  countClient(projectId: string, ip: string): void
  /** Refuses if the project has as many expensive requests under way as it may. */
  runExpensive<T>(projectId: string, work: () => Promise<T>): Promise<T>
  /** Undefined if the user is not a member of the project. */
  admitMember(projectId: string, userId: string): Promise<AdmittedProject | undefined>
}

/** Of the connections to the database, those that expensive requests of one project may have, so that others find some free. */
const EXPENSIVE_SHARE = 1 / 5
const EXPENSIVE_LEAST = 2

const tooExpensive = (batchMax: number) =>
  new Refusal(
    'too-many',
    'RATE_LIMIT_EXCEEDED',
    `This project already has ${batchMax} requests in progress that evaluate conditions.`,
    { details: { retryAfter: 1, limit: batchMax }, suggestion: 'Wait for one of them to finish, then try again.' },
  )

/** Of a project's budget, what one network may use; but not so little that one visitor needs more. */
const NETWORK_SHARE = 1 / 2
const NETWORK_LEAST = 10

export function createAdmission(ctx: Context): Admission {
  const limit = ctx.settings.RATE_LIMIT_PER_MINUTE
  const clients = createMinuteCounts(ctx.clock)
  const expensive = new Map<string, number>()
  const expensiveMax = Math.max(EXPENSIVE_LEAST, Math.floor(ctx.settings.DATABASE_POOL_SIZE * EXPENSIVE_SHARE))
  return {
    async runExpensive(projectId, work) {
      const running = expensive.get(projectId) ?? 0
      if (running >= expensiveMax) throw tooExpensive(expensiveMax)
      expensive.set(projectId, running + 1)
      try {
        return await work()
      } finally {
        const left = expensive.get(projectId)! - 1
        if (left > 0) expensive.set(projectId, left)
        else expensive.delete(projectId)
      }
    },
    admitKey: createBatcher((calls: KeyCall[]) => admitTogether(ctx, calls), { batchMax: 200, concurrency: 4 }),
    async admitKeyAndRead({ key, kind }, read) {
      const now = ctx.clock.now()
      const rows = await queries.admitKeyAndRead(ctx.db, { hash: hashKey(key), kind }, read, limit, now)
      const [first] = rows
      return first && { ...toAdmitted(first, first.window_count ?? 0, now), rows: rows.filter(({ id }) => id !== null) }
    },
    countClient(projectId, ip) {
      if (limit === 0) return
      const batchMax = Math.max(NETWORK_LEAST, Math.ceil(limit * NETWORK_SHARE))
      clients.count(`${projectId} ${networkOf(ip)}`, batchMax, 'Your network')
    },
    async admitMember(projectId, userId) {
      const now = ctx.clock.now()
      const row = await queries.admitMember(ctx.db, projectId, userId, limit > 0, now)
      return row && toAdmitted(row, row.window_count ?? 0, now)
    },
  }
}

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
    return row && toAdmitted(row, ordinals(row), now)
  })
}

/** The window has the count after all calls of this statement; this assigns each call its own number. */
function ordinalsOf(rows: queries.AdmittedRow[]) {
  const next = new Map<string, number>()
  const windowOf = ({ project_id, budget }: queries.AdmittedRow) => `${project_id} ${budget}`
  for (const row of rows) {
    next.set(windowOf(row), (next.get(windowOf(row)) ?? (row.window_count ?? 0) + 1) - row.calls)
  }
  return (row: queries.AdmittedRow) => {
    const ordinal = next.get(windowOf(row))!
    next.set(windowOf(row), ordinal + 1)
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
    `The rate limit of ${countOf(limit, 'request')} per minute has been reached.`,
    {
      details: { retryAfter: reset, limit },
      suggestion: `Try again in ${countOf(reset, 'second')}.`,
    },
  )
}

export const deleteOldWindows = (ctx: Context): Promise<void> =>
  queries.deleteOldWindows(ctx.db, new Date(ctx.clock.now().getTime() - HOUR_MS))
