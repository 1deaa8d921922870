/**
 * SQL of the gate: looking up a caller's project, counting its calls, and idempotency keys. `rate_windows` and
 * `idempotency_keys` belong to the gate; the step that completes a key is in platform/database, because statements of
 * features include it.
 */
import type { RawBuilder } from 'kysely'
import type { PublicKeyUpdates } from '../kernel/scopes.ts'
import type { Database } from '../platform/database/connection/connect.ts'
import { sql } from '../platform/database/connection/sql.ts'
import type { IdempotencyClaim } from '../platform/database/idempotency-sql.ts'
import type { SharedRead } from '../platform/http/route.ts'

export interface AdmittedRow {
  position: number
  project_id: string
  budget: string
  disabled: boolean
  role: string | null
  /** Only of keys. */
  public_key_updates?: PublicKeyUpdates
  calls: number
  window_count: number | null
  window_started_at: Date | null
}

/** With the limits of a key that has scopes; null or absent for the two keys of a project. */
export type AdmittedKeyRow = AdmittedRow & (AdmittedLimits | { key_id?: null })

interface AdmittedLimits {
  key_id: string
  key_name: string
  scopes: string[]
  allowed_ips: string[]
  expires_at: Date | null
  test: boolean
}

const WINDOW = sql`interval '1 minute'`

/** A window that begins later than this was opened before the clock was set back. Clocks of machines differ by less. */
const AHEAD = sql`interval '10 minutes'`

/** A minute has passed, or the clock was set back. */
const isOver = sql`(rate_windows.started_at <= excluded.started_at - ${WINDOW} or rate_windows.started_at >= excluded.started_at + ${AHEAD})`

/** Adds calls to each project's windows; a window opens with the first call and lasts a minute. */
const countCalls = (now: Date) => sql`
  insert into rate_windows (project_id, budget, started_at, count)
  select project_id, budget, ${now}::timestamptz, sum(calls)::int from found group by project_id, budget order by project_id, budget
  on conflict (project_id, budget) do update set
    count = case when ${isOver} then 0 else rate_windows.count end + excluded.count,
    started_at = case when ${isOver} then excluded.started_at else rate_windows.started_at end
  returning project_id, budget, count, started_at`

const noCount = sql`select null::uuid as project_id, null::text as budget, null::int as count, null::timestamptz as started_at where false`

const admittedWith = (columns: RawBuilder<unknown>) => sql`
  select found.position::int, found.project_id, found.budget, found.disabled, found.role, found.calls,
    counted.count as window_count, counted.started_at as window_started_at${columns}
  from found left join counted using (project_id, budget)`

const admitted = admittedWith(sql``)

interface RequestedKey {
  hash: Buffer
  kind: string
  calls: number
}

const requestedKeys = (keys: RequestedKey[]) => sql`
  unnest(${keys.map((k) => k.hash)}::bytea[], ${keys.map((k) => k.kind)}::text[], ${keys.map((k) => k.calls)}::int[])
    with ordinality as requested(hash, kind, calls, position)`

const NO_LIMITS = sql`, null::uuid as key_id, null as key_name, null::text[] as scopes, null::text[] as allowed_ips, null::timestamptz as expires_at, null::boolean as test`

const projectKeys = (requested: RawBuilder<unknown>, limits: RawBuilder<unknown>) => sql`
  select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
    case requested.kind when 'public' then 'public' else 'keys' end as budget, p.public_key_updates${limits}
  from ${requested}
  join project_keys k on k.hash = requested.hash and k.kind = requested.kind
  join projects p on p.id = k.project_id`

/** A key that only tracks events shares the limit of the public key. */
const scopedKeys = (requested: RawBuilder<unknown>, now: Date) => sql`
  select requested.position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, requested.calls,
    case when k.scopes = '{track}' then 'public' else 'keys' end as budget, p.public_key_updates,
    k.id as key_id, k.name as key_name, k.scopes, k.allowed_ips, least(k.expires_at, s.expires_at) as expires_at, k.test
  from ${requested}
  join api_key_secrets s on s.hash = requested.hash and (s.expires_at is null or s.expires_at > ${now}::timestamptz)
  join api_keys k on k.project_id = s.project_id and k.id = s.key_id and (k.expires_at is null or k.expires_at > ${now}::timestamptz)
  join projects p on p.id = k.project_id
  where requested.kind = 'scoped'`

/**
 * Looks up many keys and counts their calls; an unknown or expired key has no row. Nothing is cached, so a replaced key
 * stops working immediately. A statement that looks for both kinds of keys takes longer, so there is one for each.
 */
export async function admitKeys(
  db: Database,
  keys: RequestedKey[],
  counting: boolean,
  now: Date,
): Promise<AdmittedKeyRow[]> {
  const scoped = keys.filter(({ kind }) => kind === 'scoped').length
  const hasBoth = scoped > 0 && scoped < keys.length
  const variant = `${hasBoth ? '-mixed' : scoped > 0 ? '-scoped' : ''}${counting ? '' : '-uncounted'}`
  const requested = hasBoth ? sql`requested` : requestedKeys(keys)
  const found = hasBoth
    ? sql`${projectKeys(requested, NO_LIMITS)} union all ${scopedKeys(requested, now)}`
    : scoped > 0
      ? scopedKeys(requested, now)
      : projectKeys(requested, sql``)
  const limits = sql`, found.public_key_updates${
    scoped > 0
      ? sql`, found.key_id, found.key_name, found.scopes, found.allowed_ips, found.expires_at, found.test`
      : sql``
  }`
  const { rows } = await sql<AdmittedKeyRow>`${sql.raw(`/* admit-keys${variant} */`)}
    with ${hasBoth ? sql`requested as (select * from ${requestedKeys(keys)}), ` : sql``}found as (${found}
    ), counted as (${counting ? countCalls(now) : noCount})
    ${admittedWith(limits)}`.execute(db)
  return rows
}

/**
 * Looks up one key and reads what the route requests, unless the call exceeds the rate limit. A key without a project
 * has no row.
 */
export async function admitKeyAndRead(
  db: Database,
  { hash, kind }: { hash: Buffer; kind: string },
  read: SharedRead,
  limit: number,
  now: Date,
): Promise<Array<AdmittedRow & { id: string | null }>> {
  const { rows } = await sql<
    AdmittedRow & { id: string | null }
  >`${sql.raw(`/* admit-key-and-${read.name}${limit > 0 ? '' : '-uncounted'} */`)}
    with found as (
      select 1 as position, p.id as project_id, p.disabled_at is not null as disabled, null::text as role, 1 as calls,
        case k.kind when 'public' then 'public' else 'keys' end as budget
      from project_keys k join projects p on p.id = k.project_id
      where k.hash = ${hash} and k.kind = ${kind}
    ), counted as (${limit > 0 ? countCalls(now) : noCount}),
    admitted as (${admitted})
    select admitted.*, page.* from admitted left join lateral (
      select page.* from (${read.rows(sql<string>`admitted.project_id`)}) as page
      where coalesce(admitted.window_count, 0) <= ${limit}::int
    ) as page on true`.execute(db)
  return rows
}

/** The same for a session: the user's role in the project, or no row if they are not a member. */
export async function admitMember(
  db: Database,
  projectId: string,
  userId: string,
  counting: boolean,
  now: Date,
): Promise<AdmittedRow | undefined> {
  const { rows } = await sql<AdmittedRow>`
    with found as (
      select 1 as position, p.id as project_id, p.disabled_at is not null as disabled, m.role, 1 as calls,
        'sessions' as budget
      from members m join projects p on p.id = m.project_id
      where m.project_id = ${projectId} and m.user_id = ${userId}
    ), counted as (${counting ? countCalls(now) : noCount})
    ${admitted}`.execute(db)
  return rows[0]
}

export async function deleteOldWindows(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('rate_windows').where('started_at', '<', before).execute()
}

export interface ClaimedKey {
  request: string
  status_code: number | null
  response: unknown
  created_at: Date
  fingerprint: Buffer | null
}

const CLAIM_ATTEMPTS = 20

/**
 * Claims a key, or returns the request that has it. A key older than `expiredBefore` is free again, and so is one whose
 * process exited before the request had its effect.
 */
export async function claimIdempotencyKey(
  db: Database,
  projectId: string,
  claim: IdempotencyClaim & { request: string; now: Date; expiredBefore: Date; claimedBy: number | null },
): Promise<ClaimedKey | undefined> {
  const { key, id, request, now, expiredBefore, claimedBy } = claim
  for (let attempt = 1; attempt <= CLAIM_ATTEMPTS; attempt++) {
    const { rows } = await sql<ClaimedKey & { claimed: boolean }>`/* claim-idempotency-key */
      with claimed as (
        insert into idempotency_keys as existing (project_id, key, request, created_at, claim_id, claimed_by)
        values (${projectId}, ${key}, ${request}, ${now}::timestamptz, ${id}::uuid, ${claimedBy}::int)
        on conflict (project_id, key) do update
          set request = excluded.request, status_code = null, response = null, fingerprint = null, created_at = excluded.created_at,
            claim_id = excluded.claim_id, claimed_by = excluded.claimed_by
          where existing.created_at <= ${expiredBefore}::timestamptz
            or (existing.status_code is null and existing.claimed_by is not null and not posthorn_queue.is_running(existing.claimed_by))
        returning request, status_code, response, created_at, fingerprint
      )
      select true as claimed, * from claimed
      union all
      select false, request, status_code, response, created_at, fingerprint from idempotency_keys
      where project_id = ${projectId} and key = ${key} and not exists (select from claimed)`.execute(db)
    // No row at all: the key was claimed after our snapshot or released just now. Look again.
    if (rows[0]) return rows[0].claimed ? undefined : rows[0]
  }
  throw new Error('An idempotency key could not be claimed because it kept changing.')
}

export async function releaseIdempotencyKey(db: Database, projectId: string, claim: IdempotencyClaim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('project_id', '=', projectId)
    .where('key', '=', claim.key)
    .where('claim_id', '=', claim.id)
    .where('status_code', 'is', null)
    .execute()
}

export async function setIdempotencyKeyStatus(
  db: Database,
  projectId: string,
  claim: IdempotencyClaim,
  status: number,
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status_code: status })
    .where('project_id', '=', projectId)
    .where('key', '=', claim.key)
    .where('claim_id', '=', claim.id)
    .where('status_code', 'is', null)
    .execute()
}

export async function deleteOldKeys(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<=', before).execute()
}
