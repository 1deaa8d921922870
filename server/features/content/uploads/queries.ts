/** All SQL on uploads. */
import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { containing } from '../../../platform/database/like.ts'

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

export interface UploadRow {
  id: string
  storage_key: string
  content_type: string
  size: number
  width: number
  height: number
  created_at: Date
}

/** After the folder of the project and the random part of the name. */
const FILENAME = sql<string>`substr(split_part(storage_key, '/', 2), 34)`

/** Newest first, with one extra row that shows whether there are more. */
export async function listUploads(
  db: Database,
  projectId: string,
  { search, before, limit }: { search: string | undefined; before: string | undefined; limit: number },
): Promise<UploadRow[]> {
  let query = db
    .selectFrom('uploads')
    .select(['id', 'storage_key', 'content_type', 'size', 'width', 'height', 'created_at'])
    .where('project_id', '=', projectId)
  if (search) query = query.where(FILENAME, 'ilike', containing(search))
  if (before) query = query.where('id', '<', before)
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countUploads(db: Database, projectId: string, search: string | undefined): Promise<number> {
  const named = search ? sql`and ${FILENAME} ilike ${containing(search)}` : sql``
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from uploads where project_id = ${projectId} ${named}`.execute(db)
  return rows[0]!.count
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
