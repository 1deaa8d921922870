/** Who belongs to a project, and with which role. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'

export interface MemberRow {
  user_id: string
  email: string
  role: string
  created_at: Date
}

const members = (db: Database | Tx, projectId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.user_id', 'users.email', 'members.role', 'members.created_at'])
    .where('members.project_id', '=', projectId)

/** The owner first, then in the order in which they came. */
export async function listMembers(db: Database, projectId: string): Promise<MemberRow[]> {
  return members(db, projectId)
    .orderBy(sql`members.role <> 'OWNER'`)
    .orderBy('members.created_at')
    .orderBy('members.user_id')
    .execute()
}

export async function findMember(db: Database | Tx, projectId: string, userId: string): Promise<MemberRow | undefined> {
  return members(db, projectId).where('members.user_id', '=', userId).executeTakeFirst()
}

/** Locks the membership, so that two changes of it follow one another. */
export async function lockMember(tx: Tx, projectId: string, userId: string): Promise<MemberRow | undefined> {
  return members(tx, projectId).where('members.user_id', '=', userId).forUpdate('members').executeTakeFirst()
}

export async function isMemberByEmail(db: Database | Tx, projectId: string, email: string): Promise<boolean> {
  return (await members(db, projectId).where('users.email', '=', email).executeTakeFirst()) !== undefined
}

export async function findUserId(db: Database | Tx, email: string): Promise<string | undefined> {
  return (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())?.id
}

/** False when the person is a member already: whatever role they have stays. */
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

/** What a notice says about a project. */
export async function findProjectName(db: Database | Tx, projectId: string): Promise<string> {
  const row = await db.selectFrom('projects').select('name').where('id', '=', projectId).executeTakeFirst()
  return row?.name ?? ''
}
