/** All SQL on uploads. */
import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/connect.ts'

export interface NewUpload {
  id: string
  storageKey: string
  contentType: string
  size: number
  width: number
  height: number
  now: Date
}

export async function insertUpload(db: Database, projectId: string, upload: NewUpload): Promise<void> {
  await db
    .insertInto('uploads')
    .values({
      project_id: projectId,
      id: upload.id,
      storage_key: upload.storageKey,
      content_type: upload.contentType,
      size: upload.size,
      width: upload.width,
      height: upload.height,
      created_at: upload.now,
    })
    .execute()
}

/** Keys of deleted uploads; those for which `remove` succeeds are deleted. Processes never share one. */
export async function withRemovals(
  db: Database,
  most: number,
  remove: (keys: string[]) => Promise<string[]>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ storage_key: string }>`
      select storage_key from upload_removals limit ${most} for update skip locked`.execute(tx)
    const done = await remove(rows.map((row) => row.storage_key))
    if (done.length > 0) await tx.deleteFrom('upload_removals').where('storage_key', 'in', done).execute()
    return done.length
  })
}
