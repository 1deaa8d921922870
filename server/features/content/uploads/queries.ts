/** All SQL on uploads. */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { resembling } from '../../../platform/database/like.ts'

interface UploadDetails {
  name: string | null
  folder: string | null
  alt: string | null
}

export interface NewUpload extends UploadDetails {
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
      name: upload.name,
      folder: upload.folder,
      alt: upload.alt,
      created_at: upload.now,
    })
    .execute()
}

export interface UploadRow extends UploadDetails {
  id: string
  storage_key: string
  content_type: string
  size: number
  width: number
  height: number
  created_at: Date
}

const COLUMNS = sql`id, storage_key, content_type, size, width, height, name, folder, alt, created_at`

interface UploadFilter {
  search: string | undefined
  folder: string | undefined
}

/** The file name is after the folder of the project and the random part of the name. */
function matching({ search, folder }: UploadFilter) {
  const named = search
    ? sql`and (name ~ ${resembling(search)} or substr(split_part(storage_key, '/', 2), 34) ~ ${resembling(search)})`
    : sql``
  if (folder === undefined) return named
  return folder === '' ? sql`and folder is null ${named}` : sql`and folder = ${folder} ${named}`
}

/** Newest first, with one extra row that shows whether there are more. */
export async function listUploads(
  db: Database,
  projectId: string,
  { before, limit, ...filter }: UploadFilter & { before: string | undefined; limit: number },
): Promise<UploadRow[]> {
  const older = before ? sql`and id < ${before}` : sql``
  const { rows } = await sql<UploadRow>`
    select ${COLUMNS} from uploads where project_id = ${projectId} ${matching(filter)} ${older}
    order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function countUploads(db: Database, projectId: string, filter: UploadFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from uploads where project_id = ${projectId} ${matching(filter)}`.execute(db)
  return rows[0]!.count
}

export async function listFolders(db: Database, projectId: string): Promise<{ name: string; images: number }[]> {
  const { rows } = await sql<{ name: string; images: number }>`/* list-image-folders */
    select folder as name, count(*)::int as images from uploads
    where project_id = ${projectId} and folder is not null
    group by folder order by lower(folder), folder`.execute(db)
  return rows
}

export async function findUpload(db: Database, projectId: string, id: string): Promise<UploadRow | undefined> {
  const { rows } = await sql<UploadRow>`/* find-upload */
    select ${COLUMNS} from uploads where project_id = ${projectId} and id = ${id}`.execute(db)
  return rows[0]
}

export async function lockUpload(tx: Tx, projectId: string, id: string): Promise<UploadRow | undefined> {
  const { rows } = await sql<UploadRow>`/* lock-upload */
    select ${COLUMNS} from uploads where project_id = ${projectId} and id = ${id} for update`.execute(tx)
  return rows[0]
}

export async function updateUpload(tx: Tx, projectId: string, id: string, details: UploadDetails): Promise<void> {
  await sql`/* update-upload */
    update uploads set name = ${details.name}, folder = ${details.folder}, alt = ${details.alt}
    where project_id = ${projectId} and id = ${id}`.execute(tx)
}

export async function deleteUpload(tx: Tx, projectId: string, id: string): Promise<void> {
  await sql`/* delete-upload */
    delete from uploads where project_id = ${projectId} and id = ${id}`.execute(tx)
}

interface ImageUse {
  type: 'template' | 'campaign' | 'layout' | 'saved-blocks' | 'branding'
  id: string
  name: string
}

/** What contains the storage key, which is in every URL of the image and nowhere else. */
export async function findUses(db: Database, projectId: string, storageKey: string, most: number): Promise<ImageUse[]> {
  const { rows } = await sql<ImageUse>`/* find-image-uses */
    select * from (
      (select 'template' as type, id, name from templates
        where project_id = ${projectId} and strpos(body, ${storageKey}) > 0)
      union all
      (select 'campaign', id, name from campaigns
        where project_id = ${projectId} and (strpos(body, ${storageKey}) > 0 or exists (
          select from campaign_experiments as experiments
          where experiments.project_id = ${projectId} and experiments.campaign_id = campaigns.id
            and strpos(experiments.variants::text, ${storageKey}) > 0)))
      union all
      (select 'layout', id, name from layouts
        where project_id = ${projectId} and strpos(header::text || footer::text, ${storageKey}) > 0)
      union all
      (select 'saved-blocks', id, name from saved_blocks
        where project_id = ${projectId} and strpos(blocks::text, ${storageKey}) > 0)
      union all
      (select 'branding', id, name from projects
        where id = ${projectId} and strpos(branding::text, ${storageKey}) > 0)
    ) as uses
    order by type = 'campaign', type, lower(name), id limit ${most}`.execute(db)
  return rows
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
