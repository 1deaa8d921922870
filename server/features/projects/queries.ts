/** Projects and their keys. */
import type { Database, Tx } from '../../platform/database/connect.ts'

export interface ProjectRow {
  id: string
  name: string
  public_key: string
  secret_key_hint: string
  disabled_at: Date | null
  disabled_reason: string | null
  tracking: string
  language: string
  created_at: Date
  updated_at: Date
}

export async function insertProject(
  tx: Tx,
  project: { id: string; name: string; publicKey: string; secretKeyHint: string; now: Date },
) {
  return tx
    .insertInto('projects')
    .values({
      id: project.id,
      name: project.name,
      public_key: project.publicKey,
      secret_key_hint: project.secretKeyHint,
      created_at: project.now,
      updated_at: project.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function replaceKeys(tx: Tx, projectId: string, hashes: { public: Buffer; secret: Buffer }) {
  await tx.deleteFrom('project_keys').where('project_id', '=', projectId).execute()
  await tx
    .insertInto('project_keys')
    .values([
      { project_id: projectId, kind: 'public', hash: hashes.public },
      { project_id: projectId, kind: 'secret', hash: hashes.secret },
    ])
    .execute()
}

export async function showNewKeys(
  tx: Tx,
  projectId: string,
  keys: { publicKey: string; secretKeyHint: string },
  now: Date,
) {
  return tx
    .updateTable('projects')
    .set({ public_key: keys.publicKey, secret_key_hint: keys.secretKeyHint, updated_at: now })
    .where('id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
}

export async function insertMember(tx: Tx, projectId: string, userId: string, role: string, now: Date) {
  await tx.insertInto('members').values({ project_id: projectId, user_id: userId, role, created_at: now }).execute()
}

export async function listProjectsOf(db: Database, userId: string) {
  return db
    .selectFrom('members')
    .innerJoin('projects', 'projects.id', 'members.project_id')
    .selectAll('projects')
    .select('members.role')
    .where('members.user_id', '=', userId)
    .orderBy('projects.id')
    .execute()
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
