/** All SQL on sender domains. */
import type { Expression, RawBuilder, Selectable } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Domains } from '../../../platform/database/tables.ts'
import type { AfterCheck, Status } from './check-state.ts'
import { ED25519_RECORD } from './dns-records.ts'

const SHOWN = [
  'project_id',
  'id',
  'domain',
  'status',
  'ownership_token',
  'dkim_selector',
  'dkim_public_key',
  'ed25519_selector',
  'ed25519_public_key',
  'provider_dkim_tokens',
  'failed_checks',
  'pending_since',
  'records_found',
  'last_checked_at',
  'created_at',
  'updated_at',
] as const

export type DomainRow = Omit<Pick<Selectable<Domains>, (typeof SHOWN)[number]>, 'status'> & { status: Status }

/** The private key is encrypted. */
export interface NewKey {
  selector: string
  publicKey: string
  sealedPrivateKey: Buffer
}

export interface NewDomain {
  id: string
  domain: string
  status: Status
  recordsFound: string[]
  nextCheckAt: Date
  ownershipToken: string
  dkim: NewKey
  now: Date
}

/** Undefined if the project already has this domain. */
export async function insertDomain(
  db: Database | Tx,
  projectId: string,
  domain: NewDomain,
): Promise<DomainRow | undefined> {
  const row = await db
    .insertInto('domains')
    .values({
      project_id: projectId,
      id: domain.id,
      domain: domain.domain,
      status: domain.status,
      ownership_token: domain.ownershipToken,
      dkim_selector: domain.dkim.selector,
      dkim_public_key: domain.dkim.publicKey,
      dkim_private_key: domain.dkim.sealedPrivateKey,
      records_found: domain.recordsFound,
      next_check_at: domain.nextCheckAt,
      pending_since: domain.status === 'VERIFIED' ? null : domain.now,
      created_at: domain.now,
      updated_at: domain.now,
    })
    .onConflict((conflict) => conflict.constraint('domains_once').doNothing())
    .returning(SHOWN)
    .executeTakeFirst()
  return row as DomainRow | undefined
}

/** Serializes additions to a project, so that concurrent requests can't exceed its limit together. */
export async function lockDomains(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domains:${projectId}`}, 0))`.execute(tx)
}

export async function listDomains(db: Database | Tx, projectId: string): Promise<DomainRow[]> {
  const rows = await db.selectFrom('domains').select(SHOWN).where('project_id', '=', projectId).orderBy('id').execute()
  return rows as DomainRow[]
}

export async function listDomainPage(
  db: Database,
  projectId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<DomainRow[]> {
  const all = db.selectFrom('domains').select(SHOWN).where('project_id', '=', projectId)
  const older = before === undefined ? all : all.where('id', '<', before)
  return (await older.orderBy('id', 'desc').limit(limit).execute()) as DomainRow[]
}

export async function countDomains(db: Database, projectId: string): Promise<number> {
  const { count } = await db
    .selectFrom('domains')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findDomain(db: Database, projectId: string, id: string): Promise<DomainRow | undefined> {
  const row = await domainOf(db, projectId, id).executeTakeFirst()
  return row as DomainRow | undefined
}

/** Reads and locks the row until the transaction ends. */
export async function lockDomain(tx: Tx, projectId: string, id: string): Promise<DomainRow | undefined> {
  const row = await domainOf(tx, projectId, id).forUpdate().executeTakeFirst()
  return row as DomainRow | undefined
}

const domainOf = (db: Database | Tx, projectId: string, id: string) =>
  db.selectFrom('domains').select(SHOWN).where('project_id', '=', projectId).where('id', '=', id)

export interface CheckResult extends AfterCheck {
  recordsFound: string[]
  providerDkimTokens: string[] | null
}

export async function recordCheck(
  tx: Tx,
  { project_id, id, status, updated_at }: DomainRow,
  result: CheckResult,
  now: Date,
): Promise<DomainRow> {
  const row = await tx
    .updateTable('domains')
    .set({
      status: result.status,
      failed_checks: result.failedChecks,
      pending_since: result.pendingSince,
      next_check_at: result.nextCheckAt,
      records_found: result.recordsFound,
      provider_dkim_tokens: result.providerDkimTokens,
      last_checked_at: now,
      updated_at: status === result.status ? updated_at : now,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirstOrThrow()
  return row as DomainRow
}

/** Stores what the provider returned when the domain was added; a check stores it as well. */
export async function saveProviderDkimTokens(
  db: Database | Tx,
  projectId: string,
  id: string,
  tokens: string[],
): Promise<void> {
  await db
    .updateTable('domains')
    .set({ provider_dkim_tokens: tokens })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** Another key has another selector, and without one there is no record. */
export async function saveEd25519Key(tx: Tx, row: DomainRow, key: NewKey | null, now: Date): Promise<DomainRow> {
  const changed = await tx
    .updateTable('domains')
    .set({
      ed25519_selector: key?.selector ?? null,
      ed25519_public_key: key?.publicKey ?? null,
      ed25519_private_key: key?.sealedPrivateKey ?? null,
      records_found: row.records_found.filter((found) => found !== ED25519_RECORD),
      updated_at: now,
    })
    .where('project_id', '=', row.project_id)
    .where('id', '=', row.id)
    .returning(SHOWN)
    .executeTakeFirstOrThrow()
  return changed as DomainRow
}

/**
 * Claims domains that are due, so that no other process checks them: they are due again at `until`, after the claim has
 * ended. Domains of disabled projects are skipped.
 */
export async function claimDueDomains(db: Database, most: number, now: Date, until: Date): Promise<DomainRow[]> {
  const { rows } = await sql<DomainRow>`/* claim-due-domains */
    update domains set next_check_at = ${until}
    where id in (
      select domains.id from domains join projects on projects.id = domains.project_id
      where domains.next_check_at <= ${now} and projects.disabled_at is null
      order by domains.next_check_at limit ${most}
      for update of domains skip locked)
    returning ${sql.join(SHOWN.map((column) => sql.ref(column)))}`.execute(db)
  return rows
}

export async function findOwners(tx: Tx, projectId: string): Promise<Array<{ email: string; project_name: string }>> {
  return tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .innerJoin('projects', 'projects.id', 'members.project_id')
    .select(['users.email', 'projects.name as project_name'])
    .where('members.project_id', '=', projectId)
    .where('members.role', '=', 'OWNER')
    .execute()
}

/** Returns the name of the deleted domain. */
export async function deleteDomain(tx: Tx, projectId: string, id: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('domains')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning('domain')
    .executeTakeFirst()
  return row?.domain
}

/** The name of an unfinished campaign that sends from a domain, if there is one. */
export async function findCampaignFrom(tx: Tx, projectId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`/* find-campaign-from-domain */
    select c.name from domains d join campaigns c on c.project_id = d.project_id and c.from_domain = d.domain
    where d.project_id = ${projectId} and d.id = ${id} and c.status in ('DRAFT', 'SCHEDULED', 'SENDING')
    order by c.id limit 1`.execute(tx)
  return rows[0]?.name
}

/** Over `domains`: the encrypted Ed25519 key, which signs only while its record is found in DNS; otherwise null. */
export const ed25519KeySql: RawBuilder<Buffer | null> = sql`
  case when ${ED25519_RECORD} = any(domains.records_found) then domains.ed25519_private_key end`

/** A condition: this project can send from this domain. Both sides can be columns of the surrounding statement. */
export const isVerifiedSql = (
  projectId: string | Expression<unknown>,
  domain: string | Expression<unknown>,
): RawBuilder<boolean> => sql<boolean>`coalesce((
  select domains.status = 'VERIFIED' from domains where domains.project_id = ${projectId} and domains.domain = ${domain}), false)`

export async function isVerified(db: Database, projectId: string, domain: string): Promise<boolean> {
  const { rows } = await sql<{ verified: boolean }>`/* is-verified-domain */
    select ${isVerifiedSql(projectId, domain)} as verified`.execute(db)
  return rows[0]!.verified
}

export interface DomainOfProject {
  projectId: string
  domain: string
}

/** Whether each of these domains is verified, in their order. */
export async function areVerified(db: Database, domains: DomainOfProject[]): Promise<boolean[]> {
  const { rows } = await sql<{ verified: boolean }>`/* are-verified-domains */
    select ${isVerifiedSql(sql`asked.project_id`, sql`asked.domain`)} as verified
    from unnest(${domains.map(({ projectId }) => projectId)}::uuid[], ${domains.map(({ domain }) => domain)}::text[])
      with ordinality as asked(project_id, domain, position)
    order by asked.position`.execute(db)
  return rows.map(({ verified }) => verified)
}

/** The project of a domain, among the projects of a user. */
export async function findProjectOfDomain(db: Database, userId: string, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('domains')
    .innerJoin('members', 'members.project_id', 'domains.project_id')
    .select('domains.project_id')
    .where('domains.id', '=', id)
    .where('members.user_id', '=', userId)
    .executeTakeFirst()
  return row?.project_id
}
