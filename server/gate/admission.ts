/**
 * Everything a request needs before it has an effect: its project, a place in the rate limit, and its idempotency key.
 * One statement finds the project of a key or a member and counts the call against the project's rate limit. Keys of
 * servers, keys of websites and sessions have separate limits, so that a website can't use up the limit of its servers.
 * Nothing is cached, so a replaced key, an ended session and a removed member are refused from the next request on.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { KeyKind } from '../features/tenants/keys/actions.ts'
import { createKeyUses, type KeyUses } from '../features/tenants/keys/uses.ts'
import { pause, within } from '../kernel/clock.ts'
import { badRequest, countOf, Refusal } from '../kernel/errors.ts'
import { createMinuteCounts } from '../kernel/flow/minute-counts.ts'
import { createBatcher } from '../kernel/flow/waiting.ts'
import { newId } from '../kernel/ids.ts'
import { type CallerKey, onlyTracks, type PublicKeyUpdates, SECRET_KEY } from '../kernel/scopes.ts'
import type { IdempotencyClaim } from '../platform/database/idempotency-sql.ts'
import { inSchemaOrder } from '../platform/http/key-order.ts'
import { type Caller, CustomResponse, type Route, type SharedRead } from '../platform/http/route.ts'
import { networkOf } from '../platform/network/public-address.ts'
import { hashKey } from '../platform/secrets.ts'
import * as queries from './queries.ts'

/** What a request needs from its project, and the state of the project's rate window after this call. */
export interface AdmittedProject {
  projectId: string
  disabled: boolean
  /** The role of a member; null for a key. */
  role: string | null
  /** The key of the call, unless it is the public key. */
  key?: CallerKey
  /** Whether visitors of a website may have the key of the call. */
  isPublic?: boolean
  publicKeyUpdates?: PublicKeyUpdates | undefined
  windowCount: number
  windowStartedAt: Date
  /** What was to be read together with the key; absent if nothing was. */
  rows?: unknown[]
}

export interface KeyCall {
  key: string
  kind: KeyKind
}

export interface Admission {
  /** Undefined if no project has the key. Concurrent calls share one statement. */
  admitKey(call: KeyCall): Promise<AdmittedProject | undefined>
  /** The same for a key of the project itself, in a separate statement that also reads something of the project. */
  admitKeyAndRead(call: KeyCall, read: SharedRead): Promise<AdmittedProject | undefined>
  /** Records when a key with scopes was last used, and from where, without delaying the request. */
  recordUse(projectId: string, key: CallerKey, address: string): void
  /** For requests from any browser to a project or a page: refuses a client network that sends too many of them. */
  countClient(target: string, ip: string): void
  /** For requests of a signed-in user that concern no project of theirs: refuses too many of them. */
  countAccount(userId: string): void
  /** Refuses if the project has reached its limit of expensive requests in progress. */
  runExpensive<T>(projectId: string, work: () => Promise<T>): Promise<T>
  /** Undefined if the user is not a member of the project. */
  admitMember(projectId: string, userId: string): Promise<AdmittedProject | undefined>
}

/**
 * The share of the database connections that expensive requests of one project can use, so that some are left for
 * others.
 */
const EXPENSIVE_SHARE = 1 / 5
const EXPENSIVE_LEAST = 2

const tooExpensive = (max: number) =>
  new Refusal(
    'too-many',
    'RATE_LIMIT_EXCEEDED',
    `This project already has ${max} expensive requests in progress, such as previews and reports.`,
    { details: { retryAfter: 1, limit: max }, suggestion: 'Wait for one of them to finish, then try again.' },
  )

/** The share of a project's limit that one network can use, but at least what one visitor needs. */
const NETWORK_SHARE = 1 / 2
const NETWORK_LEAST = 10

export function createAdmission(ctx: Context): Admission {
  const limit = ctx.settings.RATE_LIMIT_PER_MINUTE
  const clients = createMinuteCounts(ctx.clock)
  const keyUses = createKeyUses(ctx)
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
    admitKey: createBatcher((calls: KeyCall[]) => admitTogether(ctx, keyUses, calls), {
      batchMax: 200,
      concurrency: 4,
    }),
    async admitKeyAndRead({ key, kind }, read) {
      const now = ctx.clock.now()
      const hash = hashKey(key)
      const rows = await queries.admitKeyAndRead(ctx.db, { hash, kind }, read, limit, now)
      const [first] = rows
      if (!first) return undefined
      keyUses.recordProjectKey(hash)
      const admitted = { ...toAdmitted(first, first.window_count ?? 0, now), ...ofProjectKey(kind) }
      return { ...admitted, rows: rows.filter(({ id }) => id !== null) }
    },
    recordUse(projectId, { id }, address) {
      if (id !== null) keyUses.recordApiKey(projectId, id, address)
    },
    countClient(target, ip) {
      if (limit === 0) return
      const networkMax = Math.max(NETWORK_LEAST, Math.ceil(limit * NETWORK_SHARE))
      clients.count(`${target} ${networkOf(ip)}`, networkMax, 'Your network')
    },
    countAccount(userId) {
      if (limit > 0) clients.count(`account ${userId}`, limit, 'Your account')
    },
    async admitMember(projectId, userId) {
      const now = ctx.clock.now()
      const row = await queries.admitMember(ctx.db, projectId, userId, limit > 0, now)
      return row && toAdmitted(row, row.window_count ?? 0, now)
    },
  }
}

async function admitTogether(
  ctx: Context,
  keyUses: KeyUses,
  calls: KeyCall[],
): Promise<Array<AdmittedProject | undefined>> {
  const distinct = new Map<string, KeyCall & { calls: number; position: number }>()
  for (const call of calls) {
    const id = `${call.kind} ${call.key}`
    const entry = distinct.get(id) ?? { ...call, calls: 0, position: distinct.size + 1 }
    entry.calls++
    distinct.set(id, entry)
  }
  const now = ctx.clock.now()
  const keys = [...distinct.values()].map(({ key, kind, calls }) => ({ hash: hashKey(key), kind, calls }))
  const rows = await queries.admitKeys(ctx.db, keys, ctx.settings.RATE_LIMIT_PER_MINUTE > 0, now)
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  for (const { position, key_id } of rows) if (!key_id) keyUses.recordProjectKey(keys[position - 1]!.hash)
  const ordinals = ordinalsOf(rows)
  return calls.map((call) => {
    const row = byPosition.get(distinct.get(`${call.kind} ${call.key}`)!.position)
    return row && { ...toAdmitted(row, ordinals(row), now), ...(keyOf(row) ?? ofProjectKey(call.kind)) }
  })
}

type AdmittedKey = Pick<AdmittedProject, 'key' | 'isPublic'>

const ofProjectKey = (kind: KeyKind): AdmittedKey => (kind === 'public' ? { isPublic: true } : { key: SECRET_KEY })

function keyOf(row: queries.AdmittedKeyRow): AdmittedKey | undefined {
  if (!row.key_id) return undefined
  const { key_id: id, key_name: name, scopes, allowed_ips: allowedIps, expires_at: expiresAt, test } = row
  return { key: { id, name, scopes, allowedIps, expiresAt, test }, isPublic: onlyTracks(scopes) }
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
  publicKeyUpdates: row.public_key_updates,
  windowCount,
  windowStartedAt: row.window_started_at ?? now,
})

const WINDOW_MS = 60_000
const HOUR_MS = 3_600_000

export const isWithinRateLimit = ({ settings: { RATE_LIMIT_PER_MINUTE: limit } }: Context, project: AdmittedProject) =>
  limit === 0 || project.windowCount <= limit

/** Reports the project's rate limit in the headers and refuses the request if it is exceeded. All processes share the count. */
export function applyRateLimit(ctx: Context, reply: FastifyReply, project: AdmittedProject): void {
  const limit = ctx.settings.RATE_LIMIT_PER_MINUTE
  if (limit === 0) return
  const endsAt = project.windowStartedAt.getTime() + WINDOW_MS
  const reset = Math.max(1, Math.ceil((endsAt - ctx.clock.now().getTime()) / 1000))
  const remaining = Math.max(0, limit - project.windowCount)
  reply.headers({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
    // The same in the form of the IETF draft (draft-ietf-httpapi-ratelimit-headers).
    'ratelimit-policy': `"requests";q=${limit};w=${WINDOW_MS / 1000}`,
    ratelimit: `"requests";r=${remaining};t=${reset}`,
  })
  if (isWithinRateLimit(ctx, project)) return
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

// `Idempotency-Key`: a key is claimed in the database before any effect and completed by the statement that has the
// effect, so a crash leaves either both or neither. The key of a refused request is released. If the process exits in
// between, the next request with the key claims it (see claimIdempotencyKey).

const KEY = /^[ -~]{1,255}$/
const RETRY_PAUSE_MS = 500
const RESPONSE_TIMEOUT_MS = 1_000

/** Begins keys that were used with the key of a website, with `IDEMPOTENCY_SCOPE=key`. No other key can begin with it. */
const PUBLIC_PREFIX = 'public\t'

interface KeyUse {
  /** Method and path. */
  request: string
  /** Whether visitors of a website may have the key of the request. */
  isPublic?: boolean
}

type Claimed = { claim: IdempotencyClaim; first?: undefined } | { first: queries.ClaimedKey }

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>

export function createIdempotencyKeys(ctx: Context) {
  const closing = new AbortController()

  /** Retries until it succeeds, because a key that stays claimed can't be used again. */
  async function retryUntilDone(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (closing.signal.aborted) return // this process exits, which frees the key too
        ctx.log.debug({ err: error }, 'an idempotency key could not be updated yet; retrying')
      }
      await pause(RETRY_PAUSE_MS, closing.signal).catch(() => {})
    }
  }
  const release = (projectId: string, claim: IdempotencyClaim) =>
    retryUntilDone(() => queries.releaseIdempotencyKey(ctx.db, projectId, claim))

  return {
    /** Claims a key for a request, or returns the request that has it. */
    async claim(projectId: string, key: string, { request, isPublic = false }: KeyUse): Promise<Claimed> {
      const now = ctx.clock.now()
      const isSeparate = isPublic && ctx.settings.IDEMPOTENCY_SCOPE === 'key'
      const claim = { key: isSeparate ? PUBLIC_PREFIX + key : key, id: newId(now) }
      try {
        const facts = { request, now, expiredBefore: keysExpireBefore(ctx), claimedBy: ctx.workerLock ?? null }
        const first = await queries.claimIdempotencyKey(ctx.db, projectId, { ...claim, ...facts })
        return first ? { first } : { claim }
      } catch (error) {
        void release(projectId, claim) // the claim may have been committed although we got no response
        throw error
      }
    },
    /**
     * For a request that failed with this status. If it was refused, it can be corrected and sent again with its key. With
     * 503 the client is asked to retry; if the statement had its effect nevertheless, it has completed the key, and if it
     * is still running, it fails. After any other failure the key stays used, and later requests get the status of the
     * first.
     */
    async recordFailure(projectId: string, claim: IdempotencyClaim, status: number): Promise<void> {
      const recorded =
        status < 500 || status === 503
          ? release(projectId, claim)
          : retryUntilDone(() => queries.setIdempotencyKeyStatus(ctx.db, projectId, claim, status))
      await within(RESPONSE_TIMEOUT_MS, recorded) // the response doesn't wait for an unavailable database
    },
    close: () => closing.abort(),
  }
}

const keysExpireBefore = (ctx: Context) =>
  new Date(ctx.clock.now().getTime() - ctx.settings.IDEMPOTENCY_KEY_TTL_HOURS * HOUR_MS)

export const deleteOldKeys = (ctx: Context): Promise<void> => queries.deleteOldKeys(ctx.db, keysExpireBefore(ctx))

export async function claimKey(
  keys: IdempotencyKeys,
  request: FastifyRequest,
  route: Route,
  caller: Caller,
): Promise<Caller> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return caller
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw badRequest('An Idempotency-Key must have 1 to 255 printable ASCII characters.')
  }
  const isPublic = caller.isPublic ?? false
  const name = `${route.method} ${route.path}`
  const claimed = await keys.claim(caller.projectId, key, { request: name, isPublic })
  if (!claimed.first) return { ...caller, idempotencyKey: claimed.claim }
  const { first } = claimed
  const refusal = keyReused(key, name, first, isPublic)
  if (isPublic || first.request !== name || !(route.replay || isReplayRequested(request))) throw refusal
  const repeated = (fingerprint: Buffer): CustomResponse => {
    if (!first.response || !first.fingerprint?.equals(fingerprint)) throw refusal
    const body = route.replay ? route.replay(first.response) : { success: true, data: first.response }
    const schema = route.replies[first.status_code!]?.schema
    return new CustomResponse(first.status_code!, schema ? inSchemaOrder(schema, body) : body, {
      'idempotency-replayed': 'true',
    })
  }
  return { ...caller, repeated }
}

const isReplayRequested = ({ headers }: FastifyRequest): boolean =>
  String(headers['idempotency-replay']).toLowerCase() === 'true'

/** Anyone who visits a website has its public key, and keys such as "order-1003" can be guessed. */
function keyReused(key: string, name: string, first: queries.ClaimedKey, isPublic: boolean): Refusal {
  const original = isPublic
    ? { originalRequest: first.request === name ? name : null }
    : { originalRequest: first.request, ...(first.response ? { originalResponse: first.response } : {}) }
  return new Refusal(
    'conflict',
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key has already been used in this project.',
    {
      details: { key, originalRequestAt: first.created_at, originalStatusCode: first.status_code, ...original },
      suggestion: 'The first request with this key was accepted. Use a new key for a new request.',
    },
  )
}
