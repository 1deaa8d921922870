/** The image library: names, folders, alternative texts, where an image is used, and deleting it. */
import type { Context } from '../../../context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, changesOf, recordAuditEntry } from '../../record/audit/actions.ts'
import * as queries from './queries.ts'
import { type ImageDetails, type UploadsQuery, USES_MAX } from './schemas.ts'

/** Reads `<project>/<random>-<file name>`. */
const fileNameOf = (storageKey: string, projectId: string) =>
  storageKey.slice(storageKey.indexOf('-', projectId.length) + 1)

function showUpload(ctx: Context, projectId: string, row: queries.UploadRow) {
  const filename = fileNameOf(row.storage_key, projectId)
  return {
    id: row.id,
    url: `${ctx.baseUrl}/uploads/${row.storage_key}`,
    filename,
    name: row.name ?? filename,
    folder: row.folder,
    alt: row.alt,
    contentType: row.content_type,
    size: row.size,
    width: row.width,
    height: row.height,
    createdAt: row.created_at,
  }
}

export async function listUploads(ctx: Context, projectId: string, query: UploadsQuery) {
  const { limit, cursor: before, search, folder } = query
  const filter = { search, folder }
  const [rows, total] = await Promise.all([
    queries.listUploads(ctx.db, projectId, { ...filter, before, limit }),
    before === undefined ? queries.countUploads(ctx.db, projectId, filter) : 0,
  ])
  return cursorPage(rows, limit, total, (row) => showUpload(ctx, projectId, row))
}

export const listFolders = (ctx: Context, projectId: string) => queries.listFolders(ctx.db, projectId)

export async function findImage(ctx: Context, projectId: string, id: string) {
  const row = await queries.findUpload(ctx.db, projectId, id)
  if (!row) throw notFound('image', id)
  const usedIn = await queries.findUses(ctx.db, projectId, row.storage_key, USES_MAX)
  return { ...showUpload(ctx, projectId, row), usedIn }
}

export async function changeImage(ctx: Context, projectId: string, id: string, changes: ImageDetails, who: Actor) {
  return transaction(ctx.db, async (tx) => {
    const before = await queries.lockUpload(tx, projectId, id)
    if (!before) throw notFound('image', id)
    const { name = before.name, folder = before.folder, alt = before.alt } = changes
    const details = { name, folder: folder || null, alt: alt || null }
    await queries.updateUpload(tx, projectId, id, details)
    const [old, changed] = [before, { ...before, ...details }].map((row) => showUpload(ctx, projectId, row))
    const differences = changesOf(old!, changed!)
    if (differences) {
      const entry = { imageId: id, name: changed!.name, ...differences }
      await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'image.changed', details: entry })
    }
    return changed!
  })
}

/** The file is removed by the job `remove-uploads`, for which a trigger records it. */
export async function deleteImage(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const row = await queries.lockUpload(tx, projectId, id)
    if (!row) throw notFound('image', id)
    await queries.deleteUpload(tx, projectId, id)
    const { name } = showUpload(ctx, projectId, row)
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'image.deleted', details: { imageId: id, name } })
  })
}
