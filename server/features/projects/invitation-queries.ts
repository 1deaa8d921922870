/** Open invitations of a project. One that is accepted or withdrawn is gone. */
import type { Database, Tx } from '../../platform/database/connect.ts'

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

/** A new one for the same address takes the place of the old one, whose link is dead with it. */
export async function replaceInvitation(tx: Tx, projectId: string, row: NewInvitationRow): Promise<void> {
  const values = {
    id: row.id,
    role: row.role,
    token_hash: row.tokenHash,
    invited_by: row.invitedBy,
    created_at: row.now,
    expires_at: row.expiresAt,
  }
  await tx
    .insertInto('invitations')
    .values({ project_id: projectId, email: row.email, ...values })
    .onConflict((conflict) => conflict.columns(['project_id', 'email']).doUpdateSet(values))
    .execute()
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

/** By the token that a mail carried: the one look-up that no project limits, because the token names it. */
export async function findInvitation(db: Database, tokenHash: Buffer, now: Date) {
  return invitations(db)
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .leftJoin('users as invited', 'invited.email', 'i.email')
    .select(['p.name as project_name', 'invited.id as user_id'])
    .where('i.token_hash', '=', tokenHash)
    .where('i.expires_at', '>', now)
    .executeTakeFirst()
}

/** Takes the invitation away and returns it: of two who accept at once, one gets it. */
export async function takeInvitation(tx: Tx, tokenHash: Buffer, now: Date) {
  return tx
    .deleteFrom('invitations')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(['project_id', 'id', 'email', 'role'])
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

export async function forgetInvitations(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<', before).execute()
}
