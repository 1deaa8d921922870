/**
 * SQL of API keys: those with scopes, and the public and the secret key of each project. The gate looks them up in a
 * statement of its own.
 */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

export interface ApiKeyRow {
  id: string
  name: string
  prefix: string
  scopes: string[]
  allowed_ips: string[]
  expires_at: Date | null
  test: boolean
  previous_expires_at: Date | null
  last_used_at: Date | null
  last_used_ip: string | null
  created_by_type: string
  created_by_id: string | null
  created_by_name: string
  created_at: Date
  updated_at: Date
}

/** With its last use, and until when a key that was replaced works. */
const keys = (projectId: string, now: Date) => sql`
  select k.*, u.last_used_at, u.last_used_ip, (
    select max(least(s.expires_at, k.expires_at)) from api_key_secrets s
    where s.project_id = k.project_id and s.key_id = k.id and least(s.expires_at, k.expires_at) > ${now}::timestamptz
      and s.expires_at is not null
  ) as previous_expires_at
  from api_keys k left join api_key_uses u on u.project_id = k.project_id and u.key_id = k.id
  where k.project_id = ${projectId}`

/** Newest first, with one extra row that shows whether there are more. */
export async function listApiKeys(
  db: Database,
  projectId: string,
  { before, limit, now }: { before: string | undefined; limit: number; now: Date },
): Promise<ApiKeyRow[]> {
  const older = before === undefined ? sql`` : sql`and k.id < ${before}::uuid`
  const { rows } = await sql<ApiKeyRow>`${keys(projectId, now)} ${older} order by k.id desc limit ${limit + 1}`.execute(
    db,
  )
  return rows
}

export async function countApiKeys(db: Database | Tx, projectId: string): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Changes of a project's keys wait for each other. Whatever only refers to the project does not. */
export async function lockKeysOf(tx: Tx, projectId: string): Promise<void> {
  await sql`select from projects where id = ${projectId} for no key update`.execute(tx)
}

export async function findApiKey(tx: Tx, projectId: string, id: string, now: Date): Promise<ApiKeyRow | undefined> {
  const { rows } = await sql<ApiKeyRow>`${keys(projectId, now)} and k.id = ${id}::uuid`.execute(tx)
  return rows[0]
}

export interface NewApiKeyRow {
  id: string
  name: string
  prefix: string
  scopes: readonly string[]
  allowedIps: readonly string[]
  expiresAt: Date | null
  test: boolean
  /** The ID of a user, or a key. */
  createdBy: { actor: string; key?: { id: string | null; name: string } | undefined }
  now: Date
}

export async function insertApiKey(tx: Tx, projectId: string, key: NewApiKeyRow): Promise<void> {
  const { actor, key: creator } = key.createdBy
  const createdBy = creator
    ? sql`'key', ${creator.id}::uuid, ${creator.name}`
    : sql`'user', ${actor}::uuid, (select email from users where id = ${actor}::uuid)`
  await sql`
    insert into api_keys (project_id, id, name, prefix, scopes, allowed_ips, expires_at, test,
      created_by_type, created_by_id, created_by_name, created_at, updated_at)
    values (${projectId}, ${key.id}, ${key.name}, ${key.prefix}, ${[...key.scopes]}::text[], ${[...key.allowedIps]}::text[],
      ${key.expiresAt}::timestamptz, ${key.test}::boolean, ${createdBy}, ${key.now}::timestamptz, ${key.now}::timestamptz)`.execute(
    tx,
  )
}

export async function insertSecret(tx: Tx, projectId: string, keyId: string, hash: Buffer): Promise<void> {
  await tx.insertInto('api_key_secrets').values({ project_id: projectId, key_id: keyId, hash }).execute()
}

/** The current secret works until then; those before it keep their end. */
export async function endSecret(tx: Tx, projectId: string, keyId: string, at: Date): Promise<void> {
  await tx
    .updateTable('api_key_secrets')
    .set({ expires_at: at })
    .where('project_id', '=', projectId)
    .where('key_id', '=', keyId)
    .where('expires_at', 'is', null)
    .execute()
}

/** Those that have ended by then, or all of them. */
export async function deleteSecrets(tx: Tx, projectId: string, keyId: string, endedBy?: Date): Promise<void> {
  const query = tx.deleteFrom('api_key_secrets').where('project_id', '=', projectId).where('key_id', '=', keyId)
  await (endedBy === undefined ? query : query.where('expires_at', '<=', endedBy)).execute()
}

export async function countSecrets(tx: Tx, projectId: string, keyId: string): Promise<number> {
  const row = await tx
    .selectFrom('api_key_secrets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow()
  return row.count
}

export interface ApiKeyColumns {
  name: string
  prefix: string
  scopes: string[]
  allowed_ips: string[]
  expires_at: Date | null
}

export async function updateApiKey(
  tx: Tx,
  projectId: string,
  id: string,
  changes: Partial<ApiKeyColumns>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ ...changes, updated_at: now })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

export async function deleteApiKey(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx.deleteFrom('api_keys').where('project_id', '=', projectId).where('id', '=', id).execute()
}

export interface ApiKeyUse {
  projectId: string
  keyId: string
  ip: string | null
}

/** Ordered, so that processes that record the same keys don't wait for each other in a circle. */
export async function recordApiKeyUses(db: Database, uses: ApiKeyUse[], now: Date): Promise<void> {
  await sql`
    insert into api_key_uses (project_id, key_id, last_used_at, last_used_ip)
    select distinct on (k.project_id, k.id) k.project_id, k.id, ${now}::timestamptz, used.ip
    from unnest(${uses.map((use) => use.projectId)}::uuid[], ${uses.map((use) => use.keyId)}::uuid[],
      ${uses.map((use) => use.ip)}::text[]) as used(project_id, key_id, ip)
    join api_keys k on k.project_id = used.project_id and k.id = used.key_id
    order by k.project_id, k.id
    on conflict (project_id, key_id) do update set last_used_at = excluded.last_used_at, last_used_ip = excluded.last_used_ip
    where api_key_uses.last_used_at <= excluded.last_used_at - interval '1 minute'`.execute(db)
}

export async function replaceProjectKeys(tx: Tx, projectId: string, hashes: { public: Buffer; secret: Buffer }) {
  await tx.deleteFrom('project_keys').where('project_id', '=', projectId).execute()
  await tx
    .insertInto('project_keys')
    .values([
      { project_id: projectId, kind: 'public', hash: hashes.public },
      { project_id: projectId, kind: 'secret', hash: hashes.secret },
    ])
    .execute()
}

export async function hasProjectKey(db: Database, projectId: string, hash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('project_keys')
    .select('kind')
    .where('project_id', '=', projectId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return found !== undefined
}

/** Rows are locked in the same order in every process, as above. */
export async function recordProjectKeyUses(db: Database, hashes: Buffer[], now: Date): Promise<void> {
  await sql`
    insert into key_uses (project_id, kind, last_used_at)
    select project_id, kind, ${now}::timestamptz from project_keys where hash = any(${hashes}::bytea[]) order by project_id, kind
    on conflict (project_id, kind) do update set last_used_at = excluded.last_used_at
    where key_uses.last_used_at <= excluded.last_used_at - interval '1 minute'`.execute(db)
}

export interface ProjectKeyRow {
  kind: string
  public_key: string
  secret_key_hint: string
  last_used_at: Date | null
}

export async function listProjectKeys(db: Database, projectId: string): Promise<ProjectKeyRow[]> {
  const { rows } = await sql<ProjectKeyRow>`
    select k.kind, p.public_key, p.secret_key_hint, u.last_used_at
    from project_keys k join projects p on p.id = k.project_id
    left join key_uses u on u.project_id = k.project_id and u.kind = k.kind
    where k.project_id = ${projectId} order by k.kind desc`.execute(db)
  return rows
}
