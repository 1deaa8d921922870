/** All SQL on sender domains. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'

export interface DomainRow {
  project_id: string
  id: string
  domain: string
  status: string
  ownership_token: string
  dkim_selector: string
  dkim_public_key: string
  last_checked_at: Date | null
  created_at: Date
  updated_at: Date
}

const SHOWN = [
  'project_id',
  'id',
  'domain',
  'status',
  'ownership_token',
  'dkim_selector',
  'dkim_public_key',
  'last_checked_at',
  'created_at',
  'updated_at',
] as const

export interface NewDomain {
  id: string
  domain: string
  status: string
  ownershipToken: string
  dkim: { selector: string; publicKey: string; sealedPrivateKey: Buffer }
  now: Date
}

/** Nothing when the project has this domain already. */
export async function insertDomain(
  db: Database | Tx,
  projectId: string,
  domain: NewDomain,
): Promise<DomainRow | undefined> {
  return db
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
      created_at: domain.now,
      updated_at: domain.now,
    })
    .onConflict((conflict) => conflict.constraint('domains_once').doNothing())
    .returning(SHOWN)
    .executeTakeFirst()
}

export async function listDomains(db: Database, projectId: string): Promise<DomainRow[]> {
  return db.selectFrom('domains').select(SHOWN).where('project_id', '=', projectId).orderBy('id').execute()
}

export async function setChecked(
  db: Database,
  projectId: string,
  id: string,
  status: string,
  now: Date,
): Promise<DomainRow | undefined> {
  return db
    .updateTable('domains')
    .set({ status, last_checked_at: now, updated_at: now })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirst()
}

export async function deleteDomain(db: Database, projectId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('domains')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function isVerified(db: Database, projectId: string, domain: string): Promise<boolean> {
  const { rows } = await sql`/* is-verified-domain */
    select from domains where project_id = ${projectId} and domain = ${domain} and status = 'VERIFIED'`.execute(db)
  return rows.length > 0
}

/** The project of a domain, among those a person is a member of. */
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
