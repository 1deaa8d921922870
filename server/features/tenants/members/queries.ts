/**
 * Members of projects with their roles, and open invitations. An accepted or withdrawn invitation is deleted. Also what
 * accounts did lately that is limited.
 */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

export interface MemberRow {
  user_id: string
  email: string
  email_verified_at: Date | null
  role: string
  created_at: Date
}

const members = (db: Database | Tx, projectId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.user_id', 'users.email', 'users.email_verified_at', 'members.role', 'members.created_at'])
    .where('members.project_id', '=', projectId)

/** The owner first, then in the order in which they were added. */
export async function listMembers(db: Database, projectId: string): Promise<MemberRow[]> {
  return members(db, projectId)
    .orderBy(sql`members.role <> 'OWNER'`)
    .orderBy('members.created_at')
    .orderBy('members.user_id')
    .execute()
}

/** Records what a member edits, if it is one, and returns the others who have edited the same since a time. */
export async function markEditing(
  db: Database,
  projectId: string,
  { userId, editing, now, since }: { userId: string | null; editing: string; now: Date; since: Date },
): Promise<Array<{ id: string; email: string }>> {
  const { rows } = await sql<{ id: string; email: string }>`/* mark-editing */
    with marked as (
      update members set editing = ${editing}, editing_at = ${now}::timestamptz
      where project_id = ${projectId} and user_id = ${userId}::uuid
    )
    select users.id, users.email from members join users on users.id = members.user_id
    where members.project_id = ${projectId} and members.editing = ${editing} and members.editing_at > ${since}::timestamptz
      and members.user_id is distinct from ${userId}::uuid
    order by users.email`.execute(db)
  return rows
}

export async function findMember(db: Database | Tx, projectId: string, userId: string): Promise<MemberRow | undefined> {
  return members(db, projectId).where('members.user_id', '=', userId).executeTakeFirst()
}

/** Locks the membership to serialize changes. */
export async function lockMember(tx: Tx, projectId: string, userId: string): Promise<MemberRow | undefined> {
  return members(tx, projectId).where('members.user_id', '=', userId).forUpdate('members').executeTakeFirst()
}

export async function isMemberByEmail(db: Database | Tx, projectId: string, email: string): Promise<boolean> {
  return (await members(db, projectId).where('users.email', '=', email).executeTakeFirst()) !== undefined
}

export async function findAccount(
  db: Database | Tx,
  email: string,
): Promise<{ id: string; email_verified_at: Date | null } | undefined> {
  return db.selectFrom('users').select(['id', 'email_verified_at']).where('email', '=', email).executeTakeFirst()
}

/** False if the user is already a member; their role is unchanged. */
export async function insertMember(
  tx: Tx,
  projectId: string,
  member: { userId: string; role: string; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('members')
    .values({ project_id: projectId, user_id: member.userId, role: member.role, created_at: member.now })
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function setRole(tx: Tx, projectId: string, userId: string, role: string): Promise<void> {
  await tx
    .updateTable('members')
    .set({ role })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteMember(tx: Tx, projectId: string, userId: string): Promise<void> {
  await tx.deleteFrom('members').where('project_id', '=', projectId).where('user_id', '=', userId).execute()
}

/** In every project, because it is about a person. */
export async function deleteMemberships(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('members').where('user_id', '=', userId).where('role', '<>', 'OWNER').execute()
}

export async function findRole(db: Database, projectId: string, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('members')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/** The addresses of the owner and the admins. */
export async function listManagers(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await members(tx, projectId).where('members.role', 'in', ['OWNER', 'ADMIN']).execute()
  return rows.map((row) => row.email)
}

export async function findOwner(tx: Tx, projectId: string): Promise<MemberRow | undefined> {
  return members(tx, projectId).where('members.role', '=', 'OWNER').executeTakeFirst()
}

/** Over all projects of the account, because it is about a person. */
export async function countOwnedProjects(tx: Tx, userId: string): Promise<number> {
  const row = await tx
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('role', '=', 'OWNER')
    .executeTakeFirstOrThrow()
  return row.count
}

/** What a notice needs from a project. */
export async function findProjectName(db: Database | Tx, projectId: string): Promise<string> {
  const row = await db.selectFrom('projects').select('name').where('id', '=', projectId).executeTakeFirst()
  return row?.name ?? ''
}

export interface InvitationRow {
  id: string
  email: string
  role: string
  invited_by_email: string | null
  created_at: Date
  expires_at: Date
}

export interface NewInvitationRow {
  id: string
  email: string
  role: string
  tokenHash: Buffer
  invitedBy: string | null
  now: Date
  expiresAt: Date
}

/** A new invitation for the same address replaces the old one, whose link stops working. */
export async function replaceInvitation(tx: Tx, projectId: string, row: NewInvitationRow): Promise<void> {
  const values = {
    id: row.id,
    role: row.role,
    token_hash: row.tokenHash,
    invited_by: row.invitedBy,
    created_at: row.now,
    expires_at: row.expiresAt,
    link_shown: false,
  }
  await tx
    .insertInto('invitations')
    .values({ project_id: projectId, email: row.email, ...values })
    .onConflict((conflict) => conflict.columns(['project_id', 'email']).doUpdateSet(values))
    .execute()
}

/** Sets a new token that is shown to an admin; the link in the email stops working. Undefined if there is none open. */
export async function replaceToken(
  tx: Tx,
  projectId: string,
  { id, tokenHash, now, expiresAt }: { id: string; tokenHash: Buffer; now: Date; expiresAt: Date },
): Promise<{ email: string; role: string } | undefined> {
  return tx
    .updateTable('invitations')
    .set({ token_hash: tokenHash, expires_at: expiresAt, link_shown: true })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returning(['email', 'role'])
    .executeTakeFirst()
}

const invitations = (db: Database | Tx) =>
  db
    .selectFrom('invitations as i')
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .select(['i.id', 'i.email', 'i.role', 'u.email as invited_by_email', 'i.created_at', 'i.expires_at'])

export async function listInvitations(db: Database, projectId: string, now: Date): Promise<InvitationRow[]> {
  return invitations(db)
    .where('i.project_id', '=', projectId)
    .where('i.expires_at', '>', now)
    .orderBy('i.id', 'desc')
    .execute()
}

/** By the token of an email. The only lookup without a project, because the token identifies it. */
export async function findInvitation(db: Database, tokenHash: Buffer, now: Date) {
  return invitations(db)
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select(['p.name as project_name'])
    .where('i.token_hash', '=', tokenHash)
    .where('i.expires_at', '>', now)
    .executeTakeFirst()
}

/** Deletes and returns the invitation: if two requests accept it at the same time, only one gets it. */
export async function consumeInvitation(tx: Tx, tokenHash: Buffer, now: Date) {
  return tx
    .deleteFrom('invitations')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(['project_id', 'id', 'email', 'role', 'link_shown'])
    .executeTakeFirst()
}

export async function deleteInvitation(tx: Tx, projectId: string, id: string) {
  return tx
    .deleteFrom('invitations')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning(['email', 'role'])
    .executeTakeFirst()
}

export async function deleteInvitationOf(tx: Tx, projectId: string, email: string): Promise<void> {
  await tx.deleteFrom('invitations').where('project_id', '=', projectId).where('email', '=', email).execute()
}

export async function deleteExpiredInvitations(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<', before).execute()
}

/** Acts of one account, and those that concern one recipient, are counted one after the other. */
export async function lockActs(tx: Tx, userId: string, recipient: Buffer | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 3))`.execute(tx)
  if (recipient) await sql`select pg_advisory_xact_lock(hashtextextended(${recipient.toString('hex')}, 4))`.execute(tx)
}

/** When the act was that is `position` acts ago; undefined if there were fewer. */
export async function findAct(
  tx: Tx,
  by: { userId: string; kind: string } | { recipient: Buffer },
  position: number,
): Promise<Date | undefined> {
  const acts = tx.selectFrom('account_acts').select('created_at')
  const matching =
    'recipient' in by
      ? acts.where('recipient', '=', by.recipient)
      : acts.where('user_id', '=', by.userId).where('kind', '=', by.kind)
  const row = await matching
    .orderBy('created_at', 'desc')
    .offset(position - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

export async function insertAct(
  tx: Tx,
  act: { id: string; userId: string; kind: string; recipient: Buffer | null; now: Date },
): Promise<void> {
  const { id, userId: user_id, kind, recipient, now: created_at } = act
  await tx.insertInto('account_acts').values({ id, user_id, kind, recipient, created_at }).execute()
}

export async function deleteActs(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('account_acts').where('created_at', '<', before).execute()
}
